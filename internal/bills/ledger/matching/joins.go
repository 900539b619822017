package matching

import (
	"fmt"
	"slices"

	"wcpp/internal/bills/ledger/facts"
)

// The fields in which a payment's bill and another bill can differ.
const (
	DiffersLastName  = "LAST_NAME"
	DiffersFirstName = "FIRST_NAME"
	DiffersBirthDate = "BIRTH_DATE"
	DiffersAccount   = "ACCOUNT"
	DiffersDay       = "DAY"
	DiffersCharge    = "CHARGE"
)

// Difference is a field that doesn't match between a payment and a bill, with both values.
type Difference struct{ What, Paid, Sent string }

// FindDifferences compares the bill made of a payment with a submitted bill. It uses the fields
// that match payments without a common number. A missing value isn't a difference.
func FindDifferences(made, sent facts.Bill) []Difference {
	var list []Difference
	differs := func(is bool, what, paid, other string) {
		if is && paid != "" && other != "" {
			list = append(list, Difference{what, paid, other})
		}
	}
	p, s := facts.NewPerson(made), facts.NewPerson(sent)
	differs(!p.LastNameMatches(s), DiffersLastName, made.PatientLastName, sent.PatientLastName)
	differs(!facts.FirstNamesMatch(p.First, s.First), DiffersFirstName, made.PatientFirstName, sent.PatientFirstName)
	differs(made.PatientBirthDate != sent.PatientBirthDate, DiffersBirthDate, string(made.PatientBirthDate), string(sent.PatientBirthDate))
	differs(facts.FoldOrEmpty(made.PatientControlNumber) != facts.FoldOrEmpty(sent.PatientControlNumber), DiffersAccount,
		made.PatientControlNumber, sent.PatientControlNumber)
	differs(made.BeginServiceDate != sent.BeginServiceDate, DiffersDay, string(made.BeginServiceDate), string(sent.BeginServiceDate))
	differs(made.BillCharges != sent.BillCharges, DiffersCharge, fmt.Sprint(made.BillCharges), fmt.Sprint(sent.BillCharges))
	return list
}

// findJoinedBill returns the submitted bill that staff matched a payment group to. If there are
// several matches, the first in payment order counts.
func (c *Match) findJoinedBill(g *PaymentGroup) *Bill {
	for _, p := range g.Payments {
		for _, s := range c.joined[p.Payment] {
			i := slices.IndexFunc(c.Outdated, func(o *Submission) bool { return o.Fact == s })
			for _, b := range c.Bills {
				if b.hasSubmission(func(m *Submission) bool { return m.Fact == s }) || i >= 0 && b.MatchesSubmission(c.Outdated[i]) {
					return b
				}
			}
		}
	}
	return nil
}

// joinedPayments maps counted payments to the submissions that staff matched them to. A match of
// a superseded payment counts for its replacement.
func joinedPayments(f BillGroup, superseded map[*facts.Payment]*facts.Payment) map[*facts.Payment][]string {
	if len(f.Joins) == 0 {
		return nil
	}
	joined := map[*facts.Payment][]string{}
	for _, p := range f.Payments {
		counts := p
		if by := superseded[p]; by != nil {
			counts = by
		}
		for _, j := range f.Joins {
			if j.Payment == p.Fact {
				joined[counts] = append(joined[counts], j.Submission)
			}
		}
	}
	return joined
}
