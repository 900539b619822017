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
	calendar *cal.BusinessCalendar
	zone     *time.Location
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
	h := Hours{calendar: cal.NewBusinessCalendar(), zone: zone}
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
	h.calendar.SetWorkHours(time.Duration(opens)*time.Hour, time.Duration(closes)*time.Hour)
	return h, nil
}

// After returns the time after some business time from t.
func (h Hours) After(t time.Time, business time.Duration) time.Time {
	return h.calendar.AddWorkHours(t.In(h.zone), business)
}

// Between returns the business time between two times.
func (h Hours) Between(from, to time.Time) time.Duration {
	if !to.After(from) {
		return 0
	}
	return h.calendar.WorkHoursInRange(from.In(h.zone), to.In(h.zone))
}
