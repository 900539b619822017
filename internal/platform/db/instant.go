package db

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Instant is a UTC timestamp with microseconds: timestamptz in PostgreSQL, sortable ISO text in
// SQLite. The zero Instant is NULL.
type Instant struct{ time.Time }

const instantLayout = "2006-01-02T15:04:05.000000Z"

// At converts a time to an Instant, truncated to the precision of both databases.
func At(t time.Time) Instant { return Instant{t.UTC().Truncate(time.Microsecond)} }

// OrNone returns the time for the API, or nil for none.
func (i Instant) OrNone() *time.Time {
	if i.IsZero() {
		return nil
	}
	return &i.Time
}

// RFC3339 returns the time in seconds for the API, or "" for none.
func (i Instant) RFC3339() string {
	if i.IsZero() {
		return ""
	}
	return i.Format(time.RFC3339)
}

// Value returns ISO text, which PostgreSQL reads as a timestamptz.
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
