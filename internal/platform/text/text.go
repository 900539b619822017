// Package text folds what people type into what is stored and compared.
package text

import (
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Clean trims, composes (Unicode NFC) and turns runs of white space into one
// space.
func Clean(s string) string {
	return strings.Join(strings.Fields(norm.NFC.String(s)), " ")
}

// Storable tells whether both databases keep a text as it is: UTF-8 without NUL.
func Storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// Key folds a text for comparing and sorting without regard to case, alike on
// both databases.
func Key(s string) string {
	if plain(s) {
		return strings.ToLower(s)
	}
	return cases.Fold().String(Clean(s))
}

// Beyond is behind every key that begins so: keys of the beginning are those from
// it on that come before Beyond of it. With an empty beginning it is behind all.
func Beyond(beginning string) string { return beginning + "\U0010FFFF" }

// Digits keeps the digits only.
func Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// exponent is how spreadsheets and programs write a number that is too long for them:
// 7.10001E+09. Without decimals it needs its sign and one leading digit: 7E12, 12E4567
// and 2026E-01 are numbers that somebody gave out.
var exponent = regexp.MustCompile(`^[+-]?(?:[0-9]{1,3}[.,][0-9]*[Ee][+-]?|[0-9][Ee][+-])[0-9]{1,3}$`)

// IsExponent reports whether a text is a number in exponent form, whose digits are lost.
func IsExponent(s string) bool {
	return len(s) >= 4 && strings.ContainsAny(s, "eE") && exponent.MatchString(s)
}

// FileName is a text as a part of a file's name: what is no letter or digit of ASCII, nor a
// hyphen, becomes a low line.
func FileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, s)
}

// Phone answers the digits of a phone number, without the country's own 1 in
// front of ten others; a text that is no phone number is only cleaned.
func Phone(s string) string {
	s = Clean(s)
	if strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && !strings.ContainsRune(" ().+", r) && !unicode.Is(unicode.Pd, r)
	}) {
		return s
	}
	digits := Digits(s)
	if len(digits) == 11 {
		digits = strings.TrimPrefix(digits, "1")
	}
	return digits
}

// TIN answers a number by which something is known, such as a TIN, without the
// blanks and hyphens that people write in it.
func TIN(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) {
			return -1
		}
		return r
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

// Counted says how many there are: 1 bill, 2 bills.
func Counted[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
