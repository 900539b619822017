package mail

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
)

// ErrObsolete is returned by a Composer for an email that is no longer needed, such as one with a
// replaced link.
var ErrObsolete = errors.New("this email is no longer needed")

// Composer composes the text of an email just before it is sent, from its subject. It creates the
// tokens of links, so that no token is stored.
type Composer func(ctx context.Context, tx *sql.Tx, subject int64) (Content, error)

// Outbox stores outgoing emails. An email is added in the transaction that caused it, and a job
// writes and sends it. The job retries for most of a day. Then the email is stored as failed.
type Outbox struct {
	db        *db.DB
	layout    Layout
	transport Transport
	now       func() time.Time
	log       *slog.Logger
	jobs      jobs.Queue
	composers map[Kind]Composer
	refused   map[Kind]func(context.Context, *sql.Tx, int64) error
	onRetry   func(ctx context.Context, tx *sql.Tx, id int64) error
	outcomes  *prometheus.CounterVec
	keepDays  int    // retention of completed emails; 0: forever
	folder    string // of emails stored as files
}

// OutboxDeps are what the outbox needs.
type OutboxDeps struct {
	DB        *db.DB
	Jobs      jobs.Queue
	Clock     func() time.Time
	Log       *slog.Logger
	Layout    Layout
	Transport Transport
	Folder    string // of emails stored as files; empty if there are none
	// OnRetry runs in the transaction that retries a failed email. It can be nil.
	OnRetry func(ctx context.Context, tx *sql.Tx, id int64) error
}

// NewOutbox returns an outbox that adds its jobs to the queue.
func NewOutbox(d OutboxDeps, settings Settings) *Outbox {
	o := &Outbox{
		db: d.DB, jobs: d.Jobs, layout: d.Layout, transport: d.Transport, now: d.Clock, log: d.Log, composers: map[Kind]Composer{},
		refused: map[Kind]func(context.Context, *sql.Tx, int64) error{},
		onRetry: d.OnRetry, keepDays: settings.MailKeepDays, folder: d.Folder,
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "wcpp_mails_total", Help: "Emails by kind and outcome: sent, dropped, retried, failed.",
		}, []string{"kind", "outcome"}),
	}
	if o.onRetry == nil {
		o.onRetry = func(context.Context, *sql.Tx, int64) error { return nil }
	}
	return o
}

// SetComposer registers the composer for a kind of email.
func (o *Outbox) SetComposer(kind Kind, w Composer) { o.composers[kind] = w }

// Kinds returns the kinds of email that have a composer, sorted.
func (o *Outbox) Kinds() []Kind { return slices.Sorted(maps.Keys(o.composers)) }

// OnRefused registers a function that runs when an email of a kind is permanently refused, in the
// transaction that records it.
func (o *Outbox) OnRefused(kind Kind, do func(ctx context.Context, tx *sql.Tx, subject int64) error) {
	o.refused[kind] = do
}

// Jobs registers the job that sends an email.
func (o *Outbox) Jobs(r *jobs.Runner) { jobs.Work(r, o.Work) }

// Enqueue adds an email about a subject in the caller's transaction, so both are committed or
// neither.
func (o *Outbox) Enqueue(ctx context.Context, tx *sql.Tx, kind Kind, to string, subject int64) error {
	if o.composers[kind] == nil {
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

// Cleanup deletes old completed emails. Repeating it is safe.
func (o *Outbox) Cleanup(ctx context.Context) error {
	if o.keepDays == 0 {
		return nil
	}
	before := o.now().AddDate(0, 0, -o.keepDays)
	return errors.Join(
		o.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteOldMails(ctx, tx, db.At(before)) }),
		deleteFiles(o.folder, before),
	)
}

// JobArgs identify the email to send.
type JobArgs struct {
	MailID int64 `json:"mailId"`
}

// Kind returns the job's kind.
func (JobArgs) Kind() string { return "mail" }

// InsertOpts limits the attempts. With River's delays, they take most of a day.
func (JobArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: jobs.Mail, MaxAttempts: 13}
}

// errNotYet replaces the cause in logs. Messages of mail servers contain addresses, so they are
// stored only with the email.
var errNotYet = errors.New("couldn't send email; the cause is stored with it")

// Work sends an email, unless it is already completed. If the program crashes just after the
// server accepted an email, it is sent twice rather than never.
func (o *Outbox) Work(ctx context.Context, job *river.Job[JobArgs]) error {
	m, err := mailByID(ctx, o.db.Writer, job.Args.MailID)
	if errors.Is(err, db.ErrNotFound) || err == nil && m.Status != "waiting" {
		return nil
	}
	if err != nil {
		return err
	}
	err = o.send(ctx, m)
	switch {
	case err == nil:
		return o.finish(ctx, m, "sent", "")
	case errors.Is(err, ErrObsolete):
		return o.finish(ctx, m, "dropped", "")
	case Permanent(err) || job.Attempt >= job.MaxAttempts:
		o.log.ErrorContext(ctx, "couldn't send email, no more retries", "mail", m.ID, "kind", m.Kind)
		return o.fail(ctx, m, err)
	default:
		o.log.WarnContext(ctx, "couldn't send email, retrying", "mail", m.ID, "kind", m.Kind, "attempt", job.Attempt)
		o.outcomes.WithLabelValues(string(m.Kind), "retried").Inc()
		return errors.Join(errNotYet, noteMail(context.WithoutCancel(ctx), o.db.Writer, m.ID, "waiting", err.Error(), db.Instant{}))
	}
}

func (o *Outbox) send(ctx context.Context, m Mail) error {
	write := o.composers[m.Kind]
	if write == nil {
		return fmt.Errorf("unknown email kind %q", m.Kind)
	}
	var content Content
	err := o.db.Tx(ctx, func(tx *sql.Tx) error {
		var err error
		content, err = write(ctx, tx, m.SubjectID)
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return ErrObsolete
	}
	if err != nil {
		return err
	}
	message, err := o.layout.Render(m.ToAddress, content)
	if err != nil {
		return err
	}
	return o.transport.Send(ctx, message)
}

// fail records why an email isn't retried, and calls the function for refused emails.
func (o *Outbox) fail(ctx context.Context, m Mail, why error) error {
	o.outcomes.WithLabelValues(string(m.Kind), "failed").Inc()
	return o.db.Tx(context.WithoutCancel(ctx), func(tx *sql.Tx) error {
		if do := o.refused[m.Kind]; do != nil && Permanent(why) {
			if err := do(context.WithoutCancel(ctx), tx, m.SubjectID); err != nil {
				return err
			}
		}
		return noteMail(context.WithoutCancel(ctx), tx, m.ID, "failed", why.Error(), db.At(o.now()))
	})
}

func (o *Outbox) finish(ctx context.Context, m Mail, status, why string) error {
	o.outcomes.WithLabelValues(string(m.Kind), status).Inc()
	return noteMail(context.WithoutCancel(ctx), o.db.Writer, m.ID, status, why, db.At(o.now()))
}
