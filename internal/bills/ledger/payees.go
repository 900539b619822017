package ledger

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
)

// Some remittances give only the payee's NPI, and several offices can bill under it. Their
// content is stored by NPI. Each payment is placed under the TIN with a bill that proves it.
// Only staff see payments without proof. New files and staff decisions place payments again, so
// their order doesn't matter.

// RefreshPayeeTINs queries the directory for the TINs of all payees known by NPI, and places
// affected payments again.
func (l *Ledger) RefreshPayeeTINs(ctx context.Context) error {
	npis, err := store.ListPayeeNPIs(ctx, l.needs.DB.Reader)
	if err != nil {
		return err
	}
	for _, npi := range npis {
		if err := l.needs.DB.Tx(ctx, func(tx *sql.Tx) error {
			w, err := batch.Begin(ctx, l.needs, tx, map[string]bool{npi: true})
			if err != nil {
				return err
			}
			return w.AddDirectoryTINs(ctx, npi)
		}); err != nil {
			return err
		}
	}
	return l.PlacePayees(ctx)
}

// PlacePayees places payments to payees known by NPI under their TINs. It can be interrupted at
// any time and run concurrently.
func (l *Ledger) PlacePayees(ctx context.Context) error {
	for {
		npi, err := store.NextPayee(ctx, l.needs.DB.Reader)
		if err != nil || npi == "" {
			return err
		}
		for done := false; !done; {
			if err := l.needs.DB.Tx(ctx, func(tx *sql.Tx) (err error) {
				done, err = l.placeBatch(ctx, tx, npi)
				return err
			}); err != nil {
				return err
			}
		}
	}
}

// placeBatch places some checks of a payee, and reports whether none are left.
func (l *Ledger) placeBatch(ctx context.Context, tx *sql.Tx, npi string) (done bool, err error) {
	known, err := store.ListPayeeTINs(ctx, tx, npi)
	if err != nil {
		return false, err
	}
	// A payment can only be placed under a known TIN.
	held := map[string]bool{npi: true}
	for _, tin := range known {
		held[tin] = true
	}
	w, err := batch.Begin(ctx, l.needs, tx, held)
	if err != nil {
		return false, err
	}
	if now, err := store.ListPayeeTINs(ctx, tx, npi); err != nil || !slices.Equal(now, known) {
		return false, err // a TIN was added before its lock was taken, so try again with it
	}
	pending, err := store.ListPending(ctx, tx, npi)
	if err != nil || len(pending) == 0 {
		return true, err
	}
	for _, remittance := range pending {
		if err := w.PlaceCheck(ctx, facts.PayeeRef{NPI: npi, Remittance: remittance}, known); err != nil {
			return false, err
		}
	}
	return false, nil
}
