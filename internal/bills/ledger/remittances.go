package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/platform/ingest"
)

// ImportRemitted stores payments and sets, and derives their bills and checks. A known one
// changes nothing, even if another file repeats it.
func (l *Ledger) ImportRemitted(ctx context.Context, tx *sql.Tx, rows []Remitted) ([]ingest.Outcome, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	held, file := map[string]bool{}, ingest.CurrentRun(ctx).SHA256
	for i, r := range rows {
		if r.Payment != nil {
			r.Payment.File = file
			held[cmp.Or(r.Payment.Reported.FTIN, r.Payment.PayeeNPI)] = true
			held[r.Payment.Remittance] = true // see markNamedPayees
		}
		for j, part := range r.Parts {
			rows[i].Parts[j].Set.File = file
			held[cmp.Or(part.Set.FTIN, part.Set.PayeeNPI)] = true
		}
	}
	w, err := l.begin(ctx, tx, held)
	if err != nil {
		return nil, err
	}
	outcomes, err := l.importRemitted(ctx, w, rows)
	if err != nil {
		return nil, err
	}
	var named []Payment
	for _, r := range rows {
		if r.Payment != nil && r.Payment.Reported.FTIN != "" {
			named = append(named, *r.Payment)
		}
	}
	if err := w.markNamedPayees(ctx, named); err != nil {
		return nil, err
	}
	return outcomes, l.measureRemitted(ctx, w, rows, outcomes)
}

func (l *Ledger) importRemitted(ctx context.Context, w *batch, rows []Remitted) ([]ingest.Outcome, error) {
	var paid placed[Payment]
	var parts placed[RemittancePart]
	var waiting placed[payeeFact] // until the payee's TIN is known
	for i, r := range rows {
		switch {
		case r.Payment == nil:
		case r.Payment.Reported.FTIN == "":
			waiting.add(newPayeeFact(r), i)
		default:
			paid.add(*r.Payment, i)
		}
		for _, part := range r.Parts {
			if part.Set.FTIN == "" {
				waiting.add(newPayeeFact(Remitted{Parts: []RemittancePart{part}}), i)
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
	if err := waiting.importWith(ctx, func(ctx context.Context, rows []payeeFact) ([]ingest.Outcome, error) {
		return l.storePayeeFacts(ctx, w, rows)
	}, outcomes); err != nil {
		return nil, err
	}
	checks := map[checkRef]bool{}
	for _, part := range parts.rows {
		checks[part.Set.check()] = true
	}
	if err := l.deriveChecks(ctx, w, checks, parts.rows); err != nil || len(w.duplicates) == 0 {
		return outcomes, err
	}
	// Repeated payments may now have another timestamp, which sorts the checks.
	again := map[checkRef]string{}
	for k, twin := range w.duplicates {
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

// countedFacts is the part of a check's data that counts.
type countedFacts struct {
	payments    []*Payment            // in order
	superseded  map[*Payment]*Payment // replaced payments, with their replacements
	sets        []RemittanceSet       // highest-ranked first
	adjustments []ProviderAdjustment
}

// selectCounted leaves out replaced facts, and sets that are part of others.
func selectCounted(sets []RemittanceSet, payments []*Payment, adjustments []ProviderAdjustment) countedFacts {
	payments = slices.Clone(payments)
	slices.SortFunc(payments, func(a, b *Payment) int { return a.compare(b) })
	markBalanced(payments, sets)
	c := countedFacts{superseded: findSuperseded(payments)}
	c.payments = filter(payments, func(p *Payment) bool { return c.superseded[p] == nil })
	if len(sets) == 0 {
		return c
	}
	c.sets = findCountedSets(sets, c.superseded)
	kept := map[FactID]bool{}
	for _, s := range c.sets {
		for _, id := range s.Adjustments {
			kept[id] = true
		}
	}
	for _, a := range adjustments {
		if kept[a.id()] {
			c.adjustments = append(c.adjustments, a)
		}
	}
	return c
}

func (c *countedFacts) facts() []FactID {
	var ids []FactID
	for _, p := range c.payments {
		ids = append(ids, p.id())
	}
	for _, a := range c.adjustments {
		ids = append(ids, a.id())
	}
	return ids
}

// deriveRemittance derives a check from everything known about it, and returns false without
// any facts. Replaced payments and adjustments don't count.
func deriveRemittance(sets []RemittanceSet, payments []*Payment, adjustments []ProviderAdjustment) (Remittance, bool) {
	if len(sets)+len(payments) == 0 {
		return Remittance{}, false
	}
	c := selectCounted(sets, payments, adjustments)
	var out Remittance
	bills := map[string]bool{}
	for _, p := range c.payments {
		out.Paid += p.Paid
		if p.IsReversal() {
			out.Reversals++
		}
		bills[p.claimKey()] = true
	}
	out.Bills = len(bills)
	if len(sets) == 0 {
		last := slices.MaxFunc(payments, (*Payment).compare)
		out.FTIN, out.Remittance, out.TraceNumber, out.Payer = last.Reported.FTIN, last.Remittance, last.TraceNumber, last.Payer
		out.PayerID, out.PayerName, out.PaidOn, out.Method = last.Reported.PayerID, last.Reported.PayerName, last.PaidDate, last.Method
		return out, true
	}

	for _, a := range c.adjustments {
		out.Adjusted += a.Amount
	}
	first := c.sets[0]
	out.FTIN, out.Remittance, out.TraceNumber = first.FTIN, first.Remittance, first.TraceNumber
	out.Payer, out.PayerTaxID, out.PayerID, out.PayerName = first.Payer, first.PayerTaxID, first.PayerID, first.PayerName
	out.PaidOn, out.EffectiveOn, out.ProducedOn = first.PaidOn, first.EffectiveOn, first.ProducedOn
	out.Handling, out.Method, out.Contacts = first.Handling, first.Method, first.Contacts

	var total int64
	known := true
	out.Balanced = true
	for _, s := range c.sets {
		out.Payees = max(out.Payees, s.Payees)
		total += s.Amount
		known = known && s.AmountKnown
		out.Balanced = out.Balanced && s.IsBalanced()
	}
	if out.Payees == 1 {
		if out.Balanced = known && total == out.Paid-out.Adjusted; known {
			out.Amount = &total
		}
		if len(c.sets) == 1 && first.containsAll(c.facts()) {
			out.File, out.Offset, out.Length = first.File, first.Offset, first.Length
		}
	}
	return out, true
}

// findCountedSets returns the sets with amounts that count: not part of another set, and not
// replaced. Among equal sets, it's the one with payments that would count.
func findCountedSets(sets []RemittanceSet, superseded map[*Payment]*Payment) []RemittanceSet {
	sets = slices.Clone(sets)
	slices.SortFunc(sets, func(a, b RemittanceSet) int {
		balance := func(s RemittanceSet) int {
			if s.IsBalanced() {
				return 0
			}
			return 1
		}
		return cmp.Or(strings.Compare(b.Written, a.Written), cmp.Compare(balance(a), balance(b)), strings.Compare(b.Fact, a.Fact))
	})
	stale := map[FactID]bool{}
	for p := range superseded {
		stale[p.id()] = true
	}
	current := slices.DeleteFunc(slices.Clone(sets), func(s RemittanceSet) bool {
		return slices.ContainsFunc(s.Payments, func(id FactID) bool { return stale[id] })
	})
	if len(current) == 0 {
		current = sets
	}
	var standing []RemittanceSet
	for i, s := range current {
		contained := false
		for j, other := range current {
			if i != j && other.contains(s) && (j < i || !s.contains(other)) {
				contained = true
			}
		}
		if !contained {
			standing = append(standing, s)
		}
	}
	return standing
}

// markBalanced marks the payments that are in a balanced set.
func markBalanced(list []*Payment, sets []RemittanceSet) {
	in := map[FactID]bool{}
	for _, s := range sets {
		if s.IsBalanced() {
			for _, id := range s.Payments {
				in[id] = true
			}
		}
	}
	for _, p := range list {
		p.noteBalance(in[p.id()])
	}
}

// findRivals returns payments for the same claim of a check with other amounts, written
// at the same time. The balance of their sets decides which one counts.
func findRivals(list []*Payment) []*Payment {
	var found []*Payment
	for _, slot := range groupBy(list, func(p *Payment) string { return p.Reported.FTIN + p.Slot }) {
		for _, p := range slot {
			if slices.ContainsFunc(slot, func(other *Payment) bool { return p.Written == other.Written && p.isRival(other) }) {
				found = append(found, p)
			}
		}
	}
	return found
}

// checkBalance checks if sets are balanced, for loaded payments that only differ in that.
func (w *batch) checkBalance(ctx context.Context) error {
	var all []*Payment
	for _, list := range w.payments {
		all = append(all, list...)
	}
	rivals := findRivals(all)
	if len(rivals) == 0 {
		return nil
	}
	checks := map[checkRef]bool{}
	for _, p := range rivals {
		checks[p.check()] = true
	}
	sets, err := setsAmong(ctx, w.tx, slices.SortedFunc(maps.Keys(checks), checkRef.compare))
	if err != nil {
		return err
	}
	setsBy := groupBy(sets, func(s RemittanceSet) string { return s.FTIN })
	for tin, list := range groupBy(rivals, func(p *Payment) string { return p.Reported.FTIN }) {
		markBalanced(list, setsBy[tin])
	}
	return nil
}

// importParts stores the parts of sets for payees, with their adjustments.
func (w *batch) importParts(ctx context.Context, parts []RemittancePart) ([]ingest.Outcome, error) {
	keys := make([]factRef, len(parts))
	for i, part := range parts {
		keys[i] = part.Set.ref()
	}
	list, err := loadSets(ctx, w.tx, keys)
	if err != nil {
		return nil, err
	}
	known := map[factRef]RemittanceSet{}
	for _, s := range list {
		known[s.ref()] = s
	}
	outcomes := make([]ingest.Outcome, len(parts))
	put := map[factRef]RemittanceSet{}
	var adjustments []ProviderAdjustment
	for i, part := range parts {
		k, s := keys[i], part.Set
		old, isKnown := known[k]
		outcomes[i] = ingest.Unchanged
		if !isKnown {
			outcomes[i] = ingest.Imported
			adjustments = append(adjustments, part.Adjustments...)
		} else if !isPreferred(s.Written, old.Written, w.run, s.text, old.text) {
			continue
		}
		known[k], put[k] = s, s
	}
	rows := make([]RemittanceSet, 0, len(put))
	for _, k := range slices.SortedFunc(maps.Keys(put), factRef.compare) {
		rows = append(rows, put[k])
	}
	if err := putSets(ctx, w.tx, rows); err != nil {
		return nil, err
	}
	return outcomes, putAdjustments(ctx, w.tx, adjustments)
}

// deriveChecks derives the checks changed by the batch, after its payments. The taken parts
// are those in the batch, if any. Sets can decide which of several payments count, or replace
// old outlines. Then it derives the groups of these payments again.
func (l *Ledger) deriveChecks(ctx context.Context, w *batch, checks map[checkRef]bool, taken []RemittancePart) error {
	if len(checks) == 0 {
		return w.storeDuplicates(ctx)
	}
	old, known, err := w.loadChecks(ctx, checks, taken)
	if err != nil {
		return err
	}
	needless := findObsoleteOutlines(known.sets, known.paid)
	var updated []link
	for _, p := range findRivals(known.paid) {
		updated = append(updated, link{FTIN: p.Reported.FTIN, Fact: p.Fact, Payment: true})
	}
	if len(updated)+len(needless) > 0 {
		if err := w.deriveWithout(ctx, updated, needless); err != nil {
			return err
		}
		if known, err = loadCheckFacts(ctx, w.tx, checks); err != nil {
			return err
		}
	}
	if len(taken) == 0 {
		if err := w.compareStored(ctx, checks); err != nil {
			return err
		}
	}
	var changed []Remittance
	setsBy := groupBy(known.sets, func(s RemittanceSet) checkRef { return s.check() })
	paidBy := groupBy(known.paid, (*Payment).check)
	adjustedBy := groupBy(known.adjustments, func(a ProviderAdjustment) checkRef { return a.check() })
	for _, k := range slices.SortedFunc(maps.Keys(checks), checkRef.compare) {
		now, is := deriveRemittance(setsBy[k], paidBy[k], adjustedBy[k])
		was, had := old[k]
		now.Duplicate, now.DuplicateOf = was.Duplicate, was.DuplicateOf // see storeDuplicates
		switch now.FirstSeenAt = w.at; {
		case !is && had:
			if err := removeRemittance(ctx, w.tx, k); err != nil {
				return err
			}
		case is && had:
			if now.FirstSeenAt = was.FirstSeenAt; !Remittances.IsSame(was, now) {
				changed = append(changed, now)
			}
		case is:
			changed = append(changed, now)
		}
	}
	if err := putRemittances(ctx, w.tx, changed); err != nil {
		return err
	}
	return w.storeDuplicates(ctx)
}

// checkFacts is what is known about some checks.
type checkFacts struct {
	sets        []RemittanceSet
	paid        []*Payment
	adjustments []ProviderAdjustment
}

// loadChecks returns the stored checks and their facts. It adds the checks that outlined payments
// belong to, because these may be complete now. It reads the facts of a new check only if
// another batch imported payments of it. Otherwise, this batch has all of them.
func (w *batch) loadChecks(
	ctx context.Context, checks map[checkRef]bool, taken []RemittancePart,
) (map[checkRef]Remittance, checkFacts, error) {
	asked := maps.Clone(checks)
	for _, part := range taken {
		own, outlined := part.Set.check(), checkRef{part.Set.FTIN, part.Set.outlineID()}
		checks[outlined], asked[outlined] = true, true
		if CheckKey(part.Set.TraceNumber) != "" { // compareImported already read these
			delete(asked, own)
			delete(asked, outlined)
		}
	}
	list, err := remittancesAmong(ctx, w.tx, slices.SortedFunc(maps.Keys(asked), checkRef.compare))
	if err != nil {
		return nil, checkFacts{}, err
	}
	old, stored := map[checkRef]Remittance{}, map[checkRef]bool{}
	for _, r := range list {
		old[r.check()] = r
	}
	for k := range checks {
		if r, known := w.numbered[k]; known {
			old[k] = r
		}
		if _, known := old[k]; known {
			stored[k] = true
		}
	}
	var atHand checkFacts
	seen, adjusted := map[factRef]bool{}, map[paymentKey]bool{}
	for _, part := range taken {
		s := part.Set
		k, fact := s.check(), s.ref()
		if seen[fact] || slices.ContainsFunc(s.Payments, func(id FactID) bool {
			return len(w.payments[factRef{s.FTIN, id.Fact}]) < id.Occurrence
		}) {
			stored[k] = true
		}
		seen[fact] = true
	}
	if len(taken) == 0 {
		stored = checks
	}
	known, err := loadCheckFacts(ctx, w.tx, stored)
	if err != nil {
		return nil, checkFacts{}, err
	}
	for _, part := range taken {
		if stored[part.Set.check()] {
			continue
		}
		atHand.sets = append(atHand.sets, part.Set)
		for _, a := range part.Adjustments {
			if k := (paymentKey{factRef{a.FTIN, a.Fact}, a.Occurrence}); !adjusted[k] { // several sets can contain it
				atHand.adjustments, adjusted[k] = append(atHand.adjustments, a), true
			}
		}
	}
	for _, list := range w.payments {
		for _, p := range list {
			if k := p.check(); checks[k] && !stored[k] {
				atHand.paid = append(atHand.paid, p)
			}
		}
	}
	return old, checkFacts{slices.Concat(known.sets, atHand.sets), slices.Concat(known.paid, atHand.paid),
		slices.Concat(known.adjustments, atHand.adjustments)}, nil
}

// loadCheckFacts reads the stored facts of checks.
func loadCheckFacts(ctx context.Context, tx *sql.Tx, checks map[checkRef]bool) (known checkFacts, err error) {
	keys := slices.SortedFunc(maps.Keys(checks), checkRef.compare)
	if known.sets, err = setsAmong(ctx, tx, keys); err != nil {
		return known, err
	}
	paid, err := paymentsOfChecks(ctx, tx, keys)
	if err != nil {
		return known, err
	}
	known.paid = toPointers(paid)
	known.adjustments, err = adjustmentsAmong(ctx, tx, keys)
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

// findObsoleteOutlines returns outlined payments of checks that a balanced set covers completely.
func findObsoleteOutlines(sets []RemittanceSet, paid []*Payment) []*Payment {
	whole := map[checkRef]bool{}
	for _, s := range sets {
		if s.IsBalanced() {
			whole[checkRef{s.FTIN, s.outlineID()}], whole[s.check()] = true, true
		}
	}
	return filter(paid, func(p *Payment) bool { return p.Source == FromEarlier && whole[p.check()] })
}

// deriveWithout derives the groups of some facts again, without some payments.
func (w *batch) deriveWithout(ctx context.Context, from []link, without []*Payment) error {
	for _, p := range without {
		from = append(from, link{FTIN: p.Reported.FTIN, Fact: p.Fact, Payment: true})
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
func (w *batch) dropPayment(ctx context.Context, p *Payment) error {
	k := p.ref()
	w.left[billRef{p.Reported.FTIN, p.Bill}], w.touched[k] = true, true
	w.payments[k] = slices.DeleteFunc(w.payments[k], func(q *Payment) bool { return q.Occurrence == p.Occurrence })
	if len(w.payments[k]) == 0 {
		delete(w.payments, k)
	}
	return w.remove(ctx, *p, len(w.payments[k]))
}

// remove deletes the row of a payment, and its links if it was the last of equal ones.
func (w *batch) remove(ctx context.Context, p Payment, equals int) error {
	if equals == 0 {
		if err := removeLinks(ctx, w.tx, p); err != nil {
			return err
		}
	}
	return removePayment(ctx, w.tx, p)
}
