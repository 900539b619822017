package ledger

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
)

// setDueDates sets the next due date of bills.
func (w *batch) setDueDates(ctx context.Context, concluded []*derive.UnnumberedBill) error {
	if w.dues == nil {
		return nil
	}
	dueOf, err := w.dues.Rules(ctx, w.tx)
	if err != nil {
		return err
	}
	for _, n := range concluded {
		n.Bill.NextDue = dueOf(n.Bill)
	}
	return nil
}

// UpdateDueDates recalculates the next due date of the bills after a position, at most limit
// bills of one TIN. It returns the new position, or a zero position after the last bill.
func (l *Ledger) UpdateDueDates(ctx context.Context, after OpenPlace, limit int) (OpenPlace, error) {
	if after.FTIN == "" || after.Bill == "" {
		next, err := nextOpen(ctx, l.db.Reader, after.FTIN)
		if err != nil || next == "" {
			return OpenPlace{}, err
		}
		after = OpenPlace{FTIN: next}
	}
	reached := OpenPlace{FTIN: after.FTIN} // the whole TIN
	err := l.db.Tx(ctx, func(tx *sql.Tx) error {
		w, err := l.begin(ctx, tx, map[string]bool{after.FTIN: true})
		if err != nil {
			return err
		}
		list, err := openAfter(ctx, tx, after, limit)
		if err != nil {
			return err
		}
		dueOf, err := w.dues.Rules(ctx, tx)
		if err != nil {
			return err
		}
		var changed []facts.Bill
		for _, b := range list {
			if due := dueOf(b); due != b.NextDue {
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
		return errors.Join(putDue(ctx, tx, changed), noteRecount(ctx, tx, after.FTIN))
	})
	return reached, err
}
