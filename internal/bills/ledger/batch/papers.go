package batch

import (
	"context"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
)

// FindPaperBill finds the bill of a paper, or returns why it can't have the paper.
func (w *Batch) FindPaperBill(ctx context.Context, p facts.Paper) (b facts.Bill, refused string, err error) {
	found, err := store.LoadBills(ctx, w.Tx, []facts.BillRef{{FTIN: p.FTIN, Key: p.Bill}})
	if err == nil && len(found) == 0 {
		var key string
		if key, err = store.FindCurrentKey(ctx, w.Tx, p.FTIN, p.Bill); err == nil && key != "" {
			found, err = store.LoadBills(ctx, w.Tx, []facts.BillRef{{FTIN: p.FTIN, Key: key}})
		}
	}
	switch {
	case err != nil:
		return b, "", err
	case len(found) == 0:
		return b, "this TIN doesn't have the bill: import the archive again (--again) after the bill arrives", nil
	case p.Kind == facts.SheetPaper && !found[0].PricingSheet:
		return b, "the bill has an EOR, not a pricing sheet", nil
	case p.Kind == facts.EORPaper && found[0].PricingSheet:
		return b, "the bill has a pricing sheet, not an EOR", nil
	}
	return found[0], "", nil
}

// movePapers moves papers with bills that get other numbers or become part of another bill.
func (w *Batch) movePapers(ctx context.Context, moved []store.Renumbering) error {
	if len(moved) == 0 {
		return nil
	}
	keys := make([]facts.BillRef, len(moved))
	for i, m := range moved {
		keys[i] = m.From
	}
	found, err := store.LoadPapers(ctx, w.Tx, keys)
	if err != nil || len(found) == 0 {
		return err
	}
	for _, p := range found { // remove all before adding any, because bills can swap numbers
		if err := store.RemovePaper(ctx, w.Tx, p); err != nil {
			return err
		}
	}
	for i := range found {
		at := slices.IndexFunc(moved, func(m store.Renumbering) bool {
			return m.From == facts.BillRef{FTIN: found[i].FTIN, Key: found[i].Bill}
		})
		found[i].Bill = moved[at].To
		if err := store.PutPapers(ctx, w.Tx, found[i:i+1]); err != nil { // two may be the same now
			return err
		}
	}
	return nil
}
