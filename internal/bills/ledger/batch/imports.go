package batch

import (
	"context"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/ingest"
)

// importPayments stores payments and derives their bills.
func (w *Batch) importPayments(ctx context.Context, rows []facts.Payment) ([]ingest.Outcome, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	keys := make([]facts.FactRef, len(rows))
	for i := range rows {
		keys[i] = rows[i].Ref()
		rows[i].Reasons = rows[i].Detail.Reasons()
	}
	asked := slices.Clone(keys)
	for i := range rows {
		asked = append(asked, facts.FactRef{FTIN: keys[i].FTIN, Fact: rows[i].Outline()})
	}
	list, err := store.LoadWholePayments(ctx, w.Tx, slices.Compact(slices.SortedFunc(slices.Values(asked), facts.FactRef.Compare)))
	if err != nil {
		return nil, err
	}
	known := map[facts.FactRef][]*facts.Payment{}
	for i := range list {
		k := list[i].Ref()
		known[k] = append(known[k], &list[i])
	}
	outcomes := make([]ingest.Outcome, len(rows))
	for i := range rows {
		p, k := &rows[i], keys[i]
		at := slices.IndexFunc(known[k], func(q *facts.Payment) bool { return q.Occurrence == p.Occurrence })
		if at < 0 {
			if p.Bill, err = w.replaceOutline(ctx, known, *p); err != nil {
				return nil, err
			}
			if len(known[k]) == 0 {
				w.arrived.fresh[k] = true
			}
			known[k] = append(known[k], p)
			w.loaded.payments[k], w.arrived.freshPaid[p], w.arrived.touched[k] = known[k], true, true
			outcomes[i] = ingest.Imported
			continue
		}
		outcomes[i] = ingest.Unchanged
		old := known[k][at]
		changed, whole := old.MergeRetransmission(*p, w.Run)
		if changed {
			w.loaded.payments[k], w.arrived.rewritten[k], w.arrived.touched[k] = known[k], true, true
			w.arrived.whole[old] = w.arrived.whole[old] || whole
		}
	}
	return outcomes, w.derive(ctx)
}

// replaceOutline removes the outline of a payment, and returns the bill it was part of.
func (w *Batch) replaceOutline(ctx context.Context, known map[facts.FactRef][]*facts.Payment, p facts.Payment) (string, error) {
	k := facts.FactRef{FTIN: p.Reported.FTIN, Fact: p.Outline()}
	rows := known[k]
	if len(rows) == 0 {
		return "", nil
	}
	last := rows[len(rows)-1]
	known[k], w.arrived.touched[k] = rows[:len(rows)-1], true
	return last.Bill, w.remove(ctx, *last, len(known[k]))
}

// ImportSubmissions stores submissions and derives their bills.
func (w *Batch) ImportSubmissions(ctx context.Context, rows []facts.Submission) ([]ingest.Outcome, error) {
	keys := make([]facts.FactRef, len(rows))
	for i := range rows {
		keys[i] = rows[i].Ref()
	}
	known, err := store.LoadWholeSubmissions(ctx, w.Tx, keys)
	if err != nil {
		return nil, err
	}
	outcomes := make([]ingest.Outcome, len(rows))
	for i := range rows {
		s, k := &rows[i], keys[i]
		s.Bill, s.File = "", w.Run.SHA256
		old, isKnown := known[k]
		if !isKnown && w.loaded.submissions[k] == nil {
			w.loaded.submissions[k], w.arrived.fresh[k], w.arrived.touched[k] = s, true, true
			outcomes[i] = ingest.Imported
			continue
		}
		outcomes[i] = ingest.Unchanged
		at := w.loaded.submissions[k]
		if at == nil {
			at = &old
		}
		if kept, changed := s.Merge(*at, w.Run); changed {
			w.loaded.submissions[k], w.arrived.rewritten[k], w.arrived.touched[k] = kept, true, true
		}
	}
	if err := w.recordPayees(ctx); err != nil {
		return nil, err
	}
	return outcomes, w.derive(ctx)
}
