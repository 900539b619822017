package ledger

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
)

// UpdateDueDates recalculates the next due date of the bills after a position, at most limit
// bills of one TIN. It returns the new position, or a zero position after the last bill.
func (l *Ledger) UpdateDueDates(ctx context.Context, after store.OpenPlace, limit int) (store.OpenPlace, error) {
	if after.FTIN == "" || after.Bill == "" {
		next, err := store.NextOpen(ctx, l.needs.DB.Reader, after.FTIN)
		if err != nil || next == "" {
			return store.OpenPlace{}, err
		}
		after = store.OpenPlace{FTIN: next}
	}
	reached := store.OpenPlace{FTIN: after.FTIN} // the whole TIN
	err := l.needs.DB.Tx(ctx, func(tx *sql.Tx) error {
		w, err := batch.Begin(ctx, l.needs, tx, map[string]bool{after.FTIN: true})
		if err != nil {
			return err
		}
		list, err := store.ListOpenAfter(ctx, tx, after, limit)
		if err != nil {
			return err
		}
		dueOf, err := w.DueDates.Rules(ctx, tx)
		if err != nil {
			return err
		}
		// Only the payer's deadlines count from its receipt.
		waiting := slices.DeleteFunc(slices.Clone(list), func(b facts.Bill) bool { return b.OpenState.NextToAct() != billstate.Payer })
		received, err := store.FindPayerReceipts(ctx, tx, waiting)
		if err != nil {
			return err
		}
		var changed []facts.Bill
		for _, b := range list {
			if due := dueOf(b, received[b.Ref()]); due != b.NextDue {
				b.NextDue = due
				changed = append(changed, b)
			}
		}
		if len(list) == limit {
			last := list[limit-1]
			reached.Since, reached.Bill = last.BeginServiceDate, last.Key()
		}
		if len(changed) == 0 {
			return nil
		}
		return errors.Join(store.PutDue(ctx, tx, changed), store.NoteRecount(ctx, tx, after.FTIN))
	})
	return reached, err
}
