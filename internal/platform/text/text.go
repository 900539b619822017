// Package text normalizes typed text for storage and comparison.
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

// Clean trims the text, composes it (Unicode NFC), and collapses white space.
func Clean(s string) string {
	return strings.Join(strings.Fields(norm.NFC.String(s)), " ")
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Paragraphs cleans a text of several lines: each line as Clean does, at most one empty line
// between two, and none at either end.
func Paragraphs(s string) string {
	var lines []string
	for line := range strings.Lines(lineEnds.Replace(s)) {
		line = Clean(line)
		if line != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// IsStorable reports whether both databases store a text unchanged: UTF-8 without NUL.
func IsStorable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// Key folds a text for case-insensitive comparison and sorting, equally on both databases.
func Key(s string) string {
	if isPlain(s) {
		return strings.ToLower(s)
	}
	return cases.Fold().String(Clean(s))
}

// PrefixEnd returns an upper bound for keys with a prefix. These keys are at least beginning, and
// less than PrefixEnd of it. For an empty prefix, it is greater than all keys.
func PrefixEnd(beginning string) string { return beginning + "\U0010FFFF" }

// Digits returns only the digits.
func Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// exponent is how spreadsheets and programs write a number that is too long for them:
// 7.10001E+09. Without decimals, it needs its sign and one leading digit. 7E12, 12E4567, and
// 2026E-01 can be real identifiers.
var exponent = regexp.MustCompile(`^[+-]?(?:[0-9]{1,3}[.,][0-9]*[Ee][+-]?|[0-9][Ee][+-])[0-9]{1,3}$`)

// IsExponent reports whether a text is a number in exponent form, with lost digits.
func IsExponent(s string) bool {
	return len(s) >= 4 && strings.ContainsAny(s, "eE") && exponent.MatchString(s)
}

// FileName returns a text for use in a file name. It replaces all characters other than ASCII
// letters, digits, and hyphens with underscores.
func FileName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, s)
}

// Phone returns the digits of a phone number, without the country code 1 before ten others. Text
// that isn't a phone number is only cleaned.
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

// TIN returns an identifying number, such as a TIN, without the spaces and hyphens that users
// type.
func TIN(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) {
			return -1
		}
		return r
	}, s)
}

// isPlain reports whether a text is ASCII and clean, as most texts are. Folding it only converts
// it to lowercase.
func isPlain(s string) bool {
	space := true // as if after a space
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space || s == ""
}

// IsLoopback reports whether a host is the local machine.
func IsLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// FormatCount returns a number with its noun: 1 bill, 2 bills.
func FormatCount[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
