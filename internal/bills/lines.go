package bills

import (
	"slices"
	"strings"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/date"
)

// pageLine is a service line of a bill with the payers' decisions. Amounts are in cents.
type pageLine struct {
	ledger.Line
	Allowed     *int64 // by the payer
	Paid        *int64
	Difference  *int64 // the network's allowance minus the payment, if both are known
	PaidAs      string // the procedure that was paid instead
	Adjustments []ledger.Adjustment
	Remarks     []ledger.Remark
}

// unmatchedLine is a payment line that matches no line of the bill.
type unmatchedLine struct {
	ledger.PaidLine
	Payment ledger.Payment
}

// decisions are the combined payments for the lines of a bill and for the bill itself.
type decisions struct {
	Lines       []pageLine
	Apart       []unmatchedLine
	Adjustments []ledger.Adjustment // of the bill as a whole
	Remarks     []ledger.Remark
}

// decide adds the payments' line data to the lines of the bill. Unmatched lines are returned
// separately.
func decide(b detailed, counted []ledger.Payment) decisions {
	var d decisions
	d.Lines = make([]pageLine, len(b.Detail.Lines))
	for i, l := range b.Detail.Lines {
		d.Lines[i] = pageLine{Line: l}
		if b.Source == ledger.SourcePayment {
			d.Lines[i].Allowance = nil // documents show the payer's allowed amount there
		}
	}
	for _, p := range counted {
		d.Adjustments = append(d.Adjustments, p.Detail.Adjustments...)
		d.Remarks = append(d.Remarks, p.Detail.Remarks...)
		matched := match(b, p)
		for i, l := range p.Detail.Lines {
			if at := matched[i]; at >= 0 {
				d.Lines[at].addPayment(l)
			} else {
				d.Apart = append(d.Apart, unmatchedLine{l, p})
			}
		}
	}
	d.Remarks = dedupeRemarks(d.Remarks)
	return d
}

func (l *pageLine) addPayment(p ledger.PaidLine) {
	l.Paid = addAmounts(l.Paid, p.PaidKnown())
	l.Allowed = addAmounts(l.Allowed, p.Allowed)
	l.Adjustments = append(l.Adjustments, p.Adjustments...)
	l.Remarks = dedupeRemarks(append(l.Remarks, p.Remarks...))
	if p.BilledAs.Code != "" && p.BilledAs.Code != p.Procedure {
		l.PaidAs = p.Procedure
	}
}

func addAmounts(sum, amount *int64) *int64 {
	if amount == nil {
		return sum
	}
	total := *amount
	if sum != nil {
		total += *sum
	}
	return &total
}

// dedupeRemarks removes duplicate remarks and keeps the order.
func dedupeRemarks(list []ledger.Remark) []ledger.Remark {
	var kept []ledger.Remark
	for _, r := range list {
		if !slices.Contains(kept, r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// match returns the bill line for each line of a payment, or -1 if it's unknown. Lines are
// matched one to one, by the strongest evidence that leaves one possibility. That's the line
// item control number, then procedure, day and charge. Payers leave out modifiers and days, and
// change the office's numbers.
func match(b detailed, p ledger.Payment) []int {
	sent, paid := b.Detail.Lines, p.Detail.Lines
	at := slices.Repeat([]int{-1}, len(paid))
	taken := make([]bool, len(sent))
	for i, l := range paid {
		if l.Control == "" {
			continue
		}
		if found := findOnly(len(sent), func(j int) bool { return sent[j].Control == l.Control }); found >= 0 {
			at[i], taken[found] = found, true // a line can be paid in parts
		}
	}
	for _, same := range []func(s, p serviceKey) bool{serviceKey.isSame, serviceKey.isSameButModifiers, serviceKey.isSameButDay} {
		fits := func(j, i int) bool {
			return at[i] < 0 && !taken[j] && same(newServiceKey(sent[j], b.Bill), newPaidServiceKey(paid[i], p))
		}
		for again := true; again; {
			again = false
			for i := range paid {
				j := findOnly(len(sent), func(j int) bool { return fits(j, i) })
				if j >= 0 && findOnly(len(paid), func(i int) bool { return fits(j, i) }) == i {
					at[i], taken[j], again = j, true, true
				}
			}
		}
	}
	return at
}

// findOnly returns the only index below n that fits, or -1 if none or several do.
func findOnly(n int, fits func(int) bool) int {
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

// serviceKey is the procedure, day and charge of a line.
type serviceKey struct {
	code, modifiers string
	on              date.Date
	charge          int64
	dated           bool // the line has its own date
}

func (s serviceKey) isSame(o serviceKey) bool {
	return s.isSameButModifiers(o) && s.modifiers == o.modifiers
}

func (s serviceKey) isSameButModifiers(o serviceKey) bool {
	return s.code == o.code && s.charge == o.charge && s.on == o.on
}

// isSameButDay reports whether everything is equal except a day that one of the lines doesn't
// have.
func (s serviceKey) isSameButDay(o serviceKey) bool {
	return s.code == o.code && s.charge == o.charge && (!s.dated || !o.dated)
}

func newServiceKey(l ledger.Line, b Bill) serviceKey {
	s := serviceKey{code: l.Procedure, modifiers: joinModifiers(l.Modifiers), on: l.BeginDate, charge: l.Charge, dated: l.BeginDate != ""}
	if s.code == "" {
		s.code = l.Revenue
	}
	if s.on == "" { // a line without a date has the bill's
		s.on = b.BeginServiceDate
	}
	return s
}

func newPaidServiceKey(l ledger.PaidLine, p ledger.Payment) serviceKey {
	s := serviceKey{code: l.Procedure, modifiers: joinModifiers(l.Modifiers), on: l.BeginDate, charge: l.Charge, dated: l.BeginDate != ""}
	if l.BilledAs.Code != "" {
		s.code, s.modifiers = l.BilledAs.Code, joinModifiers(l.BilledAs.Modifiers)
	}
	if s.code == "" {
		s.code = l.Revenue
	}
	if s.on == "" {
		s.on = p.Reported.BeginServiceDate
	}
	return s
}

func joinModifiers(modifiers []string) string {
	return strings.Join(slices.Sorted(slices.Values(modifiers)), " ")
}
