package ledger

import (
	"cmp"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
)

// DerivedBill is one derived bill and its facts.
type DerivedBill struct {
	Bill             facts.Bill // without a bill control number, because that depends on other groups too
	Number           string
	Written          string // when its oldest fact was written
	Submissions      []string
	Payments         []facts.FactID
	ReplacedBy       string // anchor of the bill that replaced it
	Ambiguous        int    // facts that fit several bills, so they became bills of their own
	HasReversal      bool   // a reversal is counted
	WaitingReversals int    // reversals that wait for the payment they reverse
	// PatientResponsibility is the patient responsibility of all payments in force, in cents.
	PatientResponsibility int64
	// Untied are payments that no number and no complete account number matches to a bill.
	Untied []facts.FactID
}

// Derive derives the bills from the facts in a bill group. The result doesn't depend on when
// or in which order they arrived. needsLines reports that service lines were needed to
// distinguish facts, but weren't loaded. The result is then incomplete.
func Derive(f BillGroup) (list []DerivedBill, needsLines bool) {
	c := matchGroup(f)
	list = make([]DerivedBill, 0, len(c.bills))
	for _, b := range c.bills {
		list = append(list, newBill(b).derive())
	}
	slices.SortFunc(list, func(a, b DerivedBill) int {
		return cmp.Or(strings.Compare(a.Written, b.Written), strings.Compare(a.Bill.Anchor, b.Bill.Anchor))
	})
	return list, c.needsLines
}

// version is a list of submissions that differ only in numbers and pricing.
type version struct {
	members []*matchedSubmission // in the order they were written
	depth   int                  // how many versions written at the same time it follows by reference
}

func (v *version) first() *matchedSubmission { return v.members[0] }

func (v *version) last() *matchedSubmission { return v.members[len(v.members)-1] }

// lastPriced returns the last priced submission. A bill keeps its price when it's sent again without
// one.
func (v *version) lastPriced() *matchedSubmission {
	for _, m := range slices.Backward(v.members) {
		if m.Reported.EOR || m.Reported.RecommendedAllowance != nil {
			return m
		}
	}
	return v.last()
}

// listVersions sorts the versions of a bill; the last one is current. Corrections come after
// originals, regardless of their dates. A replacement comes after a void only if it was written
// later.
func listVersions(b *matchedBill) []*version {
	members := slices.Clone(b.members)
	slices.SortFunc(members, func(x, y *matchedSubmission) int {
		return cmp.Or(strings.Compare(x.Written, y.Written), strings.Compare(x.Fact, y.Fact))
	})
	byVersion := map[string]*version{}
	var list []*version
	for _, m := range members {
		v := byVersion[m.Version]
		if v == nil {
			v = &version{}
			byVersion[m.Version] = v
			list = append(list, v)
		}
		v.members = append(v.members, m)
	}
	for range list {
		for _, v := range list {
			for _, w := range list {
				if v != w && v.first().Written == w.first().Written && v.depth <= w.depth && w.depth < len(list) && v.refersTo(w) {
					v.depth = w.depth + 1
				}
			}
		}
	}
	slices.SortFunc(list, func(v, w *version) int {
		x, y := v.first(), w.first()
		return cmp.Or(
			cmp.Compare(correctionRank(x), correctionRank(y)),
			strings.Compare(x.Written, y.Written),
			cmp.Compare(v.depth, w.depth),
			cmp.Compare(frequencyRank(x), frequencyRank(y)),
			strings.Compare(x.Fact, y.Fact))
	})
	return list
}

func (v *version) refersTo(w *version) bool {
	return slices.ContainsFunc(v.members, func(s *matchedSubmission) bool {
		return s.reference != "" && slices.ContainsFunc(w.members, func(m *matchedSubmission) bool {
			return m.document == s.reference || m.own == s.reference
		})
	})
}

func correctionRank(s *matchedSubmission) int {
	if s.IsCorrection() {
		return 1
	}
	return 0
}

func frequencyRank(s *matchedSubmission) int {
	return slices.Index([]string{"6", "7", "8"}, s.Reported.FrequencyCode) + 1
}

// bill is a bill while it's being derived.
type bill struct {
	*matchedBill
	payments []*payment
}

// payment is a payment with what the bill's other payments mean for it.
type payment struct {
	*facts.Payment
	group           *paymentGroup
	canceled, waits bool
	reduced         int64
	reverses        *payment // the payment that a reversal reverses
}

func newBill(m *matchedBill) *bill {
	b, rows := &bill{matchedBill: m}, make([]payment, len(m.payments))
	for i, p := range m.payments {
		rows[i] = payment{Payment: p.Payment, group: p.group}
		b.payments = append(b.payments, &rows[i])
	}
	return b
}

// derive derives what the bill shows.
func (b *bill) derive() DerivedBill {
	out := DerivedBill{Ambiguous: b.ambiguous}
	var shown facts.Bill
	if b.made != nil {
		shown, out.Number = b.fromPayments()
	} else {
		shown, out.Number = b.fromSubmissions()
	}
	out.Written, shown.Anchor = findAnchor(b.matchedBill)
	if b.replaced != nil {
		_, out.ReplacedBy = findAnchor(b.replaced)
	}
	b.reconcile(&shown, &out)
	for _, m := range b.members {
		out.Submissions = append(out.Submissions, m.Fact)
	}
	for _, p := range b.payments {
		out.Payments = append(out.Payments, p.ID())
		if p.group.untied {
			out.Untied = append(out.Untied, p.ID())
		}
	}
	out.Bill = shown
	return out
}

// findAnchor returns the oldest fact of a bill, preferably a submission.
func findAnchor(b *matchedBill) (written, fact string) {
	oldest := func(w, f string) {
		if fact == "" || cmp.Or(strings.Compare(w, written), strings.Compare(f, fact)) < 0 {
			written, fact = w, f
		}
	}
	for _, m := range b.members {
		oldest(m.Written, m.Fact)
	}
	if len(b.members) == 0 {
		for _, p := range b.made.payments {
			oldest(p.Written, p.Fact)
		}
	}
	return written, fact
}

// fromSubmissions returns the bill of the current version, and the number it requests.
func (b *bill) fromSubmissions() (facts.Bill, string) {
	versions := listVersions(b.matchedBill)
	inForce := versions[len(versions)-1]
	priced, last := inForce.lastPriced(), inForce.last()
	shown := priced.Reported
	shown.Source, shown.Fact = facts.SourceBill, priced.Fact
	shown.DocumentID = cmp.Or(last.Clearinghouse, last.Reported.DocumentID, last.Reported.PatientControlNumber)
	if inForce.first().Reported.FrequencyCode == "8" {
		shown.BillStatus = facts.StatusVoid
	}

	first := versions[0].first()
	name := ""
	for _, m := range b.members {
		if m.own == b.own && b.own != "" {
			name = cmp.Or(m.Repriced, m.Adjusted, m.Original)
		}
		shown.BillingID = cmp.Or(shown.BillingID, m.Adjusted)
	}
	switch {
	case name != "":
	case !first.IsCorrection():
		name = cmp.Or(first.Clearinghouse, first.Reported.PatientControlNumber)
	default:
		name = cmp.Or(first.Original, first.Clearinghouse, first.Reported.PatientControlNumber)
	}
	return shown, name
}

// fromPayments returns the bill as far as its payments describe it.
func (b *bill) fromPayments() (facts.Bill, string) {
	last := b.made.payments[len(b.made.payments)-1]
	shown := last.Reported
	shown.Source, shown.Fact = facts.SourcePayment, last.Fact
	shown.BillCharges = facts.Magnitude(last.Charge)
	shown.PatientControlNumber, shown.DocumentID = last.PatientControlNumber, last.PatientControlNumber
	var own string
	for _, p := range b.made.payments {
		own = cmp.Or(own, p.Repriced)
	}
	return shown, cmp.Or(own, last.PayerControlNumber, last.PatientControlNumber)
}

// rules is the version of the derivation rules. After an increase, every bill is derived again.
// That needs an index, added by a migration, that contains the rows of earlier versions.
const rules = 4
