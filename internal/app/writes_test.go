package app_test

import (
	"cmp"
	"os"
	"regexp"
	"strings"
	"testing"

	"wcpp/internal/platform/httpapi"
)

// docs/writes.md describes the locks and checks of each write in one group, and of no others. A
// group lists permissions, and calls that differ from their permission's group.
func TestWritesAreListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/writes.md")
	if err != nil {
		t.Fatal(err)
	}
	group := map[string]string{}
	used := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		if len(cells) < 3 {
			continue
		}
		for _, name := range regexp.MustCompile("`[^`]+`").FindAllString(cells[1], -1) {
			if group[name] != "" {
				t.Errorf("docs/writes.md lists %s in two groups", name)
			}
			group[name] = cells[0]
		}
	}
	for _, op := range newPortal(t, "sqlite", nil).API.Operations() {
		call, permission := "`"+op.Method+" "+op.Path+"`", "`"+op.Access+"`"
		if op.Effect != httpapi.Write {
			continue
		}
		if cmp.Or(group[call], group[permission]) == "" {
			t.Errorf("docs/writes.md lists neither %s nor %s", call, permission)
		}
		used[permission] = used[permission] || group[call] == ""
		used[call] = true
	}
	for name := range group {
		if !used[name] {
			t.Errorf("docs/writes.md lists %s, which no write needs", name)
		}
	}
}
