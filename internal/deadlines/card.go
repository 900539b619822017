package deadlines

import (
	"context"
	"slices"

	"wcpp/internal/access"
	"wcpp/internal/platform/date"
)

// Bills opens the bill of a page.
type Bills interface {
	// Opened is the bill that a page's sealed id names, once it is audited that its
	// deadlines were opened; not known where it is of another system. What is out of
	// scope is answered as what does not exist.
	Opened(ctx context.Context, a access.Actor, page string) (b Bill, known bool, err error)
	// AtDesk is the same for the staff, for the reason that they gave.
	AtDesk(ctx context.Context, a access.Actor, page string) (Bill, error)
}

// Bill is what deadlines go by. Amounts are cents.
type Bill struct {
	Facts
	Stage Stage
	// Owed bears the interest that could be due: what was paid, or the network's
	// allowance while nothing was; nil where there is none.
	Owed *int64
}

// What a card tells where it tells no deadline.
const (
	Counted = "counted" // it tells some
	Nothing = "nothing" // nothing is left to do, or the bill is of another system
	NoState = "noState" // no state of jurisdiction is known
	Assumed = "assumed" // the state is only assumed
	NoLine  = "noLine"  // the line of business is not known
	NoRule  = "noRule"  // no rule is on file
	NoDay   = "noDay"   // the rules on file set no time for the bill
)

// Card is what a bill's page tells of its deadlines.
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
	Until  date.Date // when the bill was paid, or today
	Amount *int64    // cents; nil where the rule has no rate
}

// shown are the kinds that a card tells at a stage, beside interest.
var shown = map[Stage][]string{
	ForPayer:  {PayerAnswer, PayerPay, FollowUpFrom},
	ForOffice: {OfficeReconsider, OfficeDispute},
}

// Card tells the deadlines of the bill of a page.
func (s *Service) Card(ctx context.Context, a access.Actor, page string) (Card, error) {
	b, known, err := s.bills.Opened(ctx, a, page)
	if err != nil || !known {
		return Card{Answer: Nothing}, err
	}
	law, err := s.inForce(ctx)
	return cardOf(law, b, s.today()), err
}

// CardAtDesk is the same for the staff.
func (s *Service) CardAtDesk(ctx context.Context, a access.Actor, page string) (Card, error) {
	b, err := s.bills.AtDesk(ctx, a, page)
	if err != nil {
		return Card{}, err
	}
	law, err := s.inForce(ctx)
	return cardOf(law, b, s.today()), err
}

func cardOf(l *Law, b Bill, today date.Date) Card {
	card := Card{Bill: b, Today: today}
	if l == nil {
		return card
	}
	rules := l.of(b.Facts)
	for _, d := range Deadlines(rules, b.Facts, l.calendar) {
		switch {
		case slices.Contains(shown[b.Stage], d.Rule.Kind):
			card.Deadlines = append(card.Deadlines, d)
		case d.Rule.Kind == Interest:
			if i, is := accrued(d, b, today); is {
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

// accrued is simple interest by the day, a month as 30 days.
func accrued(d Deadline, b Bill, today date.Date) (Accrued, bool) {
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
