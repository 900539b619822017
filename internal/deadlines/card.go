package deadlines

import (
	"context"
	"slices"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
)

// Bills finds the bill of a page.
type Bills interface {
	// Find returns the bill with the page's sealed id, and audits that its deadlines were
	// opened. Known is false for a bill of another system. A bill out of scope is reported as
	// missing.
	Find(ctx context.Context, a access.Actor, page string) (b Bill, known bool, err error)
	// FindAtDesk does the same for staff, and audits the reason they gave.
	FindAtDesk(ctx context.Context, a access.Actor, page string) (Bill, error)
}

// Bill contains the facts for its deadlines. Amounts are in cents.
type Bill struct {
	Facts
	Stage Stage
	// Owed is the amount that could earn interest: the payment, or the network allowance if
	// unpaid. It is nil if there is none.
	Owed *int64
	// Payments paid the owed amount. If there are none, it was paid on the day of payment, or isn't
	// yet.
	Payments []Payment
}

// Payment is a payment in cents, negative for a reversal.
type Payment struct {
	On     date.Date
	Amount int64
}

// Reasons why a card shows deadlines or none.
const (
	Counted = "counted" // there are some
	Nothing = "nothing" // no more action needed, or the bill belongs to another system
	NoState = "noState" // state of jurisdiction unknown
	Assumed = "assumed" // state only inferred
	NoLine  = "noLine"  // line of business unknown
	NoRule  = "noRule"  // no rule on file
	NoDay   = "noDay"   // the rules on file set no deadline for the bill
)

// Card contains the deadlines on a bill's page.
type Card struct {
	Bill      Bill
	Answer    string
	Today     date.Date
	Deadlines []Deadline
	Interest  []Accrued
}

// Accrued is interest that could be due.
type Accrued struct {
	Deadline
	Until  date.Date // payment date, or today
	Amount *int64    // cents; nil without a rate
}

// shown lists the kinds of deadlines on the card at each stage, besides interest.
var shown = map[Stage][]string{
	ForPayer:  {PayerAnswer, PayerPay, FollowUpFrom},
	ForOffice: {OfficeReconsider, OfficeDispute},
}

// Card returns the deadlines of a page's bill.
func (s *Service) Card(ctx context.Context, a access.Actor, page string) (Card, error) {
	b, known, err := s.bills.Find(ctx, a, page)
	if err != nil || !known {
		return Card{Answer: Nothing}, err
	}
	law, err := s.active.currentLaw(ctx)
	return newCard(law, b, s.today()), err
}

// CardAtDesk does the same for staff.
func (s *Service) CardAtDesk(ctx context.Context, a access.Actor, page string) (Card, error) {
	b, err := s.bills.FindAtDesk(ctx, a, page)
	if err != nil {
		return Card{}, err
	}
	law, err := s.active.currentLaw(ctx)
	return newCard(law, b, s.today()), err
}

func newCard(l *Law, b Bill, today date.Date) Card {
	card := Card{Bill: b, Today: today}
	if l == nil {
		return card
	}
	rules := l.rulesFor(b.Facts)
	for _, d := range Deadlines(rules, b.Facts, l.calendar) {
		switch {
		case slices.Contains(shown[b.Stage], d.Rule.Kind):
			card.Deadlines = append(card.Deadlines, d)
		case d.Rule.Kind == Interest:
			if i, is := accrueInterest(d, b, today); is {
				card.Interest = append(card.Interest, i)
			}
		}
	}
	switch {
	case len(card.Deadlines)+len(card.Interest) > 0:
		card.Answer = Counted
	case b.Stage == Over:
		card.Answer = Nothing
	case b.State == "":
		card.Answer = NoState
	case !b.StateGiven:
		card.Answer = Assumed
	case b.Line == "":
		card.Answer = NoLine
	case len(rules) == 0:
		card.Answer = NoRule
	default:
		card.Answer = NoDay
	}
	return card
}

// accrueInterest calculates simple daily interest, with 30-day months, on what was unpaid each day.
func accrueInterest(d Deadline, b Bill, today date.Date) (Accrued, bool) {
	i := Accrued{Deadline: d, Until: today}
	if b.Paid != "" {
		i.Until = min(b.Paid, today)
	}
	unpaid := b.sumUnpaid(d.On, i.Until)
	if unpaid == 0 {
		return i, false
	}
	if d.Rule.RateBP > 0 {
		const month, whole = 30, 10_000
		cents := (unpaid*int64(d.Rule.RateBP) + month*whole/2) / (month * whole)
		i.Amount = &cents
	}
	return i, true
}

// sumUnpaid adds up what was owed and unpaid on each day of a period.
func (b Bill) sumUnpaid(from, until date.Date) (sum int64) {
	if b.Owed == nil || *b.Owed <= 0 {
		return 0
	}
	unpaid := *b.Owed
	advance := func(to date.Date) {
		if to = min(to, until); to > from {
			sum += min(max(unpaid, 0), *b.Owed) * int64(to.Time().Sub(from.Time()).Hours()/24)
			from = to
		}
	}
	for _, p := range slices.SortedFunc(slices.Values(b.Payments), func(a, b Payment) int {
		return strings.Compare(string(a.On), string(b.On))
	}) {
		advance(p.On)
		unpaid -= p.Amount
	}
	advance(until)
	return sum
}
