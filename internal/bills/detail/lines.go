package detail

import (
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/platform/date"
)

// pageLine is a service line of a bill with the payers' decisions. Amounts are in cents.
type pageLine struct {
	facts.Line
	Allowed     *int64 // by the payer
	allowedFor  int64  // the charges that Allowed is for
	Paid        *int64
	Difference  *int64 // the network's allowance minus the payment, if both are known
	PaidAs      string // the procedure that was paid instead
	Adjustments []facts.Adjustment
	Remarks     []facts.Remark
}

// unmatchedLine is a payment line that matches no line of the bill.
type unmatchedLine struct {
	facts.PaidLine
	Paid    *int64
	Payment facts.Payment
}

// decisions are the combined payments for the lines of a bill and for the bill itself.
type decisions struct {
	Lines       []pageLine
	Apart       []unmatchedLine
	Adjustments []facts.Adjustment // of the bill as a whole
	Remarks     []facts.Remark
}

// combineDecisions adds the payments' line data to the lines of the bill. Unmatched lines are returned
// separately.
func combineDecisions(b record.Detailed, counted []facts.Payment) decisions {
	var d decisions
	d.Lines = make([]pageLine, len(b.Detail.Lines))
	for i, l := range b.Detail.Lines {
		d.Lines[i] = pageLine{Line: l}
		if b.Source == facts.SourcePayment {
			d.Lines[i].Allowance = nil // documents show the payer's allowed amount there
		}
	}
	for _, p := range counted {
		d.Adjustments = append(d.Adjustments, p.Detail.Adjustments...)
		d.Remarks = append(d.Remarks, p.Detail.Remarks...)
		matched := matchLines(b, p)
		for i, l := range p.Detail.Lines {
			if at := matched[i]; at >= 0 {
				d.Lines[at].addPayment(l)
			} else {
				d.Apart = append(d.Apart, unmatchedLine{l, l.PaidKnown(), p})
			}
		}
	}
	d.Remarks = dedupeRemarks(d.Remarks)
	return d
}

func (l *pageLine) addPayment(p facts.PaidLine) {
	l.Paid = addAmounts(l.Paid, p.PaidKnown())
	l.addAllowed(p)
	l.Adjustments = append(l.Adjustments, p.Adjustments...)
	l.Remarks = dedupeRemarks(append(l.Remarks, p.Remarks...))
	if p.BilledAs.Code != "" && p.BilledAs.Code != p.Procedure {
		l.PaidAs = p.Procedure
	}
}

// addAllowed adds the payer's allowed amount while the charges of the payments fit in the line's charge.
// The amount of a payment beyond that, such as a second payer's, replaces the earlier ones.
func (l *pageLine) addAllowed(p facts.PaidLine) {
	if p.Allowed == nil {
		return
	}
	if l.allowedFor+facts.Magnitude(p.Charge) > facts.Magnitude(l.Charge) {
		l.Allowed, l.allowedFor = nil, 0
	}
	l.Allowed = addAmounts(l.Allowed, p.Allowed)
	l.allowedFor += facts.Magnitude(p.Charge)
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
func dedupeRemarks(list []facts.Remark) []facts.Remark {
	var kept []facts.Remark
	for _, r := range list {
		if !slices.Contains(kept, r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// matchLines returns the index of the bill's line for each line of a payment, or -1 if it's unknown.
// The strongest evidence comes first, and a line is matched only if one line fits. Payers leave
// out modifiers and days. They should return the office's line control number (REF 6R), but some
// number the lines themselves, so a number counts only if no other line fits better.
func matchLines(b record.Detailed, p facts.Payment) []int {
	m := newLineMatch(b, p)
	for level := range lineEvidence {
		m.matchByNumber(level)
	}
	for level := range lineEvidence[:maxEvidenceAlone] {
		m.matchByEvidence(level)
	}
	m.matchByNumberAlone()
	return m.at
}

// lineEvidence lists what lines can have in common, the strongest first.
var lineEvidence = []func(s, p serviceKey) bool{
	serviceKey.isSame, serviceKey.isSameButModifiers, serviceKey.isSameButDay,
	func(s, p serviceKey) bool { return s.code == p.code || s.charge == p.charge }, // paid in parts, or recoded
}

// maxEvidenceAlone is how many levels of lineEvidence match lines without a number.
const maxEvidenceAlone = 3

// lineMatch matches the lines of a payment to those of a bill.
type lineMatch struct {
	sent, paid               []serviceKey
	sentControl, paidControl []string
	at                       []int  // by paid line
	taken                    []bool // by line of the bill
}

func newLineMatch(b record.Detailed, p facts.Payment) *lineMatch {
	m := &lineMatch{at: slices.Repeat([]int{-1}, len(p.Detail.Lines)), taken: make([]bool, len(b.Detail.Lines))}
	for _, l := range b.Detail.Lines {
		m.sent, m.sentControl = append(m.sent, newServiceKey(l, b.Bill)), append(m.sentControl, l.Control)
	}
	for _, l := range p.Detail.Lines {
		m.paid, m.paidControl = append(m.paid, newPaidServiceKey(l, p)), append(m.paidControl, l.Control)
	}
	return m
}

// findByNumber returns the line of the bill with the number of a paid line, or -1.
func (m *lineMatch) findByNumber(i int) int {
	if m.paidControl[i] == "" {
		return -1
	}
	return findOnly(len(m.sent), func(j int) bool { return m.sentControl[j] == m.paidControl[i] })
}

// matchByNumber matches paid lines whose number and evidence of a level agree, unless a free line
// has stronger evidence. A line of the bill can be paid in parts.
func (m *lineMatch) matchByNumber(level int) {
	for i, p := range m.paid {
		j := m.findByNumber(i)
		if m.at[i] >= 0 || j < 0 || !lineEvidence[level](m.sent[j], p) {
			continue
		}
		isStronger := func(same func(s, p serviceKey) bool) bool { return m.fitsOther(j, p, same) }
		if !slices.ContainsFunc(lineEvidence[:level], isStronger) {
			m.at[i], m.taken[j] = j, true
		}
	}
}

// matchByEvidence matches lines one to one where only one line of each side fits.
func (m *lineMatch) matchByEvidence(level int) {
	fits := func(j, i int) bool { return m.at[i] < 0 && !m.taken[j] && lineEvidence[level](m.sent[j], m.paid[i]) }
	for again := true; again; {
		again = false
		for i := range m.paid {
			j := findOnly(len(m.sent), func(j int) bool { return fits(j, i) })
			if j >= 0 && findOnly(len(m.paid), func(i int) bool { return fits(j, i) }) == i {
				m.at[i], m.taken[j], again = j, true, true
			}
		}
	}
}

// matchByNumberAlone matches the remaining lines by number, because a payer can bundle lines.
func (m *lineMatch) matchByNumberAlone() {
	for i := range m.paid {
		if j := m.findByNumber(i); m.at[i] < 0 && j >= 0 && !m.taken[j] {
			m.at[i], m.taken[j] = j, true
		}
	}
}

// fitsOther reports whether a free line of the bill other than j is the same as a paid line.
func (m *lineMatch) fitsOther(j int, paid serviceKey, same func(s, p serviceKey) bool) bool {
	for o, sent := range m.sent {
		if o != j && !m.taken[o] && same(sent, paid) {
			return true
		}
	}
	return false
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

func newServiceKey(l facts.Line, b record.Bill) serviceKey {
	s := serviceKey{code: l.Procedure, modifiers: joinModifiers(l.Modifiers), on: l.BeginDate, charge: l.Charge, dated: l.BeginDate != ""}
	if s.code == "" {
		s.code = l.Revenue
	}
	if s.on == "" { // a line without a date has the bill's
		s.on = b.BeginServiceDate
	}
	return s
}

func newPaidServiceKey(l facts.PaidLine, p facts.Payment) serviceKey {
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
