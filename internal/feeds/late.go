package feeds

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/text"
)

// LateArgs are the arguments of the job that checks for late files.
type LateArgs struct{}

// Kind returns the job kind.
func (LateArgs) Kind() string { return "feed-late" }

// QualityArgs are the arguments of the job that calculates daily data quality.
type QualityArgs struct{}

// Kind returns the job kind.
func (QualityArgs) Kind() string { return "feed-quality" }

// Jobs registers the jobs that check for late files and calculate daily totals. They run every
// few minutes, because totals include the current day.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, 5*time.Minute, LateArgs{}, func(ctx context.Context, _ *river.Job[LateArgs]) error { return s.AlertLate(ctx) })
	jobs.Every(r, 15*time.Minute, QualityArgs{}, func(ctx context.Context, _ *river.Job[QualityArgs]) error { return s.SumDays(ctx) })
}

// AlertLate emails the owner of each source with a late file, once per expected time, even if several
// instances check concurrently.
func (s *Service) AlertLate(ctx context.Context) error {
	list, err := s.Sources(ctx)
	if err != nil {
		return err
	}
	for _, l := range list {
		if l.LateFrom.IsZero() || l.OwnerMail == "" || !l.AlertedFor.Before(l.LateFrom) {
			continue
		}
		if err := s.db.Tx(ctx, func(tx *sql.Tx) error {
			first, err := markAlerted(ctx, tx, l.ID, db.At(l.LateFrom))
			if err != nil || !first {
				return err
			}
			return s.mails.Enqueue(ctx, tx, mailLate, l.OwnerMail, l.ID)
		}); err != nil {
			return err
		}
	}
	return nil
}

const mailLate = "feed-late"

// Emails returns the alert. It is dropped if the file has arrived in the meantime.
func (s *Service) Emails() []mail.Email {
	return []mail.Email{{Kind: mailLate, Compose: func(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
		x, err := sourceByID(ctx, tx, id)
		if err != nil {
			return mail.Content{}, db.IfNotFound(err, mail.ErrObsolete)
		}
		l, err := s.withStatus(ctx, tx, x)
		if err == nil && l.LateFrom.IsZero() {
			err = mail.ErrObsolete
		}
		if err != nil {
			return mail.Content{}, err
		}
		last := "none so far"
		if !l.LastAt.IsZero() {
			last = s.formatTime(l.LastAt.Time)
		}
		return mail.Content{
			Subject:    "A file is late: " + l.Name,
			Greeting:   "Hello,",
			Paragraphs: []string{"An expected file hasn't arrived."},
			Facts: []mail.Fact{
				{Label: "Source", Value: l.Name}, {Label: "Expected", Value: s.formatTime(l.LateFrom)},
				{Label: "Allowed delay", Value: text.FormatCount(l.GraceMinutes, "minute", "minutes")}, {Label: "Last file", Value: last},
			},
			Button:  &mail.Link{Text: "Open Imports", URL: s.url + "/wcpp/desk/feeds"},
			Closing: []string{"You won't get another email about this file. We'll email again when another file is late."},
		}, nil
	}}}
}

func (s *Service) formatTime(t time.Time) string {
	return t.In(s.zone).Format("Monday, ") + date.FormatTime(t, s.zone)
}

var lateMetric = prometheus.NewDesc("wcpp_feed_late", "1 if an expected file of a source is late, otherwise 0.", []string{"source"}, nil)

// Describe and Collect make the service a metric of late sources, by id.
func (s *Service) Describe(out chan<- *prometheus.Desc) { out <- lateMetric }

// Collect queries the database at each scrape.
func (s *Service) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	list, err := s.Sources(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(lateMetric, err)
		return
	}
	for _, l := range list {
		late := 0.0
		if !l.LateFrom.IsZero() {
			late = 1
		}
		out <- prometheus.MustNewConstMetric(lateMetric, prometheus.GaugeValue, late, strconv.FormatInt(l.ID, 10))
	}
}
