package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/text"
)

// RemittanceSet is the part of a transaction set about a check or transfer that concerns one
// TIN. Amounts are in cents. Totals of the whole set are for all of its payees.
type RemittanceSet struct {
	FTIN        string
	Fact        string // identity, 32 hexadecimal digits
	Remittance  string // id of its check or transfer
	Written     string // the earliest date and time in its files
	PayeeNPI    string // of a payee without a TIN in the set
	Payees      int    // number of payees in the set
	Payer       string // the payer, as the check identifies it
	PayerTaxID  string
	PayerID     string
	PayerName   string
	TraceNumber string
	PaidOn      date.Date // EffectiveOn, or else ProducedOn
	EffectiveOn date.Date // BPR16
	ProducedOn  date.Date // DTM*405
	Handling    string    // BPR01
	CreditDebit string    // BPR03
	Method      string    // BPR04
	Amount      int64     // BPR02
	AmountKnown bool      // the set has it
	ClaimsPaid  int64     // sum of CLP04 in the whole set
	Adjusted    int64     // sum of PLB in the whole set
	Payments    []FactID
	Adjustments []FactID
	Contacts    []Contact // at the payer
	File        string    // SHA-256 of its file
	Offset      int64     // in the file, in bytes
	Length      int64
}

// ProviderAdjustment is a provider-level adjustment: one reason of a PLB. Below zero, the payer
// adds it to the payment; above zero, the payer withholds it. It doesn't change any bill's
// amounts.
type ProviderAdjustment struct {
	FTIN       string
	Fact       string
	Occurrence int // among equal adjustments of its transaction set, from 1
	Remittance string
	Provider   string    // PLB01
	Period     date.Date // end of the payer's fiscal year: PLB02
	Reason     string
	Reference  string
	Amount     int64 // cents
}

// Remittance is one check or transfer to a TIN, derived from all of its sets. Amounts are in
// cents.
type Remittance struct {
	FTIN        string
	Remittance  string // id, 32 hexadecimal digits
	TraceNumber string
	Payer       string
	PayerTaxID  string
	PayerID     string
	PayerName   string
	PaidOn      date.Date
	EffectiveOn date.Date
	ProducedOn  date.Date
	Handling    string
	Method      string
	Payees      int    // payees that share the amount; 0 if it was assembled from payments without a set
	Amount      *int64 // announced; nil if shared, assembled or not in the file
	Paid        int64  // total of all counted payments
	Adjusted    int64  // total of provider-level adjustments
	Bills       int    // counted by patient account number, payer's number, patient, day and charge
	Reversals   int
	Balanced    bool // the amount equals payments minus adjustments
	Contacts    []Contact
	File        string // of the set that covers this TIN alone and completely; otherwise empty
	Offset      int64
	Length      int64
	Duplicate   DuplicateState // whether it counts, if another check has its number
	DuplicateOf string         // the check that counts instead, if any
	FirstSeenAt db.Instant
}

// NumberKey folds the number of a check or transfer for comparison, because people and systems
// add spaces and hyphens or leave them out.
func NumberKey(trace string) string {
	return withoutGaps.Replace(text.Key(trace))
}

// withoutGaps removes the separators in a number.
var withoutGaps = strings.NewReplacer(" ", "", "-", "")

// CheckKey returns the search key of a check number: without leading zeros. It's empty if
// there's nothing but zeros.
func CheckKey(trace string) string { return strings.TrimLeft(NumberKey(trace), "0") }

// identifyRemittance returns the id of a check or transfer. It includes the day, because a payer
// can reuse a number.
func identifyRemittance(payer, trace string, on date.Date) string {
	return hashParts("remittance", text.Key(payer), text.Key(trace), string(on))
}

func (p *Payment) id() FactID { return FactID{p.Fact, p.Occurrence} }

func (p *Payment) check() checkKey { return checkKey{p.Reported.FTIN, p.Remittance} }

// outlineID returns the id of the same check for payments known in outline.
func (s *RemittanceSet) outlineID() string {
	return identifyRemittance(text.Key(s.PayerName), s.TraceNumber, s.PaidOn)
}

// IsBalanced reports whether the amount of the set equals payments minus adjustments.
func (s *RemittanceSet) IsBalanced() bool {
	return s.AmountKnown && s.Amount == s.ClaimsPaid-s.Adjusted
}

// identifySets sorts the facts in the parts of a set, and sets the identity of the parts. The
// identity covers the whole set for all payees.
func identifySets(parts []*RemittancePart) {
	s := &parts[0].Set
	about := []string{text.Key(s.Payer), text.Key(s.TraceNumber), string(s.PaidOn), s.Handling, formatAmount(s.Amount), s.CreditDebit,
		s.Method}
	var contents []string
	for _, part := range parts {
		s := &part.Set
		payee := cmp.Or(s.FTIN, s.PayeeNPI)
		contents = append(contents, payee)
		for _, list := range [][]FactID{s.Payments, s.Adjustments} {
			slices.SortFunc(list, FactID.compare)
			for _, id := range list {
				contents = append(contents, joinParts(payee, id.Fact, strconv.Itoa(id.Occurrence)))
			}
		}
	}
	slices.Sort(contents)
	fact := hashParts("set", append(about, contents...)...)
	for _, part := range parts {
		part.Set.Fact = fact
	}
}

func (a *ProviderAdjustment) identify() {
	a.Fact = hashParts("adjustment", a.Remittance, text.Key(a.Provider), string(a.Period), a.Reason, text.Key(a.Reference),
		formatAmount(a.Amount))
}

func (a *ProviderAdjustment) id() FactID { return FactID{a.Fact, a.Occurrence} }

// text returns everything in a set, and its position.
func (s RemittanceSet) text() string { return toJSON(s) }

// Remitted is one record of an 835: a payment, or the set's own data for each payee. That
// follows after all of the payments.
type Remitted struct {
	Payment *Payment
	Parts   []RemittancePart
}

// RemittancePart is a transaction set as far as it concerns one payee.
type RemittancePart struct {
	Set         RemittanceSet
	Adjustments []ProviderAdjustment
}

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
	checks := map[checkKey]bool{}
	for _, part := range parts.rows {
		checks[checkKey{part.Set.FTIN, part.Set.Remittance}] = true
	}
	if err := l.deriveChecks(ctx, w, checks, parts.rows); err != nil || len(w.duplicates) == 0 {
		return outcomes, err
	}
	// Repeated payments may now have another timestamp, which sorts the checks.
	again := map[checkKey]string{}
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
		bills[joinParts(text.Key(p.PatientControlNumber), text.Key(p.PayerControlNumber), text.Key(p.Reported.PatientLastName),
			text.Key(p.Reported.PatientFirstName),
			string(p.Reported.BeginServiceDate), formatAmount(magnitude(p.Charge)))] = true
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

// contains reports whether a set includes everything in another one.
func (s *RemittanceSet) contains(other RemittanceSet) bool {
	return s.containsAll(other.Payments) && s.containsAll(other.Adjustments)
}

func (s *RemittanceSet) containsAll(ids []FactID) bool {
	for _, id := range ids {
		if _, is := slices.BinarySearchFunc(s.Payments, id, FactID.compare); is {
			continue
		}
		if _, is := slices.BinarySearchFunc(s.Adjustments, id, FactID.compare); !is {
			return false
		}
	}
	return true
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
		p.balanced = in[p.id()]
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

// checkKey identifies a check or transfer within its TIN.
type checkKey struct{ ftin, remittance string }

func (k checkKey) compare(other checkKey) int {
	return cmp.Or(strings.Compare(k.ftin, other.ftin), strings.Compare(k.remittance, other.remittance))
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
	checks := map[checkKey]bool{}
	for _, p := range rivals {
		checks[p.check()] = true
	}
	sets, err := setsAmong(ctx, w.tx, slices.SortedFunc(maps.Keys(checks), checkKey.compare))
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
	keys := make([]factKey, len(parts))
	for i, part := range parts {
		keys[i] = factKey{part.Set.FTIN, part.Set.Fact}
	}
	list, err := loadSets(ctx, w.tx, keys)
	if err != nil {
		return nil, err
	}
	known := map[factKey]RemittanceSet{}
	for _, s := range list {
		known[factKey{s.FTIN, s.Fact}] = s
	}
	outcomes := make([]ingest.Outcome, len(parts))
	put := map[factKey]RemittanceSet{}
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
	for _, k := range slices.SortedFunc(maps.Keys(put), factKey.compare) {
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
func (l *Ledger) deriveChecks(ctx context.Context, w *batch, checks map[checkKey]bool, taken []RemittancePart) error {
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
	setsBy := groupBy(known.sets, func(s RemittanceSet) checkKey { return checkKey{s.FTIN, s.Remittance} })
	paidBy := groupBy(known.paid, (*Payment).check)
	adjustedBy := groupBy(known.adjustments, func(a ProviderAdjustment) checkKey { return checkKey{a.FTIN, a.Remittance} })
	for _, k := range slices.SortedFunc(maps.Keys(checks), checkKey.compare) {
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
	ctx context.Context, checks map[checkKey]bool, taken []RemittancePart,
) (map[checkKey]Remittance, checkFacts, error) {
	asked := maps.Clone(checks)
	for _, part := range taken {
		own, outlined := checkKey{part.Set.FTIN, part.Set.Remittance}, checkKey{part.Set.FTIN, part.Set.outlineID()}
		checks[outlined], asked[outlined] = true, true
		if CheckKey(part.Set.TraceNumber) != "" { // compareImported already read these
			delete(asked, own)
			delete(asked, outlined)
		}
	}
	list, err := remittancesAmong(ctx, w.tx, slices.SortedFunc(maps.Keys(asked), checkKey.compare))
	if err != nil {
		return nil, checkFacts{}, err
	}
	old, stored := map[checkKey]Remittance{}, map[checkKey]bool{}
	for _, r := range list {
		old[checkKey{r.FTIN, r.Remittance}] = r
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
	seen := map[factKey]bool{}
	for _, part := range taken {
		s := part.Set
		k, fact := checkKey{s.FTIN, s.Remittance}, factKey{s.FTIN, s.Fact}
		if seen[fact] || slices.ContainsFunc(s.Payments, func(id FactID) bool {
			return len(w.payments[factKey{s.FTIN, id.Fact}]) < id.Occurrence
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
		if stored[checkKey{part.Set.FTIN, part.Set.Remittance}] {
			continue
		}
		atHand.sets = append(atHand.sets, part.Set)
		for _, a := range part.Adjustments {
			if k := (factKey{a.FTIN, joinParts(a.Fact, strconv.Itoa(a.Occurrence))}); !seen[k] { // several sets can contain it
				atHand.adjustments, seen[k] = append(atHand.adjustments, a), true
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
func loadCheckFacts(ctx context.Context, tx *sql.Tx, checks map[checkKey]bool) (known checkFacts, err error) {
	keys := slices.SortedFunc(maps.Keys(checks), checkKey.compare)
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
	whole := map[checkKey]bool{}
	for _, s := range sets {
		if s.IsBalanced() {
			whole[checkKey{s.FTIN, s.outlineID()}], whole[checkKey{s.FTIN, s.Remittance}] = true, true
		}
	}
	return filter(paid, func(p *Payment) bool { return p.Source == FromEarlier && whole[p.check()] })
}

// deriveWithout derives the groups of some facts again, without some payments.
func (w *batch) deriveWithout(ctx context.Context, facts []link, without []*Payment) error {
	for _, p := range without {
		facts = append(facts, link{FTIN: p.Reported.FTIN, Fact: p.Fact, Payment: true})
	}
	again := w.newSibling()
	if err := again.loadFacts(ctx, facts); err != nil {
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
	k := factKey{p.Reported.FTIN, p.Fact}
	w.left[billKey{p.Reported.FTIN, p.Bill}], w.touched[k] = true, true
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
