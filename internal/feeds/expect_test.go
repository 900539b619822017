package feeds

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func eastern(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	return zone
}

func TestExpects(t *testing.T) {
	zone := eastern(t)
	for text, want := range map[string]error{
		"0 6 * * 1-5": nil, "@daily": nil, "30 2 29 2 *": nil, "*/5 * * * *": nil,
		"": errCron, "6:00": errCron, "0 6 * *": errCron, "0 0 6 * * *": errCron, "@every 1h": errCron, "TZ=UTC 0 6 * * *": errCron,
		"CRON_TZ=UTC 0 6 * * *": errCron, "61 6 * * *": errCron,
		"0 6 31 2 *": errNever, "0 6 31 4,6,9,11 *": errNever,
	} {
		if _, err := parseExpectation(text, zone); err != want { //nolint:errorlint // which it is
			t.Errorf("%q: %v", text, err)
		}
	}
}

// In wall-clock time, each time occurs once a day, including days when the clocks change.
func TestExpectationsWhenTheClockTurns(t *testing.T) {
	zone := eastern(t)
	for _, test := range []struct {
		cron, day string
		want      []string // in UTC
	}{
		{"0 6 * * *", "2026-03-08", []string{"2026-03-08T10:00:00Z"}},
		{"30 2 * * *", "2026-03-08", []string{"2026-03-08T07:30:00Z"}}, // skipped: an hour later
		{"0 6 * * *", "2026-11-01", []string{"2026-11-01T11:00:00Z"}},
		{"30 1 * * *", "2026-11-01", []string{"2026-11-01T05:30:00Z"}}, // repeated: the first
		{"0 6 * * *", "2026-11-23", []string{"2026-11-23T11:00:00Z"}},
	} {
		e, err := parseExpectation(test.cron, zone)
		require.NoError(t, err)
		begins, err := time.ParseInLocation("2006-01-02", test.day, zone)
		require.NoError(t, err)
		var got []string
		for at := e.next(begins.Add(-time.Second)); at.Before(begins.AddDate(0, 0, 1)); at = e.next(at) {
			got = append(got, at.UTC().Format(time.RFC3339))
		}
		if len(got) != len(test.want) || got[0] != test.want[0] {
			t.Errorf("%s on %s: %v", test.cron, test.day, got)
		}
		// last finds the same times, at every quarter hour of the day.
		for at := begins; at.Before(begins.AddDate(0, 0, 1)); at = at.Add(15 * time.Minute) {
			last := e.last(at)
			if last.After(at) || !e.next(last).After(at) {
				t.Errorf("%s at %s: the last is %s, and then %s", test.cron, at, last, e.next(last))
			}
		}
	}
}

func TestStand(t *testing.T) {
	zone := eastern(t)
	weekdays, err := parseExpectation("0 6 * * 1-5", zone)
	require.NoError(t, err)
	at := func(text string) time.Time {
		if text == "" {
			return time.Time{}
		}
		parsed, err := time.ParseInLocation("2006-01-02 15:04", text, zone)
		require.NoError(t, err)
		return parsed
	}
	for _, test := range []struct {
		what, now, came string
		light           Light
		from            string
	}{
		{"on time", "2026-11-24 07:00", "2026-11-24 05:30", OnTime, ""},
		{"not expected yet", "2026-11-24 05:59", "2026-11-23 06:00", OnTime, ""},
		{"within what is allowed", "2026-11-24 06:29", "2026-11-23 05:00", OnTime, ""},
		{"late", "2026-11-24 06:30", "2026-11-23 05:00", Late, "2026-11-24 06:00"},
		{"Monday's, which came late, is not Tuesday's", "2026-11-24 07:00", "2026-11-23 10:00", Late, "2026-11-24 06:00"},
		{"the evening before is early", "2026-11-24 07:00", "2026-11-23 19:00", OnTime, ""},
		{"Friday's on Saturday", "2026-11-22 12:00", "2026-11-21 10:00", OnTime, ""},
		{"and Monday's is late", "2026-11-23 07:00", "2026-11-21 10:00", Late, "2026-11-23 06:00"},
		{"never", "2026-11-24 07:00", "", Never, "2026-11-24 06:00"},
		{"over the turned clock", "2026-03-09 06:30", "2026-03-06 05:00", Late, "2026-03-09 06:00"},
		{"and before it", "2026-11-02 06:29", "2026-10-30 05:00", OnTime, ""},
	} {
		s := weekdays.status(at(test.now), at("2026-01-01 00:00"), at(test.came), 30*time.Minute)
		if s.Light != test.light || !s.LateFrom.Equal(at(test.from)) || !s.Next.After(at(test.now)) {
			t.Errorf("%s: %+v", test.what, s)
		}
	}
	if s := weekdays.status(at("2026-11-24 07:00"), at("2026-11-24 06:10"), time.Time{}, 0); s.Light != OnTime {
		t.Errorf("expected only from a moment ago on: %+v", s)
	}
}
