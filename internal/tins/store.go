package tins

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

func groupTINs(ctx context.Context, q db.Queryer, groupID int64) ([]string, error) {
	var list []string
	err := db.Select(ctx, q, &list, `SELECT ftin FROM group_tins WHERE group_id = $1 ORDER BY ftin`, groupID)
	return list, err
}

// userTINs leaves out what the group no longer has.
func userTINs(ctx context.Context, q db.Queryer, userID int64) ([]string, error) {
	var list []string
	err := db.Select(ctx, q, &list, `
		SELECT t.ftin FROM user_tins t
		JOIN users u ON u.id = t.user_id
		JOIN group_tins g ON g.group_id = u.group_id AND g.ftin = t.ftin
		WHERE t.user_id = $1 ORDER BY t.ftin`, userID)
	return list, err
}

func groupHas(ctx context.Context, tx *sql.Tx, groupID int64, ftin string) (bool, error) {
	var n int
	err := db.Get(ctx, tx, &n, `SELECT count(*) FROM group_tins WHERE group_id = $1 AND ftin = $2`, groupID, ftin)
	return n > 0, err
}

func insertGroupTIN(ctx context.Context, tx *sql.Tx, l Link, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO group_tins (group_id, ftin, added_at, updated_by) VALUES ($1, $2, $3, 'feed')
		ON CONFLICT (group_id, ftin) DO NOTHING`, l.GroupID, l.FTIN, now)
}

func insertUserTIN(ctx context.Context, tx *sql.Tx, l Link, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO user_tins (user_id, ftin, added_at, updated_by) VALUES ($1, $2, $3, 'feed')
		ON CONFLICT (user_id, ftin) DO NOTHING`, l.UserID, l.FTIN, now)
}
