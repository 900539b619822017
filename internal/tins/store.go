package tins

import (
	"context"
	"database/sql"

	"wcpp/internal/access"
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

func insertGroupTIN(ctx context.Context, tx *sql.Tx, g access.GroupGrant, ftin string, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO group_tins (group_id, ftin, added_at, updated_by) VALUES ($1, $2, $3, $4)
		ON CONFLICT (group_id, ftin) DO NOTHING`, g.ID(), ftin, now, g.By())
}

func insertUserTIN(ctx context.Context, tx *sql.Tx, g access.UserGrant, ftin string, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO user_tins (user_id, ftin, added_at, updated_by) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id, ftin) DO NOTHING`, g.ID(), ftin, now, g.By())
}

func groupRecords(ctx context.Context, q db.Queryer, groupID int64, limit int) ([]GroupTIN, error) {
	var list []GroupTIN
	err := db.Select(ctx, q, &list, `
		SELECT ftin, added_at, updated_by FROM group_tins WHERE group_id = $1 ORDER BY added_at DESC, ftin LIMIT $2`, groupID, limit)
	return list, err
}

// deleteGroupTIN takes it from the group's users as well.
func deleteGroupTIN(ctx context.Context, tx *sql.Tx, g access.GroupGrant, ftin string) error {
	if _, err := db.Exec(ctx, tx, `
		DELETE FROM user_tins WHERE ftin = $2 AND user_id IN (SELECT id FROM users WHERE group_id = $1)`, g.ID(), ftin); err != nil {
		return err
	}
	_, err := db.Exec(ctx, tx, `DELETE FROM group_tins WHERE group_id = $1 AND ftin = $2`, g.ID(), ftin)
	return err
}

// holdersIn lists the provider users of a group to whom any of the TINs was given.
func holdersIn(ctx context.Context, q db.Queryer, groupID int64, ftins []string, limit int) ([]Holder, error) {
	args := []any{groupID, limit}
	for _, ftin := range ftins {
		args = append(args, ftin)
	}
	var list []Holder
	err := db.Select(ctx, q, &list, `
		SELECT u.user_name, u.first_name, u.last_name FROM users u JOIN user_tins t ON t.user_id = u.id
		WHERE u.group_id = $1 AND u.type_cd = 'PRUS' AND u.status_cd <> 'TERM' AND t.ftin IN (`+db.In(3, len(ftins))+`)
		GROUP BY u.id ORDER BY u.first_name_key, u.last_name_key, u.id LIMIT $2`, args...)
	return list, err
}

func deleteUserTINs(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM user_tins WHERE user_id = $1`, g.ID())
	return err
}

// At most so many groups or users are named as holders of a TIN.
const mostHolders = 2000

func groupsWith(ctx context.Context, q db.Queryer, ftin string) ([]int64, error) {
	var list []int64
	err := db.Select(ctx, q, &list, `SELECT group_id FROM group_tins WHERE ftin = $1 ORDER BY group_id LIMIT $2`, ftin, mostHolders)
	return list, err
}

func usersWith(ctx context.Context, q db.Queryer, ftin string) ([]int64, error) {
	var list []int64
	err := db.Select(ctx, q, &list, `
		SELECT t.user_id FROM user_tins t
		JOIN users u ON u.id = t.user_id
		JOIN group_tins g ON g.group_id = u.group_id AND g.ftin = t.ftin
		WHERE t.ftin = $1 AND u.type_cd = 'PRUS' ORDER BY t.user_id LIMIT $2`, ftin, mostHolders)
	return list, err
}
