package feeds

import (
	"errors"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// expectation is when files of a source are expected, by the clock on the wall
// where the business is.
type expectation struct {
	schedule *cron.SpecSchedule
	zone     *time.Location
}

// Why an expectation cannot be one, in words for who wrote it.
var (
	errCron  = errors.New("Enter 5 fields: minute, hour, day of month, month and day of week. Example: 0 6 * * 1-5 for weekdays by 6:00 AM.") //nolint:staticcheck // a sentence for people
	errNever = errors.New("This schedule never occurs. Enter another one.")                                                                   //nolint:staticcheck // as above
)

// expects reads an expectation: the five fields of a cron table, or @daily and the
// like.
func expects(text string, zone *time.Location) (expectation, error) {
	if strings.Contains(text, "TZ=") {
		return expectation{}, errCron
	}
	parsed, err := cron.ParseStandard(text)
	schedule, is := parsed.(*cron.SpecSchedule)
	if err != nil || !is { // @every counts from the program's start
		return expectation{}, errCron
	}
	schedule.Location = time.UTC
	e := expectation{schedule, zone}
	if e.schedule.Next(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return expectation{}, errNever
	}
	return e, nil
}

// wall is the instant's reading of the clock on the wall, as if it were UTC: it goes
// on evenly, so that a time comes once a day. One that is left out in spring is an
// hour later, and of one that comes twice in autumn the first counts.
func (e expectation) wall(t time.Time) time.Time {
	t = t.In(e.zone)
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

func (e expectation) instant(wall time.Time) time.Time {
	at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, e.zone)
	return at.Add(max(0, wall.Sub(e.wall(at))))
}

// next is the first time after an instant at which a file is expected.
func (e expectation) next(after time.Time) time.Time {
	wall := e.wall(after)
	for {
		// In autumn the clock goes back over times that have come already.
		wall = e.schedule.Next(wall)
		if at := e.instant(wall); at.After(after) {
			return at
		}
	}
}

// last is the last time, at the instant or before it, at which a file was expected.
func (e expectation) last(until time.Time) time.Time {
	for back := time.Hour; ; back *= 2 {
		found := e.next(until.Add(-back))
		if found.After(until) {
			continue
		}
		for {
			following := e.next(found)
			if following.After(until) {
				return found
			}
			found = following
		}
	}
}

// Light is how a source stands.
type Light string

// The lights.
const (
	OnTime   Light = "ON_TIME"
	Late     Light = "LATE"
	Never    Light = "NEVER" // came, though it was expected
	Unminded Light = "NONE"  // nothing says when it is expected
)

// Standing is how a source stands at a moment.
type Standing struct {
	Light    Light
	LateFrom time.Time // what was expected then did not come; zero: nothing is late
	Next     time.Time // when a file is expected next; zero: nothing says
}

// stand tells how a source stands whose files are expected from an instant on and
// came last at another. A file counts for the time that it is nearest to.
func (e expectation) stand(now, from, came time.Time, grace time.Duration) Standing {
	s := Standing{Light: OnTime, Next: e.next(now)}
	due := e.last(now.Add(-grace))
	before := e.last(due.Add(-time.Second))
	if due.Before(from) || came.After(before.Add(due.Sub(before)/2)) {
		return s
	}
	s.Light, s.LateFrom = Late, due
	if came.IsZero() {
		s.Light = Never
	}
	return s
}
