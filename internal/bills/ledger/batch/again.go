package batch

import (
	"context"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/ingest"
)

// DeriveBillsAgain derives and stores bills that other rules derived, without announcing changes.
func (w *Batch) DeriveBillsAgain(ctx context.Context, list []facts.Bill) error {
	w.rewrite, w.Run = true, ingest.Run{Quiet: true}
	if err := w.loadRequested(ctx, list); err != nil {
		return err
	}
	return w.derive(ctx)
}

// DeriveChecksAgain derives checks that other rules derived, without announcing changes.
func (w *Batch) DeriveChecksAgain(ctx context.Context, checks map[facts.CheckRef]bool) error {
	w.Run = ingest.Run{Quiet: true}
	return w.deriveChecks(ctx, checks, nil)
}
