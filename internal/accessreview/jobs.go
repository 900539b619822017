package accessreview

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/text"
)

// Args are those of the job that opens reviews and reminds of them.
type Args struct{}

// Kind names the job.
func (Args) Kind() string { return "access-reviews" }

// Jobs names the job: it comes each hour, and finds something to do once a day.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, time.Hour, Args{}, jobs.InParts(func(ctx context.Context, _ *river.Job[Args]) error { return s.Keep(ctx) }))
}

const (
	atOnce = 500 // groups or reviews in a step
	// shortest is how many days a group has at least.
	shortest               = 14
	mailReminder mail.Kind = "access-review"
)

// reminders are how many days before the last one the administrators are reminded.
var reminders = []int{14, 3}

// quarterEnd is the last day of the quarter of a day.
func quarterEnd(d date.Date) date.Date {
	t := d.Time()
	return date.New(t.Year(), (t.Month()-1)/3*3+4, 1).AddDays(-1)
}

// dueFor is when a review is due that opens today: on the last day of the quarter, or
// of the next one where less than two weeks are left.
func dueFor(today date.Date) date.Date {
	end := quarterEnd(today)
	if today.AddDays(shortest) > end {
		return quarterEnd(end.AddDays(1))
	}
	return end
}

// Keep counts the bills that were opened on the days before, opens the reviews of the
// quarter, adds who came, reminds, and ends what the network has ended. It may run
// twice, or in several places at once.
func (s *Service) Keep(ctx context.Context) error {
	if err := s.countOpened(ctx); err != nil {
		return err
	}
	today := s.today()
	for after := int64(0); ; {
		ids, err := groupsToAsk(ctx, s.db.Reader, dueFor(today), after, atOnce)
		if err == nil && len(ids) > 0 {
			after = ids[len(ids)-1]
			err = s.db.Tx(ctx, func(tx *sql.Tx) error {
				for _, id := range ids {
					if err := open(ctx, tx, id, dueFor(today), db.At(s.now())); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err != nil {
			return err
		}
		if len(ids) < atOnce {
			break
		}
	}
	for after := (Review{DueOn: "0001-01-01"}); ; {
		list, err := openReviews(ctx, s.db.Reader, after, atOnce)
		if err != nil {
			return err
		}
		for _, r := range list {
			if err := s.keep(ctx, r, today); err != nil {
				return err
			}
			after = r
		}
		if len(list) < atOnce {
			return nil
		}
	}
}

func (s *Service) keep(ctx context.Context, r Review, today date.Date) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := addPeople(ctx, tx, r.ID); err != nil {
			return err
		}
		return s.remind(ctx, tx, r, today)
	})
	if err != nil || s.settings.ReviewEndDays == 0 || today <= r.DueOn.AddDays(s.settings.ReviewEndDays) {
		return err
	}
	due := r.DueOn.Time()
	ids, err := unconfirmed(ctx, s.db.Reader, r, db.At(time.Date(due.Year(), due.Month(), due.Day()+1, 0, 0, 0, 0, s.now().Location())))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.accounts.EndUnreviewed(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// remind mails the reminder that is due; of two that were missed the later one.
func (s *Service) remind(ctx context.Context, tx *sql.Tx, r Review, today date.Date) error {
	due := 0
	for n, days := range reminders {
		if today >= r.DueOn.AddDays(-days) && today <= r.DueOn {
			due = n + 1
		}
	}
	if due <= r.Reminded {
		return nil
	}
	n, err := remind(ctx, tx, r.ID, due)
	if err != nil || n == 0 {
		return err
	}
	emails, err := s.people.AdminEmails(ctx, tx, r.GroupID)
	if err != nil {
		return err
	}
	for _, email := range emails {
		if err := s.mails.Post(ctx, tx, mailReminder, email, r.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) reminderLetter(ctx context.Context, tx *sql.Tx, id int64) (mail.Letter, error) {
	r, err := reviewByID(ctx, tx, id)
	if err != nil {
		return mail.Letter{}, err
	}
	if !r.FinishedAt.IsZero() || s.today() > r.DueOn {
		return mail.Letter{}, mail.ErrObsolete
	}
	return mail.Letter{
		Subject: s.brand + ": review who can see your bills", Greeting: "Hello,",
		Paragraphs: []string{"Please review who can see your group's bills by " + r.DueOn.US() + "."},
		Button:     &mail.Link{Text: "Open access review", URL: s.url + "/wcpp/work/access"},
		Closing:    []string{"Sign in to see the list of users. Reviews are due once a quarter."},
	}, nil
}

// countOpened counts the days that are over and not yet counted, as far back as
// reviews tell, and forgets the days before that.
func (s *Service) countOpened(ctx context.Context) error {
	today := s.today()
	for ago := openedDays; ago >= 1; ago-- {
		day := today.AddDays(-ago)
		done, err := isCounted(ctx, s.db.Reader, day)
		if err == nil && !done {
			err = s.countDay(ctx, day)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(
		s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return forgetOpened(ctx, tx, today.AddDays(-openedDays)) }),
		s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return forgetCounted(ctx, tx, today.AddDays(-openedDays)) }),
	)
}

// KeepFor has reviews that are finished kept for as many days; 0: for ever.
func (s *Service) KeepFor(days int) { s.keepDays = days }

// Tidy removes reviews that were finished long ago, their people first. It is safe to
// repeat.
func (s *Service) Tidy(ctx context.Context) error {
	if s.keepDays == 0 {
		return nil
	}
	old, err := finishedBefore(ctx, s.db.Reader, db.At(s.now().AddDate(0, 0, -s.keepDays)))
	for _, id := range old {
		err = errors.Join(err,
			s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return removeItems(ctx, tx, id) }),
			s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return removeReview(ctx, tx, id) }))
	}
	return err
}

func (s *Service) countDay(ctx context.Context, day date.Date) error {
	begin := func(d date.Date) db.Instant {
		t := d.Time()
		return db.At(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, s.now().Location()))
	}
	list, err := openedBy(ctx, s.db.Reader, s.openings, begin(day), begin(day.AddDays(1)))
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := markCounted(ctx, tx, day)
		for _, o := range list {
			if err == nil && n > 0 {
				err = addOpened(ctx, tx, text.Key(o.Actor), day, o.Bills)
			}
		}
		return err
	})
}
