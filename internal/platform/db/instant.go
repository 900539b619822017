package db

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Instant is a moment in UTC to the microsecond: timestamptz in PostgreSQL,
// sortable ISO text in SQLite. The zero Instant is NULL.
type Instant struct{ time.Time }

const instantLayout = "2006-01-02T15:04:05.000000Z"

// At makes an Instant of a time, cut to what both databases keep.
func At(t time.Time) Instant { return Instant{t.UTC().Truncate(time.Microsecond)} }

// OrNone is the time as the wire has it; nil where there is none.
func (i Instant) OrNone() *time.Time {
	if i.IsZero() {
		return nil
	}
	return &i.Time
}

// RFC3339 is the time to the second as the API tells it; "" where there is none.
func (i Instant) RFC3339() string {
	if i.IsZero() {
		return ""
	}
	return i.Format(time.RFC3339)
}

// Value writes ISO text, which PostgreSQL reads as a timestamptz.
func (i Instant) Value() (driver.Value, error) {
	if i.IsZero() {
		return nil, nil
	}
	return i.UTC().Format(instantLayout), nil
}

// Scan reads either database's form.
func (i *Instant) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*i = Instant{}
	case time.Time:
		*i = At(v)
	case string:
		t, err := time.Parse(time.RFC3339Nano, v)
		if err != nil {
			return fmt.Errorf("cannot read an instant: %w", err)
		}
		*i = At(t)
	case []byte:
		return i.Scan(string(v))
	default:
		return fmt.Errorf("cannot read an instant from %T", src)
	}
	return nil
}
