package matching

import (
	"slices"

	"wcpp/internal/bills/ledger/facts"
)

// Proof is a payment that matches a bill of one TIN.
type Proof struct {
	Payment facts.FactID
	Rank    int // of the evidence; 0 is the strongest
}

// FindProofs returns which of the asked payments match a submitted bill of the group, and which of
// them nothing stronger than a truncated account number matches. It uses only the submissions, so
// the placement of other payments doesn't matter. needsLines reports that service lines were
// needed, but weren't loaded.
func FindProofs(f BillGroup, asked map[facts.FactID]bool) (proofs []Proof, untied []facts.FactID, needsLines bool) {
	for _, p := range f.Payments {
		if !asked[p.ID()] {
			continue
		}
		c := MatchGroup(BillGroup{Submissions: slices.Clone(f.Submissions), Payments: []*facts.Payment{p}, Joins: f.Joins})
		needsLines = needsLines || c.NeedsLines
		for _, g := range c.groups {
			if g.Untied {
				untied = append(untied, p.ID())
			}
			if g.tied.Made == nil {
				proofs = append(proofs, Proof{p.ID(), g.rank})
			}
		}
	}
	return proofs, untied, needsLines
}
