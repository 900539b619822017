// Package deadletter reports failed jobs and emails after their last attempt. It counts them and
// sends an email at most once a day.
package deadletter

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/validate"
)

// Settings configure the recipients.
type Settings struct {
	AlertMail string `env:"WCPP_ALERT_MAIL" placeholder:"ADDRESS" help:"Email address for daily failed-job and failed-email alerts."`
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.AlertMail == "" || validate.Email(s.AlertMail), "WCPP_ALERT_MAIL", "must be an email address")
}

// Service counts and reports failed jobs and emails.
type Service struct {
	db    *db.DB
	mails *mail.Outbox
	to    string
	desk  string
	log   *slog.Logger
	now   func() time.Time
	total *prometheus.CounterVec
}

// NewService returns the service. Emails contain the desk's address, if there is one.
func NewService(d *db.DB, mails *mail.Outbox, s Settings, desk string, log *slog.Logger, now func() time.Time) *Service {
	return &Service{db: d, mails: mails, to: s.AlertMail, desk: desk, log: log, now: now,
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "wcpp_jobs_given_up_total", Help: "Jobs that failed permanently, by kind; unsent emails count as mail.",
		}, []string{"kind"})}
}

// Emails returns the alert about failures.
func (s *Service) Emails() []mail.Email {
	return []mail.Email{{Kind: mailKind, Compose: s.composeReport}}
}

// Args are the arguments of the job that counts failures.
type Args struct{}

// Kind returns the job's kind.
func (Args) Kind() string { return "given-up" }

// Module returns the package's module.
func (s *Service) Module() module.Module {
	return module.Module{Metrics: []prometheus.Collector{s.total}, Jobs: func(r *jobs.Runner) {
		jobs.Every(r, time.Minute, Args{}, func(ctx context.Context, _ *river.Job[Args]) error { return s.ReportNew(ctx) })
	}, Retention: []retention.Item{retention.Forever("Time of the last failed-job count, one row", "given_up_watch")}}
}

const (
	mailKind mail.Kind = "given-up"
	// settleTime is the delay after which failures are surely committed.
	settleTime = time.Minute
	// interval is the minimum time between emails.
	interval = 24 * time.Hour
)

// ReportNew counts the failures since the last run, once even if several instances look. It sends an
// email if there are new failures and none was sent for a day.
func (s *Service) ReportNew(ctx context.Context) error {
	now := s.now()
	until := db.At(now.Add(-settleTime).Truncate(time.Second))
	var found []count
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := begin(ctx, tx, until); err != nil {
			return err
		}
		w, err := lockWatch(ctx, tx, s.db.Dialect)
		if err == nil && w.CountedUntil.After(now) { // the clock was ahead
			return saveWatch(ctx, tx, w.setBack(db.At(now), until))
		}
		if err != nil || !w.CountedUntil.Before(until.Time) {
			return err
		}
		if found, err = countFailures(ctx, tx, w.CountedUntil, until, ""); err != nil {
			return err
		}
		w.CountedUntil = until
		switch {
		case s.to == "":
			w.MailedUntil = until
		case w.MailedAt.IsZero() || !now.Before(w.MailedAt.Add(interval)):
			news, err := countFailures(ctx, tx, w.MailedUntil, until, string(mailKind))
			if err != nil {
				return err
			}
			if len(news) > 0 {
				w.MailedFrom, w.MailedUntil, w.MailedAt = w.MailedUntil, until, db.At(now)
				if err := s.mails.Enqueue(ctx, tx, mailKind, s.to, 1); err != nil {
					return err
				}
			}
		}
		return saveWatch(ctx, tx, w)
	})
	if err != nil {
		return err
	}
	for _, c := range found {
		s.total.WithLabelValues(c.Kind).Add(float64(c.Count))
		s.log.ErrorContext(ctx, "jobs failed permanently", "kind", c.Kind, "count", c.Count)
	}
	return nil
}

// countFailures counts the failures between two timestamps, except emails of one kind.
func countFailures(ctx context.Context, q db.Queryer, from, until db.Instant, but string) ([]count, error) {
	list, err := countJobs(ctx, q, from, until)
	if err != nil {
		return nil, err
	}
	mails, err := countEmails(ctx, q, from, until, but)
	if err != nil || mails == 0 {
		return list, err
	}
	job := mail.JobArgs{}.Kind()
	at, there := slices.BinarySearchFunc(list, job, func(c count, kind string) int { return cmp.Compare(c.Kind, kind) })
	if !there {
		list = slices.Insert(list, at, count{Kind: job})
	}
	list[at].Count += mails
	return list, nil
}

// composeReport lists failures by kind, without any personal data. It omits failures that were resolved
// in the meantime.
func (s *Service) composeReport(ctx context.Context, tx *sql.Tx, _ int64) (mail.Content, error) {
	w, err := lockWatch(ctx, tx, s.db.Dialect)
	if err != nil {
		return mail.Content{}, err
	}
	list, err := countFailures(ctx, tx, w.MailedFrom, w.MailedUntil, string(mailKind))
	if err == nil && len(list) == 0 {
		err = mail.ErrObsolete
	}
	if err != nil {
		return mail.Content{}, err
	}
	l := mail.Content{
		Subject: "Failed jobs", Greeting: "Hello,",
		Paragraphs: []string{"Some jobs or emails failed after all retries. They won't be retried automatically. Failures by kind:"},
		Closing:    []string{"We send this email at most once a day."},
	}
	for _, c := range list {
		l.Facts = append(l.Facts, mail.Fact{Label: c.Kind, Value: fmt.Sprint(c.Count)})
	}
	if s.desk != "" {
		l.Button = &mail.Link{Text: "Open service desk", URL: s.desk}
	}
	return l, nil
}
