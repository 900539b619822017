package matching

import (
	"cmp"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
)

// findSuperseded returns payments that were reported again with other amounts, mapped to their
// replacements. A check pays each claim once, unless the same transaction set repeats the claim.
// The payment written last counts. Among payments written at the same time, one from a balanced
// set counts.
func findSuperseded(list []*facts.Payment) map[*facts.Payment]*facts.Payment {
	bySlot := map[string][]*facts.Payment{}
	for _, p := range list {
		bySlot[p.Slot] = append(bySlot[p.Slot], p)
	}
	set := map[*facts.Payment]*facts.Payment{}
	for _, slot := range bySlot {
		slices.SortFunc(slot, func(a, b *facts.Payment) int {
			return cmp.Or(strings.Compare(b.Written, a.Written), b.BalanceRank()-a.BalanceRank(), strings.Compare(b.Fact, a.Fact),
				cmp.Compare(a.Occurrence, b.Occurrence))
		})
		var counted []*facts.Payment
		for _, p := range slot {
			if i := slices.IndexFunc(counted, p.IsRival); i >= 0 {
				set[p] = counted[i]
				continue
			}
			counted = append(counted, p)
		}
	}
	return set
}

// CountedFacts is the part of a check's data that counts.
type CountedFacts struct {
	Payments    []*facts.Payment                  // in order
	Superseded  map[*facts.Payment]*facts.Payment // replaced payments, with their replacements
	Sets        []facts.RemittanceSet             // highest-ranked first
	Adjustments []facts.ProviderAdjustment
}

// SelectCounted leaves out replaced facts, and sets that are part of others.
func SelectCounted(sets []facts.RemittanceSet, payments []*facts.Payment, adjustments []facts.ProviderAdjustment) CountedFacts {
	payments = slices.Clone(payments)
	slices.SortFunc(payments, func(a, b *facts.Payment) int { return a.Compare(b) })
	MarkBalanced(payments, sets)
	c := CountedFacts{Superseded: findSuperseded(payments)}
	c.Payments = filter(payments, func(p *facts.Payment) bool { return c.Superseded[p] == nil })
	if len(sets) == 0 {
		return c
	}
	c.Sets = findCountedSets(sets, c.Superseded)
	for _, a := range adjustments {
		for range countSets(c.Sets, a.ID()) {
			c.Adjustments = append(c.Adjustments, a)
		}
	}
	return c
}

// countSets returns how many parts of a check contain an adjustment. Sets with a payment in common repeat it.
func countSets(sets []facts.RemittanceSet, adjustment facts.FactID) int {
	var parts []facts.RemittanceSet
	for _, s := range sets {
		repeats := func(other facts.RemittanceSet) bool {
			return slices.ContainsFunc(s.Payments, func(id facts.FactID) bool { return other.ContainsAll([]facts.FactID{id}) })
		}
		if s.ContainsAll([]facts.FactID{adjustment}) && !slices.ContainsFunc(parts, repeats) {
			parts = append(parts, s)
		}
	}
	return len(parts)
}

// IDs returns what identifies the counted facts.
func (c *CountedFacts) IDs() []facts.FactID {
	var ids []facts.FactID
	for _, p := range c.Payments {
		ids = append(ids, p.ID())
	}
	for _, a := range c.Adjustments {
		ids = append(ids, a.ID())
	}
	return ids
}

// findCountedSets returns the sets with amounts that count: not part of another set, and not
// replaced. Among equal sets, it's the one with payments that would count.
func findCountedSets(sets []facts.RemittanceSet, superseded map[*facts.Payment]*facts.Payment) []facts.RemittanceSet {
	sets = slices.Clone(sets)
	slices.SortFunc(sets, func(a, b facts.RemittanceSet) int {
		balance := func(s facts.RemittanceSet) int {
			if s.IsBalanced() {
				return 0
			}
			return 1
		}
		return cmp.Or(strings.Compare(b.Written, a.Written), cmp.Compare(balance(a), balance(b)), strings.Compare(b.Fact, a.Fact))
	})
	stale := map[facts.FactID]bool{}
	for p := range superseded {
		stale[p.ID()] = true
	}
	current := slices.DeleteFunc(slices.Clone(sets), func(s facts.RemittanceSet) bool {
		return slices.ContainsFunc(s.Payments, func(id facts.FactID) bool { return stale[id] })
	})
	if len(current) == 0 {
		current = sets
	}
	var standing []facts.RemittanceSet
	for i, s := range current {
		contained := false
		for j, other := range current {
			if i != j && other.Contains(s) && (j < i || !s.Contains(other)) {
				contained = true
			}
		}
		if !contained {
			standing = append(standing, s)
		}
	}
	return standing
}

// MarkBalanced marks the payments that are in a balanced set.
func MarkBalanced(list []*facts.Payment, sets []facts.RemittanceSet) {
	in := map[facts.FactID]bool{}
	for _, s := range sets {
		if s.IsBalanced() {
			for _, id := range s.Payments {
				in[id] = true
			}
		}
	}
	for _, p := range list {
		p.NoteBalance(in[p.ID()])
	}
}

// FindRivals returns payments for the same claim of a check with other amounts, written
// at the same time. The balance of their sets decides which one counts.
func FindRivals(list []*facts.Payment) []*facts.Payment {
	var found []*facts.Payment
	bySlot := map[string][]*facts.Payment{}
	for _, p := range list {
		bySlot[p.Reported.FTIN+p.Slot] = append(bySlot[p.Reported.FTIN+p.Slot], p)
	}
	for _, slot := range bySlot {
		for _, p := range slot {
			if slices.ContainsFunc(slot, func(other *facts.Payment) bool { return p.Written == other.Written && p.IsRival(other) }) {
				found = append(found, p)
			}
		}
	}
	return found
}

// FindObsoleteOutlines returns outlined payments of checks that a balanced set covers completely.
func FindObsoleteOutlines(sets []facts.RemittanceSet, paid []*facts.Payment) []*facts.Payment {
	whole := map[facts.CheckRef]bool{}
	for _, s := range sets {
		if s.IsBalanced() {
			whole[facts.CheckRef{FTIN: s.FTIN, Remittance: s.OutlineID()}], whole[s.Check()] = true, true
		}
	}
	return filter(paid, func(p *facts.Payment) bool { return p.Source == facts.FromEarlier && whole[p.Check()] })
}
