package batch

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/ingest"
)

// ImportRemitted stores payments and sets, and derives their bills and checks.
func (w *Batch) ImportRemitted(ctx context.Context, rows []facts.Remitted) ([]ingest.Outcome, error) {
	var paid placed[facts.Payment]
	var parts placed[facts.RemittancePart]
	var waiting placed[facts.PayeeFact] // until the payee's TIN is known
	for i, r := range rows {
		switch {
		case r.Payment == nil:
		case r.Payment.Reported.FTIN == "":
			waiting.add(facts.NewPayeeFact(r), i)
		default:
			paid.add(*r.Payment, i)
		}
		for _, part := range r.Parts {
			if part.Set.FTIN == "" {
				waiting.add(facts.NewPayeeFact(facts.Remitted{Parts: []facts.RemittancePart{part}}), i)
			} else {
				parts.add(part, i)
			}
		}
	}
	outcomes := slices.Repeat([]ingest.Outcome{ingest.Unchanged}, len(rows))
	// before payments, because the balance can decide which of them count
	if err := parts.importWith(ctx, w.importParts, outcomes); err != nil {
		return nil, err
	}
	if err := w.compareImported(ctx, paid.rows, parts.rows); err != nil {
		return nil, err
	}
	if err := paid.importWith(ctx, w.importPayments, outcomes); err != nil {
		return nil, err
	}
	if err := waiting.importWith(ctx, func(ctx context.Context, rows []facts.PayeeFact) ([]ingest.Outcome, error) {
		return w.storePayeeFacts(ctx, rows)
	}, outcomes); err != nil {
		return nil, err
	}
	checks := map[facts.CheckRef]bool{}
	for _, part := range parts.rows {
		checks[part.Set.Check()] = true
	}
	if err := w.deriveChecks(ctx, checks, parts.rows); err != nil || len(w.checks.relations) == 0 {
		return outcomes, err
	}
	// Repeated payments may now have another timestamp, which sorts the checks.
	again := map[facts.CheckRef]string{}
	for k, twin := range w.checks.relations {
		again[k] = twin.number
	}
	if err := w.compareNumbers(ctx, again); err != nil {
		return nil, err
	}
	return outcomes, w.storeDuplicates(ctx)
}

// placed are rows of a batch with their indexes in it.
type placed[T any] struct {
	rows []T
	at   []int
}

func (p *placed[T]) add(row T, at int) { p.rows, p.at = append(p.rows, row), append(p.at, at) }

// importWith imports the rows, and records their outcomes in the batch.
func (p *placed[T]) importWith(
	ctx context.Context, take func(context.Context, []T) ([]ingest.Outcome, error), outcomes []ingest.Outcome,
) error {
	results, err := take(ctx, p.rows)
	for i, result := range results {
		if result == ingest.Imported {
			outcomes[p.at[i]] = result
		}
	}
	return err
}

// checkBalance checks if sets are balanced, for loaded payments that only differ in that.
func (w *Batch) checkBalance(ctx context.Context) error {
	var all []*facts.Payment
	for _, list := range w.loaded.payments {
		all = append(all, list...)
	}
	rivals := matching.FindRivals(all)
	if len(rivals) == 0 {
		return nil
	}
	checks := map[facts.CheckRef]bool{}
	for _, p := range rivals {
		checks[p.Check()] = true
	}
	sets, err := store.LoadSetsOfChecks(ctx, w.Tx, slices.SortedFunc(maps.Keys(checks), facts.CheckRef.Compare))
	if err != nil {
		return err
	}
	setsBy := groupBy(sets, func(s facts.RemittanceSet) string { return s.FTIN })
	for tin, list := range groupBy(rivals, func(p *facts.Payment) string { return p.Reported.FTIN }) {
		matching.MarkBalanced(list, setsBy[tin])
	}
	return nil
}

// importParts stores the parts of sets for payees, with their adjustments.
func (w *Batch) importParts(ctx context.Context, parts []facts.RemittancePart) ([]ingest.Outcome, error) {
	keys := make([]facts.FactRef, len(parts))
	for i, part := range parts {
		keys[i] = part.Set.Ref()
	}
	list, err := store.LoadSets(ctx, w.Tx, keys)
	if err != nil {
		return nil, err
	}
	known := map[facts.FactRef]facts.RemittanceSet{}
	for _, s := range list {
		known[s.Ref()] = s
	}
	outcomes := make([]ingest.Outcome, len(parts))
	put := map[facts.FactRef]facts.RemittanceSet{}
	var adjustments []facts.ProviderAdjustment
	for i, part := range parts {
		k, s := keys[i], part.Set
		old, isKnown := known[k]
		outcomes[i] = ingest.Unchanged
		if !isKnown {
			outcomes[i] = ingest.Imported
			adjustments = append(adjustments, part.Adjustments...)
		} else if !facts.IsPreferred(s.Written, old.Written, w.Run, s.Text, old.Text) {
			continue
		}
		known[k], put[k] = s, s
	}
	rows := make([]facts.RemittanceSet, 0, len(put))
	for _, k := range slices.SortedFunc(maps.Keys(put), facts.FactRef.Compare) {
		rows = append(rows, put[k])
	}
	if err := store.PutSets(ctx, w.Tx, rows); err != nil {
		return nil, err
	}
	return outcomes, store.PutAdjustments(ctx, w.Tx, adjustments)
}

// deriveChecks derives the checks changed by the batch, after its payments. The taken parts
// are those in the batch, if any. Sets can decide which of several payments count, or replace
// old outlines. Then it derives the groups of these payments again.
func (w *Batch) deriveChecks(ctx context.Context, checks map[facts.CheckRef]bool, taken []facts.RemittancePart) error {
	if len(checks) == 0 {
		return w.storeDuplicates(ctx)
	}
	old, known, err := w.loadChecks(ctx, checks, taken)
	if err != nil {
		return err
	}
	needless := matching.FindObsoleteOutlines(known.sets, known.paid)
	var updated []facts.Link
	for _, p := range matching.FindRivals(known.paid) {
		updated = append(updated, facts.Link{FTIN: p.Reported.FTIN, Fact: p.Fact, Payment: true})
	}
	if len(updated)+len(needless) > 0 {
		if err := w.deriveWithout(ctx, updated, needless); err != nil {
			return err
		}
		if known, err = loadCheckFacts(ctx, w.Tx, checks); err != nil {
			return err
		}
	}
	if len(taken) == 0 {
		if err := w.compareStored(ctx, checks); err != nil {
			return err
		}
	}
	var changed []facts.Remittance
	setsBy := groupBy(known.sets, func(s facts.RemittanceSet) facts.CheckRef { return s.Check() })
	paidBy := groupBy(known.paid, (*facts.Payment).Check)
	adjustedBy := groupBy(known.adjustments, func(a facts.ProviderAdjustment) facts.CheckRef { return a.Check() })
	for _, k := range slices.SortedFunc(maps.Keys(checks), facts.CheckRef.Compare) {
		now, is := derive.Remittance(setsBy[k], paidBy[k], adjustedBy[k])
		was, had := old[k]
		now.Duplicate, now.DuplicateOf = was.Duplicate, was.DuplicateOf // see storeDuplicates
		switch now.FirstSeenAt = w.At; {
		case !is && had:
			if err := store.RemoveRemittance(ctx, w.Tx, k); err != nil {
				return err
			}
		case is && had:
			if now.FirstSeenAt = was.FirstSeenAt; !store.Remittances.IsSame(was, now) {
				changed = append(changed, now)
			}
		case is:
			changed = append(changed, now)
		}
	}
	if err := store.PutRemittances(ctx, w.Tx, changed); err != nil {
		return err
	}
	return w.storeDuplicates(ctx)
}

// checkFacts is what is known about some checks.
type checkFacts struct {
	sets        []facts.RemittanceSet
	paid        []*facts.Payment
	adjustments []facts.ProviderAdjustment
}

// loadChecks returns the stored checks and their facts. It adds the checks that outlined payments
// belong to, because these may be complete now. It reads the facts of a new check only if
// another batch imported payments of it. Otherwise, this batch has all of them.
func (w *Batch) loadChecks(
	ctx context.Context, checks map[facts.CheckRef]bool, taken []facts.RemittancePart,
) (map[facts.CheckRef]facts.Remittance, checkFacts, error) {
	asked := maps.Clone(checks)
	for _, part := range taken {
		own, outlined := part.Set.Check(), facts.CheckRef{FTIN: part.Set.FTIN, Remittance: part.Set.OutlineID()}
		checks[outlined], asked[outlined] = true, true
		if facts.CheckKey(part.Set.TraceNumber) != "" { // compareImported already read these
			delete(asked, own)
			delete(asked, outlined)
		}
	}
	list, err := store.LoadRemittances(ctx, w.Tx, slices.SortedFunc(maps.Keys(asked), facts.CheckRef.Compare))
	if err != nil {
		return nil, checkFacts{}, err
	}
	old, stored := map[facts.CheckRef]facts.Remittance{}, map[facts.CheckRef]bool{}
	for _, r := range list {
		old[r.Check()] = r
	}
	for k := range checks {
		if r, known := w.checks.stored[k]; known {
			old[k] = r
		}
		if _, known := old[k]; known {
			stored[k] = true
		}
	}
	var atHand checkFacts
	seen, adjusted := map[facts.FactRef]bool{}, map[store.PaymentRef]bool{}
	for _, part := range taken {
		s := part.Set
		k, fact := s.Check(), s.Ref()
		if seen[fact] || slices.ContainsFunc(s.Payments, func(id facts.FactID) bool {
			return len(w.loaded.payments[facts.FactRef{FTIN: s.FTIN, Fact: id.Fact}]) < id.Occurrence
		}) {
			stored[k] = true
		}
		seen[fact] = true
	}
	if len(taken) == 0 {
		stored = checks
	}
	known, err := loadCheckFacts(ctx, w.Tx, stored)
	if err != nil {
		return nil, checkFacts{}, err
	}
	for _, part := range taken {
		if stored[part.Set.Check()] {
			continue
		}
		atHand.sets = append(atHand.sets, part.Set)
		for _, a := range part.Adjustments {
			// Several sets can contain it.
			if k := (store.PaymentRef{FactRef: facts.FactRef{FTIN: a.FTIN, Fact: a.Fact}, Occurrence: a.Occurrence}); !adjusted[k] {
				atHand.adjustments, adjusted[k] = append(atHand.adjustments, a), true
			}
		}
	}
	for _, list := range w.loaded.payments {
		for _, p := range list {
			if k := p.Check(); checks[k] && !stored[k] {
				atHand.paid = append(atHand.paid, p)
			}
		}
	}
	return old, checkFacts{slices.Concat(known.sets, atHand.sets), slices.Concat(known.paid, atHand.paid),
		slices.Concat(known.adjustments, atHand.adjustments)}, nil
}

// loadCheckFacts reads the stored facts of checks.
func loadCheckFacts(ctx context.Context, tx *sql.Tx, checks map[facts.CheckRef]bool) (known checkFacts, err error) {
	keys := slices.SortedFunc(maps.Keys(checks), facts.CheckRef.Compare)
	if known.sets, err = store.LoadSetsOfChecks(ctx, tx, keys); err != nil {
		return known, err
	}
	paid, err := store.LoadPaymentsOfChecks(ctx, tx, keys)
	if err != nil {
		return known, err
	}
	known.paid = toPointers(paid)
	known.adjustments, err = store.LoadAdjustments(ctx, tx, keys)
	return known, err
}

func groupBy[T any, K comparable](list []T, by func(T) K) map[K][]T {
	groups := map[K][]T{}
	for _, row := range list {
		groups[by(row)] = append(groups[by(row)], row)
	}
	return groups
}

func toPointers[T any](list []T) []*T {
	found := make([]*T, len(list))
	for i := range list {
		found[i] = &list[i]
	}
	return found
}

// deriveWithout derives the groups of some facts again, without some payments.
func (w *Batch) deriveWithout(ctx context.Context, from []facts.Link, without []*facts.Payment) error {
	for _, p := range without {
		from = append(from, facts.Link{FTIN: p.Reported.FTIN, Fact: p.Fact, Payment: true})
	}
	again := w.newSibling()
	if err := again.loadFacts(ctx, from); err != nil {
		return err
	}
	if err := again.expandGroups(ctx); err != nil {
		return err
	}
	for _, p := range without {
		if err := again.dropPayment(ctx, p); err != nil {
			return err
		}
	}
	return again.derive(ctx)
}

// dropPayment removes a payment.
func (w *Batch) dropPayment(ctx context.Context, p *facts.Payment) error {
	k := p.Ref()
	w.former.left[facts.BillRef{FTIN: p.Reported.FTIN, Key: p.Bill}], w.arrived.touched[k] = true, true
	w.loaded.payments[k] = slices.DeleteFunc(w.loaded.payments[k], func(q *facts.Payment) bool { return q.Occurrence == p.Occurrence })
	if len(w.loaded.payments[k]) == 0 {
		delete(w.loaded.payments, k)
	}
	return w.remove(ctx, *p, len(w.loaded.payments[k]))
}

// remove deletes the row of a payment, and its links if it was the last of equal ones.
func (w *Batch) remove(ctx context.Context, p facts.Payment, equals int) error {
	if equals == 0 {
		if err := store.RemoveLinks(ctx, w.Tx, p); err != nil {
			return err
		}
	}
	return store.RemovePayment(ctx, w.Tx, p)
}
