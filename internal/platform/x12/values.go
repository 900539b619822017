package x12

import (
	"errors"
	"strings"

	"wcpp/internal/platform/date"
)

var errNotDate = errors.New("is not a date")

// Date reads a date written CCYYMMDD, of the year 1900 or later.
func Date(s string) (date.Date, error) {
	d, err := date.ParseCompact(s)
	switch {
	case err != nil:
		return "", errNotDate
	case d < date.Earliest:
		return "", date.ErrTooEarly
	}
	return d, nil
}

// Period reads the value of a DTP segment by its format: one date (D8), two
// (RD8), or a date with a time (DT).
func Period(format, value string) (begin, end date.Date, err error) {
	switch format {
	case "D8":
		begin, err = Date(value)
		end = begin
	case "DT":
		if len(value) < 8 {
			return "", "", errNotDate
		}
		begin, err = Date(value[:8])
		end = begin
	case "RD8":
		from, to, found := strings.Cut(value, "-")
		if !found {
			return "", "", errNotDate
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
