package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/unmatchedpayments"
	"wcpp/internal/platform/db"
)

// keptOf returns a bill's notes (oldest first), state, assignee, follow-up, payer calls and watch flag, as a
// user sees them.
func (p *portal) keptOf(user, page string) string {
	p.t.Helper()
	token := bearer(p.signIn(user))
	var notes []struct{ Body string }
	r := p.do("GET", "/api/work/bills/"+page+"/notes", nil, token)
	p.want(r, 200, "")
	r.into(p.t, &notes)
	slices.Reverse(notes)
	var words []string
	for _, n := range notes {
		words = append(words, n.Body)
	}
	var found struct {
		Bills []struct {
			ID   string
			Work struct {
				AssignedTo *struct{ UserName string }
				FollowUpOn string
				Notes      int
			}
		}
	}
	for _, marked := range []string{"open", "done", "parked"} {
		found.Bills = nil
		r = p.post("/work/bills/search", fields{"filter": fields{"marked": marked, "bills": []string{page}}}, token)
		p.want(r, 200, "")
		r.into(p.t, &found)
		for _, b := range found.Bills {
			words = append(words, marked)
			if b.Work.AssignedTo != nil {
				words = append(words, "to "+b.Work.AssignedTo.UserName)
			}
			if b.Work.FollowUpOn != "" {
				words = append(words, b.Work.FollowUpOn)
			}
			assert.Equal(p.t, len(notes), b.Work.Notes)
		}
	}
	var calls []struct{ SpokeWith string }
	p.do("GET", "/api/work/bills/"+page+"/payer-calls", nil, token).into(p.t, &calls)
	for _, c := range calls {
		words = append(words, "called "+c.SpokeWith)
	}
	var watched struct{ Bill bool }
	p.do("GET", "/api/work/bills/"+page+"/watched", nil, token).into(p.t, &watched)
	if watched.Bill {
		words = append(words, "watched")
	}
	return strings.Join(words, ", ")
}

// Work on a payment without a bill moves to the bill when they're matched, and back if the match
// is undone.
func TestWhatIsKeptFollowsTheBill(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		bill := p.texan("N1", func(b *facts.Bill) { b.PatientControlNumber, b.BillCharges = "ACCT0001", 100 })
		p.pays("111111111", "ACCT0001", "Zoe")
		payment, err := p.Bills.Records.PageID("111111111", "iacct0001")
		require.NoError(t, err)
		prad, prus, isad := bearer(p.signIn("prad")), bearer(p.signIn("prus")), p.startSupport("isad", "CALL")
		note := func(page, body string, by option) {
			t.Helper()
			p.want(p.post("/work/bills/"+page+"/notes", fields{"body": body}, by), 204, "")
		}
		watch := func(by option, pages ...string) {
			t.Helper()
			p.want(p.put("/work/watches", fields{"bills": pages, "of": "bill", "watched": true}, by), 200, "")
		}
		note(bill, "of the bill", prad)
		note(payment, "of the payment", prad)
		p.want(p.put("/work/bills/work", fields{"bills": []fields{{"id": payment, "version": 0, "changed": 0}}, "assignTo": "prus",
			"followUpOn": "2026-04-01"}, prad), 200, "")
		p.want(p.post("/work/payer-calls", fields{"requestKey": "k1", "bills": []fields{{"id": payment, "version": 1}}, "payer": "Acme",
			"spokeWith": "Ms. Hale", "outcome": "denied"}, prus), 200, "")
		watch(prad, payment)
		watch(prus, payment, bill)
		p.want(p.post("/desk/feeds/joins", fields{"id": payment, "to": bill}, isad), 200, "")

		const together = "of the bill, of the payment"
		if got := p.keptOf("prad", bill); got != together+", called Ms. Hale, watched" &&
			got != together+", open, to prus, 2026-04-01, called Ms. Hale, watched" {
			t.Errorf("prad has %s", got)
		}
		if got := p.count(`SELECT count(*) FROM bill_work WHERE bill_control_number_key = 'n1' AND assigned_to IS NOT NULL
			AND follow_up_on = '2026-04-01' AND notes = 2`); got != 1 {
			t.Error("the assignment is lost")
		}
		if got := p.keptOf("prus", bill); !strings.HasPrefix(got, together) || !strings.HasSuffix(got, "watched") {
			t.Errorf("prus has %s", got)
		}
		// The former number still finds the bill, so an open page stays usable.
		note(payment, "after the match", prus)
		p.want(p.post("/desk/calls", fields{"requestKey": "k2", "bills": []string{payment}}, isad), 200, "")
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM case_bills WHERE bill_control_number_key = 'n1'`))
		if got := p.keptOf("prad", payment); !strings.HasPrefix(got, together+", after the match") {
			t.Errorf("by the former number prad has %s", got)
		}
		var watches struct{ Watches []struct{ Number string } }
		if p.do("GET", "/api/work/watches", nil, prus).into(t, &watches); len(watches.Watches) != 1 || watches.Watches[0].Number != "N1" {
			t.Errorf("prus watches %+v", watches)
		}

		var joins []unmatchedpayments.PaymentJoin
		p.do("GET", "/api/desk/feeds/joins", nil, isad).into(t, &joins)
		p.want(p.post("/desk/feeds/joins/undo", fields{"ftin": joins[0].FTIN, "payment": joins[0].Payment}, isad), 204, "")
		for page, want := range map[string][2]string{
			payment: {"of the payment", "called Ms. Hale, watched"},
			bill:    {"of the bill, after the match", ""},
		} {
			if got := p.keptOf("prad", page); !strings.HasPrefix(got, want[0]) || strings.HasSuffix(got, "watched") != (want[1] != "") {
				t.Errorf("after Undo prad has %q, want %q", got, want)
			}
			if got := p.keptOf("prus", page); !strings.HasSuffix(got, "watched") {
				t.Errorf("after Undo prus has %q", got)
			}
		}
		if got := p.count(`SELECT count(*) FROM bill_work WHERE bill_control_number_key = 'iacct0001' AND assigned_to IS NOT NULL
			AND follow_up_on = '2026-04-01' AND notes = 1`); got != 1 {
			t.Error("the assignment did not come back")
		}
		if got := p.count(`SELECT count(*) FROM bill_work WHERE bill_control_number_key = 'n1' AND assigned_to IS NULL
			AND notes = 2`); got != 1 {
			t.Error("what came with the payment stays with the bill")
		}
	})
}

// stays lists columns that refer to a bill but don't move with it, with the reason.
var stays = map[string]string{
	"tin_sharings.bill_control_number": "what somebody gave as evidence stays as they gave it",
}

// Rows in every table keyed by bill number move with the bill.
func TestTablesKeyedByBillsFollow(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		columns := `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m JOIN pragma_table_info(m.name) c
			WHERE m.type = 'table'`
		if p.DB.Dialect.Name == "postgres" {
			columns = `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns WHERE table_schema = 'public'`
		}
		var found []struct{ Table, Column string }
		require.NoError(t, db.Select(t.Context(), p.DB.Writer, &found, columns))
		withTIN, followed := map[string]bool{}, p.Ledger.FollowingTables()
		for _, c := range found {
			withTIN[c.Table] = withTIN[c.Table] || strings.HasSuffix(c.Column, "ftin")
		}
		keyed := map[string]bool{}
		for _, c := range found {
			names := strings.Contains(c.Column, "bill") && (strings.Contains(c.Column, "number") || strings.HasSuffix(c.Column, "key")) ||
				c.Column == "number_key"
			if names && withTIN[c.Table] && stays[c.Table+"."+c.Column] == "" {
				if keyed[c.Table] = true; !slices.Contains(followed, c.Table) {
					t.Errorf("%s.%s names a bill and does not follow it: register the table (batch.Keyed), or say why it stays", c.Table,
						c.Column)
				}
			}
		}
		for _, table := range followed {
			assert.Truef(t, keyed[table], "%s is registered and names no bill", table)
		}
	})
}
