package batch

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/ingest"
)

// storePayeeFacts stores facts by their payees' NPIs and marks them for placement.
func (w *Batch) storePayeeFacts(ctx context.Context, all []facts.PayeeFact) ([]ingest.Outcome, error) {
	if len(all) == 0 {
		return nil, nil
	}
	known, err := store.FindPayeeFacts(ctx, w.Tx, all)
	if err != nil {
		return nil, err
	}
	type key struct {
		facts.PayeeRef
		facts.FactID
	}
	keyOf := func(f facts.PayeeFact) key {
		return key{facts.PayeeRef{NPI: f.NPI, Remittance: f.Remittance}, facts.FactID{Fact: f.Fact, Occurrence: f.Occurrence}}
	}
	byKey := map[key]facts.PayeeFact{}
	for _, f := range known {
		byKey[keyOf(f)] = f
	}
	outcomes := make([]ingest.Outcome, len(all))
	put, npis, pending, ties := map[key]facts.PayeeFact{}, map[string]bool{}, map[facts.PayeeRef]bool{}, map[store.PayeeLink]bool{}
	for i, f := range all {
		outcomes[i] = ingest.Unchanged
		k := keyOf(f)
		if old, isKnown := byKey[k]; !isKnown {
			outcomes[i] = ingest.Imported
		} else if !f.Merge(old, w.Run) {
			continue
		}
		byKey[k], put[k] = f, f
		npis[f.NPI], pending[k.PayeeRef] = true, true
		if p := f.Body.Payment; p != nil {
			for _, link := range p.ProofLinks() {
				ties[store.PayeeLink{Link: link, NPI: f.NPI, Remittance: f.Remittance}] = true
			}
		}
	}
	rows := make([]facts.PayeeFact, 0, len(put))
	for _, k := range slices.SortedFunc(maps.Keys(put), func(a, b key) int {
		return cmp.Or(a.PayeeRef.Compare(b.PayeeRef), a.FactID.Compare(b.FactID))
	}) {
		rows = append(rows, put[k])
	}
	if err := store.PutPayeeFacts(ctx, w.Tx, rows); err != nil {
		return nil, err
	}
	if err := store.AddPayeeLinks(ctx, w.Tx, ties); err != nil {
		return nil, err
	}
	if err := store.AddPending(ctx, w.Tx, pending); err != nil {
		return nil, err
	}
	for _, npi := range slices.Sorted(maps.Keys(npis)) {
		if err := w.AddDirectoryTINs(ctx, npi); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// AddDirectoryTINs adds the directory's TINs for an NPI.
func (w *Batch) AddDirectoryTINs(ctx context.Context, npi string) error {
	if w.Directory == nil {
		return nil
	}
	tins, err := w.Directory.ListTINsByNPI(ctx, w.Tx, npi)
	if err != nil {
		return err
	}
	for _, tin := range tins {
		if err := recordPayeeTIN(ctx, w.Tx, npi, tin); err != nil {
			return err
		}
	}
	return nil
}

// recordPayeeTIN records that an NPI bills under a TIN. If that's new, all of its remittances are
// placed again.
func recordPayeeTIN(ctx context.Context, tx *sql.Tx, npi, tin string) error {
	isNew, err := store.AddPayeeTIN(ctx, tx, npi, tin)
	if err != nil || !isNew {
		return err
	}
	return store.AddPendingPayee(ctx, tx, npi)
}

// recordPayees records the TINs of NPIs in the batch's new submissions, and marks payments these
// may prove. NPIs are locked together with TINs. So a concurrent batch that stores facts for one
// of these NPIs sees these submissions, or is seen by this batch.
func (w *Batch) recordPayees(ctx context.Context) error {
	pairs := map[[2]string]bool{}
	for k := range w.arrived.fresh {
		if npi := w.loaded.submissions[k].Detail.BillingNPI; npi != "" {
			pairs[[2]string{npi, k.FTIN}] = true
		}
	}
	list := slices.SortedFunc(maps.Keys(pairs), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	known, err := store.FindPayeeTINs(ctx, w.Tx, list)
	if err != nil {
		return err
	}
	for _, pair := range list {
		if !known[pair] {
			if err := recordPayeeTIN(ctx, w.Tx, pair[0], pair[1]); err != nil {
				return err
			}
		}
	}
	if some, err := store.HasPayeeLinks(ctx, w.Tx); err != nil || !some {
		return err
	}
	asked := map[string]bool{}
	for k := range w.arrived.fresh {
		t := w.loaded.submissions[k].Links()
		for _, link := range append(slices.Concat(t.Links, t.Seeks), t.Account) {
			asked[link] = true
		}
	}
	return w.markForPlacement(ctx, asked)
}

// markForPlacement marks checks to payees known by NPI for placement, by their links.
func (w *Batch) markForPlacement(ctx context.Context, asked map[string]bool) error {
	found, err := store.FindPayeeLinks(ctx, w.Tx, slices.Sorted(maps.Keys(asked)))
	if err != nil {
		return err
	}
	pending := map[facts.PayeeRef]bool{}
	for _, link := range found {
		pending[facts.PayeeRef{NPI: link.NPI, Remittance: link.Remittance}] = true
	}
	return store.AddPending(ctx, w.Tx, pending)
}

// MarkNamedPayees marks checks for placement if a file gives the payee's TIN.
func (w *Batch) MarkNamedPayees(ctx context.Context, paid []facts.Payment) error {
	if len(paid) == 0 {
		return nil
	}
	if some, err := store.HasPayeeLinks(ctx, w.Tx); err != nil || !some {
		return err
	}
	asked := map[string]bool{}
	for i := range paid {
		asked[facts.ByCheck+paid[i].Remittance] = true
	}
	return w.markForPlacement(ctx, asked)
}

// PlaceCheck places the payments of a check to a payee known by NPI, under the payee's TINs.
func (w *Batch) PlaceCheck(ctx context.Context, check facts.PayeeRef, tins []string) error {
	all, err := store.LoadPayeeFacts(ctx, w.Tx, check.NPI, check.Remittance)
	if err != nil {
		return err
	}
	to, err := w.findProven(ctx, all, tins)
	if err != nil {
		return err
	}
	ties, unproven := map[store.PayeeLink]bool{}, int64(0)
	for _, f := range all {
		if p := f.Body.Payment; p != nil {
			for _, link := range p.ProofLinks() {
				ties[store.PayeeLink{Link: link, NPI: check.NPI, Remittance: check.Remittance}] = true
			}
			if to[f.ID()] == "" {
				unproven++
			}
		}
	}
	if unproven > 0 {
		ingest.Count(ctx, "payments with an unknown payee tax ID", unproven)
	}
	if err := store.AddPayeeLinks(ctx, w.Tx, ties); err != nil {
		return err
	}
	if err := w.place(ctx, all, to); err != nil {
		return err
	}
	var moved []facts.PayeeFact
	for _, f := range all {
		if f.FTIN != to[f.ID()] {
			f.FTIN = to[f.ID()]
			moved = append(moved, f)
		}
	}
	if err := store.MovePayeeFacts(ctx, w.Tx, moved); err != nil {
		return err
	}
	return store.EndPending(ctx, w.Tx, check.NPI, check.Remittance)
}

// findProven returns the TIN for each payment of a check. Proof is another file with the payee's
// TIN, or a bill under just one TIN. That bill must match by the strongest evidence, or by a
// staff decision.
func (w *Batch) findProven(ctx context.Context, all []facts.PayeeFact, tins []string) (map[facts.FactID]string, error) {
	to := map[facts.FactID]string{}
	again := w.newSibling()
	again.readOnly = true
	var keys []facts.FactRef
	for _, tin := range tins {
		for _, f := range all {
			if f.Body.Payment == nil {
				continue
			}
			k := facts.FactRef{FTIN: tin, Fact: f.Fact}
			keys = append(keys, k)
			again.loaded.payments[k] = append(again.loaded.payments[k], f.Body.WithTIN(tin).Payment)
		}
	}
	if len(keys) == 0 {
		return to, nil
	}
	known, err := store.LoadPayments(ctx, w.Tx, keys)
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
		best := map[facts.FactID]int{}
		clear(to)
		if err := again.eachPayment(ctx, all, func(tin string, id facts.FactID, rank int) {
			switch known, is := best[id]; {
			case !is || rank < known:
				best[id], to[id] = rank, tin
			case rank == known && to[id] != tin:
				to[id] = ""
			}
		}); err != nil {
			return nil, err
		}
		if found, err = again.loadTruncated(ctx, again.untied.refs); err != nil {
			return nil, err
		}
	}
	for _, f := range all {
		if of := slices.Collect(maps.Keys(named[f.Fact])); len(of) == 1 {
			to[f.ID()] = of[0]
		}
	}
	return to, nil
}

// eachPayment calls tied with the rank of evidence that matches each payment to a bill under
// each TIN.
func (w *Batch) eachPayment(ctx context.Context, all []facts.PayeeFact, tied func(tin string, id facts.FactID, rank int)) error {
	asked := map[facts.FactID]bool{}
	for _, f := range all {
		if f.Body.Payment != nil {
			asked[f.ID()] = true
		}
	}
	w.untied.reset()
	return w.eachGroup(ctx, func(tin string, f matching.BillGroup) (needsLines bool) {
		proofs, untied, needsLines := matching.FindProofs(f, asked)
		w.untied.add(tin, untied)
		if needsLines {
			return true
		}
		for _, found := range proofs {
			tied(tin, found.Payment, found.Rank)
		}
		return false
	})
}

// place moves the payments of a payee's check to their TINs. Each TIN gets its share of the
// sets.
func (w *Batch) place(ctx context.Context, all []facts.PayeeFact, to map[facts.FactID]string) error {
	npi, remittance := all[0].NPI, all[0].Remittance
	moved := false
	for _, f := range all {
		moved = moved || f.FTIN != to[f.ID()]
	}
	for _, from := range listPlacedTINs(all) {
		if moved {
			if err := w.withdraw(ctx, npi, facts.CheckRef{FTIN: from, Remittance: remittance}, to); err != nil {
				return err
			}
		}
	}
	var rows []facts.Remitted
	for _, f := range all {
		if f.Body.Payment == nil {
			rows = append(rows, f.Body.SplitByTIN(to)...)
		} else if tin := to[f.ID()]; tin != "" {
			rows = append(rows, f.Body.WithTIN(tin))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err := w.newSibling().ImportRemitted(ctx, rows)
	return err
}

// listPlacedTINs returns the TINs where facts are placed.
func listPlacedTINs(all []facts.PayeeFact) []string {
	tins := map[string]bool{}
	for _, f := range all {
		if f.FTIN != "" {
			tins[f.FTIN] = true
		}
	}
	return slices.Sorted(maps.Keys(tins))
}

// withdraw removes from a TIN what was placed there only by NPI: payments that belong elsewhere,
// and the sets. The sets are then added again.
func (w *Batch) withdraw(ctx context.Context, npi string, check facts.CheckRef, to map[facts.FactID]string) error {
	keys := []facts.CheckRef{check}
	paid, err := store.LoadPaymentsOfChecks(ctx, w.Tx, keys)
	if err != nil {
		return err
	}
	if err := w.deriveWithout(ctx, nil, slices.DeleteFunc(toPointers(paid), func(p *facts.Payment) bool {
		return p.PayeeNPI != npi || to[p.ID()] == check.FTIN
	})); err != nil {
		return err
	}
	sets, err := store.LoadSetsOfChecks(ctx, w.Tx, keys)
	if err != nil {
		return err
	}
	reported := map[facts.FactID]bool{}
	for _, s := range sets {
		if s.PayeeNPI == npi {
			if err := store.RemoveSet(ctx, w.Tx, s); err != nil {
				return err
			}
			continue
		}
		for _, id := range s.Adjustments {
			reported[id] = true
		}
	}
	adjustments, err := store.LoadAdjustments(ctx, w.Tx, keys)
	if err != nil {
		return err
	}
	for _, a := range adjustments {
		if !reported[a.ID()] {
			if err := store.RemoveAdjustment(ctx, w.Tx, a); err != nil {
				return err
			}
		}
	}
	return w.deriveChecks(ctx, map[facts.CheckRef]bool{check: true}, nil)
}
