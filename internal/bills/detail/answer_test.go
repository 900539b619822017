package detail

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/platform/date"
)

// Only paid bills of the second bill system have a payment. Others can have $0 and the date of a denial.
func TestSecondBillWithoutPayment(t *testing.T) {
	nothing := 0.0
	for status, want := range map[string]string{
		facts.StatusDenied: "Denied, according to the second bill system.", facts.StatusVoid: "Void, according to the second bill system.",
		facts.StatusPaid: "Paid $0.00 on 06/01/2026, according to the second bill system.",
	} {
		b := secondsystem.Bill{BillStatus: status, PaidAmount: &nothing, PaidDate: "2026-06-01"}
		assert.Equal(t, want, answerSecond(b, describeSecond(b)).Text, status)
		if events := listSecondEvents(b); (len(events) == 1) != (status == facts.StatusPaid) {
			t.Errorf("%s: %+v", status, events)
		}
	}
}

// Each state has one sentence: what, when, by whom and why.
func TestAnswers(t *testing.T) {
	pay := func(p *Page, paid int64, nature facts.Nature, codes ...facts.Adjustment) {
		made := facts.Payment{Nature: nature, Paid: paid, PaidDate: "2025-07-15", Reported: facts.Bill{PayerName: "Summit Ridge"}}
		made.Detail.Adjustments = codes
		p.Group = billGroup{Known: true, Payments: []billPayment{{Role: derive.RoleInForce, Explains: true, Payment: made}}}
		p.Bill.PaidAmount = &paid
	}
	approval := facts.Adjustment{Group: "CO", Reason: "197", Amount: 6000}
	contract := facts.Adjustment{Group: "CO", Reason: "45", Amount: 9000}
	const send = "If you have an authorization number, send it."
	for _, c := range []struct {
		text, next string
		change     func(p *Page)
	}{
		{"Denied 07/15/2025 by Summit Ridge: required approval is missing (CO-197).", send, func(p *Page) {
			p.Bill.OpenState = billstate.Denied
			pay(p, 0, facts.Denial, contract, approval)
		}},
		{"Denied 07/15/2025 by Summit Ridge: reason CO-45.", "Review the reason codes.", func(p *Page) {
			p.Bill.OpenState = billstate.Denied
			pay(p, 0, facts.Denial, contract)
		}},
		{"Denied.", "Review the reason codes.", func(p *Page) { p.Bill.OpenState = billstate.Denied }},
		{"Paid $0.00 on 07/15/2025 by Summit Ridge: required approval is missing (CO-197).", send, func(p *Page) {
			p.Bill.OpenState, p.Bill.BillStatus = billstate.PaymentOnly, record.StatusPaid
			pay(p, 0, facts.Zero, approval)
		}},
		{"Paid $50.00 on 07/15/2025 by Summit Ridge, $30.00 below the network allowance: required approval is missing (CO-197).", send,
			func(p *Page) {
				p.Bill.OpenState = billstate.Short
				pay(p, 5000, facts.Money, approval)
			}},
		{"Paid $50.00 on 07/15/2025 by Summit Ridge, $30.00 below the network allowance, which is the patient responsibility.", "",
			func(p *Page) {
				pay(p, 5000, facts.Money)
				p.Group.PatientResponsibility = 3000
			}},
		{"Paid $80.00 on 07/15/2025 by Summit Ridge, in full at the network allowance.", "",
			func(p *Page) { pay(p, 8000, facts.Money, contract) }},
		{"Paid $90.00 on 07/15/2025 by Summit Ridge, $10.00 above the network allowance.", "",
			func(p *Page) { pay(p, 9000, facts.Money) }},
		{"Paid $50.00 on 07/15/2025 by Summit Ridge. The payer announced a reversal.", "Ask the payer for the reason.", func(p *Page) {
			p.Bill.OpenState, p.Bill.TakeBackOpen = billstate.Short, true
			pay(p, 5000, facts.Money)
			p.Group.Payments = append(p.Group.Payments, billPayment{Role: derive.RoleWaiting, Pending: 8000})
		}},
		{"Paid $50.00 on 07/15/2025 by Summit Ridge, after a partial reversal.", "Ask the payer for the reason.", func(p *Page) {
			p.Bill.OpenState, p.Bill.TakeBackOpen = billstate.Short, true
			pay(p, 5000, facts.Money)
		}},
		{"Paid $50.00 on 07/15/2025 by Summit Ridge.", "", func(p *Page) {
			pay(p, 5000, facts.Money)
			p.Bill.RecommendedAllowance = nil
		}},
		{"No payment due from the payer on 07/15/2025 by Summit Ridge.", "", func(p *Page) {
			pay(p, 0, facts.Money)
			p.Bill.RecommendedAllowance = nil
		}},
		{"Payment reversed 07/15/2025 by Summit Ridge: required approval is missing (CO-197).", send, func(p *Page) {
			p.Bill.OpenState = billstate.Reversed
			pay(p, -5000, facts.Reversal, facts.Adjustment{Group: "CO", Reason: "197", Amount: -6000})
		}},
		{"Payment reversed 07/15/2025 by Summit Ridge.", "Ask the payer for the reason.", func(p *Page) {
			p.Bill.OpenState = billstate.Reversed
			pay(p, -5000, facts.Reversal, facts.Adjustment{Group: "CO", Reason: "45", Amount: -6000})
		}},
		{"Priced at $80.00 by the network. No payment is on file.", "Ask the payer for the payment.",
			func(p *Page) { p.Bill.OpenState = billstate.Priced }},
		{"Priced at $80.00 by the network. No payment is on file.", "Wait for the payer until 07/26/2026.", func(p *Page) {
			p.Bill.OpenState, p.Bill.NextDue = billstate.Priced, "2026-07-26"
		}},
		{"Priced at $80.00 by the network. Another party reviews and pays this bill.", "Ask who reviews and pays this bill.",
			func(p *Page) { p.Bill.OpenState = billstate.RepricedOnly }},
		{"Priced at zero (not covered) by the network: the network doesn't recognize this provider (T1).",
			"Check your listing in the directory.", func(p *Page) {
				p.Bill.OpenState, p.Bill.RepricingMethod, p.Bill.Detail.RejectReason = billstate.Received, methodNotCovered, "T1"
			}},
		{"Received 06/20/2025 by the network. Not repriced yet.", "Wait for repricing.", func(p *Page) {
			p.Bill.OpenState, p.Bill.ReceivedOn = billstate.Received, "2025-06-20"
		}},
		{"Received 06/20/2025 by the network. Not repriced yet.", "Ask the network why it isn't repriced.", func(p *Page) {
			p.Bill.OpenState, p.Bill.ReceivedOn, p.Bill.NextDue = billstate.Received, "2025-06-20", "2025-07-20"
		}},
		{"Received 06/20/2025 by the network, not repriced: reason T6.", "Wait for repricing.", func(p *Page) {
			p.Bill.OpenState, p.Bill.ReceivedOn, p.Bill.Detail.RejectReason = billstate.Received, "2025-06-20", "T6"
		}},
		{"Voided. This bill won't be paid.", "", func(p *Page) { p.Bill.OpenState = billstate.Void }},
		{"Replaced by bill BCN-2.", "See bill BCN-2.", func(p *Page) {
			p.Bill.OpenState, p.ReplacedBy = billstate.Void, &record.Bill{BillControlNumber: "BCN-2"}
		}},
	} {
		p := &Page{Bill: billtest.MakeBill(func(b *record.Detailed) { b.OpenState, b.PayerName, b.ReceivedOn = billstate.Settled, "", "" })}
		c.change(p)
		p.deriveState()
		s := &Service{reasons: billtest.Reasons{}, now: func() time.Time { return date.Date("2026-07-14").Time() }}
		if a, err := s.answer(t.Context(), p); err != nil || a.Text != c.text || a.NextStep != c.next {
			t.Errorf("%v\ngot  %q, %q\nwant %q, %q", err, a.Text, a.NextStep, c.text, c.next)
		}
	}
}

// The deadline comes with who has to act, and only while the bill needs follow-up.
func TestAnswerHasDeadline(t *testing.T) {
	s := &Service{reasons: billtest.Reasons{}, now: func() time.Time { return date.Date("2026-07-14").Time() }}
	for state, by := range map[billstate.State]string{
		billstate.Priced: "payer", billstate.Received: "payer", billstate.Denied: "office", billstate.Settled: "", billstate.Void: "",
	} {
		p := &Page{Bill: billtest.MakeBill(func(b *record.Detailed) { b.OpenState, b.NextDue = state, "2026-07-04" })}
		p.deriveState()
		a, err := s.answer(t.Context(), p)
		wire := wireAnswer(a)
		if err != nil || wire.DueBy != by || wire.Open != (by != "") || by != "" && (wire.Due != "2026-07-04" || wire.DaysLeft != -10) {
			t.Errorf("%s: %v %+v", state, err, wire)
		}
	}
}

func TestMainCode(t *testing.T) {
	of := func(group, reason string, amount int64) facts.Adjustment {
		return facts.Adjustment{Group: group, Reason: reason, Amount: amount}
	}
	for want, list := range map[string][]facts.Adjustment{
		"":       nil,
		"CO-45":  {of("CO", "45", 5)},
		"CO-97":  {of("CO", "45", 500), of("CO", "97", 5)},
		"PI-16":  {of("PR", "1", 500), of("PI", "16", 5)},
		"CO-16":  {of("CO", "97", 4), of("CO", "16", 3), of("CO", "16", 2)},
		"CO-129": {of("CO", "97", -4), of("CO", "129", -30)},
	} {
		if label, _ := mainCode(list); label != want {
			t.Errorf("got %q, want %q", label, want)
		}
	}
}
