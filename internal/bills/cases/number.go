package cases

import (
	"crypto/rand"
	"strings"
)

// numberAlphabet lacks vowels, which would make words, and characters that look alike (0 and O, 1
// and I, A and 4).
const numberAlphabet = "23456789BCDFGHJKMNPQRSTVWXZ"

const numberLength = 7

// newNumber returns a random case number such as C-4K7Q-29MX: seven characters and a check
// character. It contains nothing about the case, so it's safe in addresses and email.
func newNumber() string {
	var b strings.Builder
	buffer := make([]byte, 1)
	for b.Len() < numberLength {
		_, _ = rand.Read(buffer) // never fails
		// A remainder alone would favor the first characters.
		if i := int(buffer[0]); i < 256/len(numberAlphabet)*len(numberAlphabet) {
			b.WriteByte(numberAlphabet[i%len(numberAlphabet)])
		}
	}
	return formatNumber(b.String() + string(checkCharacter(b.String())))
}

// formatNumber writes eight characters in two groups, as C-4K7Q-29MX.
func formatNumber(s string) string { return "C-" + s[:4] + "-" + s[4:] }

// checkCharacter makes the sum of all characters' positions, doubled at every other place, a
// multiple of 27. It detects each wrong character and all swapped neighbors.
func checkCharacter(s string) byte {
	n, sum := len(numberAlphabet), 0
	for i, factor := len(s)-1, 2; i >= 0; i, factor = i-1, 3-factor {
		sum += factor * strings.IndexByte(numberAlphabet, s[i])
	}
	return numberAlphabet[(n-sum%n)%n]
}

// parseNumber returns a typed case number in its form, or "" if it isn't one. The prefix, hyphens,
// spaces and case don't matter.
func parseNumber(typed string) string {
	s := strings.ToUpper(strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, typed))
	if len(s) == numberLength+2 {
		s = strings.TrimPrefix(s, "C")
	}
	if len(s) != numberLength+1 || strings.Trim(s, numberAlphabet) != "" || checkCharacter(s[:numberLength]) != s[numberLength] {
		return ""
	}
	return formatNumber(s)
}
