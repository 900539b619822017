package users

import (
	"context"
	"database/sql"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

func setStaffRole(ctx context.Context, tx *sql.Tx, g access.UserGrant, role access.Role, now db.Instant) error {
	return db.Run(ctx, tx, `
		UPDATE users SET staff_role = $2, updated_at = $3, updated_by = $4 WHERE id = $1`, g.ID(), role, now, g.By())
}

// listStaff lists the network's staff by name, up to 1,000. It finds them by their missing group.
func listStaff(ctx context.Context, q db.Queryer) ([]User, error) {
	return userTable.Select(ctx, q, `
		WHERE group_id IS NULL AND type_cd IN ('IRAD', 'ISAD')
		ORDER BY first_name_key, last_name_key, id LIMIT 1000`)
}

// shareUser prevents changes of an account until the transaction ends. Others can still refer to it.
func shareUser(ctx context.Context, tx *sql.Tx, d db.Dialect, id int64) (User, error) {
	return userTable.Get(ctx, tx, `WHERE id = $1`+d.ForShare, id)
}
