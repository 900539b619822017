package cases

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/us"
)

// Hours are the network's business hours, the same on each of some weekdays, except on federal
// holidays.
type Hours struct {
	calendar      *cal.BusinessCalendar // of the workdays
	opens, closes int                   // by the clock
	zone          *time.Location
}

var weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

func parseWeekday(name string) (time.Weekday, bool) {
	for i, n := range weekdays {
		if n == name {
			return time.Weekday(i), true
		}
	}
	return 0, false
}

// ParseHours parses business hours such as "mon-fri 8-20", in a time zone.
func ParseHours(s string, zone *time.Location) (Hours, error) {
	days, hours, _ := strings.Cut(strings.ToLower(strings.TrimSpace(s)), " ")
	firstDay, lastDay, _ := strings.Cut(days, "-")
	from, knownFrom := parseWeekday(firstDay)
	to, knownTo := parseWeekday(lastDay)
	begin, end, _ := strings.Cut(strings.TrimSpace(hours), "-")
	opens, failedOpens := strconv.Atoi(begin)
	closes, failedCloses := strconv.Atoi(end)
	if !knownFrom || !knownTo || failedOpens != nil || failedCloses != nil || opens < 0 || closes > 24 || opens >= closes {
		return Hours{}, fmt.Errorf("%q isn't such as mon-fri 8-20", s)
	}
	h := Hours{calendar: cal.NewBusinessCalendar(), opens: opens, closes: closes, zone: zone}
	h.calendar.AddHoliday(us.Holidays...)
	for d := range time.Weekday(len(weekdays)) {
		h.calendar.SetWorkday(d, false)
	}
	for d := from; ; d = (d + 1) % time.Weekday(len(weekdays)) {
		h.calendar.SetWorkday(d, true)
		if d == to {
			break
		}
	}
	return h, nil
}

// findOpen returns the business hours from t on of a day, some days after that of t. They're empty except on a workday.
// The library's hours don't end at midnight and are an hour off when the clocks change, so it finds only workdays.
func (h Hours) findOpen(t time.Time, days int) (opens, closes time.Time) {
	t = t.In(h.zone)
	year, month, day := t.Date()
	at := func(hour int) time.Time { return time.Date(year, month, day+days, hour, 0, 0, 0, h.zone) }
	opens, closes = at(h.opens), at(h.closes)
	if !h.calendar.IsWorkday(at(noon)) {
		closes = opens
	}
	if opens.Before(t) {
		opens = t
	}
	if closes.Before(opens) {
		closes = opens
	}
	return opens, closes
}

// noon is an hour that each day has, also when the clocks change.
const noon = 12

// After returns the time after some business time from t.
func (h Hours) After(t time.Time, business time.Duration) time.Time {
	end := t.In(h.zone)
	for days := 0; business > 0; days++ {
		opens, closes := h.findOpen(t, days)
		if open := closes.Sub(opens); open > 0 {
			end = opens.Add(min(business, open))
			business -= open
		}
	}
	return end
}

// Between returns the business time between two times.
func (h Hours) Between(from, to time.Time) (business time.Duration) {
	for days := 0; ; days++ {
		opens, closes := h.findOpen(from, days)
		if !opens.Before(to) {
			return business
		}
		if to.Before(closes) {
			closes = to
		}
		business += closes.Sub(opens)
	}
}
