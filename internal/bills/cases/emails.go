package cases

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/bills/alerts"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
)

// mailNews is the email about what the network wrote. Its subject is the row of the email.
const mailNews mail.Kind = "case-news"

const (
	// emailInterval is the time between two emails to a person.
	emailInterval = time.Hour
	// emailDays is how long emails are stored.
	emailDays = 90
	// emailLocks is the lock space for recipients.
	emailLocks = 47
)

// caseEmail is an email to a user. Until it's queued, further cases are added to it.
type caseEmail struct {
	ID       int64
	UserID   int64
	SendAt   db.Instant
	QueuedAt db.Instant
	Cases    []int64 `db:"case_ids,json"`
}

// notify emails the authors of a case and of those merged into it about what the network wrote. If none of them sees
// the case anymore, it emails those of the group's administrators who do.
func (s *Service) notify(ctx context.Context, tx *sql.Tx, c Case) error {
	if s.silent {
		return nil
	}
	to, err := s.findRecipients(ctx, tx, c)
	if err != nil {
		return err
	}
	ids := make([]int, len(to))
	for i, u := range to {
		ids[i] = int(u.ID)
	}
	if err := s.db.Lock(ctx, tx, emailLocks, ids...); err != nil {
		return err
	}
	for _, u := range to {
		if err := s.addToEmail(ctx, tx, u, c.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) findRecipients(ctx context.Context, tx *sql.Tx, c Case) ([]users.User, error) {
	authors, err := listAuthors(ctx, tx, c.ID)
	if err != nil {
		return nil, err
	}
	to, err := s.filterReaders(ctx, tx, c, authors)
	if err != nil || len(to) > 0 {
		return to, err
	}
	admins, err := listAdmins(ctx, tx, c.Group)
	if err != nil {
		return nil, err
	}
	return s.filterReaders(ctx, tx, c, admins)
}

// filterReaders returns those of some users who can work and see a case.
func (s *Service) filterReaders(ctx context.Context, tx *sql.Tx, c Case, list []users.User) (readers []users.User, err error) {
	for _, u := range list {
		sees, err := s.canRead(ctx, tx, u, c)
		if err != nil {
			return nil, err
		}
		if sees {
			readers = append(readers, u)
		}
	}
	return readers, nil
}

// canRead reports whether a user can work and see a case.
func (s *Service) canRead(ctx context.Context, tx *sql.Tx, u users.User, c Case) (bool, error) {
	if p := u.Person(); u.CanWork() && isOffice(p) {
		return s.sees(ctx, tx, p, c)
	}
	return false, nil
}

// addToEmail adds a case to a user's next email. It's sent now, or an hour after the previous one.
func (s *Service) addToEmail(ctx context.Context, tx *sql.Tx, u users.User, id int64) error {
	wants, err := alerts.WantsQuestions(ctx, tx, u.ID)
	if err != nil || !wants {
		return err
	}
	now := db.At(s.now())
	last, err := latestEmail(ctx, tx, u.ID, s.db.Dialect.ForUpdate)
	switch {
	case err == nil && last.QueuedAt.IsZero():
		if slices.Contains(last.Cases, id) {
			return nil
		}
		last.Cases = append(last.Cases, id)
		return putEmail(ctx, tx, last)
	case err == nil && last.SendAt.Add(emailInterval).After(now.Time):
		_, err := addEmail(ctx, tx, caseEmail{UserID: u.ID, SendAt: db.At(last.SendAt.Add(emailInterval)), Cases: []int64{id}})
		return err
	case err != nil && !errors.Is(err, db.ErrNotFound):
		return err
	}
	row, err := addEmail(ctx, tx, caseEmail{UserID: u.ID, SendAt: now, QueuedAt: now, Cases: []int64{id}})
	if err != nil {
		return err
	}
	return s.mails.Enqueue(ctx, tx, mailNews, u.Email, row)
}

// emailArgs are the arguments of the job that enqueues waiting emails.
type emailArgs struct{}

// Kind returns the name of the job.
func (emailArgs) Kind() string { return "case-emails" }

// Jobs registers the job that enqueues waiting emails every five minutes, and the one that reminds leads.
func (s *Service) Jobs(r *jobs.Runner) {
	jobs.Every(r, 5*time.Minute, emailArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[emailArgs]) error {
		return s.EnqueueDue(ctx)
	}))
	jobs.Every(r, remindEvery, remindArgs{}, s.remind)
}

// EnqueueDue enqueues the emails that waited for an hour to pass.
func (s *Service) EnqueueDue(ctx context.Context) error {
	return s.db.RunSteps(ctx, func(tx *sql.Tx) (int, error) {
		now := db.At(s.now())
		due, err := listDueEmails(ctx, tx, now, s.db.Dialect.SkipLocked)
		for _, e := range due {
			e.SendAt, e.QueuedAt = now, now
			u, err := users.Find(ctx, tx, e.UserID)
			if err = errors.Join(err, putEmail(ctx, tx, e)); err == nil {
				err = s.mails.Enqueue(ctx, tx, mailNews, u.Email, e.ID)
			}
			if err != nil {
				return 0, err
			}
		}
		return len(due), err
	})
}

// Emails returns the domain's emails.
func (s *Service) Emails() []mail.Email {
	return []mail.Email{
		{Kind: mailNews, Compose: s.newsEmail}, {Kind: mailLegal, Compose: s.legalEmail}, {Kind: mailAssigned, Compose: s.assignedEmail},
	}
}

// findEmail returns an email and its recipient.
func findEmail(ctx context.Context, tx *sql.Tx, id int64) (caseEmail, users.User, error) {
	e, err := getEmail(ctx, tx, id)
	if err != nil {
		return e, users.User{}, err
	}
	u, err := users.Find(ctx, tx, e.UserID)
	return e, u, err
}

// newsEmail says that there is something to read in a case that the user still sees, without anything about it.
func (s *Service) newsEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	e, u, err := findEmail(ctx, tx, id)
	if err != nil {
		return mail.Content{}, err
	}
	wants, err := alerts.WantsQuestions(ctx, tx, u.ID)
	if err != nil {
		return mail.Content{}, err
	}
	unread, err := s.listUnread(ctx, tx, u, e.Cases)
	if err != nil {
		return mail.Content{}, err
	}
	content := mail.Content{
		Subject: s.brand.BrandName + ": your questions to the network", Greeting: "Hello,",
		Button: &mail.Link{Text: "Open questions", URL: s.url + "/wcpp/work/cases"},
		Footer: []mail.Link{{Text: "Email settings", URL: s.url + "/wcpp/work/mails"}},
	}
	for _, news := range []struct {
		state State
		text  string
	}{{Answered, "There's an answer to one of your questions."}, {Waiting, "The network needs your reply."}} {
		if slices.ContainsFunc(unread, func(c Case) bool { return c.State == news.state }) {
			content.Paragraphs = append(content.Paragraphs, news.text)
		}
	}
	if !wants || len(content.Paragraphs) == 0 {
		return mail.Content{}, mail.ErrObsolete
	}
	return content, nil
}

// listUnread returns those of some cases that a user sees and hasn't read.
func (s *Service) listUnread(ctx context.Context, tx *sql.Tx, u users.User, ids []int64) ([]Case, error) {
	list, err := listByID(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	seen, err := listReads(ctx, tx, u.ID, ids)
	if err != nil {
		return nil, err
	}
	var unread []Case
	for _, c := range list {
		sees, err := s.canRead(ctx, tx, u, c)
		if err != nil {
			return nil, err
		}
		if sees && c.LastNetwork > seen[c.ID] {
			unread = append(unread, c)
		}
	}
	return unread, nil
}

// deleteOldEmails deletes old emails.
func (s *Service) deleteOldEmails(ctx context.Context) error {
	before := db.At(s.now().AddDate(0, 0, -emailDays))
	return s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteEmails(ctx, tx, before) })
}
