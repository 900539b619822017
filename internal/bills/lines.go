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

// decide puts what payments tell of lines beside the lines of the bill; lines that match none
// are told apart.
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
		matched := match(b, p)
		for i, l := range p.Detail.Lines {
			if at := matched[i]; at >= 0 {
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
	l.Paid = plus(l.Paid, p.PaidKnown())
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

// match finds for each line of a payment the line of the bill that it is; -1: it is not known.
// Lines are matched one to one, by the strongest evidence first, where it leaves one reading:
// the office's number of the line, else what was done, when and for how much. Payers leave out
// modifiers and days, and put other numbers in the place of the office's.
func match(b detailed, p ledger.Payment) []int {
	sent, paid := b.Detail.Lines, p.Detail.Lines
	at := slices.Repeat([]int{-1}, len(paid))
	taken := make([]bool, len(sent))
	for i, l := range paid {
		if l.Control == "" {
			continue
		}
		if found := only(len(sent), func(j int) bool { return sent[j].Control == l.Control }); found >= 0 {
			at[i], taken[found] = found, true // a line can be paid in parts
		}
	}
	for _, same := range []func(s, p service) bool{service.isSame, service.isSameButModifiers, service.isSameButDay} {
		fits := func(j, i int) bool {
			return at[i] < 0 && !taken[j] && same(serviceOf(sent[j], b.Bill), serviceOfPaid(paid[i], p))
		}
		for again := true; again; {
			again = false
			for i := range paid {
				j := only(len(sent), func(j int) bool { return fits(j, i) })
				if j >= 0 && only(len(paid), func(i int) bool { return fits(j, i) }) == i {
					at[i], taken[j], again = j, true, true
				}
			}
		}
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
	dated           bool // by the line itself
}

func (s service) isSame(o service) bool {
	return s.isSameButModifiers(o) && s.modifiers == o.modifiers
}

func (s service) isSameButModifiers(o service) bool {
	return s.code == o.code && s.charge == o.charge && s.on == o.on
}

// isSameButDay reports whether all but a day is the same that one of the lines leaves out.
func (s service) isSameButDay(o service) bool {
	return s.code == o.code && s.charge == o.charge && (!s.dated || !o.dated)
}

func serviceOf(l ledger.Line, b Bill) service {
	s := service{code: l.Procedure, modifiers: joined(l.Modifiers), on: l.BeginDate, charge: l.Charge, dated: l.BeginDate != ""}
	if s.code == "" {
		s.code = l.Revenue
	}
	if s.on == "" { // the day of a line that tells none is the bill's
		s.on = b.BeginServiceDate
	}
	return s
}

func serviceOfPaid(l ledger.PaidLine, p ledger.Payment) service {
	s := service{code: l.Procedure, modifiers: joined(l.Modifiers), on: l.BeginDate, charge: l.Charge, dated: l.BeginDate != ""}
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
