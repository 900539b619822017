package feeds

import (
	"errors"
	"strings"

	"golang.org/x/text/unicode/norm"

	"wcpp/internal/platform/date"
)

// cents reads a decimal number of at most two places: 12, 12.5, -.75.
func cents(s string) (int64, error) {
	bad := errors.New("is not an amount of money")
	rest, negative := strings.CutPrefix(s, "-")
	whole, fraction, _ := strings.Cut(rest, ".")
	fraction = strings.TrimRight(fraction, "0")
	if whole == "" && !strings.ContainsAny(rest, "0123456789") || len(whole) > 15 || len(fraction) > 2 ||
		!digits(whole) || !digits(fraction) {
		return 0, bad
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

// ftin reads a tax ID: nine digits, written with or without hyphens.
func ftin(s string) (string, bool) {
	s = strings.ReplaceAll(s, "-", "")
	return s, len(s) == 9 && digits(s)
}

// period reads the value of a DTP segment: one date, two, or a date with a time.
func period(format, value string) (begin, end date.Date, err error) {
	bad := errors.New("is not a date")
	switch format {
	case "D8":
		begin, err = compact(value)
		end = begin
	case "DT":
		if len(value) < 8 {
			return "", "", bad
		}
		begin, err = compact(value[:8])
		end = begin
	case "RD8":
		from, to, found := strings.Cut(value, "-")
		if !found {
			return "", "", bad
		}
		if begin, err = compact(from); err == nil {
			end, err = compact(to)
		}
		if err == nil && end < begin {
			err = errors.New("is a period that ends before it begins")
		}
	default:
		err = errors.New("has a date format other than D8, RD8 and DT")
	}
	return begin, end, err
}

// compact reads CCYYMMDD.
func compact(s string) (date.Date, error) {
	d, err := date.ParseCompact(s)
	if err != nil {
		return "", errors.New("is not a date")
	}
	return d, nil
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// clean makes text NFC with single spaces and none around it.
func clean(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') || s[i] < ' ' {
			return norm.NFC.String(strings.Join(strings.Fields(s), " "))
		}
	}
	return s
}

func earliest(a, b date.Date) date.Date {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

func latest(a, b date.Date) date.Date {
	if b > a {
		return b
	}
	return a
}
