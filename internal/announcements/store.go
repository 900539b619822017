package announcements

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

const columns = `id, text, kind, starts_at, ends_at, created_at, created_by`

// after lists the lines that end after a timestamp, earliest first.
func after(ctx context.Context, q db.Queryer, at db.Instant) ([]Announcement, error) {
	return db.List[Announcement](ctx, q, `SELECT `+columns+` FROM status_lines WHERE ends_at > $1 ORDER BY ends_at LIMIT 1000`, at)
}

// list returns the newest lines, up to the limit.
func list(ctx context.Context, q db.Queryer, limit int) ([]Announcement, error) {
	return db.List[Announcement](ctx, q, `SELECT `+columns+` FROM status_lines ORDER BY ends_at DESC LIMIT $1`, limit)
}

func lock(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (Announcement, error) {
	return db.One[Announcement](ctx, tx, `SELECT `+columns+` FROM status_lines WHERE id = $1`+dialect.ForUpdate, id)
}

func insert(ctx context.Context, tx *sql.Tx, l Announcement) (int64, error) {
	return db.One[int64](ctx, tx, `
		INSERT INTO status_lines (text, kind, starts_at, ends_at, created_at, created_by) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
		l.Text, l.Kind, l.StartsAt, l.EndsAt, l.CreatedAt, l.CreatedBy)
}

func endAt(ctx context.Context, tx *sql.Tx, id int64, at db.Instant) error {
	return db.Run(ctx, tx, `UPDATE status_lines SET ends_at = $2 WHERE id = $1`, id, at)
}

func remove(ctx context.Context, tx *sql.Tx, id int64) error {
	return db.Run(ctx, tx, `DELETE FROM status_lines WHERE id = $1`, id)
}
