package app_test

import (
	"os"
	"regexp"
	"testing"

	"wcpp/internal/platform/httpapi"
)

// docs/writes.md describes the locks and checks of each write operation, and lists no others.
func TestWritesAreListed(t *testing.T) {
	text, err := os.ReadFile("../../docs/writes.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, found := range regexp.MustCompile("(?m)^- `([A-Z]+ /[^`]*)`$").FindAllSubmatch(text, -1) {
		listed[string(found[1])]++
	}
	for _, op := range newPortal(t, "sqlite", nil).API.Operations() {
		if call := op.Method + " " + op.Path; op.Effect == httpapi.Write {
			if listed[call] != 1 {
				t.Errorf("docs/writes.md lists %s %d times", call, listed[call])
			}
			delete(listed, call)
		}
	}
	for call := range listed {
		t.Errorf("docs/writes.md lists %s, which is no write", call)
	}
}
