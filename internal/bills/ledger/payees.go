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

// Some remittances give only the payee's NPI, and several offices can bill under it. Their
// content is stored by NPI. Each payment is placed under the TIN with a bill that proves it.
// Only staff see payments without proof. New files and staff decisions place payments again, so
// their order doesn't matter.

// payeeFact is one payment, or one set, to a payee known by NPI.
type payeeFact struct {
	NPI        string
	Remittance string
	Fact       string
	Occurrence int    // 0 for a set
	FTIN       string // the TIN where a payment is placed; empty until a bill proves it
	Dismissed  bool   // by staff; no longer listed
	Body       Remitted
}

func (f payeeFact) id() FactID { return FactID{f.Fact, f.Occurrence} }

func newPayeeFact(r Remitted) payeeFact {
	if p := r.Payment; p != nil {
		return payeeFact{NPI: p.PayeeNPI, Remittance: p.Remittance, Fact: p.Fact, Occurrence: p.Occurrence, Body: r}
	}
	s := r.Parts[0].Set
	return payeeFact{NPI: s.PayeeNPI, Remittance: s.Remittance, Fact: s.Fact, Body: r}
}

// payeeKey identifies a check or transfer to a payee.
type payeeKey struct{ npi, remittance string }

func (k payeeKey) compare(other payeeKey) int {
	return cmp.Or(strings.Compare(k.npi, other.npi), strings.Compare(k.remittance, other.remittance))
}

// storePayeeFacts stores facts by their payees' NPIs and marks them for placement.
func (l *Ledger) storePayeeFacts(ctx context.Context, w *batch, facts []payeeFact) ([]ingest.Outcome, error) {
	if len(facts) == 0 {
		return nil, nil
	}
	known, err := findPayeeFacts(ctx, w.tx, facts)
	if err != nil {
		return nil, err
	}
	type key struct {
		payeeKey
		FactID
	}
	keyOf := func(f payeeFact) key { return key{payeeKey{f.NPI, f.Remittance}, FactID{f.Fact, f.Occurrence}} }
	byKey := map[key]payeeFact{}
	for _, f := range known {
		byKey[keyOf(f)] = f
	}
	outcomes := make([]ingest.Outcome, len(facts))
	put, npis, pending, ties := map[key]payeeFact{}, map[string]bool{}, map[payeeKey]bool{}, map[payeeLink]bool{}
	for i, f := range facts {
		outcomes[i] = ingest.Unchanged
		k := keyOf(f)
		if old, isKnown := byKey[k]; !isKnown {
			outcomes[i] = ingest.Imported
		} else if !f.merge(old, w.run) {
			continue
		}
		byKey[k], put[k] = f, f
		npis[f.NPI], pending[k.payeeKey] = true, true
		if p := f.Body.Payment; p != nil {
			for _, link := range p.proofLinks() {
				ties[payeeLink{link, f.NPI, f.Remittance}] = true
			}
		}
	}
	rows := make([]payeeFact, 0, len(put))
	for _, k := range slices.SortedFunc(maps.Keys(put), func(a, b key) int {
		return cmp.Or(a.payeeKey.compare(b.payeeKey), a.FactID.compare(b.FactID))
	}) {
		rows = append(rows, put[k])
	}
	if err := putPayeeFacts(ctx, w.tx, rows); err != nil {
		return nil, err
	}
	if err := addPayeeLinks(ctx, w.tx, ties); err != nil {
		return nil, err
	}
	if err := addPending(ctx, w.tx, pending); err != nil {
		return nil, err
	}
	for _, npi := range slices.Sorted(maps.Keys(npis)) {
		if err := l.addDirectoryTINs(ctx, w.tx, npi); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// merge merges a fact reported again with the known one, and reports whether anything changed.
func (f *payeeFact) merge(known payeeFact, run ingest.Run) bool {
	f.FTIN, f.Dismissed = known.FTIN, known.Dismissed
	if p := f.Body.Payment; p != nil {
		kept := *known.Body.Payment
		changed, _ := kept.mergeRetransmission(*p, run)
		f.Body.Payment = &kept
		return changed
	}
	received, before := f.Body.Parts[0].Set, known.Body.Parts[0].Set
	return isPreferred(received.Written, before.Written, run, received.text, before.text)
}

// byCheck is the link of a check. It finds files that give the payee's TIN.
const byCheck = "r:"

// proofLinks returns the links by which a submission that proves the payee finds the payment.
func (p *Payment) proofLinks() []string {
	t := p.factLinks()
	list := slices.Concat(t.links, t.seeks, t.prefixes, []string{byCheck + p.Remittance})
	for _, link := range []string{t.account, t.truncated} {
		if link != "" {
			list = append(list, link)
		}
	}
	return list
}

// addDirectoryTINs adds the directory's TINs for an NPI.
func (l *Ledger) addDirectoryTINs(ctx context.Context, tx *sql.Tx, npi string) error {
	if l.tins == nil {
		return nil
	}
	tins, err := l.tins.ListTINsByNPI(ctx, tx, npi)
	if err != nil {
		return err
	}
	for _, tin := range tins {
		if err := recordPayeeTIN(ctx, tx, npi, tin); err != nil {
			return err
		}
	}
	return nil
}

// recordPayeeTIN records that an NPI bills under a TIN. If that's new, all of its remittances are
// placed again.
func recordPayeeTIN(ctx context.Context, tx *sql.Tx, npi, tin string) error {
	isNew, err := addPayeeTIN(ctx, tx, npi, tin)
	if err != nil || !isNew {
		return err
	}
	return addPendingPayee(ctx, tx, npi)
}

// recordPayees records the TINs of NPIs in the batch's new submissions, and marks payments these
// may prove. NPIs are locked together with TINs. So a concurrent batch that stores facts for one
// of these NPIs sees these submissions, or is seen by this batch.
func (w *batch) recordPayees(ctx context.Context) error {
	pairs := map[[2]string]bool{}
	for k := range w.fresh {
		if npi := w.submissions[k].Detail.BillingNPI; npi != "" {
			pairs[[2]string{npi, k.ftin}] = true
		}
	}
	list := slices.SortedFunc(maps.Keys(pairs), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	known, err := payeeTINsAmong(ctx, w.tx, list)
	if err != nil {
		return err
	}
	for _, pair := range list {
		if !known[pair] {
			if err := recordPayeeTIN(ctx, w.tx, pair[0], pair[1]); err != nil {
				return err
			}
		}
	}
	if some, err := anyPayeeLinks(ctx, w.tx); err != nil || !some {
		return err
	}
	asked := map[string]bool{}
	for k := range w.fresh {
		t := w.submissions[k].factLinks()
		for _, link := range append(slices.Concat(t.links, t.seeks), t.account) {
			asked[link] = true
		}
	}
	return w.markForPlacement(ctx, asked)
}

// markForPlacement marks checks to payees known by NPI for placement, by their links.
func (w *batch) markForPlacement(ctx context.Context, asked map[string]bool) error {
	found, err := payeeLinksAmong(ctx, w.tx, slices.Sorted(maps.Keys(asked)))
	if err != nil {
		return err
	}
	pending := map[payeeKey]bool{}
	for _, link := range found {
		pending[payeeKey{link.NPI, link.Remittance}] = true
	}
	return addPending(ctx, w.tx, pending)
}

// markNamedPayees marks checks for placement if a file gives the payee's TIN.
func (w *batch) markNamedPayees(ctx context.Context, paid []Payment) error {
	if len(paid) == 0 {
		return nil
	}
	if some, err := anyPayeeLinks(ctx, w.tx); err != nil || !some {
		return err
	}
	asked := map[string]bool{}
	for i := range paid {
		asked[byCheck+paid[i].Remittance] = true
	}
	return w.markForPlacement(ctx, asked)
}

// RefreshPayeeTINs queries the directory for the TINs of all payees known by NPI, and places
// affected payments again.
func (l *Ledger) RefreshPayeeTINs(ctx context.Context) error {
	npis, err := payeeNPIs(ctx, l.db.Reader)
	if err != nil {
		return err
	}
	for _, npi := range npis {
		if err := l.db.Tx(ctx, func(tx *sql.Tx) error {
			if _, err := l.begin(ctx, tx, map[string]bool{npi: true}); err != nil {
				return err
			}
			return l.addDirectoryTINs(ctx, tx, npi)
		}); err != nil {
			return err
		}
	}
	return l.PlacePayees(ctx)
}

// checksPerPlacement is how many checks of one payee one transaction places.
const checksPerPlacement = 100

// PlacePayees places payments to payees known by NPI under their TINs. It can be interrupted at
// any time and run concurrently.
func (l *Ledger) PlacePayees(ctx context.Context) error {
	for {
		npi, err := nextPayee(ctx, l.db.Reader)
		if err != nil || npi == "" {
			return err
		}
		for done := false; !done; {
			if err := l.db.Tx(ctx, func(tx *sql.Tx) (err error) {
				done, err = l.placeBatch(ctx, tx, npi)
				return err
			}); err != nil {
				return err
			}
		}
	}
}

// placeBatch places some checks of a payee, and reports whether none are left.
func (l *Ledger) placeBatch(ctx context.Context, tx *sql.Tx, npi string) (done bool, err error) {
	known, err := payeeTINs(ctx, tx, npi)
	if err != nil {
		return false, err
	}
	// A payment can only be placed under a known TIN.
	held := map[string]bool{npi: true}
	for _, tin := range known {
		held[tin] = true
	}
	w, err := l.begin(ctx, tx, held)
	if err != nil {
		return false, err
	}
	if now, err := payeeTINs(ctx, tx, npi); err != nil || !slices.Equal(now, known) {
		return false, err // a TIN was added before its lock was taken, so try again with it
	}
	pending, err := listPending(ctx, tx, npi)
	if err != nil || len(pending) == 0 {
		return true, err
	}
	for _, remittance := range pending {
		if err := l.placeCheck(ctx, w, payeeKey{npi, remittance}, known); err != nil {
			return false, err
		}
	}
	return false, nil
}

// placeCheck places the payments of a check to a payee known by NPI, under the payee's TINs.
func (l *Ledger) placeCheck(ctx context.Context, w *batch, check payeeKey, tins []string) error {
	facts, err := loadPayeeFacts(ctx, w.tx, check.npi, check.remittance)
	if err != nil {
		return err
	}
	to, err := w.findProven(ctx, facts, tins)
	if err != nil {
		return err
	}
	ties, unproven := map[payeeLink]bool{}, int64(0)
	for _, f := range facts {
		if p := f.Body.Payment; p != nil {
			for _, link := range p.proofLinks() {
				ties[payeeLink{link, check.npi, check.remittance}] = true
			}
			if to[f.id()] == "" {
				unproven++
			}
		}
	}
	if unproven > 0 {
		ingest.Count(ctx, "payments with an unknown payee tax ID", unproven)
	}
	if err := addPayeeLinks(ctx, w.tx, ties); err != nil {
		return err
	}
	if err := l.place(ctx, w, facts, to); err != nil {
		return err
	}
	var moved []payeeFact
	for _, f := range facts {
		if f.FTIN != to[f.id()] {
			f.FTIN = to[f.id()]
			moved = append(moved, f)
		}
	}
	if err := movePayeeFacts(ctx, w.tx, moved); err != nil {
		return err
	}
	return endPending(ctx, w.tx, check.npi, check.remittance)
}

// findProven returns the TIN for each payment of a check. Proof is another file with the payee's
// TIN, or a bill under just one TIN. That bill must match by the strongest evidence, or by a
// staff decision.
func (w *batch) findProven(ctx context.Context, facts []payeeFact, tins []string) (map[FactID]string, error) {
	to := map[FactID]string{}
	again := w.newSibling()
	again.readOnly = true
	var keys []factKey
	for _, tin := range tins {
		for _, f := range facts {
			if f.Body.Payment == nil {
				continue
			}
			k := factKey{tin, f.Fact}
			keys = append(keys, k)
			again.payments[k] = append(again.payments[k], f.Body.withTIN(tin).Payment)
		}
	}
	if len(keys) == 0 {
		return to, nil
	}
	known, err := knownPayments(ctx, w.tx, keys)
	if err != nil {
		return nil, err
	}
	named := map[string]map[string]bool{}
	for _, p := range known {
		if p.PayeeNPI == "" {
			if named[p.Fact] == nil {
				named[p.Fact] = map[string]bool{}
			}
			named[p.Fact][p.Reported.FTIN] = true
		}
	}
	for found := true; found; {
		if err := again.expandGroups(ctx); err != nil {
			return nil, err
		}
		best := map[FactID]int{}
		clear(to)
		if err := again.eachPayment(ctx, facts, func(tin string, id FactID, rank int) {
			switch known, is := best[id]; {
			case !is || rank < known:
				best[id], to[id] = rank, tin
			case rank == known && to[id] != tin:
				to[id] = ""
			}
		}); err != nil {
			return nil, err
		}
		if found, err = again.loadTruncated(ctx, again.untied); err != nil {
			return nil, err
		}
	}
	for _, f := range facts {
		if of := slices.Collect(maps.Keys(named[f.Fact])); len(of) == 1 {
			to[f.id()] = of[0]
		}
	}
	return to, nil
}

// eachPayment calls tied with the rank of evidence that matches each payment to a bill under
// each TIN. It uses only the submissions, so the placement of other payments doesn't matter.
func (w *batch) eachPayment(ctx context.Context, facts []payeeFact, tied func(tin string, id FactID, rank int)) error {
	asked := map[FactID]bool{}
	for _, f := range facts {
		if f.Body.Payment != nil {
			asked[f.id()] = true
		}
	}
	w.untied = map[factKey]bool{}
	return w.eachGroup(ctx, func(tin string, f BillGroup) (needsLines bool) {
		type proof struct {
			id   FactID
			rank int
		}
		var proofs []proof
		for _, p := range f.Payments {
			if !asked[p.id()] {
				continue
			}
			c := deriveGroup(BillGroup{Submissions: slices.Clone(f.Submissions), Payments: []*Payment{p}, Joins: f.Joins})
			needsLines = needsLines || c.needsLines
			for _, g := range c.groups {
				if g.untied {
					w.untied[factKey{tin, p.Fact}] = true
				}
				if g.tied.made == nil {
					proofs = append(proofs, proof{p.id(), g.rank})
				}
			}
		}
		if needsLines {
			return true
		}
		for _, found := range proofs {
			tied(tin, found.id, found.rank)
		}
		return false
	})
}

// place moves the payments of a payee's check to their TINs. Each TIN gets its share of the
// sets.
func (l *Ledger) place(ctx context.Context, w *batch, facts []payeeFact, to map[FactID]string) error {
	npi, remittance := facts[0].NPI, facts[0].Remittance
	moved := false
	for _, f := range facts {
		moved = moved || f.FTIN != to[f.id()]
	}
	for _, from := range listPlacedTINs(facts) {
		if moved {
			if err := l.withdraw(ctx, w, npi, checkKey{from, remittance}, to); err != nil {
				return err
			}
		}
	}
	var rows []Remitted
	for _, f := range facts {
		if f.Body.Payment == nil {
			rows = append(rows, f.Body.splitByTIN(to)...)
		} else if tin := to[f.id()]; tin != "" {
			rows = append(rows, f.Body.withTIN(tin))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err := l.importRemitted(ctx, w.newSibling(), rows)
	return err
}

// listPlacedTINs returns the TINs where facts are placed.
func listPlacedTINs(facts []payeeFact) []string {
	tins := map[string]bool{}
	for _, f := range facts {
		if f.FTIN != "" {
			tins[f.FTIN] = true
		}
	}
	return slices.Sorted(maps.Keys(tins))
}

// withTIN returns a payment addressed to a TIN.
func (r Remitted) withTIN(tin string) Remitted {
	p := *r.Payment
	p.Reported.FTIN = tin
	return Remitted{Payment: &p}
}

// splitByTIN returns the parts of a set for the TINs of its payments. A TIN with all the payments
// gets the whole set. Otherwise it gets a share without the adjustments, because their payee is
// unknown.
func (r Remitted) splitByTIN(to map[FactID]string) []Remitted {
	whole := r.Parts[0]
	byTIN := map[string][]FactID{}
	for _, id := range whole.Set.Payments {
		byTIN[to[id]] = append(byTIN[to[id]], id)
	}
	var rows []Remitted
	for _, tin := range slices.Sorted(maps.Keys(byTIN)) {
		if tin == "" {
			continue
		}
		part := RemittancePart{Set: whole.Set}
		part.Set.FTIN, part.Set.Payments = tin, byTIN[tin]
		if len(byTIN) == 1 {
			part.Adjustments = slices.Clone(whole.Adjustments)
			for i := range part.Adjustments {
				part.Adjustments[i].FTIN = tin
			}
		} else {
			part.Set.Payees, part.Set.Adjustments = max(whole.Set.Payees, len(byTIN)), nil
		}
		rows = append(rows, Remitted{Parts: []RemittancePart{part}})
	}
	return rows
}

// withdraw removes from a TIN what was placed there only by NPI: payments that belong elsewhere,
// and the sets. The sets are then added again.
func (l *Ledger) withdraw(ctx context.Context, w *batch, npi string, check checkKey, to map[FactID]string) error {
	keys := []checkKey{check}
	paid, err := paymentsOfChecks(ctx, w.tx, keys)
	if err != nil {
		return err
	}
	if err := w.deriveWithout(ctx, nil, filter(toPointers(paid), func(p *Payment) bool {
		return p.PayeeNPI == npi && to[p.id()] != check.ftin
	})); err != nil {
		return err
	}
	sets, err := setsAmong(ctx, w.tx, keys)
	if err != nil {
		return err
	}
	reported := map[FactID]bool{}
	for _, s := range sets {
		if s.PayeeNPI == npi {
			if err := removeSet(ctx, w.tx, s); err != nil {
				return err
			}
			continue
		}
		for _, id := range s.Adjustments {
			reported[id] = true
		}
	}
	adjustments, err := adjustmentsAmong(ctx, w.tx, keys)
	if err != nil {
		return err
	}
	for _, a := range adjustments {
		if !reported[a.id()] {
			if err := removeAdjustment(ctx, w.tx, a); err != nil {
				return err
			}
		}
	}
	return l.deriveChecks(ctx, w, map[checkKey]bool{check: true}, nil)
}
