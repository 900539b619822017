package ledger

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/date"
)

// due tells bills by when something is due about them.
func (w *work) due(ctx context.Context, concluded []*named) error {
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

// OpenPlace is one among the bills about which something is left to do: that of a
// bill, after which others come.
type OpenPlace struct {
	FTIN  string
	Since date.Date // the first service; 0001-01-01 without one
	Bill  string    // key
}

// Redue counts anew by when something is due about the next bills after a place, at
// most limit of one TIN, and answers where it came to; a zero place after the last.
func (l *Ledger) Redue(ctx context.Context, after OpenPlace, limit int) (OpenPlace, error) {
	if after.FTIN == "" || after.Bill == "" {
		next, err := nextOpen(ctx, l.db.Reader, after.FTIN)
		if err != nil || next == "" {
			return OpenPlace{}, err
		}
		after = OpenPlace{FTIN: next}
	}
	reached := OpenPlace{FTIN: after.FTIN} // all of the TIN
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
		var changed []Bill
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
