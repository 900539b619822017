package x12

import (
	"errors"
	"strings"

	"wcpp/internal/platform/date"
)

// firstDate is the first that a date of any use can be: nobody who is treated
// was born before it.
const firstDate = date.Date("1900-01-01")

// Date reads a date written CCYYMMDD, of the year 1900 or later.
func Date(s string) (date.Date, error) {
	d, err := date.ParseCompact(s)
	switch {
	case err != nil:
		return "", errors.New("is not a date")
	case d < firstDate:
		return "", ErrTooEarly
	}
	return d, nil
}

// ErrTooEarly tells that a date cannot be.
var ErrTooEarly = errors.New("is before the year 1900")

// Period reads the value of a DTP segment by its format: one date (D8), two
// (RD8), or a date with a time (DT).
func Period(format, value string) (begin, end date.Date, err error) {
	bad := errors.New("is not a date")
	switch format {
	case "D8":
		begin, err = Date(value)
		end = begin
	case "DT":
		if len(value) < 8 {
			return "", "", bad
		}
		begin, err = Date(value[:8])
		end = begin
	case "RD8":
		from, to, found := strings.Cut(value, "-")
		if !found {
			return "", "", bad
		}
		if begin, err = Date(from); err == nil {
			end, err = Date(to)
		}
		if err == nil && end < begin {
			err = errors.New("is a period that ends before it begins")
		}
	default:
		err = errors.New("has a date format other than D8, RD8 and DT")
	}
	return begin, end, err
}
