package openbills

import (
	"fmt"
	"strings"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/text"
)

// unchangedSQL is the condition that a bill hasn't changed since it was marked as done.
const unchangedSQL = `NOT EXISTS (SELECT 1 FROM bill_changes c
	WHERE c.ftin = b.ftin AND c.bill_control_number_key = b.bill_control_number_key AND c.id > w.done_change)`

// markConditions are the conditions for the group's work status.
var markConditions = map[string]string{
	MarkedOpen: `(w.group_id IS NULL OR w.state_cd = 'OPEN' OR w.state_cd = 'PARKED' AND w.parked_until <= %s
		OR w.state_cd = 'DONE' AND NOT (` + unchangedSQL + `))`,
	MarkedDone: `w.state_cd = 'DONE' AND ` + unchangedSQL,
	Snoozed:    `w.state_cd = 'PARKED' AND w.parked_until > %s`,
}

func placeholder(n int) string { return fmt.Sprintf("$%d", n) }

// requester is the user who requests a list, with the scope, and the current date.
type requester struct {
	group int64 // the group with the work to show; 0 for none
	me    int64
	scope access.Scope
	today date.Date
	week  db.Instant // when it began
}

// conditions are joined by AND; args are their values.
type conditions struct {
	list []string
	args []any
}

func (c *conditions) add(condition string, values ...any) {
	places := make([]any, len(values))
	for i, v := range values {
		c.args = append(c.args, v)
		places[i] = placeholder(len(c.args))
	}
	c.list = append(c.list, fmt.Sprintf(condition, places...))
}

// placeholders adds values and returns their placeholders.
func (c *conditions) placeholders(values []string) string {
	from := len(c.args) + 1
	for _, v := range values {
		c.args = append(c.args, v)
	}
	return db.In(from, len(values))
}

func (c *conditions) String() string {
	if len(c.list) == 0 {
		return "TRUE"
	}
	return strings.Join(c.list, " AND ")
}

// condition returns the SQL of a filter, with its values appended to args.
func (f Filter) condition(who requester, args []any) (string, []any) {
	c := &conditions{args: args}
	f.addWorkConditions(who, c)
	f.addBillConditions(who, c)
	if f.ToCall {
		c.add("(b.next_due < %s OR "+followUpSQL+")", who.today, who.today, who.me)
	}
	return c.String(), c.args
}

// needsWork reports whether the filter only matches bills with work by the group.
func (f Filter) needsWork() bool {
	return f.Marked != MarkedOpen || f.Lost != 0 || f.Mine || f.Assigned != "" || f.FollowUps || f.Noted || f.DoneThisWeek ||
		f.CallOutcome != "" || f.Called == CalledLast7 || f.Called == CalledLast30
}

// addWorkConditions adds the filter's conditions on the group's work.
func (f Filter) addWorkConditions(who requester, c *conditions) {
	if f.Marked == MarkedDone {
		c.add(markConditions[f.Marked])
	} else {
		c.add(markConditions[f.Marked], who.today)
	}
	if f.Lost != 0 {
		c.add("w.lost_id = %s AND w.assigned_to IS NULL", f.Lost)
	}
	if f.Mine {
		c.add("w.assigned_to = %s", who.me)
	}
	if f.Assigned != "" {
		c.add("w.assigned_to = %s", f.assignee)
	}
	if f.Unassigned {
		c.add("w.assigned_to IS NULL")
	}
	if f.FollowUps {
		c.add(followUpSQL, who.today, who.me)
	}
	if f.Noted {
		c.add("w.notes > 0")
	}
	f.addCallConditions(who, c)
	if f.DoneThisWeek {
		c.add("w.done_at >= %s", who.week)
	}
	if f.untouched {
		c.add("w.group_id IS NULL")
	}
}

// addBillConditions adds the filter's conditions on the bill.
func (f Filter) addBillConditions(who requester, c *conditions) {
	if len(f.States) > 0 {
		var codes []any
		for _, s := range f.States {
			for _, code := range billstate.Filtered(s) {
				codes = append(codes, code)
			}
		}
		c.add(facts.DisplayStateSQL+" IN ("+strings.TrimSuffix(strings.Repeat("%s, ", len(codes)), ", ")+")", codes...)
	}
	if key := text.Key(f.Payer); key != "" {
		// The databases' lower only folds ASCII. FoldSQL takes long on PostgreSQL, so only other names need it.
		c.add(`(lower(b.payer_name) LIKE %s ESCAPE '\' OR octet_length(b.payer_name) > length(b.payer_name)
			AND `+db.FoldSQL("b.payer_name")+` LIKE %s ESCAPE '\')`, db.ContainsPattern(key), db.ContainsPattern(names.FoldPart(f.Payer)))
	}
	if text.Key(f.Provider) != "" {
		c.add(db.FoldSQL("b.physician_last_name || b.physician_first_name || b.facility_name")+` LIKE %s ESCAPE '\'`,
			db.ContainsPattern(names.FoldPart(f.Provider)))
	}
	if f.From != "" {
		c.add("b.begin_service_date >= %s", f.From)
	}
	if f.To != "" {
		c.add("b.begin_service_date <= %s", f.To)
	}
	// The plus keeps SQLite from reading by charge instead of in the list's order.
	if f.AmountFrom != nil {
		c.add("+b.bill_charges >= %s", *f.AmountFrom)
	}
	if f.AmountTo != nil {
		c.add("+b.bill_charges <= %s", *f.AmountTo)
	}
	if f.AgeFrom != nil {
		c.add("b.begin_service_date <= %s", who.today.AddDays(-*f.AgeFrom))
	}
	if f.AgeTo != nil {
		c.add("b.begin_service_date >= %s", who.today.AddDays(-*f.AgeTo))
	}
	if period := Periods[f.Answered]; period != nil {
		from, to := period(who.today)
		c.add("b.paid_date BETWEEN %s AND %s", from, to)
	}
	if f.ShortFrom != nil {
		c.add(facts.DifferenceSQL+" >= %s", *f.ShortFrom)
	}
	if len(f.bills) > 0 {
		var values []any
		for _, bill := range f.bills {
			values = append(values, bill.ftin, bill.key)
		}
		c.add("(b.ftin, b.bill_control_number_key) IN (VALUES "+strings.TrimSuffix(strings.Repeat("(%s, %s), ", len(f.bills)), ", ")+")",
			values...)
	}
	switch f.Due {
	case DuePassed:
		c.add("b.next_due < %s", who.today)
	case DueWeek:
		c.add("b.next_due BETWEEN %s AND %s", who.today, who.today.AddDays(7))
	case DueSoon:
		c.add("b.next_due BETWEEN %s AND %s", who.today, who.today.AddDays(soonDays))
	}
	switch code := strings.ToUpper(f.Reason); {
	case code == "":
	case strings.Contains(code, "-"):
		c.add("' ' || b.reasons || ' ' LIKE %s", "% "+code+" %")
	default: // a remark, or an adjustment of any group, but no pharmacy code, which is of another list
		c.add("(' ' || b.reasons || ' ' LIKE %s OR replace(b.reasons, '"+facts.PharmacyCodes+"-', '') || ' ' LIKE %s)",
			"% "+code+" %", "%-"+code+" %")
	}
}

// followUpSQL is the condition for due follow-ups of a user.
const followUpSQL = `w.follow_up_on <= %s AND (w.assigned_to = %s OR w.assigned_to IS NULL)`
