package cases

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNumbers(t *testing.T) {
	seen := map[string]bool{}
	for range 2000 {
		n := newNumber()
		seen[n] = true
		for _, typed := range []string{n, strings.ToLower(n), " " + n[2:] + " ", strings.ReplaceAll(n, "-", "")} {
			require.Equalf(t, n, parseNumber(typed), "%q is read as", typed)
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
	assert.Len(t, seen, 2000)
	for _, typed := range []string{"", "C-", "C-4K7Q-29M", "C-4K7Q-29MXX", "C-AAAA-AAAA", "7000001190"} {
		assert.Emptyf(t, parseNumber(typed), "%q is read as", typed)
	}
}
