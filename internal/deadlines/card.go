package deadlines

import (
	"context"
	"slices"

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

// accrueInterest calculates simple daily interest, with 30-day months.
func accrueInterest(d Deadline, b Bill, today date.Date) (Accrued, bool) {
	i := Accrued{Deadline: d, Until: today}
	if b.Paid != "" {
		i.Until = min(b.Paid, today)
	}
	if b.Owed == nil || *b.Owed <= 0 || i.Until <= d.On {
		return i, false
	}
	if d.Rule.RateBP > 0 {
		days := int64(i.Until.Time().Sub(d.On.Time()).Hours() / 24)
		const month, whole = 30, 10_000
		cents := (*b.Owed*int64(d.Rule.RateBP)*days + month*whole/2) / (month * whole)
		i.Amount = &cents
	}
	return i, true
}
