package cases

import (
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	seen := map[string]bool{}
	for range 2000 {
		n := newNumber()
		seen[n] = true
		for _, typed := range []string{n, strings.ToLower(n), " " + n[2:] + " ", strings.ReplaceAll(n, "-", "")} {
			if got := parseNumber(typed); got != n {
				t.Fatalf("%q is read as %q, want %q", typed, got, n)
			}
		}
		for i := 2; i < len(n); i++ {
			if j := i + 1; j < len(n) && n[i] != n[j] && n[i] != '-' && n[j] != '-' {
				if swapped := n[:i] + n[j:j+1] + n[i:j] + n[j+1:]; parseNumber(swapped) != "" {
					t.Fatalf("%q is accepted instead of %q", swapped, n)
				}
			}
			for _, c := range numberAlphabet {
				if wrong := n[:i] + string(c) + n[i+1:]; n[i] != '-' && wrong != n && parseNumber(wrong) != "" {
					t.Fatalf("%q is accepted instead of %q", wrong, n)
				}
			}
		}
	}
	if len(seen) != 2000 {
		t.Errorf("%d different numbers of 2000", len(seen))
	}
	for _, typed := range []string{"", "C-", "C-4K7Q-29M", "C-4K7Q-29MXX", "C-AAAA-AAAA", "7000001190"} {
		if got := parseNumber(typed); got != "" {
			t.Errorf("%q is read as %q", typed, got)
		}
	}
}
