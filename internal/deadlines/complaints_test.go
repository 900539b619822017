package deadlines

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// complaintRule returns an active rule for complaints.
func complaintRule(id, kind string, amount int, change func(*Rule)) Rule {
	r := newRule(id)
	r.State, r.Kind, r.Amount, r.Status, r.Citation = "TX", kind, amount, Active, "28 TAC 10.121"
	if change != nil {
		change(&r)
	}
	return r
}

// Clocks of complaints follow the active rules of their state on the day of the receipt. All
// calendar days count, unless the rule moves the last one.
func TestComplaintDeadlines(t *testing.T) {
	ack, resolve := complaintRule("ack", ComplaintAck, 7, nil), complaintRule("resolve", ComplaintResolve, 30, nil)
	auto := complaintRule("auto", ComplaintAck, 3, func(r *Rule) { r.Line = Auto })
	examples := map[string]struct {
		rules       []Rule
		complaint   Complaint
		ack, answer date.Date
	}{
		"ends on a holiday":    {[]Rule{ack, resolve}, Complaint{"TX", "", "2026-11-25"}, "2026-12-02", "2026-12-25"},
		"ends on a weekend":    {[]Rule{ack, resolve}, Complaint{"TX", "WC", "2026-03-07"}, "2026-03-14", "2026-04-06"},
		"over a leap day":      {[]Rule{ack, resolve}, Complaint{"TX", "WC", "2028-02-22"}, "2028-02-29", "2028-03-23"},
		"on a leap day":        {[]Rule{ack, resolve}, Complaint{"TX", "WC", "2028-02-29"}, "2028-03-07", "2028-03-30"},
		"not a leap year":      {[]Rule{ack, resolve}, Complaint{"TX", "WC", "2027-02-22"}, "2027-03-01", "2027-03-24"},
		"another state":        {[]Rule{ack, resolve}, Complaint{"OH", "WC", "2026-11-25"}, "", ""},
		"no state":             {[]Rule{ack, resolve}, Complaint{"", "", "2026-11-25"}, "", ""},
		"another line":         {[]Rule{ack, resolve}, Complaint{"TX", Auto, "2026-11-25"}, "", ""},
		"unknown line":         {[]Rule{ack, auto}, Complaint{"TX", "", "2026-11-25"}, "2026-11-28", ""},
		"before it's in force": {[]Rule{ack, resolve}, Complaint{"TX", "WC", "2019-12-31"}, "", ""},
		"a draft": {[]Rule{complaintRule("ack", ComplaintAck, 7, func(r *Rule) { r.Status = Draft }), resolve},
			Complaint{"TX", "WC", "2026-11-25"}, "", "2026-12-25"},
		"an ended rule": {[]Rule{complaintRule("ack", ComplaintAck, 7, func(r *Rule) { r.Ended = "2026-11-24" })},
			Complaint{"TX", "WC", "2026-11-25"}, "", ""},
		"moves to a workday": {[]Rule{complaintRule("ack", ComplaintAck, 30, func(r *Rule) { r.NextWorkday = true })},
			Complaint{"TX", "WC", "2026-11-25"}, "2026-12-28", ""},
		"business days": {[]Rule{complaintRule("ack", ComplaintAck, 5, func(r *Rule) { r.Unit = BusinessDays })},
			Complaint{"TX", "WC", "2026-11-25"}, "2026-12-03", ""},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &Service{db: d}
		for name, c := range examples {
			if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
				for _, r := range c.rules {
					if err := putRule(t.Context(), tx, r); err != nil {
						return err
					}
				}
				found, err := s.FindComplaintDeadlines(t.Context(), tx, c.complaint)
				if ack, answer := found[ComplaintAck].On, found[ComplaintResolve].On; ack != c.ack || answer != c.answer || err != nil {
					t.Errorf("%s: %s and %s, want %s and %s; %v", name, ack, answer, c.ack, c.answer, err)
				}
				return errBroken // undo
			}); !errors.Is(err, errBroken) {
				t.Error(err)
			}
		}
	})
}

// Rules for complaints aren't part of the law of bills: their cards and next deadlines ignore them.
func TestComplaintRulesDontApplyToBills(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		rules := NewRules(d)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			if err := errors.Join(putRule(t.Context(), tx, complaintRule("ack", ComplaintAck, 7, nil)),
				putRule(t.Context(), tx, complaintRule("resolve", ComplaintResolve, 30, nil))); err != nil {
				return err
			}
			law, err := rules.SharedLaw(t.Context(), tx)
			if err != nil {
				return err
			}
			f := Facts{State: "TX", StateGiven: true, Line: WorkersCompensation, Received: "2026-03-02", FirstSeen: "2026-03-02",
				Paid: "2026-03-09"}
			card := newCard(law, Bill{Facts: f, Stage: ForPayer}, "2026-03-10")
			if next := law.Next(f, ForPayer) + law.Next(f, ForOffice); next != "" || card.Answer != NoRule || len(card.Deadlines) > 0 {
				t.Errorf("next deadline %q, card %+v", next, card)
			}
			return nil
		}))
	})
}

// A complaint's deadline counts from the day when the network received it.
func TestComplaintRulesCountFromTheReceipt(t *testing.T) {
	for _, basis := range Bases {
		r := complaintRule("a", ComplaintAck, 7, func(r *Rule) { r.Status, r.Basis = Draft, basis })
		if err := r.check(); (err == nil) != (basis == BasisReceived) {
			t.Errorf("%s: %v", basis, err)
		}
	}
}
