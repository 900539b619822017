package ledger

import (
	"context"
	"database/sql"
	"fmt"

	"wcpp/internal/bills/ledger/decode"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/ingest"
)

// Feeds returns the feeds: bills and payments in X12 files, and tables of bills.
func (l *Ledger) Feeds() []ingest.Feed {
	feeds := []ingest.Feed{
		decode.NewClaimFeed(l.ImportSubmissions).WithMeasures(storedNames(HasClaimNumber, HasReceived, HasLines, HasValidNPI)...),
		decode.NewPaymentFeed(l.ImportRemitted).WithMeasures(storedNames(FindsBill, AddsUp, IsExplained)...),
		decode.NewTableFeed(l.importRows).WithMeasures(storedNames(HasClaimNumber, HasValidNPI)...),
	}
	for i := range feeds {
		// Bills are derived from all the facts, so the migration must be done first.
		feeds[i] = feeds[i].BeforeImport(func(ctx context.Context) error { return l.MigrateOldBills(ctx, nil) }).AfterImport(l.PlacePayees)
	}
	return feeds
}

// importRows imports table rows, each with the state of a bill. The last one counts, by the date
// in the file name or else by the start of the run, and by position.
func (l *Ledger) importRows(ctx context.Context, tx *sql.Tx, rows []facts.Submission) ([]ingest.Outcome, error) {
	run := ingest.CurrentRun(ctx)
	moment := run.StartedAt.UTC().Format("20060102T150405")
	if found, wrong := decode.ParseNameDate(run.File); found != "" {
		moment = found
	} else if wrong {
		ingest.Count(ctx, "rows of a file with an invalid date in its name, dated by the start of the import", int64(len(rows)))
	}
	for i := range rows {
		rows[i].Written = fmt.Sprintf("%s#%09d", moment, run.Position+int64(i))
	}
	return l.ImportSubmissions(ctx, tx, rows)
}
