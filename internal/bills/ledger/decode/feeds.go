package decode

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/ingest"
)

// Names of the feeds of bills.
const (
	ClaimFeed = "837"
	TableFeed = "bills"
)

// storeFunc stores the rows of a file.
type storeFunc[T any] = func(ctx context.Context, tx *sql.Tx, rows []T) ([]ingest.Outcome, error)

// NewClaimFeed returns the feed of bills in X12 files.
func NewClaimFeed(store storeFunc[facts.Submission]) ingest.Feed {
	return ingest.Transaction(ClaimFeed, "837 professional, institutional and dental",
		slices.Concat(professionalGuides, institutionalGuides, dentalGuides), newClaimDecoder, store).AsOf("bills")
}

// NewPaymentFeed returns the feed of payments in X12 files.
func NewPaymentFeed(store storeFunc[facts.Remitted]) ingest.Feed {
	return ingest.Transaction("835", "835", []string{"005010X221", "004010X091"}, newPaymentDecoder, store).AsOf("bills")
}

// NewTableFeed returns the feed of tables of bills.
func NewTableFeed(store storeFunc[facts.Submission]) ingest.Feed {
	return ingest.Table(TableFeed, fileColumns, checkRow, store).AsOf("bills")
}
