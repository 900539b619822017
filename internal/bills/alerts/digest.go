package alerts

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
)

// digestArgs name the job that posts digests.
type digestArgs struct{}

// Kind names the job.
func (digestArgs) Kind() string { return "digest" }

// Jobs names the job that posts digests, each quarter of an hour.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, 15*time.Minute, digestArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[digestArgs]) error { return s.Post(ctx) }))
}

// Post posts the mails that are due. Each owner's is posted in one transaction with
// what notes it, so that it is posted once, whoever repeats this or wherever it is
// stopped; who fails is tried again the next time, and keeps nobody waiting.
func (s *Service) Post(ctx context.Context) error {
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
		failed = append(failed, s.postOwn(ctx, u, newest))
	}
	for _, m := range boxes {
		failed = append(failed, s.postOffice(ctx, m, newest))
	}
	for _, u := range watchers {
		failed = append(failed, s.postWatched(ctx, u, newest))
	}
	return errors.Join(failed...)
}

// due is a digest that is to be posted.
type due struct {
	sent
	to string
	Mailing
	Delivered
	scope    access.Scope
	visitors int // of the network, in the week before
	pass     func(ctx context.Context, tx *sql.Tx, was db.Instant, t Delivered) (int64, error)
}

func (s *Service) postOwn(ctx context.Context, u owned, newest int64) error {
	to, err := s.people.Recipient(ctx, u.UserID)
	if err != nil {
		return err
	}
	d := due{sent: sent{UserID: u.UserID}, Mailing: u.Mailing, Delivered: u.Delivered}
	d.pass = func(ctx context.Context, tx *sql.Tx, was db.Instant, t Delivered) (int64, error) {
		return passUser(ctx, tx, u.UserID, was, t)
	}
	if to.Active { // who is not hears later what happened meanwhile
		d.to = to.Email
		if d.scope, err = s.ownScope(ctx, to, u.Mailing); err != nil {
			return err
		}
		if d.visitors, err = s.visitors(ctx, s.db.Reader, to, u.Mailing, s.dayOf(u.NextAt)); err != nil {
			return err
		}
	}
	return s.post(ctx, d, newest)
}

// dayOf is the day of a digest, where the business is.
func (s *Service) dayOf(due db.Instant) date.Date { return date.Of(due.In(s.now().Location())) }

// visitors counts who of the network acted as users of an administrator's group in the
// week before the day of a digest; nobody but in the first one of a week.
func (s *Service) visitors(ctx context.Context, q db.Queryer, to Recipient, m Mailing, day date.Date) (int, error) {
	at := day.Time()
	if s.visits == nil || to.Person.Type != access.PRAD || at.Weekday() != m.first() {
		return 0, nil
	}
	end := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, s.now().Location())
	return s.visits.Visitors(ctx, q, to.Person.GroupID, end.AddDate(0, 0, -7), end)
}

func (s *Service) ownScope(ctx context.Context, to Recipient, m Mailing) (access.Scope, error) {
	tins, err := s.scopes.Of(ctx, to.Person)
	return m.narrow(access.ScopeOf(tins)), err
}

func (s *Service) postOffice(ctx context.Context, m Mailbox, newest int64) error {
	scope, err := s.groupScope(ctx, m.GroupID)
	if err != nil {
		return err
	}
	active, err := s.people.GroupActive(ctx, m.GroupID)
	if err != nil {
		return err
	}
	to := ""
	if active { // what is not hears later what happened meanwhile
		to = m.Email
	}
	return s.post(ctx, due{
		sent: sent{MailboxID: m.ID}, to: to, Mailing: m.Mailing, Delivered: m.Delivered, scope: m.narrow(scope),
		pass: func(ctx context.Context, tx *sql.Tx, was db.Instant, t Delivered) (int64, error) {
			return passMailbox(ctx, tx, m.ID, was, t)
		},
	}, newest)
}

// post posts a digest, where there is something to tell, and moves its owner on.
func (s *Service) post(ctx context.Context, d due, newest int64) error {
	today := s.today()
	d.Window = Window{From: d.Change, To: newest, Since: d.Day, Today: today}
	news, err := s.news(ctx, s.db.Reader, d.scope, d.Window, d.Kinds)
	if err != nil {
		return err
	}
	next := d.Delivered
	next.NextAt = d.next(s.now())
	d.Period, d.At = string(s.dayOf(d.NextAt)), db.At(s.now())
	tells := d.to != "" && (len(news) > 0 || d.visitors > 0 || d.QuietWeeks && d.MailedOn.AddDays(7) <= today)
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		next := next
		id, posted, err := int64(0), false, error(nil)
		if tells {
			id, posted, err = addSent(ctx, tx, d.sent)
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
			return errPassed
		case posted:
			return s.mails.Post(ctx, tx, mailNews, d.to, id)
		}
		return nil
	})
	if errors.Is(err, errPassed) {
		return nil
	}
	return err
}

// errPassed tells that somebody else moved an owner on: what was to be posted is theirs.
var errPassed = errors.New("the digest is no longer due")

// postWatched posts that something became of bills that a user watches, and waits an
// hour until the next such mail.
func (s *Service) postWatched(ctx context.Context, u owned, newest int64) error {
	to, err := s.people.Recipient(ctx, u.UserID)
	if err != nil || !to.Active || newest <= u.WatchChange {
		return err
	}
	scope, err := s.ownScope(ctx, to, Mailing{})
	if err != nil {
		return err
	}
	what := sent{UserID: u.UserID, Period: u.WatchAt.Format(time.RFC3339Nano), Window: Window{From: u.WatchChange, To: newest, Since: s.today(), Today: s.today()}, At: db.At(s.now())}
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
		return s.mails.Post(ctx, tx, mailWatched, to.Email, id)
	})
}
