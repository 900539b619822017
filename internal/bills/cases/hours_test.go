package cases

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newHours(t *testing.T) (Hours, *time.Location) {
	t.Helper()
	return parseHours(t, "mon-fri 8-20")
}

func parseHours(t *testing.T, text string) (Hours, *time.Location) {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	h, err := ParseHours(text, zone)
	require.NoError(t, err)
	return h, zone
}

// A promise ends within business hours, over weekends, holidays and the change of the clocks.
func TestBusinessHours(t *testing.T) {
	for _, c := range []struct {
		hours    string
		from     string
		business time.Duration
		want     string
	}{
		{"mon-fri 8-20", "2026-11-23 10:42", 36 * time.Hour, "2026-11-27 10:42"}, // Thanksgiving on Thursday
		{"mon-fri 8-20", "2026-11-20 19:30", 2 * time.Hour, "2026-11-23 09:30"},  // over a weekend
		{"mon-fri 8-20", "2026-11-21 03:00", time.Hour, "2026-11-23 09:00"},      // on a Saturday
		{"mon-fri 8-20", "2026-11-23 05:00", 12 * time.Hour, "2026-11-23 20:00"}, // before the opening
		{"mon-fri 8-20", "2026-10-30 19:00", 2 * time.Hour, "2026-11-02 09:00"},  // daylight saving time ends on Sunday
		{"mon-fri 8-20", "2026-03-06 19:00", 2 * time.Hour, "2026-03-09 09:00"},  // and begins
		{"mon-fri 8-20", "2026-07-02 19:00", 2 * time.Hour, "2026-07-06 09:00"},  // July 4 is a Saturday
		{"mon-fri 8-20", "2026-11-23 20:00", time.Minute, "2026-11-24 08:01"},    // at the close
		{"mon-fri 0-24", "2026-11-16 10:00", 36 * time.Hour, "2026-11-17 22:00"},
		{"mon-fri 0-24", "2026-11-20 23:30", time.Hour, "2026-11-23 00:30"},
		{"mon-fri 8-24", "2026-11-16 10:00", 36 * time.Hour, "2026-11-18 14:00"},
		{"mon-fri 8-24", "2026-11-16 03:00", 16 * time.Hour, "2026-11-17 00:00"},
		{"sun-sat 8-20", "2026-10-31 19:00", 2 * time.Hour, "2026-11-01 09:00"}, // daylight saving time ends on this workday
		{"sun-sat 8-20", "2026-11-01 10:00", 12 * time.Hour, "2026-11-02 10:00"},
		{"sun-sat 0-24", "2026-11-01 00:30", 25 * time.Hour, "2026-11-02 00:30"},
		{"sun-sat 8-20", "2026-03-07 19:00", 2 * time.Hour, "2026-03-08 09:00"}, // and begins
		{"sun-sat 0-24", "2026-03-08 00:30", 23 * time.Hour, "2026-03-09 00:30"},
	} {
		h, zone := parseHours(t, c.hours)
		from, err := time.ParseInLocation("2006-01-02 15:04", c.from, zone)
		require.NoError(t, err)
		got := h.After(from.UTC(), c.business)
		assert.Equalf(t, c.want, got.Format("2006-01-02 15:04"), "%s: %s after %s", c.hours, c.business, c.from)
		assert.Equalf(t, c.business, h.Between(from.UTC(), got.UTC()), "%s: between %s and %s", c.hours, c.from, c.want)
	}
	h, _ := newHours(t)
	now := time.Now()
	assert.Equal(t, time.Duration(0), h.Between(now, now.Add(-time.Hour)))
}

func TestParseHours(t *testing.T) {
	for _, text := range []string{"", "mon-fri", "8-20", "mon-fri 20-8", "mon-fri 8-25", "mon 8-20", "mon-fri 8:30-20", "mo-fr 8-20"} {
		if _, err := ParseHours(text, time.UTC); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
	h, err := ParseHours("Sun-Thu 0-24", time.UTC)
	require.NoError(t, err)
	friday := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	if got := h.After(friday, time.Hour); !got.Equal(time.Date(2026, 11, 22, 1, 0, 0, 0, time.UTC)) {
		t.Errorf("Sunday to Thursday: %s", got)
	}
}
