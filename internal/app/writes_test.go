package app_test

import (
	"os"
	"strings"
	"testing"

	"wcpp/internal/platform/httpapi"
)

// testdata/writes.txt lists each write operation under its group, and no others. docs/writes.md
// describes the locks and checks of each group.
func TestWritesAreListed(t *testing.T) {
	list, err := os.ReadFile("testdata/writes.txt")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/writes.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for line := range strings.Lines(string(list)) {
		line = strings.TrimSpace(line)
		if group, is := strings.CutPrefix(line, "# "); is {
			if !strings.Contains(string(page), "\n| "+group+" | ") {
				t.Errorf("docs/writes.md doesn't describe the group %q", group)
			}
		} else if line != "" {
			listed[line]++
		}
	}
	for _, op := range newPortal(t, "sqlite", nil).API.Operations() {
		if call := op.Method + " " + op.Path; op.Effect == httpapi.Write {
			if listed[call] != 1 {
				t.Errorf("testdata/writes.txt lists %s %d times", call, listed[call])
			}
			delete(listed, call)
		}
	}
	for call := range listed {
		t.Errorf("testdata/writes.txt lists %s, which is no write", call)
	}
}
