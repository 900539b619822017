package ledger

import (
	"context"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/ingest"
)

// deriveBillsAgain derives and stores bills that other rules derived, without announcing changes.
func (w *batch) deriveBillsAgain(ctx context.Context, list []facts.Bill) error {
	w.rewrite, w.run = true, ingest.Run{Quiet: true}
	if err := w.loadRequested(ctx, list); err != nil {
		return err
	}
	return w.derive(ctx)
}

// deriveChecksAgain derives checks that other rules derived, without announcing changes.
func (w *batch) deriveChecksAgain(ctx context.Context, checks map[facts.CheckRef]bool) error {
	w.run = ingest.Run{Quiet: true}
	return w.deriveChecks(ctx, checks, nil)
}
