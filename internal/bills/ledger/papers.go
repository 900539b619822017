package ledger

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/ingest"
)

// SentPaper is a paper in a file, with any current or former number of its bill.
type SentPaper struct {
	facts.Paper
	Keep func(ctx context.Context) error // stores its content, once the paper is accepted
}

// ImportPapers stores papers with their bills, and records the change. A paper replaces the
// previous one of its kind. An archive has one of each kind per bill.
func (l *Ledger) ImportPapers(ctx context.Context, tx *sql.Tx, rows []SentPaper) ([]ingest.Outcome, error) {
	tins := map[string]bool{}
	for _, r := range rows {
		tins[r.FTIN] = true
	}
	w, err := begin(ctx, l.needs, tx, tins) // so that no bill gets another number during the import
	if err != nil {
		return nil, err
	}
	outcomes := make([]ingest.Outcome, len(rows))
	var happened []facts.Change
	for i, r := range rows {
		b, refused, err := w.findPaperBill(ctx, r.Paper)
		if err != nil {
			return nil, err
		}
		if refused != "" {
			outcomes[i] = ingest.Rejected(refused)
			continue
		}
		r.Bill, r.Archive, r.ImportedAt = b.Key(), w.run.SHA256, w.at
		known, err := store.ListPapers(ctx, tx, b)
		if err != nil {
			return nil, err
		}
		if last, is := facts.FindLatestPaper(known, r.Kind); is && last.SHA256 == r.SHA256 {
			outcomes[i] = ingest.Unchanged
			continue
		} else if is && last.Archive == r.Archive {
			outcomes[i] = ingest.Rejected("the archive has another document of this kind for the bill")
			continue
		}
		if err := r.Keep(ctx); err != nil {
			return nil, err
		}
		if err := store.PutPapers(ctx, tx, []facts.Paper{r.Paper}); err != nil {
			return nil, err
		}
		outcomes[i] = ingest.Imported
		happened = append(happened, facts.Change{
			FTIN: b.FTIN, Bill: b.Key(), Kind: facts.Document, Status: b.BillStatus, OccurredOn: date.Of(w.at.UTC()), At: w.at,
			Quiet: w.run.Quiet,
		})
	}
	return outcomes, w.storeChanges(ctx, happened)
}

// findPaperBill finds the bill of a paper, or returns why it can't have the paper.
func (w *batch) findPaperBill(ctx context.Context, p facts.Paper) (b facts.Bill, refused string, err error) {
	found, err := store.LoadBills(ctx, w.tx, []facts.BillRef{{FTIN: p.FTIN, Key: p.Bill}})
	if err == nil && len(found) == 0 {
		var key string
		if key, err = store.FindCurrentKey(ctx, w.tx, p.FTIN, p.Bill); err == nil && key != "" {
			found, err = store.LoadBills(ctx, w.tx, []facts.BillRef{{FTIN: p.FTIN, Key: key}})
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
func (w *batch) movePapers(ctx context.Context, moved []store.Renumbering) error {
	if len(moved) == 0 {
		return nil
	}
	keys := make([]facts.BillRef, len(moved))
	for i, m := range moved {
		keys[i] = m.From
	}
	found, err := store.LoadPapers(ctx, w.tx, keys)
	if err != nil || len(found) == 0 {
		return err
	}
	for _, p := range found { // remove all before adding any, because bills can swap numbers
		if err := store.RemovePaper(ctx, w.tx, p); err != nil {
			return err
		}
	}
	for i := range found {
		at := slices.IndexFunc(moved, func(m store.Renumbering) bool {
			return m.From == facts.BillRef{FTIN: found[i].FTIN, Key: found[i].Bill}
		})
		found[i].Bill = moved[at].To
		if err := store.PutPapers(ctx, w.tx, found[i:i+1]); err != nil { // two may be the same now
			return err
		}
	}
	return nil
}
