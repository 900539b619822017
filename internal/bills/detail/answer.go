package detail

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/pdfdoc"
)

// Reasons explains reason codes.
type Reasons interface {
	// Explain returns what a code means and what an office can do about it. Both are empty if
	// nothing is known.
	Explain(ctx context.Context, list, code, jurisdiction string) (title, advice string, err error)
}

// Answer is the first thing that a page says: what happened to the bill, when, by whom and why,
// and what the office does next.
type Answer struct {
	Tone     string
	Text     string
	NextStep string
	Open     bool           // the bill needs follow-up
	Due      date.Date      // its next deadline; empty if there's none
	DueBy    billstate.Side // who has to act by then
	DaysLeft int            // negative if the deadline has passed
}

// reason is the code that explains most of what a payer or the network didn't pay.
type reason struct{ label, title, advice string }

// String returns the reason as the end of a sentence, such as ": approval is missing (CO-197)".
func (r reason) String() string {
	switch {
	case r.label == "":
		return ""
	case r.title == "":
		return ": reason " + r.label
	}
	return ": " + lowerFirst(strings.TrimRight(r.title, ".")) + " (" + r.label + ")"
}

// lowerFirst returns a sentence as a part of another. It doesn't change abbreviations.
func lowerFirst(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if second, _ := utf8.DecodeRuneInString(s[n:]); unicode.IsUpper(second) {
		return s
	}
	return string(unicode.ToLower(first)) + s[n:]
}

// answer describes the bill in one sentence, with its next step.
func (s *Service) answer(ctx context.Context, p *Page) (Answer, error) {
	because, err := s.explain(ctx, p)
	if err != nil {
		return Answer{}, err
	}
	state, today := p.Bill.DisplayState(), date.Of(s.now())
	a := Answer{Tone: p.State.Tone, Text: p.describeAnswer(because), Open: state.Name() != "", NextStep: p.nextStep()}
	if because.advice != "" {
		a.NextStep = because.advice
	}
	if a.Open && p.Bill.NextDue != "" {
		a.Due, a.DueBy = p.Bill.NextDue, state.NextToAct()
		a.DaysLeft = int(a.Due.Time().Sub(today.Time()).Hours() / 24)
	}
	switch {
	case state == billstate.Priced && a.DaysLeft > 0:
		a.NextStep = "Wait for the payer until " + a.Due.US()
	case state == billstate.Received && a.DaysLeft < 0 && because.advice == "":
		a.NextStep = "Ask the network why it isn't repriced"
	}
	if a.NextStep != "" && !strings.HasSuffix(a.NextStep, ".") {
		a.NextStep += "."
	}
	return a, nil
}

// explain returns the main reason of the bill's state. It's empty if the state needs none.
func (s *Service) explain(ctx context.Context, p *Page) (reason, error) {
	list, label, code := "CARC", "", ""
	switch state := p.Bill.DisplayState(); {
	case state == billstate.Received && p.Bill.Detail.RejectReason != "":
		list, label, code = "HCP13", p.Bill.Detail.RejectReason, p.Bill.Detail.RejectReason
	case state == billstate.Reversed:
		// A reversal repeats the write-offs of the payment. They don't explain it.
		label, code = mainCode(slices.DeleteFunc(slices.Clone(p.ReversalCodes.Adjustments), isShared))
	case state == billstate.Denied, state == billstate.PaymentOnly, state == billstate.Short && p.State.Tone == toneWarning:
		label, code = mainCode(p.adjustments())
	}
	if code == "" {
		return reason{}, nil
	}
	title, advice, err := s.reasons.Explain(ctx, list, code, p.Bill.StateOfJurisdiction)
	return reason{label, title, advice}, err
}

// adjustments returns all adjustments of the payments in force.
func (p *Page) adjustments() []facts.Adjustment {
	list := slices.Clone(p.Decided.Adjustments)
	for _, l := range p.Decided.Lines {
		list = append(list, l.Adjustments...)
	}
	for _, l := range p.Decided.Apart {
		list = append(list, l.Adjustments...)
	}
	return list
}

// isShared reports whether an adjustment is a write-off by contract or the patient's share, which most
// payments have. It explains a payment only if nothing else does.
func isShared(a facts.Adjustment) bool { return a.Reason == "45" || a.Group == "PR" }

// mainCode returns the adjustment with the largest amount, as CO-197 and 197. Write-offs by contract and the
// patient's share come last.
func mainCode(list []facts.Adjustment) (label, code string) {
	amounts, codes, shared := map[string]int64{}, map[string]string{}, map[string]bool{}
	var labels []string
	for _, a := range list {
		label := a.Group + "-" + a.Reason
		if _, is := codes[label]; !is {
			labels = append(labels, label)
		}
		amounts[label], codes[label], shared[label] = amounts[label]+a.Amount, a.Reason, isShared(a)
	}
	rank := func(label string) int {
		if shared[label] {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(labels, func(a, b string) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(max(amounts[b], -amounts[b]), max(amounts[a], -amounts[a])))
	})
	if labels == nil {
		return "", ""
	}
	return labels[0], codes[labels[0]]
}

// lastPayment returns the payment that decided the bill, or nil.
func (p *Page) lastPayment() *billPayment {
	reversed := p.Bill.DisplayState() == billstate.Reversed
	for i := len(p.Group.Payments) - 1; i >= 0; i-- {
		if payment := &p.Group.Payments[i]; payment.Explains && payment.IsReversal() == reversed {
			return payment
		}
	}
	return nil
}

// decidedBy returns the day and the payer of a decision, as " 07/15/2025 by Summit Ridge". After an
// amount, the day follows "on".
func (p *Page) decidedBy(before string) string {
	on, payer := p.Bill.PaidDate, p.Bill.PayerName
	if payment := p.lastPayment(); payment != nil {
		on, payer = cmp.Or(payment.PaidDate, on), cmp.Or(payment.Reported.PayerName, payer)
	}
	return formatDecision(before, on, payer)
}

func formatDecision(before string, on date.Date, payer string) string {
	text := ""
	if on != "" {
		text = before + on.US()
	}
	if payer != "" {
		text += " by " + payer
	}
	return text
}

// describeAnswer returns what happened to the bill, as one sentence.
func (p *Page) describeAnswer(because reason) string {
	b := p.Bill.Bill
	switch b.DisplayState() {
	case billstate.Void:
		if p.ReplacedBy != nil {
			return "Replaced by bill " + p.ReplacedBy.BillControlNumber + "."
		}
		return "Voided. This bill won't be paid."
	case billstate.Denied:
		return "Denied" + p.decidedBy(" ") + because.String() + "."
	case billstate.Reversed:
		return "Payment reversed" + p.decidedBy(" ") + because.String() + "."
	case billstate.PaymentOnly:
		return "Paid $0.00" + p.decidedBy(" on ") + because.String() + "."
	case billstate.RepricedOnly:
		return p.describePricedAt() + ". Another party reviews and pays this bill."
	case billstate.Priced:
		return p.describePricedAt() + ". No payment is on file."
	case billstate.Received:
		return p.describeReceived(because)
	}
	if b.PaidAmount == nil {
		return p.State.Text + "."
	}
	return p.describePaidAnswer(because)
}

func (p *Page) describePricedAt() string {
	text := "Priced"
	if allowance := p.Bill.RecommendedAllowance; allowance != nil {
		text += " at $" + pdfdoc.Money(*allowance)
	}
	return text + formatDecision(" on ", pricedOn(p.currentVersion()), "the network")
}

// describeReceived describes a bill without a price, or with a price of zero.
func (p *Page) describeReceived(because reason) string {
	if p.Bill.RepricingMethod == methodNotCovered {
		return "Priced at zero (not covered)" + formatDecision(" on ", pricedOn(p.currentVersion()), "the network") + because.String() + "."
	}
	text := "Received" + formatDecision(" ", p.Bill.ReceivedOn, "the network")
	if because.label != "" {
		return text + ", not repriced" + because.String() + "."
	}
	return text + ". Not repriced yet."
}

func (p *Page) describePaidAnswer(because reason) string {
	paid := *p.Bill.PaidAmount
	text := "Paid $" + pdfdoc.Money(paid) + p.decidedBy(" on ")
	switch allowance := p.Bill.RecommendedAllowance; {
	case p.Bill.TakeBackOpen && p.listWaiting() == nil:
		return text + ", after a partial reversal."
	case p.Bill.TakeBackOpen:
		return text + ". The payer announced a reversal."
	case allowance == nil && paid == 0:
		return "No payment due from the payer" + p.decidedBy(" on ") + "."
	case allowance == nil:
		return text + "."
	case paid == *allowance:
		return text + ", in full at the network allowance."
	case paid > *allowance:
		return text + ", $" + pdfdoc.Money(paid-*allowance) + " above the network allowance."
	case p.Group.PatientResponsibility >= *allowance-paid:
		return text + ", $" + pdfdoc.Money(*allowance-paid) + " below the network allowance, which is the patient responsibility."
	default:
		return text + ", $" + pdfdoc.Money(*allowance-paid) + " below the network allowance" + because.String() + "."
	}
}

// isPaid reports whether a bill of the second bill system has a payment. Others can have an amount and
// the date of their denial.
func isPaid(b secondsystem.Bill) bool {
	return b.BillStatus == facts.StatusPaid || b.BillStatus == facts.StatusPaidCorrected
}

// answerSecond describes a bill of the second bill system in one sentence.
func answerSecond(b secondsystem.Bill, state State) Answer {
	text := state.Text
	if paid := money.Cents(b.PaidAmount); paid != nil && b.PaidDate != "" && isPaid(b) {
		text = "Paid $" + pdfdoc.Money(*paid) + " on " + b.PaidDate.US()
	}
	return Answer{Tone: state.Tone, Text: text + ", according to the second bill system."}
}
