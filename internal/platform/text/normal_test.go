package text

import (
	"encoding/json"
	"os"
	"testing"
)

// The browser's tests also use the cases in normal.json.
func TestNormal(t *testing.T) {
	file, err := os.ReadFile("testdata/normal.json")
	if err != nil {
		t.Fatal(err)
	}
	var normal map[string]map[string]string
	if err := json.Unmarshal(file, &normal); err != nil {
		t.Fatal(err)
	}
	rules := map[string]func(string) string{"phone": Phone, "tin": TIN}
	if len(normal) != len(rules) {
		t.Errorf("%d kinds for %d rules", len(normal), len(rules))
	}
	for kind, rule := range rules {
		for typed, want := range normal[kind] {
			if got := rule(typed); got != want {
				t.Errorf("%s: %q is %q, not %q", kind, typed, got, want)
			}
		}
	}
	if got := Phone(" 216-555-0122  x5"); got != "216-555-0122 x5" {
		t.Errorf("an extension became part of the number: %q", got)
	}
}
