// Package derive derives bills and checks from the facts that belong together. It's pure: the same
// facts give the same result, in whatever order they arrived.
package derive

import (
	"cmp"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
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

// Bills derives the bills from the facts in a bill group. The result doesn't depend on when
// or in which order they arrived. needsLines reports that service lines were needed to
// distinguish facts, but weren't loaded. The result is then incomplete.
func Bills(f matching.BillGroup) (list []DerivedBill, needsLines bool) {
	c := matching.MatchGroup(f)
	list = make([]DerivedBill, 0, len(c.Bills))
	for _, b := range c.Bills {
		list = append(list, newBill(b).derive())
	}
	slices.SortFunc(list, func(a, b DerivedBill) int {
		return cmp.Or(strings.Compare(a.Written, b.Written), strings.Compare(a.Bill.Anchor, b.Bill.Anchor))
	})
	return list, c.NeedsLines
}

// version is a list of submissions that differ only in numbers and pricing.
type version struct {
	members []*matching.Submission // in the order they were written
	depth   int                    // how many versions written at the same time it follows by reference
}

func (v *version) first() *matching.Submission { return v.members[0] }

func (v *version) last() *matching.Submission { return v.members[len(v.members)-1] }

// lastPriced returns the last priced submission. A bill keeps its price when it's sent again without
// one.
func (v *version) lastPriced() *matching.Submission {
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
func listVersions(b *matching.Bill) []*version {
	members := slices.Clone(b.Members)
	slices.SortFunc(members, func(x, y *matching.Submission) int {
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
	return slices.ContainsFunc(v.members, func(s *matching.Submission) bool {
		return s.Reference != "" && slices.ContainsFunc(w.members, func(m *matching.Submission) bool {
			return m.Document == s.Reference || m.Own == s.Reference
		})
	})
}

func correctionRank(s *matching.Submission) int {
	if s.IsCorrection() {
		return 1
	}
	return 0
}

func frequencyRank(s *matching.Submission) int {
	return slices.Index([]string{"6", "7", "8"}, s.Reported.FrequencyCode) + 1
}

// bill is a bill while it's being derived.
type bill struct {
	*matching.Bill
	payments []*payment
}

// payment is a payment with what the bill's other payments mean for it.
type payment struct {
	*facts.Payment
	group           *matching.PaymentGroup
	canceled, waits bool
	reduced         int64
	excess          int64    // of a reversal over what was paid
	reverses        *payment // the payment that a reversal reverses
	reversedBy      *payment // the reversal after which nothing remains of the payment's group
}

func newBill(m *matching.Bill) *bill {
	b, rows := &bill{Bill: m}, make([]payment, len(m.Payments))
	for i, p := range m.Payments {
		rows[i] = payment{Payment: p.Payment, group: p.Group}
		b.payments = append(b.payments, &rows[i])
	}
	return b
}

// derive derives what the bill shows.
func (b *bill) derive() DerivedBill {
	out := DerivedBill{Ambiguous: b.Ambiguous}
	var shown facts.Bill
	if b.Made != nil {
		shown, out.Number = b.fromPayments()
	} else {
		shown, out.Number = b.fromSubmissions()
	}
	out.Written, shown.Anchor = findAnchor(b.Bill)
	if b.Replaced != nil {
		_, out.ReplacedBy = findAnchor(b.Replaced)
	}
	b.reconcile(&shown, &out)
	for _, m := range b.Members {
		out.Submissions = append(out.Submissions, m.Fact)
	}
	for _, p := range b.payments {
		out.Payments = append(out.Payments, p.ID())
		if p.group.Untied {
			out.Untied = append(out.Untied, p.ID())
		}
	}
	out.Bill = shown
	return out
}

// findAnchor returns the oldest fact of a bill, preferably a submission.
func findAnchor(b *matching.Bill) (written, fact string) {
	oldest := func(w, f string) {
		if fact == "" || cmp.Or(strings.Compare(w, written), strings.Compare(f, fact)) < 0 {
			written, fact = w, f
		}
	}
	for _, m := range b.Members {
		oldest(m.Written, m.Fact)
	}
	if len(b.Members) == 0 {
		for _, p := range b.Made.Payments {
			oldest(p.Written, p.Fact)
		}
	}
	return written, fact
}

// fromSubmissions returns the bill of the current version, and the number it requests.
func (b *bill) fromSubmissions() (facts.Bill, string) {
	versions := listVersions(b.Bill)
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
	for _, m := range b.Members {
		if m.Own == b.Own && b.Own != "" {
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

// lastReported returns the last payment that isn't a reversal, or the last reversal if there is none.
func (b *bill) lastReported() *payment {
	for _, p := range slices.Backward(b.payments) {
		if !p.IsReversal() {
			return p
		}
	}
	return b.payments[len(b.payments)-1]
}

// fromPayments returns the bill as far as its payments describe it.
func (b *bill) fromPayments() (facts.Bill, string) {
	last := b.lastReported()
	shown := last.Reported
	shown.Source, shown.Fact = facts.SourcePayment, last.Fact
	shown.BillCharges = facts.Magnitude(last.Charge)
	shown.PatientControlNumber, shown.DocumentID = last.PatientControlNumber, last.PatientControlNumber
	var own string
	for _, p := range b.Made.Payments {
		own = cmp.Or(own, p.Repriced)
	}
	return shown, cmp.Or(own, last.PayerControlNumber, last.PatientControlNumber)
}

// Rules is the version of the derivation rules. After an increase, every bill is derived again.
// That needs an index, added by a migration, that contains the rows of earlier versions.
const Rules = 8
