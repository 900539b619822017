package deadlines

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/date"
)

// Complaint has the facts that determine the deadlines of a complaint to the network.
type Complaint struct {
	State    string
	Line     string // empty: unknown
	Received date.Date
}

// isForComplaints reports whether a rule applies to complaints instead of bills.
func (r Rule) isForComplaints() bool { return r.Kind == ComplaintAck || r.Kind == ComplaintResolve }

// FindComplaintDeadlines applies the active rules to a complaint and returns the earliest deadline of
// each kind. If the line of business is unknown, the rules of all lines apply.
func (s *Service) FindComplaintDeadlines(ctx context.Context, tx *sql.Tx, c Complaint) (map[string]Deadline, error) {
	rules, err := stored(ctx, tx)
	if err != nil {
		return nil, err
	}
	holidays, err := allHolidays(ctx, tx)
	if err != nil {
		return nil, err
	}
	calendar, first := NewCalendar(holidays), map[string]Deadline{}
	for _, rule := range rules {
		if rule.Status != Active || !rule.isForComplaints() || c.Line != "" && c.Line != rule.Line {
			continue
		}
		f := Facts{State: c.State, StateGiven: true, Line: rule.Line, Received: c.Received, ReceivedSure: true}
		on, b, ok := Due(rule, f, calendar)
		if other, has := first[rule.Kind]; ok && (!has || on < other.On) {
			first[rule.Kind] = Deadline{rule, on, b}
		}
	}
	return first, nil
}
