package deadlines

import (
	"sync"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/us"

	"wcpp/internal/platform/date"
)

// federal are the business days of the federal government.
var federal = func() *cal.BusinessCalendar {
	c := cal.NewBusinessCalendar()
	c.AddHoliday(us.Holidays...)
	return c
}()

// Calendar calculates business days by state. It caches results, because the bills of a year
// share few dates.
type Calendar struct {
	own map[string]map[date.Date]bool

	lock    sync.Mutex
	counted map[dayCount]date.Date
}

type dayCount struct {
	state string
	from  date.Date
	days  int
}

// NewCalendar creates a calendar of the federal holidays and those of the states.
func NewCalendar(holidays []StateHoliday) *Calendar {
	c := &Calendar{own: map[string]map[date.Date]bool{}, counted: map[dayCount]date.Date{}}
	for _, h := range holidays {
		if c.own[h.State] == nil {
			c.own[h.State] = map[date.Date]bool{}
		}
		c.own[h.State][h.Day] = true
	}
	return c
}

func (c *Calendar) isWorkday(state string, d date.Date) bool {
	return federal.IsWorkday(d.Time()) && !c.own[state][d]
}

// businessDaysAfter returns the n-th business day after a date.
func (c *Calendar) businessDaysAfter(state string, from date.Date, n int) date.Date {
	c.lock.Lock()
	defer c.lock.Unlock()
	k := dayCount{state, from, n}
	if on, known := c.counted[k]; known {
		return on
	}
	on := from
	for left := n; left > 0; {
		if on = on.AddDays(1); c.isWorkday(state, on) {
			left--
		}
	}
	c.counted[k] = on
	return on
}

// workdayFrom returns a date itself, or the next business day.
func (c *Calendar) workdayFrom(state string, d date.Date) date.Date {
	for !c.isWorkday(state, d) {
		d = d.AddDays(1)
	}
	return d
}
