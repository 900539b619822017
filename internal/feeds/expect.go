package feeds

import (
	"errors"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// expectation is a source's schedule, in business wall-clock time.
type expectation struct {
	schedule *cron.SpecSchedule
	zone     *time.Location
}

// Errors of a schedule, worded for its author.
//
//nolint:staticcheck // sentences for people
var (
	errCron = errors.New("Enter 5 fields: minute, hour, day of month, month and day of week. Example: 0 6 * * 1-5 for weekdays by " +
		"6:00 AM.")
	errNever = errors.New("This schedule never occurs. Enter another one.")
)

// parseExpectation parses a schedule: five cron fields, or @daily and the like.
func parseExpectation(text string, zone *time.Location) (expectation, error) {
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

// toWall converts a time to the business wall clock, expressed as UTC. That clock never jumps, so
// each scheduled time occurs once a day. A time skipped in spring shifts by an hour, and of one
// repeated in fall the first counts.
func (e expectation) toWall(t time.Time) time.Time {
	t = t.In(e.zone)
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

func (e expectation) fromWall(wall time.Time) time.Time {
	at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, e.zone)
	return at.Add(max(0, wall.Sub(e.toWall(at))))
}

// next returns the next time after a timestamp when a file is expected.
func (e expectation) next(after time.Time) time.Time {
	wall := e.toWall(after)
	for {
		// In fall the clock repeats times that have already passed.
		wall = e.schedule.Next(wall)
		if at := e.fromWall(wall); at.After(after) {
			return at
		}
	}
}

// last returns the latest expected time up to a timestamp, inclusive.
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

// Light is the status of a source.
type Light string

// The statuses.
const (
	OnTime      Light = "ON_TIME"
	Late        Light = "LATE"
	Never       Light = "NEVER" // no file received, though expected
	Unscheduled Light = "NONE"  // no schedule
)

// Status is a source's status at a point in time.
type Status struct {
	Light    Light
	LateFrom time.Time // expected time of the missing file; zero if none is missing
	Next     time.Time // next expected file; zero: no schedule
}

// status returns the status of a source. Files are expected after the first timestamp, and the
// last one came at the second. A file counts for the nearest expected time.
func (e expectation) status(now, from, came time.Time, grace time.Duration) Status {
	s := Status{Light: OnTime, Next: e.next(now)}
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
