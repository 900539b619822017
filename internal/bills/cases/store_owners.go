package cases

import (
	"context"
	"database/sql"
)

// listOwned lists the open cases of a staff member, locked by the given clause.
func listOwned(ctx context.Context, tx *sql.Tx, owner int64, lock string) ([]Case, error) {
	return cases.Select(ctx, tx, `WHERE owner_id = $1 AND state IN ('OPEN', 'WAITING') ORDER BY due_at, id`+lock, owner)
}
