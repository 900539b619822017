package ledger

import (
	"context"
	"database/sql"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/ingest"
)

// SentPaper is a paper in a file, with any current or former number of its bill.
type SentPaper struct {
	facts.Paper
	OnAccept func() // runs once the paper is accepted, in the transaction
}

// ImportPapers stores papers with their bills, and records the change. A paper replaces the
// previous one of its kind. An archive has one of each kind per bill.
func (l *Ledger) ImportPapers(ctx context.Context, tx *sql.Tx, rows []SentPaper) ([]ingest.Outcome, error) {
	tins := map[string]bool{}
	for _, r := range rows {
		tins[r.FTIN] = true
	}
	w, err := batch.Begin(ctx, l.needs, tx, tins) // so that no bill gets another number during the import
	if err != nil {
		return nil, err
	}
	outcomes := make([]ingest.Outcome, len(rows))
	var happened []facts.Change
	for i, r := range rows {
		b, refused, err := w.FindPaperBill(ctx, r.Paper)
		if err != nil {
			return nil, err
		}
		if refused != "" {
			outcomes[i] = ingest.Rejected(refused)
			continue
		}
		r.Bill, r.Archive, r.ImportedAt = b.Key(), w.Run.SHA256, w.At
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
		r.OnAccept()
		if err := store.PutPapers(ctx, tx, []facts.Paper{r.Paper}); err != nil {
			return nil, err
		}
		outcomes[i] = ingest.Imported
		happened = append(happened, facts.Change{
			FTIN: b.FTIN, Bill: b.Key(), Kind: facts.Document, Status: b.BillStatus, OccurredOn: date.Of(w.At.In(w.Zone)), At: w.At,
			Quiet: w.Run.Quiet,
		})
	}
	return outcomes, w.StoreChanges(ctx, happened)
}
