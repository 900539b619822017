package app_test

import (
	"database/sql"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
)

// texan adds a bill under Texas law with a received date from the repricer.
func (p *portal) texan(number string, of func(*facts.Bill)) (page string) {
	p.t.Helper()
	allowance := int64(10_000)
	s := facts.Submission{
		Source: facts.FromTable, Kind: "P", Repriced: number, Clearinghouse: "C" + number,
		Reported: facts.Bill{
			FTIN: "111111111", PatientFirstName: "Ann", PatientLastName: "Doe", BeginServiceDate: "2026-01-05",
			EndServiceDate: "2026-01-05",
			BillType:       "P", FrequencyCode: "1", BillCharges: 20_000, RecommendedAllowance: &allowance, BillStatus: facts.StatusPriced,
			StateOfJurisdiction: "TX", StateBasis: facts.StateGiven, Filing: "WC", ReceivedOn: "2026-02-01",
			ReceivedBasis: facts.ReceivedByRepricer,
		},
	}
	if of != nil {
		of(&s.Reported)
	}
	s.Identify()
	require.NoError(p.t, p.DB.Tx(p.t.Context(), func(tx *sql.Tx) error {
		_, err := p.Ledger.ImportSubmissions(p.t.Context(), tx, []facts.Submission{s})
		return err
	}))
	page, err := p.Bills.Records.PageID(s.Reported.FTIN, strings.ToLower(number))
	require.NoError(p.t, err)
	return page
}

type shownDeadline struct {
	Kind, On, Condition, Citation, ReviewedBy, ReviewedOn, Until string
	DaysLeft                                                     int
	Interest                                                     *float64
	From                                                         struct {
		On, From string
		About    bool
	}
}

type shownDeadlines struct {
	Answer, State, Line, Today string
	Deadlines, Interest        []shownDeadline
}

func (p *portal) deadlines(who, page string) shownDeadlines {
	p.t.Helper()
	r := p.do(http.MethodGet, "/api/work/bills/"+page+"/deadlines", nil, bearer(p.tokenOf(who)))
	var shown shownDeadlines
	r.into(p.t, &shown)
	return shown
}

// rule returns a rule at the desk in the form for saving it.
func (p *portal) rule(id string) fields {
	p.t.Helper()
	var desk struct{ Rules []fields }
	p.do(http.MethodGet, "/api/desk/rules", nil, bearer(p.tokenOf("irad"))).into(p.t, &desk)
	at := slices.IndexFunc(desk.Rules, func(r fields) bool { return r["id"] == id })
	require.GreaterOrEqualf(p.t, at, 0, "no rule %s", id)
	return desk.Rules[at]
}

func (p *portal) setRule(who, id string, changes fields) reply {
	p.t.Helper()
	sent := p.rule(id)
	maps.Copy(sent, changes)
	return p.do(http.MethodPut, "/api/desk/rules/"+id, sent, bearer(p.tokenOf(who)))
}

// confirm activates a draft and updates open bills.
func (p *portal) confirm(id string) {
	p.t.Helper()
	if r := p.setRule("isad", id, fields{"status": "ACTIVE", "reviewedBy": "J. Quill, counsel"}); r.status != 200 {
		p.t.Fatalf("%s: %d %s", id, r.status, r.body)
	}
	p.recount()
}

func (p *portal) recount() {
	p.t.Helper()
	require.NoError(p.t, p.Deadlines.Recalculate(p.t.Context()))
}

func (p *portal) due(number string) (due date.Date) {
	p.t.Helper()
	require.NoError(p.t, p.DB.Writer.QueryRowContext(p.t.Context(), `SELECT next_due FROM bills
		WHERE bill_control_number = $1`, number).Scan(&due))
	return due
}

// Only confirmed rules count. A bill then has its deadline on its page and, after the job, in
// the list. A bill that arrives later has it immediately.
func TestDeadlines(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		page := p.texan("T1", nil)
		if shown := p.deadlines("prus", page); shown.Answer != "noRule" || shown.State != "Texas" ||
			len(shown.Deadlines)+len(shown.Interest) != 0 {
			t.Errorf("with drafts alone: %+v", shown)
		}
		p.want(p.do(http.MethodGet, "/api/work/bills/"+page+"/deadlines", nil, bearer(p.tokenOf("nnus"))), 404, "")
		p.audited(1, `operation = 'open-deadlines' AND actor = 'prus' AND subject = '111111111 T1' AND result = 'ok'`)
		p.audited(1, `operation = 'open-deadlines' AND actor = 'nnus' AND result = 'refused'`)

		p.want(p.setRule("irad", "TX-WC-ANSWER", fields{"status": "ACTIVE", "reviewedBy": "me"}), 403, "")
		p.confirm("TX-WC-ANSWER")
		p.audited(1, `operation = 'deadline-rule-confirm' AND actor = 'isad' AND subject = 'TX WC PAYER_ANSWER NON_NETWORK'
			AND detail LIKE '%DRAFT%ACTIVE%'`)
		shown := p.deadlines("prus", page)
		if shown.Answer != "counted" || shown.Today != "2026-03-02" || len(shown.Deadlines) != 1 {
			t.Fatalf("confirmed: %+v", shown)
		}
		d := shown.Deadlines[0]
		if d.Kind != "PAYER_ANSWER" || d.On != "2026-03-18" || d.DaysLeft != 16 || d.Citation != "28 TAC 133.240" ||
			d.Condition != "NON_NETWORK" ||
			d.ReviewedBy != "J. Quill, counsel" || d.ReviewedOn != "2026-03-02" || d.From.On != "2026-02-01" || d.From.From != "repricer" ||
			!d.From.About {
			t.Errorf("%+v", d)
		}
		assert.Equal(t, date.Date("2026-03-18"), p.due("T1"))
		p.clock.Advance(20 * 24 * time.Hour)
		if shown := p.deadlines("prus", page); shown.Deadlines[0].DaysLeft != -4 {
			t.Errorf("later: %+v", shown)
		}
		p.texan("T2", func(b *facts.Bill) { b.ReceivedOn = "2026-02-02" })
		assert.Equal(t, date.Date("2026-03-19"), p.due("T2"))

		// A rule that has ended doesn't apply to later start dates.
		if r := p.setRule("isad", "TX-WC-ANSWER", fields{"ended": "2026-02-01"}); r.status != 200 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		p.recount()
		if a, b := p.due("T1"), p.due("T2"); a != "2026-03-18" || b != "" {
			t.Errorf("ended: %s, %q", a, b)
		}
		// A rule that's a draft again doesn't apply.
		if r := p.setRule("isad", "TX-WC-ANSWER", fields{"status": "DRAFT"}); r.status != 200 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		p.recount()
		assert.Empty(t, p.due("T1"))
		if r := p.rule("TX-WC-ANSWER"); r["reviewedBy"] != "" {
			t.Errorf("a draft that was reviewed: %v", r)
		}
	})
}

// The list and the page count from the day on which the payer received a bill, if its notice says so,
// also when the job counts again.
func TestDeadlineFromPayersReceipt(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		notify := func(number string, received date.Date) {
			t.Helper()
			notice := facts.Payment{
				Occurrence: 1, Source: facts.FromRemittance, Written: "2026-03-01T08:00", Payer: "P", TraceNumber: "K" + string(received),
				PaidDate: "2026-03-01", ReceivedOn: received, Repriced: number, PayerControlNumber: "I" + number, ClaimStatus: "25",
				Charge: 20_000, Reported: facts.Bill{FTIN: "111111111", PatientFirstName: "Ann", PatientLastName: "Doe",
					BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-05"},
			}
			notice.Identify()
			require.NoError(t, p.DB.Tx(t.Context(), func(tx *sql.Tx) error {
				_, err := p.Ledger.ImportRemitted(t.Context(), tx, []facts.Remitted{{Payment: &notice}})
				return err
			}))
		}
		before, after := p.texan("T1", nil), p.texan("T2", nil)
		notify("T1", "2026-02-12")
		notify("T1", "2026-02-10")
		p.confirm("TX-WC-ANSWER")
		notify("T2", "2026-02-11")
		for number, want := range map[string]string{"T1": "2026-03-27", "T2": "2026-03-28"} {
			shown := p.deadlines("prus", map[string]string{"T1": before, "T2": after}[number])
			if due := p.due(number); string(due) != want || len(shown.Deadlines) != 1 || shown.Deadlines[0].On != want {
				t.Errorf("%s is due %s, its page shows %+v; want %s", number, due, shown.Deadlines, want)
			}
		}
	})
}

// A bill without a deadline has a reason.
func TestNoDeadline(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.confirm("TX-WC-ANSWER")
		for want, of := range map[string]func(*facts.Bill){
			"noState": func(b *facts.Bill) { b.StateOfJurisdiction, b.StateBasis = "", "" },
			"assumed": func(b *facts.Bill) { b.StateBasis = facts.StateEmployer },
			"noLine":  func(b *facts.Bill) { b.Filing = "CI" },
			"noRule":  func(b *facts.Bill) { b.StateOfJurisdiction = "OH" },
			"noDay":   func(b *facts.Bill) { b.BeginServiceDate, b.EndServiceDate = "2026-03-03", "2026-03-03" },
			"nothing": func(b *facts.Bill) { b.BillStatus = facts.StatusVoid },
		} {
			if shown := p.deadlines("prad", p.texan("N"+want, of)); shown.Answer != want || len(shown.Deadlines) != 0 ||
				p.due("N"+want) != "" {
				t.Errorf("%s: %+v", want, shown)
			}
		}
		p.want(p.do(http.MethodGet, "/api/work/bills/broken/deadlines", nil, bearer(p.tokenOf("prad"))), 404, "")
	})
}

// pay adds payments of a bill, in dollars by day. A negative one is a reversal.
func (p *portal) pay(number string, payments map[date.Date]int64) {
	p.t.Helper()
	var list []facts.Remitted
	for day, dollars := range payments {
		paid := facts.Payment{
			Occurrence: 1, Source: facts.FromRemittance, Written: "2026-03-01T08:00", Payer: "P", TraceNumber: "K" + string(day),
			PaidDate: day, Repriced: number, PayerControlNumber: "I" + number, ClaimStatus: "1", Charge: 20_000, Paid: dollars * 100,
			Reported: facts.Bill{FTIN: "111111111", PatientFirstName: "Ann", PatientLastName: "Doe", BeginServiceDate: "2026-01-05",
				EndServiceDate: "2026-01-05"},
		}
		if dollars < 0 {
			paid.ClaimStatus, paid.Charge = facts.ClaimReversed, -paid.Charge
		}
		paid.Identify()
		list = append(list, facts.Remitted{Payment: &paid})
	}
	require.NoError(p.t, p.DB.Tx(p.t.Context(), func(tx *sql.Tx) error {
		_, err := p.Ledger.ImportRemitted(p.t.Context(), tx, list)
		return err
	}))
}

// Interest is shown for late and unpaid bills if a rate is on file, but not for amounts paid in time.
func TestInterest(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		p.confirm("IL-WC-INTEREST")
		p.confirm("TX-WC-INTEREST")
		illinois := func(b *facts.Bill) { b.StateOfJurisdiction, b.ReceivedOn = "IL", "2026-01-06" }
		unpaid := p.texan("I1", illinois)
		paidLate := p.texan("I2", func(b *facts.Bill) {
			illinois(b)
			paid := int64(10_000)
			b.PaidAmount, b.PaidDate, b.BillStatus = &paid, "2026-02-20", facts.StatusPaid
		})
		paidInTime := p.texan("I3", func(b *facts.Bill) {
			illinois(b)
			paid := int64(10_000)
			b.PaidAmount, b.PaidDate, b.BillStatus = &paid, "2026-02-05", facts.StatusPaid
		})
		texan := p.texan("I4", func(b *facts.Bill) {
			b.BeginServiceDate, b.EndServiceDate, b.ReceivedOn = "2025-12-01", "2025-12-01", "2025-12-10"
		})
		partsLate, paidAgain := p.texan("I5", illinois), p.texan("I6", illinois)
		p.pay("I5", map[date.Date]int64{"2026-01-30": 90, "2026-02-15": 4, "2026-02-20": 6})
		p.pay("I6", map[date.Date]int64{"2026-01-30": 100, "2026-02-10": -100, "2026-02-20": 100})
		for page, want := range map[string]string{
			// $10 for 10 days, then $6 for 5 days; $100 for the 10 days without it
			partsLate: "2026-02-05 to 2026-02-20: 0.04", paidAgain: "2026-02-05 to 2026-02-20: 0.33",
			unpaid: "2026-02-05 to 2026-03-02: 0.83", paidLate: "2026-02-05 to 2026-02-20: 0.5", paidInTime: "",
			texan: "2026-02-08 to 2026-03-02: no rate",
		} {
			var got []string
			for _, i := range p.deadlines("prus", page).Interest {
				amount := "no rate"
				if i.Interest != nil {
					amount = fmt.Sprint(*i.Interest)
				}
				got = append(got, i.On+" to "+i.Until+": "+amount)
			}
			assert.Equal(t, want, strings.Join(got, "; "))
		}
	})
}

// Rule errors are listed by field. Two people who change the same rule don't overwrite each
// other.
func TestRulesAreChecked(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		staff := bearer(p.tokenOf("isad"))
		good := p.rule("TX-WC-ANSWER")
		maps.Copy(good, fields{"state": "oh", "condition": "", "citation": "O.A.C. 1"})
		add := func(changes fields) reply {
			sent := maps.Clone(good)
			maps.Copy(sent, changes)
			return p.do(http.MethodPost, "/api/desk/rules", sent, staff)
		}
		var added struct {
			ID, State, Status, ReviewedBy string
			Version                       int
		}
		r := add(fields{"status": "ACTIVE", "version": 7, "reviewedBy": "me"})
		r.into(t, &added)
		if added.State != "OH" || added.Status != "DRAFT" || added.Version != 1 || added.ReviewedBy != "" || added.ID == "" {
			t.Fatalf("added: %d %s", r.status, r.body)
		}
		p.confirm(added.ID)
		for field, changes := range map[string]fields{
			"state": {"state": "QQ"}, "amount": {"amount": -1}, "citation": {"citation": " "}, "text": {"text": ""},
			"url":  {"url": "http://a.example/1"},
			"rate": {"rate": 1}, "ended": {"ended": "2019-12-31"}, "effective": {"effective": "2025-01-01"},
			"basis": {"kind": "OFFICE_DISPUTE", "basis": "PAYER_RECEIVED"},
		} {
			if r := add(changes); r.status != 400 || !strings.Contains(string(r.body), `"path":"`+field+`"`) {
				t.Errorf("%s: %d %s", field, r.status, r.body)
			}
		}
		for _, address := range []string{"https://", "javascript:alert(1)", "https://me:secret@a.example", "//a.example"} {
			assert.Equal(t, 400, add(fields{"url": address}).status, address)
		}
		if r := p.setRule("isad", "TX-WC-ANSWER", fields{"status": "ACTIVE"}); r.status != 400 ||
			!strings.Contains(string(r.body), `"path":"reviewedBy"`) {
			t.Errorf("nobody reviewed it: %d %s", r.status, r.body)
		}
		// The next rule starts when the previous one ends.
		if r := p.setRule("isad", added.ID, fields{"ended": "2025-12-31"}); r.status != 200 {
			t.Errorf("%d %s", r.status, r.body)
		}
		for from, want := range map[string]int{"2025-12-31": 400, "2026-01-01": 200} {
			if r := add(fields{"effective": from}); r.status != want {
				t.Errorf("from %s: %d %s", from, r.status, r.body)
			}
		}
		p.want(p.setRule("isad", added.ID, fields{"version": 1, "ended": "2026-12-31"}), 409, "")
		p.want(p.do(http.MethodPut, "/api/desk/rules/unknown", good, staff), 404, "")
		p.want(p.do(http.MethodGet, "/api/desk/rules", nil, bearer(p.tokenOf("prad"))), 403, "")
	})
}

// A state holiday moves only that state's deadlines.
func TestHolidays(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		staff := bearer(p.tokenOf("isad"))
		try := func() (on string) {
			r := p.do(http.MethodPost, "/api/desk/rules/try", fields{"state": "CA", "line": "WC", "payerReceived": "2026-11-20"},
				bearer(p.tokenOf("irad")))
			var outcomes []struct {
				Rule struct{ ID, Status string }
				On   string
			}
			r.into(t, &outcomes)
			for _, o := range outcomes {
				assert.Equal(t, "DRAFT", o.Rule.Status, o)
				if o.Rule.ID == "CA-WC-PAY-ELECTRONIC" {
					on = o.On
				}
			}
			return on
		}
		assert.Equal(t, "2026-12-15", try())
		p.want(p.do(http.MethodPut, "/api/desk/holidays", fields{"state": "CA", "day": "2026-12-01", "name": " A  day "}, staff), 204, "")
		p.want(p.do(http.MethodPut, "/api/desk/holidays", fields{"state": "CA", "day": "2026-12-02", "name": ""}, staff), 400, "")
		p.want(p.do(http.MethodPut, "/api/desk/holidays", fields{"state": "CA", "day": "2026-12-02", "name": "x"},
			bearer(p.tokenOf("irad"))), 403, "")
		assert.Equal(t, "2026-12-16", try())
		p.want(p.do(http.MethodDelete, "/api/desk/holidays/CA/2026-12-01", nil, staff), 204, "")
		p.want(p.do(http.MethodDelete, "/api/desk/holidays/CA/2026-12-01", nil, staff), 404, "")
		for _, day := range []string{"soon", "2026-13-01", "0000-00-00"} {
			p.want(p.do(http.MethodDelete, "/api/desk/holidays/CA/"+day, nil, staff), 400, "")
		}
		p.want(p.do(http.MethodDelete, "/api/desk/holidays/CA/2026-11-27", nil, staff), 204, "")
		assert.Equal(t, "2026-12-14", try())
		p.audited(1, `operation = 'holiday-set' AND subject = 'CA 2026-12-01' AND detail = 'A day'`)
		p.audited(2, `operation = 'holiday-remove' AND actor = 'isad'`)
	})
}
