package ingest

import (
	"errors"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

var errNotMoney = errors.New("must be an amount in dollars and cents, such as 1234.56")

// ParseCents reads a decimal number with up to two decimal places: 12, 12.5, -.75.
func ParseCents(s string) (int64, error) {
	rest, negative := strings.CutPrefix(s, "-")
	whole, fraction, _ := strings.Cut(rest, ".")
	fraction = strings.TrimRight(fraction, "0")
	if whole == "" && !strings.ContainsAny(rest, "0123456789") || len(whole) > 15 || len(fraction) > 2 ||
		!isDigits(whole) || !isDigits(fraction) {
		return 0, errNotMoney
	}
	var n int64
	for _, d := range whole + (fraction + "00")[:2] {
		n = n*10 + int64(d-'0')
	}
	if negative {
		n = -n
	}
	return n, nil
}

// accounted matches an amount as spreadsheets show it: with a dollar sign, thousands separators,
// or parentheses for negative amounts.
var accounted = regexp.MustCompile(`^(-?)(\()?(-?)\$? ?(-?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]*)(\.[0-9]*)?(\))?$`)

// parseTypedCents reads an amount as users and spreadsheets write it: 1234.5, $1,234.50, ($12.50).
func parseTypedCents(s string) (int64, error) {
	if cents, err := ParseCents(s); err == nil {
		return cents, nil
	}
	parts := accounted.FindStringSubmatch(s)
	if parts == nil || (parts[2] == "") != (parts[7] == "") || len(parts[1]+parts[2]+parts[3]+parts[4]) > 1 {
		return 0, errNotMoney
	}
	cents, err := ParseCents(strings.ReplaceAll(parts[5], ",", "") + parts[6])
	if parts[1]+parts[2]+parts[3]+parts[4] != "" {
		cents = -cents
	}
	return cents, err
}

// ParseTaxID reads a tax ID: nine digits, with or without hyphens.
func ParseTaxID(s string) (id string, ok bool) {
	s = strings.ReplaceAll(s, "-", "")
	return s, len(s) == 9 && isDigits(s)
}

// Clean converts text to NFC, collapses spaces, and trims it. It returns clean text unchanged.
func Clean(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') || s[i] < ' ' {
			return norm.NFC.String(strings.Join(strings.Fields(s), " "))
		}
	}
	return s
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
