package deadletter

import (
	"context"
	"database/sql"
	"time"

	"wcpp/internal/platform/db"
)

// watch records up to which time failures are counted and reported.
type watch struct {
	CountedUntil db.Instant
	MailedUntil  db.Instant
	MailedFrom   db.Instant // of the last email, which covers failures until MailedUntil
	MailedAt     db.Instant
}

// setBack returns the watch without times that are still to come.
func (w watch) setBack(now, until db.Instant) watch {
	w.CountedUntil = until
	if w.MailedUntil.After(until.Time) {
		w.MailedUntil = until
	}
	if w.MailedAt.After(now.Time) {
		w.MailedAt = now
	}
	return w
}

// begin starts to watch from a timestamp, unless a watch exists.
func begin(ctx context.Context, tx *sql.Tx, from db.Instant) error {
	return db.Run(ctx, tx, `INSERT INTO given_up_watch (id, counted_until, mailed_until) VALUES (1, $1, $1)
		ON CONFLICT DO NOTHING`, from)
}

// lockWatch reads the watch and locks it until the transaction ends.
func lockWatch(ctx context.Context, tx *sql.Tx, d db.Dialect) (watch, error) {
	return db.One[watch](ctx, tx, `SELECT counted_until, mailed_until, mailed_from, mailed_at FROM given_up_watch WHERE id = 1`+d.ForUpdate)
}

func saveWatch(ctx context.Context, tx *sql.Tx, w watch) error {
	return db.Run(ctx, tx, `UPDATE given_up_watch SET counted_until = $1, mailed_until = $2, mailed_from = $3, mailed_at = $4
		WHERE id = 1`,
		w.CountedUntil, w.MailedUntil, w.MailedFrom, w.MailedAt)
}

type count struct {
	Kind  string
	Count int64
}

// countJobs counts the failed jobs between two timestamps, by kind.
func countJobs(ctx context.Context, q db.Queryer, from, until db.Instant) ([]count, error) {
	return db.List[count](ctx, q, `
		SELECT kind, count(*) AS count FROM river_job WHERE state = 'discarded' AND finalized_at > $1 AND finalized_at <= $2 GROUP BY kind
			ORDER BY kind`,
		formatSecond(from), formatSecond(until))
}

// formatSecond formats a timestamp that compares correctly with River's in both databases. SQLite has
// texts such as 2026-03-02 15:04:05.999, which sort before this form of the same second.
func formatSecond(i db.Instant) string { return i.UTC().Format(time.DateTime + "Z") }

// countEmails counts the failed emails between two timestamps, except those of one kind.
func countEmails(ctx context.Context, q db.Queryer, from, until db.Instant, but string) (int64, error) {
	return db.One[int64](ctx, q, `
		SELECT count(*) FROM mails WHERE status = 'failed' AND done_at > $1 AND done_at <= $2 AND kind <> $3`, from, until, but)
}
