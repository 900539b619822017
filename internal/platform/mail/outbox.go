package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
)

// Outbox stores outgoing emails. An email is added in the transaction that caused it, and a job of
// the Sender composes and sends it.
type Outbox struct {
	db       *db.DB
	now      func() time.Time
	jobs     jobs.Queue
	onRetry  func(ctx context.Context, tx *sql.Tx, id int64) error
	keepDays int    // retention of completed emails; 0: forever
	folder   string // of emails stored as files
}

// OutboxDeps are what the outbox needs.
type OutboxDeps struct {
	DB     *db.DB
	Jobs   jobs.Queue
	Clock  func() time.Time
	Folder string // of emails stored as files; empty if there are none
	// OnRetry runs in the transaction that retries a failed email. It can be nil.
	OnRetry func(ctx context.Context, tx *sql.Tx, id int64) error
}

// NewOutbox returns an outbox that adds its jobs to the queue.
func NewOutbox(d OutboxDeps, settings Settings) *Outbox {
	o := &Outbox{db: d.DB, jobs: d.Jobs, now: d.Clock, onRetry: d.OnRetry, keepDays: settings.MailKeepDays, folder: d.Folder}
	if o.onRetry == nil {
		o.onRetry = func(context.Context, *sql.Tx, int64) error { return nil }
	}
	return o
}

// Enqueue adds an email about a subject in the caller's transaction, so both are committed or
// neither.
func (o *Outbox) Enqueue(ctx context.Context, tx *sql.Tx, kind Kind, to string, subject int64) error {
	if _, known := kind.Label(); !known {
		return fmt.Errorf("unknown email kind %q", kind)
	}
	id, err := insertMail(ctx, tx, kind, to, subject, db.At(o.now()))
	if err != nil {
		return err
	}
	return o.jobs.Insert(ctx, tx, JobArgs{MailID: id})
}

// Failed lists up to 200 emails that failed or had at least two failed attempts, newest first.
func (o *Outbox) Failed(ctx context.Context) ([]Mail, error) { return failedMails(ctx, o.db.Reader) }

// LastTo returns the last email to an address, or db.ErrNotFound.
func (o *Outbox) LastTo(ctx context.Context, address string) (Mail, error) {
	return lastTo(ctx, o.db.Reader, address)
}

// FailedTo lists up to limit failed emails to some addresses, newest first.
func (o *Outbox) FailedTo(ctx context.Context, addresses []string, limit int) ([]Mail, error) {
	return failedTo(ctx, o.db.Reader, addresses, limit)
}

// CountFailed counts the failed emails.
func (o *Outbox) CountFailed(ctx context.Context) (paging.Backlog, error) {
	return countFailed(ctx, o.db.Reader)
}

// FailedPage returns a page of failed emails, oldest first, and their number.
func (o *Outbox) FailedPage(ctx context.Context, t paging.Table) ([]Mail, int, error) {
	return failedPage(ctx, o.db.Reader, o.db.Dialect, t)
}

// Dismiss marks a failed email as no longer needed. It returns NotFound for any other email.
func (o *Outbox) Dismiss(ctx context.Context, tx *sql.Tx, id int64) error {
	n, err := endMail(ctx, tx, id)
	if err == nil && n == 0 {
		err = problem.New(problem.NotFound)
	}
	return err
}

// Retry retries a failed email.
func (o *Outbox) Retry(ctx context.Context, id int64) error {
	return o.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := reviveMail(ctx, tx, id)
		if err != nil {
			return err
		}
		if n == 0 {
			return problem.New(problem.NotFound)
		}
		if err := o.onRetry(ctx, tx, id); err != nil {
			return err
		}
		return o.jobs.Insert(ctx, tx, JobArgs{MailID: id})
	})
}

// Cleanup deletes old completed emails and marks those whose job is gone as failed, so that staff can retry
// them. Repeating it is safe.
func (o *Outbox) Cleanup(ctx context.Context) error {
	if err := failAbandoned(ctx, o.db.Writer, db.At(o.now())); err != nil || o.keepDays == 0 {
		return err
	}
	before := o.now().AddDate(0, 0, -o.keepDays)
	return errors.Join(
		o.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteOldMails(ctx, tx, db.At(before)) }),
		deleteFiles(o.folder, before),
	)
}
