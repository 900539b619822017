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

// ErrObsolete is what a Writer answers for a mail that nobody needs any more,
// such as one with a link that was replaced.
var ErrObsolete = errors.New("this email is no longer needed")

// Writer writes the letter of a mail when it is about to be sent, from what
// the mail is about. Links get their tokens here, so that no token is kept.
type Writer func(ctx context.Context, tx *sql.Tx, subject int64) (Letter, error)

// Outbox keeps the mails that are to go out: posted in the transaction that
// caused them, written and sent by a job, tried again for most of a day, and
// kept as failed after that.
type Outbox struct {
	db        *db.DB
	layout    Layout
	transport Transport
	now       func() time.Time
	log       *slog.Logger
	jobs      jobs.Queue
	writers   map[Kind]Writer
	refused   map[Kind]func(context.Context, *sql.Tx, int64) error
	again     func(ctx context.Context, tx *sql.Tx, id int64) error
	outcomes  *prometheus.CounterVec
	keepDays  int
	folder    string // of mails that are kept as files
}

// NewOutbox makes an outbox that puts its jobs into the queue.
func NewOutbox(d *db.DB, queue jobs.Queue, layout Layout, transport Transport, now func() time.Time, log *slog.Logger) *Outbox {
	return &Outbox{
		db: d, jobs: queue, layout: layout, transport: transport, now: now, log: log, writers: map[Kind]Writer{},
		refused: map[Kind]func(context.Context, *sql.Tx, int64) error{},
		again:   func(context.Context, *sql.Tx, int64) error { return nil },
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "wcpp_mails_total", Help: "Emails by kind and outcome: sent, dropped, retried, failed.",
		}, []string{"kind", "outcome"}),
	}
}

// Write names the writer of a kind of mail.
func (o *Outbox) Write(kind Kind, w Writer) { o.writers[kind] = w }

// Kinds returns the kinds of email that have a writer, sorted.
func (o *Outbox) Kinds() []Kind { return slices.Sorted(maps.Keys(o.writers)) }

// Refused names what is done, with the subject, when a mail of a kind is refused for
// good: in the transaction that notes so.
func (o *Outbox) Refused(kind Kind, do func(ctx context.Context, tx *sql.Tx, subject int64) error) {
	o.refused[kind] = do
}

// Jobs names the job that sends a mail.
func (o *Outbox) Jobs(r *jobs.Runner) { jobs.Work(r, o.Work) }

// Post puts a mail about a subject into the caller's transaction: both happen
// or neither.
func (o *Outbox) Post(ctx context.Context, tx *sql.Tx, kind Kind, to string, subject int64) error {
	if o.writers[kind] == nil {
		return fmt.Errorf("unknown email kind %q", kind)
	}
	id, err := insertMail(ctx, tx, kind, to, subject, db.At(o.now()))
	if err != nil {
		return err
	}
	return o.jobs.Insert(ctx, tx, JobArgs{MailID: id})
}

// Failed lists the mails that could not be sent so far: given up, or tried at
// least twice in vain. The newest first, at most 200.
func (o *Outbox) Failed(ctx context.Context) ([]Mail, error) { return failedMails(ctx, o.db.Reader) }

// LastTo is the last mail to an address; db.ErrNotFound where there is none.
func (o *Outbox) LastTo(ctx context.Context, address string) (Mail, error) {
	return lastTo(ctx, o.db.Reader, address)
}

// FailedTo lists the mails to some addresses that were given up: the newest first, at
// most so many.
func (o *Outbox) FailedTo(ctx context.Context, addresses []string, limit int) ([]Mail, error) {
	return failedTo(ctx, o.db.Reader, addresses, limit)
}

// GivenUp counts the mails that are not tried any more.
func (o *Outbox) GivenUp(ctx context.Context) (paging.Backlog, error) {
	return givenUp(ctx, o.db.Reader)
}

// GivenUpPage answers a page of them, the oldest first, and how many there are.
func (o *Outbox) GivenUpPage(ctx context.Context, t paging.Table) ([]Mail, int, error) {
	return givenUpPage(ctx, o.db.Reader, o.db.Dialect, t)
}

// End has a mail that was given up be needed by nobody; NotFound for any other.
func (o *Outbox) End(ctx context.Context, tx *sql.Tx, id int64) error {
	n, err := endMail(ctx, tx, id)
	if err == nil && n == 0 {
		err = problem.New(problem.NotFound)
	}
	return err
}

// OnAgain names what is done, in the transaction that has a failed mail tried once more.
func (o *Outbox) OnAgain(do func(ctx context.Context, tx *sql.Tx, id int64) error) { o.again = do }

// Again tries a failed mail once more.
func (o *Outbox) Again(ctx context.Context, id int64) error {
	return o.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := reviveMail(ctx, tx, id)
		if err != nil {
			return err
		}
		if n == 0 {
			return problem.New(problem.NotFound)
		}
		if err := o.again(ctx, tx, id); err != nil {
			return err
		}
		return o.jobs.Insert(ctx, tx, JobArgs{MailID: id})
	})
}

// Tidy forgets mails that are done since long. It is safe to repeat.
func (o *Outbox) Tidy(ctx context.Context) error {
	if o.keepDays == 0 {
		return nil
	}
	before := o.now().AddDate(0, 0, -o.keepDays)
	return errors.Join(
		o.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return deleteOldMails(ctx, tx, db.At(before)) }),
		forgetFiles(o.folder, before),
	)
}

// Keep has mails that are done, and those that lie as files in the folder, kept for as
// many days; 0: for ever.
func (o *Outbox) Keep(days int, folder string) { o.keepDays, o.folder = days, folder }

// JobArgs name the mail to send.
type JobArgs struct {
	MailID int64 `json:"mailId"`
}

// Kind names the job.
func (JobArgs) Kind() string { return "mail" }

// InsertOpts bounds the attempts: with River's waits, most of a day.
func (JobArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: jobs.Mail, MaxAttempts: 13}
}

// errNotYet stands for the cause in logs: what mail servers say names addresses,
// and is kept with the mail.
var errNotYet = errors.New("couldn't send email; the cause is stored with it")

// Work sends a mail. A mail that is done already is left alone; one that the
// server took just before the program ended is sent twice rather than never.
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
		return o.done(ctx, m, "sent", "")
	case errors.Is(err, ErrObsolete):
		return o.done(ctx, m, "dropped", "")
	case Permanent(err) || job.Attempt >= job.MaxAttempts:
		o.log.ErrorContext(ctx, "couldn't send email, no more retries", "mail", m.ID, "kind", m.Kind)
		return o.giveUp(ctx, m, err)
	default:
		o.log.WarnContext(ctx, "couldn't send email, retrying", "mail", m.ID, "kind", m.Kind, "attempt", job.Attempt)
		o.outcomes.WithLabelValues(string(m.Kind), "retried").Inc()
		return errors.Join(errNotYet, noteMail(context.WithoutCancel(ctx), o.db.Writer, m.ID, "waiting", err.Error(), db.Instant{}))
	}
}

func (o *Outbox) send(ctx context.Context, m Mail) error {
	write := o.writers[m.Kind]
	if write == nil {
		return fmt.Errorf("unknown email kind %q", m.Kind)
	}
	var letter Letter
	err := o.db.Tx(ctx, func(tx *sql.Tx) error {
		var err error
		letter, err = write(ctx, tx, m.SubjectID)
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return ErrObsolete
	}
	if err != nil {
		return err
	}
	message, err := o.layout.Write(m.ToAddress, letter)
	if err != nil {
		return err
	}
	return o.transport.Send(ctx, message)
}

// giveUp notes why a mail is not tried again, and tells whose it is that it was refused.
func (o *Outbox) giveUp(ctx context.Context, m Mail, why error) error {
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

func (o *Outbox) done(ctx context.Context, m Mail, status, why string) error {
	o.outcomes.WithLabelValues(string(m.Kind), status).Inc()
	return noteMail(context.WithoutCancel(ctx), o.db.Writer, m.ID, status, why, db.At(o.now()))
}
