package announcements

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

const columns = `id, text, kind, starts_at, ends_at, created_at, created_by`

// after lists the lines that end after a timestamp, earliest first.
func after(ctx context.Context, q db.Queryer, at db.Instant) ([]Announcement, error) {
	var list []Announcement
	err := db.Select(ctx, q, &list, `SELECT `+columns+` FROM status_lines WHERE ends_at > $1 ORDER BY ends_at LIMIT 1000`, at)
	return list, err
}

// list returns the newest lines, up to the limit.
func list(ctx context.Context, q db.Queryer, limit int) ([]Announcement, error) {
	var list []Announcement
	err := db.Select(ctx, q, &list, `SELECT `+columns+` FROM status_lines ORDER BY ends_at DESC LIMIT $1`, limit)
	return list, err
}

func lock(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (Announcement, error) {
	var l Announcement
	err := db.Get(ctx, tx, &l, `SELECT `+columns+` FROM status_lines WHERE id = $1`+dialect.ForUpdate, id)
	return l, err
}

func insert(ctx context.Context, tx *sql.Tx, l Announcement) (int64, error) {
	var id int64
	err := db.Get(ctx, tx, &id, `
		INSERT INTO status_lines (text, kind, starts_at, ends_at, created_at, created_by) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
		l.Text, l.Kind, l.StartsAt, l.EndsAt, l.CreatedAt, l.CreatedBy)
	return id, err
}

func endAt(ctx context.Context, tx *sql.Tx, id int64, at db.Instant) error {
	_, err := db.Exec(ctx, tx, `UPDATE status_lines SET ends_at = $2 WHERE id = $1`, id, at)
	return err
}

func remove(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM status_lines WHERE id = $1`, id)
	return err
}
