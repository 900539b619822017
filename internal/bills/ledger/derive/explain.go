package derive

import (
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
)

// Explanation shows how Derive derived a bill from its facts. The facts come without details.
type Explanation struct {
	Derived DerivedBill
	// Versions are what was sent for the bill; the last one is current. Replaced table rows come
	// first. It's empty if the bill comes only from payments.
	Versions []Version
	// Payments are in the order in which they count. Superseded ones come after their
	// replacements.
	Payments []ExplainedPayment
	// Replaces are the keys of the bills that this one replaced.
	Replaces []string
}

// Version is a list of submissions that differ only in numbers and prices, in the order they
// were written.
type Version struct {
	Sent     []*facts.Submission
	Priced   *facts.Submission // gives the price, if any does
	Outdated bool              // a table row that a later row replaced
}

// Role is what a payment means for its bill.
type Role string

// The roles of payments.
const (
	RoleInForce       Role = "stands"     // the bill shows it
	RoleOverridden    Role = "beside"     // not reversed, but With counts instead, such as another payment after a denial
	RoleReduced       Role = "reduced"    // in force, minus the part that was reversed
	RoleReversed      Role = "takenBack"  // reversed by With
	RoleReversal      Role = "takesBack"  // reverses With or part of it; nil if there is nothing to reverse
	RoleWaiting       Role = "waits"      // a reversal that waits for the payment it reverses
	RoleSuperseded    Role = "superseded" // replaced by With in a later report
	RoleInformational Role = "informs"    // doesn't affect the bill
	RoleUncounted     Role = "uncounted"  // belongs to a check that is a duplicate, or may be one
)

// ExplainedPayment is a payment with its role for the bill.
type ExplainedPayment struct {
	*facts.Payment
	Role     Role
	With     *facts.Payment
	Explains bool  // its codes are the bill's reasons
	Pending  int64 // the amount of a reversal, in cents, that waits for the payment it reverses
}

// Explain is like Derive, but returns how each bill of a group was derived, in no particular
// order.
func Explain(f matching.BillGroup) (list []Explanation, needsLines bool) {
	c := matching.MatchGroup(f)
	list = make([]Explanation, len(c.Bills))
	for i, b := range c.Bills {
		e, derived := &list[i], newBill(b)
		e.Derived = derived.derive()
		if b.Made == nil {
			e.Versions = explainVersions(c, b)
		}
		e.Payments = derived.explainPayments(c.Superseded)
		for _, other := range c.Bills {
			if other.Replaced == b {
				e.Replaces = append(e.Replaces, other.Members[0].Bill)
			}
		}
		slices.Sort(e.Replaces)
	}
	return list, c.NeedsLines
}

func explainVersions(c *matching.Match, b *matching.Bill) []Version {
	var list []Version
	for _, s := range c.Outdated {
		if b.MatchesSubmission(s) {
			list = append(list, Version{Sent: []*facts.Submission{s.Submission}, Outdated: true})
		}
	}
	for _, v := range listVersions(b) {
		version := Version{}
		for _, m := range v.members {
			version.Sent = append(version.Sent, m.Submission)
		}
		if p := v.lastPriced(); p.Reported.EOR || p.Reported.RecommendedAllowance != nil {
			version.Priced = p.Submission
		}
		list = append(list, version)
	}
	return list
}

// explainPayments returns the roles of a bill's payments, after the bill is derived.
func (b *bill) explainPayments(superseded map[*facts.Payment]*facts.Payment) []ExplainedPayment {
	s := newNetPayments(b)
	reversals := map[*payment]*facts.Payment{}
	for _, p := range b.payments {
		if p.reverses != nil {
			reversals[p.reverses] = p.Payment
		}
	}
	var list []ExplainedPayment
	for _, p := range b.payments {
		e := ExplainedPayment{Payment: p.Payment, With: reversals[p], Explains: s.explains(p)}
		switch {
		case !p.IsCounted():
			e.Role, e.With = RoleUncounted, b.payment(p.Twin)
		case p.waits:
			e.Role, e.Pending = RoleWaiting, -p.Paid
		case p.IsReversal():
			e.Role, e.Pending = RoleReversal, p.excess
			if p.reverses != nil {
				e.With = p.reverses.Payment
			}
		case p.canceled:
			e.Role = RoleReversed
			if e.With == nil && p.reversedBy != nil {
				e.With = p.reversedBy.Payment
			}
		case p.reduced != 0:
			e.Role = RoleReduced
		case p.Nature == facts.Notice:
			e.Role = RoleInformational
		case s.shows(p):
			e.Role = RoleInForce
		default:
			e.Role = RoleOverridden
			if last := s.last(); last != nil {
				e.With = last.Payment
			}
		}
		list = append(list, e)
		for _, old := range listSuperseded(superseded, p.Payment) {
			list = append(list, ExplainedPayment{Payment: old, Role: RoleSuperseded, With: p.Payment})
		}
	}
	return list
}

// payment finds a payment of the bill by its fact.
func (b *bill) payment(fact string) *facts.Payment {
	for _, p := range b.payments {
		if p.Fact == fact {
			return p.Payment
		}
	}
	return nil
}

// listSuperseded returns the payments that one replaces.
func listSuperseded(superseded map[*facts.Payment]*facts.Payment, p *facts.Payment) []*facts.Payment {
	var list []*facts.Payment
	for old, by := range superseded {
		if by == p {
			list = append(list, old)
		}
	}
	slices.SortFunc(list, (*facts.Payment).Compare)
	return list
}

// Facts returns the facts that a bill is derived from.
func (c DerivedBill) Facts() []string {
	list := slices.Clone(c.Submissions)
	for _, id := range c.Payments {
		list = append(list, id.Fact)
	}
	return list
}
