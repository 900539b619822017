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

// Args are the arguments of the job that opens reviews and sends reminders.
type Args struct{}

// Kind returns the job kind.
func (Args) Kind() string { return "access-reviews" }

// Jobs registers the job. It runs hourly but has work only once a day.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, time.Hour, Args{}, jobs.InParts(func(ctx context.Context, _ *river.Job[Args]) error { return s.RunDaily(ctx) }))
}

const (
	atOnce = 500 // groups or reviews per step
	// shortest is the minimum number of days that a group gets.
	shortest               = 14
	mailReminder mail.Kind = "access-review"
)

// reminders are the days before the due date when administrators get a reminder.
var reminders = []int{14, 3}

// quarterEnd returns the last day of a date's quarter.
func quarterEnd(d date.Date) date.Date {
	t := d.Time()
	return date.New(t.Year(), (t.Month()-1)/3*3+4, 1).AddDays(-1)
}

// getDueDate returns the due date of a review that opens today. It is the last day of the quarter,
// or of the next quarter if less than two weeks remain.
func getDueDate(today date.Date) date.Date {
	end := quarterEnd(today)
	if today.AddDays(shortest) > end {
		return quarterEnd(end.AddDays(1))
	}
	return end
}

// RunDaily runs the daily work. It counts bills opened on past days, postpones the reviews of inactive
// groups, opens the quarter's reviews, adds new users, sends reminders and applies the network's access rule to overdue reviews. It
// is safe to run twice or on several instances concurrently.
func (s *Service) RunDaily(ctx context.Context) error {
	if err := s.countOpened(ctx); err != nil {
		return err
	}
	today := s.today()
	if err := s.db.Tx(ctx, func(tx *sql.Tx) error { return postpone(ctx, tx, today.AddDays(shortest), getDueDate(today)) }); err != nil {
		return err
	}
	for after := int64(0); ; {
		ids, err := groupsToAsk(ctx, s.db.Reader, quarterEnd(today), after, atOnce)
		if err == nil && len(ids) > 0 {
			after = ids[len(ids)-1]
			err = s.db.Tx(ctx, func(tx *sql.Tx) error {
				for _, id := range ids {
					if err := open(ctx, tx, id, getDueDate(today), db.At(s.now())); err != nil {
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
			if err := s.updateReview(ctx, r, today); err != nil {
				return err
			}
			after = r
		}
		if len(list) < atOnce {
			return nil
		}
	}
}

func (s *Service) updateReview(ctx context.Context, r Review, today date.Date) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if today <= r.DueOn { // users who join later can't be confirmed by then
			if err := addPeople(ctx, tx, r.ID); err != nil {
				return err
			}
		}
		return s.remind(ctx, tx, r, today)
	})
	if err != nil || s.settings.ReviewEndDays == 0 || today <= r.DueOn.AddDays(s.settings.ReviewEndDays) {
		return err
	}
	due := r.DueOn.Time()
	ids, err := listUnconfirmed(ctx, s.db.Reader, r, db.At(time.Date(due.Year(), due.Month(), due.Day()+1, 0, 0, 0, 0, s.now().Location())))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.administration.EndUnreviewed(ctx, id, func(tx *sql.Tx) (bool, error) {
			return s.isUnconfirmed(ctx, tx, r.ID, id)
		}); err != nil {
			return err
		}
	}
	return nil
}

// isUnconfirmed reports whether a review is open and a person in it isn't confirmed. Until the
// transaction ends, neither changes.
func (s *Service) isUnconfirmed(ctx context.Context, tx *sql.Tx, review, userID int64) (bool, error) {
	r, err := lockReview(ctx, tx, s.db.Dialect, review)
	if err != nil || !r.FinishedAt.IsZero() {
		return false, err
	}
	p, err := getPerson(ctx, tx, r, userID)
	if errors.Is(err, db.ErrNotFound) { // no longer in the group
		return false, nil
	}
	return err == nil && p.Outcome() == Unanswered, err
}

// remind sends the due reminder. If two were missed, it sends only the later one.
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
	emails, err := s.users.ListAdminEmails(ctx, tx, r.GroupID)
	if err != nil {
		return err
	}
	for _, email := range emails {
		if err := s.mails.Enqueue(ctx, tx, mailReminder, email, r.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) reminderEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	r, err := reviewByID(ctx, tx, id)
	if err != nil {
		return mail.Content{}, err
	}
	if !r.FinishedAt.IsZero() || s.today() > r.DueOn {
		return mail.Content{}, mail.ErrObsolete
	}
	return mail.Content{
		Subject: s.brand + ": review who can see your bills", Greeting: "Hello,",
		Paragraphs: []string{"Please review who can see your group's bills by " + r.DueOn.US() + "."},
		Button:     &mail.Link{Text: "Open access review", URL: s.url + "/wcpp/work/access"},
		Closing:    []string{"Sign in to see the list of users. Reviews are due once a quarter."},
	}, nil
}

// countOpened counts past days that aren't counted yet, as far back as reviews show them.
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
	return nil
}

// Cleanup deletes expired counts of opened bills, and expired finished reviews, their people first. It is safe to
// repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	before := s.today().AddDays(-openedDays)
	err := errors.Join(
		s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteOpened(ctx, tx, before) }),
		s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteCounted(ctx, tx, before) }))
	if err != nil || s.settings.ReviewKeepDays == 0 {
		return err
	}
	old, err := finishedBefore(ctx, s.db.Reader, db.At(s.now().AddDate(0, 0, -s.settings.ReviewKeepDays)))
	for _, id := range old {
		err = errors.Join(err,
			s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return removeItems(ctx, tx, id) }),
			s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return removeReview(ctx, tx, id) }))
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
