package mail

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
)

// Mail is an email in the outbox. Its text isn't stored.
type Mail struct {
	ID        int64
	Kind      Kind
	ToAddress string
	SubjectID int64 `db:"subject_id"`
	Status    string
	Attempts  int
	LastError string
	CreatedAt db.Instant
}

const mailColumns = `id, kind, to_address, subject_id, status, attempts, last_error, created_at`

func insertMail(ctx context.Context, tx *sql.Tx, kind Kind, to string, subject int64, now db.Instant) (int64, error) {
	return db.One[int64](ctx, tx, `
		INSERT INTO mails (kind, to_address, subject_id, status, created_at) VALUES ($1, $2, $3, 'waiting', $4) RETURNING id`,
		kind, to, subject, now)
}

func mailByID(ctx context.Context, q db.Queryer, id int64) (Mail, error) {
	return db.One[Mail](ctx, q, `SELECT `+mailColumns+` FROM mails WHERE id = $1`, id)
}

func noteMail(ctx context.Context, q db.Queryer, id int64, status, why string, doneAt db.Instant) error {
	return db.Run(ctx, q, `
		UPDATE mails SET status = $2, last_error = $3, done_at = $4, attempts = attempts + 1 WHERE id = $1`, id, status, why, doneAt)
}

// abandoned is the failure of an email without a job. The job was stopped in its last attempt, or deleted.
const abandoned = "The job that sends this email was stopped or deleted."

// failAbandoned marks waiting emails without an unfinished job as failed.
func failAbandoned(ctx context.Context, q db.Queryer, now db.Instant) error {
	return db.Run(ctx, q, `
		UPDATE mails SET status = 'failed', last_error = CASE WHEN last_error = '' THEN $1 ELSE last_error END, done_at = $2
		WHERE status = 'waiting' AND id NOT IN (SELECT CAST(args ->> 'mailId' AS bigint) FROM river_job
			WHERE kind = $3 AND state IN ('available', 'pending', 'retryable', 'running', 'scheduled'))`, abandoned, now, JobArgs{}.Kind())
}

func reviveMail(ctx context.Context, tx *sql.Tx, id int64) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE mails SET status = 'waiting', done_at = NULL WHERE id = $1 AND status = 'failed'`, id)
}

func failedMails(ctx context.Context, q db.Queryer) ([]Mail, error) {
	return db.List[Mail](ctx, q, `
		SELECT `+mailColumns+` FROM mails WHERE status = 'failed' OR status = 'waiting' AND attempts > 1
		ORDER BY created_at DESC LIMIT 200`)
}

func lastTo(ctx context.Context, q db.Queryer, address string) (Mail, error) {
	return db.One[Mail](ctx, q, `SELECT `+mailColumns+` FROM mails WHERE to_address = $1 ORDER BY id DESC LIMIT 1`, address)
}

// failedTo lists the failed emails to addresses, newest first.
func failedTo(ctx context.Context, q db.Queryer, addresses []string, limit int) ([]Mail, error) {
	args := []any{limit}
	args = append(args, db.Args(addresses)...)
	return db.List[Mail](ctx, q, `
		SELECT `+mailColumns+` FROM mails WHERE to_address IN (`+db.In(2, len(addresses))+
		`) AND status = 'failed' ORDER BY id DESC LIMIT $1`, args...)
}

func countFailed(ctx context.Context, q db.Queryer) (paging.Backlog, error) {
	return paging.CountWaiting(ctx, q, `SELECT created_at AS since FROM mails WHERE status = 'failed' ORDER BY created_at`)
}

var givenUpColumns = paging.Columns{
	"to": paging.Text("lower(to_address)"), "kind": paging.Text("kind"), "error": paging.Text("lower(last_error)"),
	"since": paging.Day("created_at"),
}

func failedPage(ctx context.Context, q db.Queryer, d db.Dialect, t paging.Table) ([]Mail, int, error) {
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: mailColumns, From: "FROM mails WHERE status = 'failed'", Columns: givenUpColumns, Order: "created_at, id",
	}, paging.Rows[Mail])
}

// endMail returns 0 if the email isn't a failed one.
func endMail(ctx context.Context, tx *sql.Tx, id int64) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE mails SET status = 'dropped' WHERE id = $1 AND status = 'failed'`, id)
}

// deleteOldMails deletes some completed emails.
func deleteOldMails(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM mails WHERE id IN (SELECT id FROM mails WHERE status IN ('sent', 'dropped') AND created_at < $1
			LIMIT $2)`, before, db.BatchSize)
}
