package ledger

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/text"
)

// A payer's 835 can arrive again through a clearinghouse, which may leave out TRN03 or change
// the payer's name. The check's id then differs, so checks with the same number are compared. A
// duplicate check doesn't count. A possible duplicate doesn't count until staff decide.

// duplicateDays is how many days the dates of one check can differ. Clearinghouses leave out the
// transfer date, and the file's date replaces it.
const duplicateDays = 10

// checkReport is the counted data of one check.
type checkReport struct {
	remittance string
	paidOn     date.Date
	identified bool // by TRN03
	written    string
	amount     *int64
	payers     map[string]bool // identifications and folded names
	payments   []*facts.Payment
}

func newCheckReport(remittance string, sets []facts.RemittanceSet, payments []*facts.Payment) checkReport {
	// Outlines are only removed when the file is imported again; see findObsoleteOutlines.
	c := selectCounted(sets, filter(payments, func(p *facts.Payment) bool { return p.Source != facts.FromEarlier }), nil)
	t := checkReport{remittance: remittance, payers: map[string]bool{}, payments: c.payments}
	note := func(names ...string) {
		for _, name := range names {
			if key := text.Key(name); key != "" {
				t.payers[key] = true
			}
		}
	}
	for _, p := range c.payments {
		t.paidOn = p.PaidDate
		note(p.Payer, p.Reported.PayerID, p.Reported.PayerName)
		if facts.IsEarlier(p.Written, t.written) || t.written == "" {
			t.written = p.Written
		}
	}
	for _, s := range c.sets {
		note(s.Payer, s.PayerTaxID, s.PayerID, s.PayerName)
		t.paidOn, t.identified = s.PaidOn, t.identified || s.PayerTaxID != ""
		if sum := s.Amount; s.AmountKnown {
			if t.amount != nil {
				sum += *t.amount
			}
			t.amount = &sum
		}
	}
	return t
}

// compare sorts checks with the same number by which one should count.
func (t checkReport) compare(other checkReport) int {
	rank := func(t checkReport) int {
		if t.identified {
			return 0
		}
		return 1
	}
	return cmp.Or(rank(t)-rank(other), strings.Compare(t.written, other.written), strings.Compare(t.remittance, other.remittance))
}

// claimReport are the fields that two reports of one payment share, whatever else they leave out.
type claimReport struct {
	account, last string
	begin         date.Date
	charge, paid  int64
}

func newClaimReport(p *facts.Payment) claimReport {
	return claimReport{facts.FoldOrEmpty(p.PatientControlNumber), facts.NewPerson(p.Reported).Last, p.Reported.BeginServiceDate, p.Charge, p.Paid}
}

// matchPayments maps payments of another check to equal payments of this one.
func (t checkReport) matchPayments(other checkReport) map[*facts.Payment]*facts.Payment {
	free := map[claimReport][]*facts.Payment{}
	for _, p := range t.payments {
		free[newClaimReport(p)] = append(free[newClaimReport(p)], p)
	}
	found := map[*facts.Payment]*facts.Payment{}
	for _, p := range other.payments {
		if list := free[newClaimReport(p)]; len(list) > 0 {
			found[p], free[newClaimReport(p)] = list[0], list[1:]
		}
	}
	return found
}

// countNonzero counts the payments above or below $0.
func (t checkReport) countNonzero() (n int) {
	for _, p := range t.payments {
		if p.Paid != 0 {
			n++
		}
	}
	return n
}

func (t checkReport) isSamePayer(other checkReport) bool {
	for key := range t.payers {
		if other.payers[key] {
			return true
		}
	}
	return false
}

// relation returns the relation of another check to this one.
func (t checkReport) relation(other checkReport) facts.DuplicateState {
	apart := t.paidOn != other.paidOn
	if apart && (t.paidOn == "" || other.paidOn == "" || t.paidOn.AddDays(duplicateDays) < other.paidOn ||
		other.paidOn.AddDays(duplicateDays) < t.paidOn) {
		return facts.Counted
	}
	shared := 0
	for p := range t.matchPayments(other) {
		if p.Paid != 0 {
			shared++
		}
	}
	all := shared == t.countNonzero() && shared == other.countNonzero()
	switch {
	case shared == 0:
		return facts.Counted
	case all && !apart && t.isSamePayer(other) && (t.amount == nil || other.amount == nil || *t.amount == *other.amount):
		return facts.SameCheck
	case all || !apart:
		return facts.PossibleDuplicate
	default:
		return facts.Counted
	}
}

// checkResult is the result or decision about a check.
type checkResult struct {
	state facts.DuplicateState
	of    string                            // the check that counts
	twins map[*facts.Payment]*facts.Payment // uncounted payments of the check, with the payments that count instead
}

// findDuplicates decides which checks with the same number count. The result doesn't depend on
// when or in which order they arrived.
func findDuplicates(checks []checkReport, decided map[[2]string]facts.DuplicateState) map[string]checkResult {
	slices.SortFunc(checks, checkReport.compare)
	found := map[string]checkResult{}
	var counting []checkReport
	for _, t := range checks {
		v := checkResult{}
		for _, other := range counting {
			state, isDecided := decided[facts.SortPair(other.remittance, t.remittance)]
			if !isDecided {
				state = other.relation(t)
			}
			if state == facts.Counted {
				continue
			}
			v = checkResult{state, other.remittance, other.matchPayments(t)}
			for _, p := range t.payments {
				if _, paired := v.twins[p]; !paired && state == facts.PossibleDuplicate {
					v.twins[p] = nil
				}
			}
			break
		}
		found[t.remittance] = v
		if v.state == facts.Counted {
			counting = append(counting, t)
		}
	}
	return found
}

// readSameNumber reads the checks with one of these numbers.
func (w *batch) readSameNumber(ctx context.Context, checks map[facts.CheckRef]string) ([]facts.Remittance, error) {
	var numbers [][2]string
	for k, trace := range checks {
		if n := facts.CheckKey(trace); n != "" {
			numbers = append(numbers, [2]string{k.FTIN, n})
		}
	}
	slices.SortFunc(numbers, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return remittancesNumbered(ctx, w.tx, slices.Compact(numbers))
}

// compareChecks decides which checks with the same number count. It includes payments and parts
// of the batch that aren't stored yet, and marks these payments. It returns stored payments with
// a changed mark, so their bills are derived again.
func (w *batch) compareChecks(
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

func (w *batch) compareNumber(
	ctx context.Context, of [2]string, group map[facts.CheckRef]facts.DuplicateState, paid []facts.Payment, parts []facts.RemittancePart,
) ([]facts.Link, error) {
	ftin, number := of[0], of[1]
	keys := make(map[facts.CheckRef]bool, len(group))
	for k := range group {
		keys[k] = true
	}
	stored, err := loadCheckFacts(ctx, w.tx, keys)
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
	decided, err := loadDecisions(ctx, w.tx, ftin, slices.SortedFunc(maps.Keys(keys), facts.CheckRef.Compare))
	if err != nil {
		return nil, err
	}
	paidBy := groupBy(list, func(p *facts.Payment) string { return p.Remittance })
	setsBy := groupBy(sets, func(s facts.RemittanceSet) string { return s.Remittance })
	var checks []checkReport
	for k := range group {
		if len(paidBy[k.Remittance]) > 0 {
			checks = append(checks, newCheckReport(k.Remittance, setsBy[k.Remittance], paidBy[k.Remittance]))
		}
	}
	verdicts := findDuplicates(checks, decided)
	for k := range group {
		v := verdicts[k.Remittance]
		if v.state == facts.SameCheck && len(v.twins) < len(paidBy[k.Remittance]) {
			v.state = facts.Counted // part of it counts
		}
		w.duplicates[k] = checkRelation{number, v.state, v.of}
	}
	var changed []facts.Link
	var marked []facts.Payment
	for i, p := range list {
		state, twin := facts.Counted, ""
		v := verdicts[p.Remittance]
		if counts, is := v.twins[p]; is {
			if state = v.state; counts != nil {
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
	return changed, markPayments(ctx, w.tx, marked)
}

// checkRelation is the relation of a check to another one with its number.
type checkRelation struct {
	number string
	state  facts.DuplicateState
	of     string
}

// compareImported compares the checks of imported rows, before their bills are derived.
func (w *batch) compareImported(ctx context.Context, paid []facts.Payment, parts []facts.RemittancePart) error {
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
	w.numbered = make(map[facts.CheckRef]facts.Remittance, len(known))
	for _, r := range known {
		w.numbered[r.Check()] = r
	}
	changed, err := w.compareChecks(ctx, checks, known, paid, parts)
	if err != nil || len(changed) == 0 {
		return err
	}
	return w.deriveWithout(ctx, changed, nil)
}

// compareStored compares checks again after their data was stored, removed or decided on.
func (w *batch) compareStored(ctx context.Context, checks map[facts.CheckRef]bool) error {
	if len(checks) == 0 {
		return nil
	}
	list, err := remittancesAmong(ctx, w.tx, slices.SortedFunc(maps.Keys(checks), facts.CheckRef.Compare))
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
func (w *batch) compareNumbers(ctx context.Context, numbers map[facts.CheckRef]string) error {
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
func (w *batch) storeDuplicates(ctx context.Context) error {
	if len(w.duplicates) == 0 {
		return nil
	}
	list, err := remittancesAmong(ctx, w.tx, slices.SortedFunc(maps.Keys(w.duplicates), facts.CheckRef.Compare))
	if err != nil {
		return err
	}
	var changed []facts.Remittance
	for _, r := range list {
		twin := w.duplicates[r.Check()]
		if r.Duplicate != twin.state || r.DuplicateOf != twin.of {
			if r.Duplicate, r.DuplicateOf = twin.state, twin.of; twin.state != facts.Counted {
				ingest.Count(ctx, countedTwins[twin.state], 1)
			}
			changed = append(changed, r)
		}
	}
	return putRemittances(ctx, w.tx, changed)
}

var countedTwins = map[facts.DuplicateState]string{
	facts.SameCheck: "checks received before and not counted again", facts.PossibleDuplicate: "possible duplicate checks, not counted",
}
