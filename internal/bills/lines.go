package bills

import (
	"slices"
	"strings"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/date"
)

// pageLine is a service line of a bill, and what payers decided of it. Amounts are
// cents.
type pageLine struct {
	ledger.Line
	Allowed     *int64 // by the payer
	Paid        *int64
	Difference  *int64 // the network's allowance less what was paid, where both are known
	PaidAs      string // the procedure that was paid in place of this one
	Adjustments []ledger.Adjustment
	Remarks     []ledger.Remark
}

// apartLine is a line of a payment that no line of the bill is known to be.
type apartLine struct {
	ledger.PaidLine
	Payment ledger.Payment
}

// decisions are what payments come to for the lines of a bill and for all of it.
type decisions struct {
	Lines       []pageLine
	Apart       []apartLine
	Adjustments []ledger.Adjustment // of the bill as a whole
	Remarks     []ledger.Remark
}

// decide puts what payments tell of lines beside the lines of the bill. They are
// matched by the office's own number of the line, else by what was done, when and
// for how much where only one line of either is such; the others are told apart.
func decide(b detailed, counted []ledger.Payment) decisions {
	var d decisions
	d.Lines = make([]pageLine, len(b.Detail.Lines))
	for i, l := range b.Detail.Lines {
		d.Lines[i] = pageLine{Line: l}
		if b.Source == ledger.SourcePayment {
			d.Lines[i].Allowance = nil // documents show what the payer allowed there
		}
	}
	for _, p := range counted {
		d.Adjustments = append(d.Adjustments, p.Detail.Adjustments...)
		d.Remarks = append(d.Remarks, p.Detail.Remarks...)
		for i, l := range p.Detail.Lines {
			if at := match(b, p, i); at >= 0 {
				d.Lines[at].take(l)
			} else {
				d.Apart = append(d.Apart, apartLine{l, p})
			}
		}
	}
	d.Remarks = once(d.Remarks)
	return d
}

func (l *pageLine) take(p ledger.PaidLine) {
	l.Paid = plus(l.Paid, &p.Paid)
	l.Allowed = plus(l.Allowed, p.Allowed)
	l.Adjustments = append(l.Adjustments, p.Adjustments...)
	l.Remarks = once(append(l.Remarks, p.Remarks...))
	if p.BilledAs.Code != "" && p.BilledAs.Code != p.Procedure {
		l.PaidAs = p.Procedure
	}
}

func plus(sum, amount *int64) *int64 {
	if amount == nil {
		return sum
	}
	total := *amount
	if sum != nil {
		total += *sum
	}
	return &total
}

// once keeps the first of equal remarks, in their order.
func once(list []ledger.Remark) []ledger.Remark {
	var kept []ledger.Remark
	for _, r := range list {
		if !slices.Contains(kept, r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// match finds the line of a bill that a line of a payment is; -1: it is not known.
func match(b detailed, p ledger.Payment, paid int) int {
	l := p.Detail.Lines[paid]
	named := func(i int) bool { return b.Detail.Lines[i].Control == l.Control }
	if l.Control != "" {
		if at := only(len(b.Detail.Lines), named); at >= 0 {
			return at
		}
	}
	service := serviceOfPaid(l, p)
	at := only(len(b.Detail.Lines), func(i int) bool { return serviceOf(b.Detail.Lines[i], b.Bill) == service })
	same := only(len(p.Detail.Lines), func(i int) bool { return serviceOfPaid(p.Detail.Lines[i], p) == service })
	// Two numbers that differ tell that the lines do.
	if at < 0 || same < 0 || l.Control != "" && b.Detail.Lines[at].Control != "" {
		return -1
	}
	return at
}

// only is the one index below n that fits; -1 where none or several do.
func only(n int, fits func(int) bool) int {
	found := -1
	for i := range n {
		if fits(i) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// service is what was done, when and for how much.
type service struct {
	code, modifiers string
	on              date.Date
	charge          int64
}

func serviceOf(l ledger.Line, b Bill) service {
	s := service{code: l.Procedure, modifiers: joined(l.Modifiers), on: l.BeginDate, charge: l.Charge}
	if s.code == "" {
		s.code = l.Revenue
	}
	if s.on == "" { // the day of a line that tells none is the bill's
		s.on = b.BeginServiceDate
	}
	return s
}

func serviceOfPaid(l ledger.PaidLine, p ledger.Payment) service {
	s := service{code: l.Procedure, modifiers: joined(l.Modifiers), on: l.BeginDate, charge: l.Charge}
	if l.BilledAs.Code != "" {
		s.code, s.modifiers = l.BilledAs.Code, joined(l.BilledAs.Modifiers)
	}
	if s.code == "" {
		s.code = l.Revenue
	}
	if s.on == "" {
		s.on = p.Reported.BeginServiceDate
	}
	return s
}

func joined(modifiers []string) string {
	return strings.Join(slices.Sorted(slices.Values(modifiers)), " ")
}
