package x12

import (
	"errors"
	"strings"
	"time"

	"wcpp/internal/platform/date"
)

var (
	errNotDate = errors.New("isn't a date")
	errNotTime = errors.New("isn't a time of day")
)

// ErrFuture means that a file's date is later than the import.
var ErrFuture = errors.New("is in the future")

// ParseDay reads the date of an envelope or a header, CCYYMMDD or YYMMDD. Two-digit years from 69 to
// 99 belong to the last century.
func ParseDay(s string) (date.Date, error) {
	if len(s) != len("YYMMDD") {
		return ParseDate(s)
	}
	t, err := time.Parse("060102", s)
	if err != nil {
		return "", errNotDate
	}
	return date.Of(t), nil
}

// FormatMoment formats a date and a time (HHMM, HHMMSS, or HHMMSSDD) as sortable text. The form is
// CCYYMMDD, T, and HHMM, with seconds if there are any. It is empty without a date. wrong has
// the errors of the date and of the time. An invalid time is omitted.
func FormatMoment(day, clock string) (written string, wrong [2]error) {
	day, clock = strings.TrimSpace(day), strings.TrimSpace(clock)
	if day == "" {
		return "", wrong
	}
	on, err := ParseDay(day)
	if err != nil {
		return "", [2]error{err, nil}
	}
	written = strings.ReplaceAll(string(on), "-", "")
	if clock == "" {
		return written, wrong
	}
	if !isTime(clock) {
		return written, [2]error{nil, errNotTime}
	}
	// 0304, 030400, and 03040000 are the same time.
	whole, seconds := clock[:4], clock[4:min(6, len(clock))]
	decimals := strings.TrimRight(clock[len(whole)+len(seconds):], "0")
	if decimals == "" && seconds == "00" {
		seconds = ""
	}
	return written + "T" + whole + seconds + decimals, wrong
}

// isTime reports whether a text is HHMM, HHMMSS, HHMMSSD, or HHMMSSDD.
func isTime(s string) bool {
	if len(s) != 4 && (len(s) < 6 || len(s) > 8) || !isDigits(s) {
		return false
	}
	return s[:2] < "24" && s[2:4] < "60" && (len(s) == 4 || s[4:6] < "60")
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// ParseDate reads a date in the form CCYYMMDD, in the year 1900 or later.
func ParseDate(s string) (date.Date, error) {
	d, err := date.ParseCompact(s)
	switch {
	case err != nil:
		return "", errNotDate
	case d < date.Earliest:
		return "", date.ErrTooEarly
	}
	return d, nil
}

// ParsePeriod reads the value of a DTP segment by its format: one date (D8), two dates (RD8), or a
// date with a time (DT).
func ParsePeriod(format, value string) (begin, end date.Date, err error) {
	switch format {
	case "D8":
		begin, err = ParseDate(value)
		end = begin
	case "DT":
		if len(value) < 8 {
			return "", "", errNotDate
		}
		begin, err = ParseDate(value[:8])
		end = begin
	case "RD8":
		from, to, found := strings.Cut(value, "-")
		if !found {
			return "", "", errNotDate
		}
		if begin, err = ParseDate(from); err == nil {
			end, err = ParseDate(to)
		}
		if err == nil && end < begin {
			err = errors.New("is a period that ends before it begins")
		}
	default:
		err = errors.New("has a date format other than D8, RD8 and DT")
	}
	return begin, end, err
}
