package openbills

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// CallOutcome is the outcome of a call to a payer.
type CallOutcome string

// CallPromised is the outcome of a call with a promised payment date.
const CallPromised CallOutcome = "promised"

var callOutcomes = []struct {
	outcome CallOutcome
	label   string
}{
	{CallPromised, "Payment promised"},
	{"notOnFile", "Not on file"},
	{"resend", "Resend bill"},
	{"denied", "Denied"},
	{"other", "Other"},
}

// CallOutcomes returns all outcomes, in the order of the screens.
func CallOutcomes() []CallOutcome {
	var list []CallOutcome
	for _, o := range callOutcomes {
		list = append(list, o.outcome)
	}
	return list
}

// Label returns the outcome's label on screens, and whether the outcome exists.
func (o CallOutcome) Label() (string, bool) {
	at := slices.Index(CallOutcomes(), o)
	if at < 0 {
		return "", false
	}
	return callOutcomes[at].label, true
}

// When the group last called the payer about a bill.
const (
	CalledNever  = "never"
	CalledLast7  = "last7"
	CalledLast30 = "last30"
	NotCalled14  = "notLast14" // not in the last 14 days
)

var calledPeriods = []string{CalledNever, CalledLast7, CalledLast30, NotCalled14}

// lastCall is the group's last call to the payer about a bill.
type lastCall struct {
	On         date.Date   `db:"called_on"` // empty if there's none
	Outcome    CallOutcome `db:"call_outcome"`
	PromisedOn date.Date
}

// joinCall joins the last call of group $1. Each bill with a call also has work.
const joinCall = ` LEFT JOIN payer_calls pc ON pc.id = (SELECT max(k.call_id) FROM payer_call_bills k
	WHERE k.group_id = $1 AND k.ftin = b.ftin AND k.bill_control_number_key = b.bill_control_number_key) `

// callColumns are the columns of the last call that a list shows.
var callColumns = db.Fields[lastCall]()

const callColumnsSQL = `pc.called_on, COALESCE(pc.outcome, '') AS call_outcome, pc.promised_on`

// needsCall reports whether the filter depends on the last call.
func (f Filter) needsCall() bool { return f.CallOutcome != "" || f.Called != "" }

// callJoin returns joinCall if the filter needs it.
func (f Filter) callJoin() string {
	if f.needsCall() {
		return joinCall
	}
	return ""
}

// addCallConditions adds the filter's conditions on the last call.
func (f Filter) addCallConditions(who requester, c *conditions) {
	if f.CallOutcome != "" {
		c.add("pc.outcome = %s", string(f.CallOutcome))
	}
	switch f.Called {
	case CalledNever:
		c.add("pc.id IS NULL")
	case CalledLast7:
		c.add("pc.called_on >= %s", who.today.AddDays(-6))
	case CalledLast30:
		c.add("pc.called_on >= %s", who.today.AddDays(-29))
	case NotCalled14:
		c.add("(pc.id IS NULL OR pc.called_on < %s)", who.today.AddDays(-13))
	}
}

// SetFollowUps sets the follow-up date of all bills of a call in its transaction, unless on is nil. Even without
// a date, each bill's work gets a new version. The outcomes are those of distinct bills. The caller rolls back if
// one isn't Saved.
func (s *Service) SetFollowUps(ctx context.Context, tx *sql.Tx, a access.Actor, targets []Target, on *date.Date) ([]Outcome, error) {
	who := s.newRequester(a)
	var err error
	if who.scope, err = s.scopes.Scope(ctx, a); err != nil {
		return nil, err
	}
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return nil, err
	}
	seen := map[billID]bool{}
	var list []Outcome
	for _, t := range s.sortTargets(targets) {
		out, err := s.setOne(ctx, tx, a, who, t, Change{FollowUpOn: on})
		if err != nil {
			return nil, err
		}
		id := billID{out.Work.FTIN, out.Work.Bill}
		if out.Outcome != Gone && seen[id] { // two numbers of one bill
			continue
		}
		seen[id] = true
		if out.Assignee, err = s.findAssignee(ctx, people, out.Work.AssignedTo); err != nil {
			return nil, err
		}
		list = append(list, out)
	}
	return list, nil
}
