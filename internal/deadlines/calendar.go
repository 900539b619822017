package deadlines

import (
	"sync"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/us"

	"wcpp/internal/platform/date"
)

// federal are the working days of the federal government.
var federal = func() *cal.BusinessCalendar {
	c := cal.NewBusinessCalendar()
	c.AddHoliday(us.Holidays...)
	return c
}()

// Holiday is a day on which a state does not work, beside the federal ones.
type Holiday struct {
	State string
	Day   date.Date
	Name  string
}

// Calendar knows the working days of states. What it has counted once it remembers:
// the bills of a year share few days.
type Calendar struct {
	own map[string]map[date.Date]bool

	lock    sync.Mutex
	counted map[counting]date.Date
}

type counting struct {
	state string
	from  date.Date
	days  int
}

// NewCalendar makes the calendar of the federal holidays and those of states.
func NewCalendar(holidays []Holiday) *Calendar {
	c := &Calendar{own: map[string]map[date.Date]bool{}, counted: map[counting]date.Date{}}
	for _, h := range holidays {
		if c.own[h.State] == nil {
			c.own[h.State] = map[date.Date]bool{}
		}
		c.own[h.State][h.Day] = true
	}
	return c
}

func (c *Calendar) works(state string, d date.Date) bool {
	return federal.IsWorkday(d.Time()) && !c.own[state][d]
}

// businessDaysAfter is the n-th working day after a day.
func (c *Calendar) businessDaysAfter(state string, from date.Date, n int) date.Date {
	c.lock.Lock()
	defer c.lock.Unlock()
	k := counting{state, from, n}
	if on, known := c.counted[k]; known {
		return on
	}
	on := from
	for left := n; left > 0; {
		if on = on.AddDays(1); c.works(state, on) {
			left--
		}
	}
	c.counted[k] = on
	return on
}

// workdayFrom is a day itself, or the first working day after it.
func (c *Calendar) workdayFrom(state string, d date.Date) date.Date {
	for !c.works(state, d) {
		d = d.AddDays(1)
	}
	return d
}
