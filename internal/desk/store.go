package desk

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

func add(ctx context.Context, tx *sql.Tx, n Session) (int64, error) {
	return db.One[int64](ctx, tx, `
		INSERT INTO desk_access (user_id, reason, reference, text, at) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
		n.UserID, n.Reason, n.Reference, n.Text, n.At)
}

// current returns a person's latest open support session that began after a timestamp.
func current(ctx context.Context, q db.Queryer, userID int64, since db.Instant) (Session, error) {
	return db.One[Session](ctx, q, `
		SELECT id, user_id, reason, reference, text, at, ended_at FROM desk_access
		WHERE user_id = $1 AND ended_at IS NULL AND at > $2 ORDER BY id DESC LIMIT 1`, userID, since)
}

// endAll ends a person's open support sessions.
func endAll(ctx context.Context, tx *sql.Tx, userID int64, now db.Instant) error {
	return db.Run(ctx, tx, `UPDATE desk_access SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL`, userID, now)
}

// countOpening counts an opened item in a support session.
func countOpening(ctx context.Context, tx *sql.Tx, id int64) error {
	return db.Run(ctx, tx, `UPDATE desk_access SET openings = openings + 1 WHERE id = $1`, id)
}

// deleteSessions deletes one batch of support sessions before a timestamp.
func deleteSessions(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM desk_access WHERE id IN (SELECT id FROM desk_access WHERE at < $1 LIMIT $2)`, before, db.BatchSize)
}

// viewedCount is how many items a person opened for a reason.
type viewedCount struct {
	UserName string
	TypeCd   string
	Reason   Reason
	Sittings int
	Openings int
}

// viewedBetween sums up the support sessions that began in a period. The end is exclusive.
func viewedBetween(ctx context.Context, q db.Queryer, from, before db.Instant) ([]viewedCount, error) {
	return db.List[viewedCount](ctx, q, `
		SELECT u.user_name, u.type_cd, t.reason, t.sittings, t.openings
		FROM (SELECT user_id, reason, count(*) AS sittings, sum(openings) AS openings FROM desk_access
			WHERE at >= $1 AND at < $2 GROUP BY user_id, reason) t
		JOIN users u ON u.id = t.user_id ORDER BY u.user_name_key, t.reason`, from, before)
}
