package batch

import (
	"context"
	"maps"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/ingest"
)

// A payer's 835 can arrive again through a clearinghouse, which may leave out TRN03 or change
// the payer's name. The check's id then differs, so checks with the same number are compared. A
// duplicate check doesn't count. A possible duplicate doesn't count until staff decide.

// readSameNumber reads the checks with one of these numbers.
func (w *Batch) readSameNumber(ctx context.Context, checks map[facts.CheckRef]string) ([]facts.Remittance, error) {
	var numbers [][2]string
	for k, trace := range checks {
		if n := facts.CheckKey(trace); n != "" {
			numbers = append(numbers, [2]string{k.FTIN, n})
		}
	}
	slices.SortFunc(numbers, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return store.FindRemittancesByNumbers(ctx, w.Tx, slices.Compact(numbers))
}

// compareChecks decides which checks with the same number count. It includes payments and parts
// of the batch that aren't stored yet, and marks these payments. It returns stored payments with
// a changed mark, so their bills are derived again.
func (w *Batch) compareChecks(
	ctx context.Context, checks map[facts.CheckRef]string, known []facts.Remittance, paid []facts.Payment, parts []facts.RemittancePart,
) ([]facts.Link, error) {
	groups := map[[2]string]map[facts.CheckRef]facts.DuplicateState{}
	note := func(ftin, trace, remittance string, state facts.DuplicateState) {
		n := [2]string{ftin, facts.CheckKey(trace)}
		if groups[n] == nil {
			groups[n] = map[facts.CheckRef]facts.DuplicateState{}
		}
		groups[n][facts.CheckRef{FTIN: ftin, Remittance: remittance}] = state
	}
	for k, trace := range checks {
		note(k.FTIN, trace, k.Remittance, facts.Counted)
	}
	for _, r := range known {
		note(r.FTIN, r.TraceNumber, r.Remittance, r.Duplicate)
	}
	var changed []facts.Link
	for _, n := range slices.SortedFunc(maps.Keys(groups), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		group := groups[n]
		if len(group) == 1 && slices.Collect(maps.Values(group))[0] == facts.Counted || n[1] == "" {
			continue
		}
		links, err := w.compareNumber(ctx, n, group, paid, parts)
		if err != nil {
			return nil, err
		}
		changed = append(changed, links...)
	}
	return changed, nil
}

func (w *Batch) compareNumber(
	ctx context.Context, of [2]string, group map[facts.CheckRef]facts.DuplicateState, paid []facts.Payment, parts []facts.RemittancePart,
) ([]facts.Link, error) {
	ftin, number := of[0], of[1]
	keys := make(map[facts.CheckRef]bool, len(group))
	for k := range group {
		keys[k] = true
	}
	stored, err := loadCheckFacts(ctx, w.Tx, keys)
	if err != nil {
		return nil, err
	}
	type key struct {
		fact       string
		occurrence int
	}
	byKey := map[key]*facts.Payment{}
	for _, p := range stored.paid {
		byKey[key{p.Fact, p.Occurrence}] = p
	}
	list := slices.Clone(stored.paid)
	for i := range paid {
		if p := &paid[i]; keys[p.Check()] && byKey[key{p.Fact, p.Occurrence}] == nil {
			byKey[key{p.Fact, p.Occurrence}] = p
			list = append(list, p)
		}
	}
	sets := slices.Clone(stored.sets)
	for _, part := range parts {
		if keys[part.Set.Check()] && !slices.ContainsFunc(sets, func(s facts.RemittanceSet) bool {
			return s.Fact == part.Set.Fact
		}) {
			sets = append(sets, part.Set)
		}
	}
	decided, err := store.LoadDecisions(ctx, w.Tx, ftin, slices.SortedFunc(maps.Keys(keys), facts.CheckRef.Compare))
	if err != nil {
		return nil, err
	}
	paidBy := groupBy(list, func(p *facts.Payment) string { return p.Remittance })
	setsBy := groupBy(sets, func(s facts.RemittanceSet) string { return s.Remittance })
	var checks []matching.CheckReport
	for k := range group {
		if len(paidBy[k.Remittance]) > 0 {
			checks = append(checks, matching.NewCheckReport(k.Remittance, setsBy[k.Remittance], paidBy[k.Remittance]))
		}
	}
	verdicts := matching.FindDuplicates(checks, decided)
	for k := range group {
		v := verdicts[k.Remittance]
		if v.State == facts.SameCheck && !v.IsWhole {
			v.State = facts.Counted // part of it counts
		}
		w.checks.relations[k] = checkRelation{number, v.State, v.Of}
	}
	var changed []facts.Link
	var marked []facts.Payment
	for i, p := range list {
		state, twin := facts.Counted, ""
		v := verdicts[p.Remittance]
		if counts, is := v.Twins[p]; is {
			if state = v.State; counts != nil {
				twin = counts.Fact
			}
		}
		if p.Duplicate == state && p.Twin == twin {
			continue
		}
		p.Duplicate, p.Twin = state, twin
		if i < len(stored.paid) {
			marked = append(marked, *p)
			changed = append(changed, facts.Link{FTIN: ftin, Fact: p.Fact, Payment: true})
		}
	}
	return changed, store.MarkPayments(ctx, w.Tx, marked)
}

// checkRelation is the relation of a check to another one with its number.
type checkRelation struct {
	number string
	state  facts.DuplicateState
	of     string
}

// compareImported compares the checks of imported rows, before their bills are derived.
func (w *Batch) compareImported(ctx context.Context, paid []facts.Payment, parts []facts.RemittancePart) error {
	checks := map[facts.CheckRef]string{}
	for i := range paid {
		checks[paid[i].Check()] = paid[i].TraceNumber
	}
	for _, part := range parts {
		checks[part.Set.Check()] = part.Set.TraceNumber
	}
	known, err := w.readSameNumber(ctx, checks)
	if err != nil {
		return err
	}
	w.checks.stored = make(map[facts.CheckRef]facts.Remittance, len(known))
	for _, r := range known {
		w.checks.stored[r.Check()] = r
	}
	changed, err := w.compareChecks(ctx, checks, known, paid, parts)
	if err != nil || len(changed) == 0 {
		return err
	}
	return w.deriveWithout(ctx, changed, nil)
}

// compareStored compares checks again after their data was stored, removed or decided on.
func (w *Batch) compareStored(ctx context.Context, checks map[facts.CheckRef]bool) error {
	if len(checks) == 0 {
		return nil
	}
	list, err := store.LoadRemittances(ctx, w.Tx, slices.SortedFunc(maps.Keys(checks), facts.CheckRef.Compare))
	if err != nil {
		return err
	}
	numbers := map[facts.CheckRef]string{}
	for _, r := range list {
		numbers[r.Check()] = r.TraceNumber
	}
	return w.compareNumbers(ctx, numbers)
}

// compareNumbers compares the stored checks with these numbers.
func (w *Batch) compareNumbers(ctx context.Context, numbers map[facts.CheckRef]string) error {
	known, err := w.readSameNumber(ctx, numbers)
	if err != nil {
		return err
	}
	changed, err := w.compareChecks(ctx, numbers, known, nil, nil)
	if err != nil {
		return err
	}
	return w.deriveWithout(ctx, changed, nil)
}

// storeDuplicates stores the results of comparing checks.
func (w *Batch) storeDuplicates(ctx context.Context) error {
	if len(w.checks.relations) == 0 {
		return nil
	}
	list, err := store.LoadRemittances(ctx, w.Tx, slices.SortedFunc(maps.Keys(w.checks.relations), facts.CheckRef.Compare))
	if err != nil {
		return err
	}
	var changed []facts.Remittance
	for _, r := range list {
		twin := w.checks.relations[r.Check()]
		if r.Duplicate != twin.state || r.DuplicateOf != twin.of {
			if r.Duplicate, r.DuplicateOf = twin.state, twin.of; twin.state != facts.Counted {
				ingest.Count(ctx, countedTwins[twin.state], 1)
			}
			changed = append(changed, r)
		}
	}
	return store.PutRemittances(ctx, w.Tx, changed)
}

var countedTwins = map[facts.DuplicateState]string{
	facts.SameCheck: "checks received before and not counted again", facts.PossibleDuplicate: "possible duplicate checks, not counted",
}

// CompareDecided compares the checks of a decision again.
func (w *Batch) CompareDecided(ctx context.Context, d facts.Decision) error {
	return w.deriveChecks(ctx, map[facts.CheckRef]bool{{FTIN: d.FTIN, Remittance: d.Remittance}: true,
		{FTIN: d.FTIN, Remittance: d.Other}: true}, nil)
}
