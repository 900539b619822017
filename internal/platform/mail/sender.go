package mail

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
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
	"wcpp/internal/platform/module"
)

// ErrObsolete is returned by a Composer for an email that is no longer needed, such as one with a
// replaced link.
var ErrObsolete = errors.New("this email is no longer needed")

// Composer composes the text of an email just before it is sent, from its subject. It creates the
// tokens of links, so that no token is stored.
type Composer func(ctx context.Context, tx *sql.Tx, subject int64) (Content, error)

// Email is a kind of email that can be sent.
type Email struct {
	Kind    Kind
	Compose Composer
	// OnRefused runs when an email is permanently refused, in the transaction that records it. It
	// can be nil.
	OnRefused func(ctx context.Context, tx *sql.Tx, subject int64) error
}

// Sender composes and sends the emails in the outbox. The job retries for most of a day. Then the
// email is stored as failed.
type Sender struct {
	db        *db.DB
	layout    Layout
	transport Transport
	now       func() time.Time
	log       *slog.Logger
	emails    map[Kind]Email
	outcomes  *prometheus.CounterVec
}

// SenderDeps are what the sender needs.
type SenderDeps struct {
	DB        *db.DB
	Clock     func() time.Time
	Log       *slog.Logger
	Layout    Layout
	Transport Transport
}

// NewSender returns a sender for these kinds of email.
func NewSender(d SenderDeps, emails ...Email) *Sender {
	s := &Sender{
		db: d.DB, layout: d.Layout, transport: d.Transport, now: d.Clock, log: d.Log, emails: map[Kind]Email{},
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "wcpp_mails_total", Help: "Emails by kind and outcome: sent, dropped, retried, failed.",
		}, []string{"kind", "outcome"}),
	}
	for _, e := range emails {
		s.emails[e.Kind] = e
	}
	return s
}

// Kinds returns the kinds of email that can be sent, sorted.
func (s *Sender) Kinds() []Kind { return slices.Sorted(maps.Keys(s.emails)) }

// Module returns the sender's module.
func (s *Sender) Module() module.Module {
	return module.Module{Jobs: func(r *jobs.Runner) { jobs.Work(r, s.Work) }, Metrics: []prometheus.Collector{s.outcomes}}
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

// Work sends an email, unless it is already completed. The job's attempt is stored first.
// If the program crashes just after the server accepted an email, it is sent twice rather than
// never, with the same Message-ID.
func (s *Sender) Work(ctx context.Context, job *river.Job[JobArgs]) error {
	m, err := mailByID(ctx, s.db.Writer, job.Args.MailID)
	if errors.Is(err, db.ErrNotFound) || err == nil && m.Status != "waiting" {
		return nil
	}
	if err != nil {
		return err
	}
	err = s.send(ctx, m)
	switch {
	case err == nil:
		return s.finish(ctx, m, "sent", "")
	case errors.Is(err, ErrObsolete):
		return s.finish(ctx, m, "dropped", "")
	case Permanent(err) || job.Attempt >= job.MaxAttempts:
		s.log.ErrorContext(ctx, "couldn't send email, no more retries", "mail", m.ID, "kind", m.Kind)
		return s.fail(ctx, m, err)
	default:
		s.log.WarnContext(ctx, "couldn't send email, retrying", "mail", m.ID, "kind", m.Kind, "attempt", job.Attempt)
		s.outcomes.WithLabelValues(string(m.Kind), "retried").Inc()
		return errors.Join(errNotYet, noteMail(context.WithoutCancel(ctx), s.db.Writer, m.ID, "waiting", err.Error(), db.Instant{}))
	}
}

func (s *Sender) send(ctx context.Context, m Mail) error {
	email, known := s.emails[m.Kind]
	if !known {
		return fmt.Errorf("unknown email kind %q", m.Kind)
	}
	var content Content
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		var err error
		content, err = email.Compose(ctx, tx, m.SubjectID)
		return err
	})
	if err != nil {
		return db.IfNotFound(err, ErrObsolete)
	}
	message, err := s.layout.Render(m.ToAddress, content)
	if err != nil {
		return err
	}
	message.ID = messageID(m, message)
	return s.transport.Send(ctx, message)
}

// messageID returns the same ID for each attempt of an email, so that a mail program can drop the
// duplicate of an interrupted one. With another text, such as a new link, it is another email.
func messageID(m Mail, message Message) string {
	sum := sha256.Sum256(fmt.Append(nil, m.ID, "\n", m.CreatedAt.RFC3339(), "\n", message.To, "\n", message.Subject, "\n", message.Text))
	return hex.EncodeToString(sum[:16])
}

// fail records why an email isn't retried, and calls the function for refused emails.
func (s *Sender) fail(ctx context.Context, m Mail, why error) error {
	s.outcomes.WithLabelValues(string(m.Kind), "failed").Inc()
	return s.db.Tx(context.WithoutCancel(ctx), func(tx *sql.Tx) error {
		if do := s.emails[m.Kind].OnRefused; do != nil && Permanent(why) {
			if err := do(context.WithoutCancel(ctx), tx, m.SubjectID); err != nil {
				return err
			}
		}
		return noteMail(context.WithoutCancel(ctx), tx, m.ID, "failed", why.Error(), db.At(s.now()))
	})
}

func (s *Sender) finish(ctx context.Context, m Mail, status, why string) error {
	s.outcomes.WithLabelValues(string(m.Kind), status).Inc()
	return noteMail(context.WithoutCancel(ctx), s.db.Writer, m.ID, status, why, db.At(s.now()))
}
