package desk

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

func add(ctx context.Context, tx *sql.Tx, n Sitting) (int64, error) {
	var id int64
	err := db.Get(ctx, tx, &id, `
		INSERT INTO desk_access (user_id, reason, reference, text, at) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
		n.UserID, n.Reason, n.Reference, n.Text, n.At)
	return id, err
}

// current is the newest sitting of a person that is open and began after the instant.
func current(ctx context.Context, q db.Queryer, userID int64, since db.Instant) (Sitting, error) {
	var n Sitting
	err := db.Get(ctx, q, &n, `
		SELECT id, user_id, reason, reference, text, at, ended_at FROM desk_access
		WHERE user_id = $1 AND ended_at IS NULL AND at > $2 ORDER BY id DESC LIMIT 1`, userID, since)
	return n, err
}

// endAll ends what is open of a person.
func endAll(ctx context.Context, tx *sql.Tx, userID int64, now db.Instant) error {
	_, err := db.Exec(ctx, tx, `UPDATE desk_access SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL`, userID, now)
	return err
}
