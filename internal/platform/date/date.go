// Package date provides calendar dates without a time of day.
package date

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Earliest is the first valid date. No living patient was born before it.
const Earliest = Date("1900-01-01")

// ErrTooEarly means that a date is before Earliest.
var ErrTooEarly = errors.New("is before the year 1900")

// Date is a calendar date in the form YYYY-MM-DD. The empty string means no date and is stored
// as NULL. Dates compare and sort as strings.
type Date string

const layout = "2006-01-02"

// The message omits the value, which can be a birth date.
var errNotDate = errors.New("must be a date (YYYY-MM-DD)")

// Of returns the date of a time in its own time zone.
func Of(t time.Time) Date { return Date(t.Format(layout)) }

// New returns the date of a year, month, and day, normalized as time.Date does.
func New(year int, month time.Month, day int) Date {
	return Of(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

// Parse reads YYYY-MM-DD, or the date part of an ISO timestamp without time zone conversion. The
// empty string is no date.
func Parse(s string) (Date, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return "", nil
	}
	if len(s) > len(layout) {
		if sep := s[len(layout)]; sep != 'T' && sep != ' ' {
			return "", errNotDate
		}
		s = s[:len(layout)]
	}
	t, err := time.Parse(layout, s)
	if err != nil || t.Year() < 1 {
		return "", errNotDate
	}
	return Date(s), nil
}

// ParseTyped reads a date as users and spreadsheets write it: YYYY-MM-DD or M/D/YYYY, each with or
// without a time of day.
func ParseTyped(s string) (Date, error) {
	day, ok := CutTime(s)
	if !ok {
		return "", errNotDate
	}
	if t, err := time.Parse("1/2/2006", day); err == nil {
		return Of(t), nil
	}
	return Parse(day)
}

// CutTime removes a time of day after a date. ok is false if the removed text isn't a time of
// day or empty.
func CutTime(s string) (day string, ok bool) {
	at := strings.IndexAny(s, " T")
	if at <= 0 {
		return s, true
	}
	clock := strings.ToUpper(s[at+1:])
	return s[:at], slices.ContainsFunc(clocks, func(layout string) bool {
		_, err := time.Parse(layout, clock)
		return err == nil
	})
}

var clocks = []string{"15:04", "15:04:05", "15:04:05Z07:00", "3:04 PM", "3:04:05 PM", "3:04PM", "3:04:05PM"}

// ParseCompact reads the X12 form CCYYMMDD.
func ParseCompact(s string) (Date, error) {
	t, err := time.Parse("20060102", s)
	if err != nil || t.Year() < 1 {
		return "", errors.New("must be a date (CCYYMMDD)")
	}
	return Date(s[:4] + "-" + s[4:6] + "-" + s[6:]), nil
}

// Time returns midnight UTC of the date, or the zero time for no date.
func (d Date) Time() time.Time {
	t, _ := time.Parse(layout, string(d))
	return t
}

// AddDays adds n days. No date stays no date.
func (d Date) AddDays(n int) Date {
	if d == "" {
		return ""
	}
	return Of(d.Time().AddDate(0, 0, n))
}

// US returns the date as MM/DD/YYYY, the form in every screen and document.
func (d Date) US() string {
	if d == "" {
		return ""
	}
	return d.Time().Format("01/02/2006")
}

// FormatTime formats a timestamp for users in the business time zone: MM/DD/YYYY at 3:04 PM EST.
func FormatTime(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("01/02/2006 at 3:04 PM MST")
}

// Value returns the date as ISO text, which both databases read as a date.
func (d Date) Value() (driver.Value, error) {
	if d == "" {
		return nil, nil
	}
	return string(d), nil
}

// Scan reads a date column of either database.
func (d *Date) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*d = ""
	case time.Time:
		*d = Of(v)
	case string:
		p, err := Parse(v)
		if err != nil {
			return err
		}
		*d = p
	case []byte:
		return d.Scan(string(v))
	default:
		return fmt.Errorf("cannot read a date from %T", src)
	}
	return nil
}

// MarshalJSON writes null for no date.
func (d Date) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	return append(append([]byte{'"'}, d...), '"'), nil // dates don't need escaping; the encoder checks this
}

// UnmarshalJSON reads what Parse reads, and null.
func (d *Date) UnmarshalJSON(b []byte) error {
	var s *string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s == nil {
		*d = ""
		return nil
	}
	p, err := Parse(*s)
	*d = p
	return err
}
