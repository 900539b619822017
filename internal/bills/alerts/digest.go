package alerts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
)

// digestArgs are the arguments of the job that enqueues summaries.
type digestArgs struct{}

// Kind returns the name of the job.
func (digestArgs) Kind() string { return "digest" }

// Jobs registers the job that enqueues summaries every 15 minutes.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, 15*time.Minute, digestArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[digestArgs]) error {
		return s.EnqueueDue(ctx)
	}))
}

// EnqueueDue enqueues the emails that are due. Each owner's email is enqueued together with its
// record in one transaction. So it's enqueued once, even if this is interrupted or repeated. A
// failure is retried the next time and doesn't delay the others.
func (s *Service) EnqueueDue(ctx context.Context) error {
	now := db.At(s.now())
	newest, err := newestChange(ctx, s.db.Reader)
	if err != nil {
		return err
	}
	users, err := dueUsers(ctx, s.db.Reader, now)
	if err != nil {
		return err
	}
	boxes, err := dueMailboxes(ctx, s.db.Reader, now)
	if err != nil {
		return err
	}
	watchers, err := dueWatchers(ctx, s.db.Reader, now)
	if err != nil {
		return err
	}
	var failed []error
	for _, u := range users {
		failed = append(failed, s.enqueueOwn(ctx, u, newest))
	}
	for _, m := range boxes {
		failed = append(failed, s.enqueueOffice(ctx, m, newest))
	}
	for _, u := range watchers {
		failed = append(failed, s.enqueueFollowed(ctx, u, newest))
	}
	return errors.Join(failed...)
}

// dueDigest is a summary to be enqueued.
type dueDigest struct {
	sentEmail
	to string
	Mailing
	Delivered
	scope    access.Scope
	visitors int // from the network, in the week before
	pass     func(ctx context.Context, tx *sql.Tx, was db.Instant, t Delivered) (int64, error)
}

func (s *Service) enqueueOwn(ctx context.Context, u userSettings, newest int64) error {
	to, err := s.users.ByID(ctx, u.UserID)
	if err != nil {
		return err
	}
	d := dueDigest{sentEmail: sentEmail{UserID: u.UserID}, Mailing: u.Mailing, Delivered: u.Delivered}
	d.pass = func(ctx context.Context, tx *sql.Tx, was db.Instant, t Delivered) (int64, error) {
		return passUser(ctx, tx, u.UserID, was, t)
	}
	if to.CanSignIn() { // an inactive user gets the missed updates later
		d.to = to.Email
		if d.scope, err = s.ownScope(ctx, to, u.Mailing); err != nil {
			return err
		}
		if d.visitors, err = s.countVisitors(ctx, s.db.Reader, to, u.Mailing, s.dueDay(u.NextAt)); err != nil {
			return err
		}
	}
	return s.enqueueDigest(ctx, d, newest)
}

// dueDay returns the day of a summary in the business's time zone.
func (s *Service) dueDay(due db.Instant) date.Date { return date.Of(due.In(s.now().Location())) }

// countVisitors counts the network staff who acted as users of an administrator's group in the
// week before a summary. It's 0 except in the first summary of a week.
func (s *Service) countVisitors(ctx context.Context, q db.Queryer, to users.User, m Mailing, day date.Date) (int, error) {
	at := day.Time()
	if to.TypeCd != access.PRAD || at.Weekday() != m.firstDay() {
		return 0, nil
	}
	end := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, s.now().Location())
	return s.visits.CountVisitors(ctx, q, to.GroupID, end.AddDate(0, 0, -7), end)
}

func (s *Service) ownScope(ctx context.Context, to users.User, m Mailing) (access.Scope, error) {
	tins, err := s.scopes.ListTINs(ctx, to.Person())
	return m.narrow(access.NewScope(tins)), err
}

func (s *Service) enqueueOffice(ctx context.Context, m Mailbox, newest int64) error {
	scope, err := s.groupScope(ctx, m.GroupID)
	if err != nil {
		return err
	}
	active, err := s.users.IsGroupActive(ctx, m.GroupID)
	if err != nil {
		return err
	}
	to := ""
	if active { // an inactive group gets the missed updates later
		to = m.Email
	}
	return s.enqueueDigest(ctx, dueDigest{
		sentEmail: sentEmail{MailboxID: m.ID}, to: to, Mailing: m.Mailing, Delivered: m.Delivered, scope: m.narrow(scope),
		pass: func(ctx context.Context, tx *sql.Tx, was db.Instant, t Delivered) (int64, error) {
			return passMailbox(ctx, tx, m.ID, was, t)
		},
	}, newest)
}

// enqueueDigest enqueues a summary, if it has any updates, and advances its owner's position.
func (s *Service) enqueueDigest(ctx context.Context, d dueDigest, newest int64) error {
	today := s.today()
	d.Window = Window{From: d.Change, To: newest, Since: d.Day, Today: today}
	news, err := s.countUpdates(ctx, s.db.Reader, d.scope, d.Window, d.Kinds)
	if err != nil {
		return err
	}
	next := d.Delivered
	next.NextAt = d.next(s.now())
	d.Period, d.At = string(s.dueDay(d.NextAt)), db.At(s.now())
	tells := d.to != "" && !d.hasLostTINs(d.scope) && (len(news) > 0 || d.visitors > 0 || d.QuietWeeks && d.MailedOn.AddDays(7) <= today)
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		next := next
		id, posted, err := int64(0), false, error(nil)
		if tells {
			id, posted, err = addSent(ctx, tx, d.sentEmail)
		}
		if err != nil {
			return err
		}
		if posted {
			next.MailedOn = today
		}
		if posted || d.to != "" && len(news) == 0 {
			next.Change, next.Day = newest, today
		}
		n, err := d.pass(ctx, tx, d.NextAt, next)
		switch {
		case err != nil:
			return err
		case n == 0:
			return errAdvanced
		case posted:
			return s.mails.Enqueue(ctx, tx, mailNews, d.to, id)
		}
		return nil
	})
	if errors.Is(err, errAdvanced) {
		return nil
	}
	return err
}

// errAdvanced is returned if another worker has already advanced the owner's position and
// enqueues the email.
var errAdvanced = errors.New("the digest is no longer due")

// enqueueFollowed enqueues an email about changes to bills that a user follows, at most once an
// hour.
func (s *Service) enqueueFollowed(ctx context.Context, u userSettings, newest int64) error {
	to, err := s.users.ByID(ctx, u.UserID)
	if err != nil || !to.CanSignIn() || newest <= u.WatchChange {
		return err
	}
	scope, err := s.ownScope(ctx, to, Mailing{})
	if err != nil {
		return err
	}
	what := sentEmail{UserID: u.UserID, Period: u.WatchAt.Format(time.RFC3339Nano),
		Window: Window{From: u.WatchChange, To: newest, Since: s.today(), Today: s.today()}, At: db.At(s.now())}
	n, err := countWatched(ctx, s.db.Reader, scope, u.UserID, what.Window)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		next := u.WatchAt
		if n > 0 {
			next = db.At(s.now().Add(time.Hour))
		}
		passed, err := passWatcher(ctx, tx, u.UserID, u.WatchAt, next, newest)
		if err != nil || passed == 0 || n == 0 {
			return err
		}
		id, first, err := addSent(ctx, tx, what)
		if err != nil || !first {
			return err
		}
		return s.mails.Enqueue(ctx, tx, mailWatched, to.Email, id)
	})
}
