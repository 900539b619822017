// Package text folds what people type into what is stored and compared.
package text

import (
	"net/netip"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Clean trims, composes (Unicode NFC) and turns runs of white space into one
// space.
func Clean(s string) string {
	return strings.Join(strings.Fields(norm.NFC.String(s)), " ")
}

// Key folds a text for comparing and sorting without regard to case, alike on
// both databases.
func Key(s string) string {
	if plain(s) {
		return strings.ToLower(s)
	}
	return cases.Fold().String(Clean(s))
}

// Digits keeps the digits only.
func Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// plain tells that a text is ASCII and clean, as nearly all are: folding it
// only lowers its letters.
func plain(s string) bool {
	space := true // as if one stood in front
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space || s == ""
}

// IsLoopback tells whether a host is this machine itself.
func IsLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
