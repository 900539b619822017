package batch

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/platform/db"
)

// LoadExplanation returns how a stored bill was derived. It only reads the facts of its group,
// within the transaction. It returns false if the bill isn't derived from facts yet.
func LoadExplanation(ctx context.Context, d *db.DB, tx *sql.Tx, b facts.Bill) (derive.Explanation, bool, error) {
	all, err := LoadExplanations(ctx, d, tx, []facts.Bill{b})
	e, known := all[b.Ref()]
	return e, known, err
}

// Explanations are the explanations of several bills, without bills that aren't derived from
// facts yet.
type Explanations map[facts.BillRef]derive.Explanation

// Get returns the explanation of a bill, and whether there is one.
func (e Explanations) Get(b facts.Bill) (derive.Explanation, bool) {
	explanation, known := e[b.Ref()]
	return explanation, known
}

// LoadExplanations is LoadExplanation for several bills.
func LoadExplanations(ctx context.Context, d *db.DB, tx *sql.Tx, bills []facts.Bill) (Explanations, error) {
	concluded, tins := map[facts.FactRef]facts.Bill{}, []string(nil)
	for _, b := range bills {
		if b.Fact != "" {
			concluded[facts.FactRef{FTIN: b.FTIN, Fact: b.Fact}] = b
			tins = append(tins, b.FTIN)
		}
	}
	if len(concluded) == 0 {
		return nil, nil
	}
	tins = slices.Compact(slices.Sorted(slices.Values(tins)))
	t, err := newTransaction(ctx, Needs{DB: d}, tx, tins)
	if err != nil {
		return nil, err
	}
	w := t.newBatch(nil)
	w.readOnly = true
	if err := w.loadRequested(ctx, slices.Collect(maps.Values(concluded))); err != nil {
		return nil, err
	}
	for {
		if err := w.expandGroups(ctx); err != nil {
			return nil, err
		}
		if err := w.checkBalance(ctx); err != nil {
			return nil, err
		}
		all, err := w.explainAll(ctx, concluded)
		if err != nil {
			return nil, err
		}
		// As in derive: another bill can compete for a payment with a cut account number.
		if found, err := w.loadTruncated(ctx, w.untied.refs); err != nil || !found {
			return all, err
		}
	}
}

// explainAll explains the bills of some facts, and notes the payments that are untied.
func (w *Batch) explainAll(ctx context.Context, concluded map[facts.FactRef]facts.Bill) (Explanations, error) {
	all := make(Explanations, len(concluded))
	w.untied.reset()
	return all, w.eachGroup(ctx, func(tin string, f matching.BillGroup) (needsLines bool) {
		list, needsLines := derive.Explain(f)
		for _, e := range list {
			w.untied.add(tin, e.Derived.Untied)
			for _, fact := range e.Derived.Facts() {
				if b, asked := concluded[facts.FactRef{FTIN: tin, Fact: fact}]; asked {
					all[facts.BillRef{FTIN: tin, Key: b.Key()}] = e
				}
			}
		}
		return needsLines
	})
}
