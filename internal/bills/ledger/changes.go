package ledger

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// ChangesAfter returns the changes to bills of TINs in scope since the change with the given id,
// oldest first, up to limit. Ids are assigned in the order in which changes become visible. So a
// reader that remembers its last id misses no change and sees none twice.
func (l *Ledger) ChangesAfter(ctx context.Context, scope access.Scope, id int64, limit int) ([]facts.Change, error) {
	// The TINs are queried one after another. Changes that arrive during the queries are left
	// for the next request.
	newest, err := store.GetLastChange(ctx, l.needs.DB.Reader)
	if err != nil {
		return nil, err
	}
	var list []facts.Change
	for _, tin := range scope.TINs() {
		found, err := store.ListChangesAfter(ctx, l.needs.DB.Reader, tin, id, newest, limit)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	slices.SortFunc(list, func(a, b facts.Change) int { return int(a.ID - b.ID) })
	return list[:min(limit, len(list))], nil
}

// Cleanup deletes old changes to bills. It's safe to repeat.
func (l *Ledger) Cleanup(ctx context.Context) error {
	days := l.settings.ChangeKeepDays
	if days == 0 { // forever
		return nil
	}
	return l.needs.DB.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) {
		return store.DeleteOldChanges(ctx, tx, db.At(l.needs.Now().AddDate(0, 0, -days)))
	})
}
