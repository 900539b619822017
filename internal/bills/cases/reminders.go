package cases

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
)

// mailLegal is the daily email to leads about legal deadlines. Its subject is the row of the email.
const mailLegal mail.Kind = "case-legal"

const (
	// legalNotice is how many days before a legal deadline leads get emails about it.
	legalNotice = 2
	// remindHour is the hour from which they are sent, in the business time zone.
	remindHour = 7
	// remindEvery is how often the job runs, so that a portal that starts later in the day still
	// sends them.
	remindEvery = time.Hour
)

// remindArgs are the arguments of the job that reminds leads.
type remindArgs struct{}

// Kind returns the name of the job.
func (remindArgs) Kind() string { return "case-legal" }

func (s *Service) remind(ctx context.Context, _ *river.Job[remindArgs]) error {
	return s.RemindLeads(ctx)
}

// RemindLeads emails the leads, once a day, if a letter about a complaint is legally due in two days or
// overdue.
func (s *Service) RemindLeads(ctx context.Context) error {
	if s.now().Hour() < remindHour {
		return nil
	}
	due, err := s.listNearlyDue(ctx, s.db.Reader)
	if err != nil || len(due) == 0 {
		return err
	}
	ids := make([]int64, len(due))
	for i, c := range due {
		ids[i] = c.ID
	}
	staff, err := s.users.ListStaff(ctx)
	for _, u := range staff {
		if u.StaffRole == access.Lead {
			err = errors.Join(err, s.db.Tx(ctx, func(tx *sql.Tx) error { return s.remindLead(ctx, tx, u, ids) }))
		}
	}
	return err
}

// listNearlyDue lists the first complaints that leads are emailed about.
func (s *Service) listNearlyDue(ctx context.Context, q db.Queryer) ([]Case, error) {
	const most = 100
	return listLegal(ctx, q, QueueOverdue, 0, s.today().AddDays(legalNotice+1), most)
}

// remindLead emails a lead who hasn't had an email today.
func (s *Service) remindLead(ctx context.Context, tx *sql.Tx, u users.User, ids []int64) error {
	if err := s.db.Lock(ctx, tx, emailLocks, int(u.ID)); err != nil {
		return err
	}
	last, err := latestEmail(ctx, tx, u.ID, s.db.Dialect.ForUpdate)
	if err != nil && !errors.Is(err, db.ErrNotFound) || err == nil && date.Of(last.SendAt.In(s.now().Location())) == s.today() {
		return err
	}
	now := db.At(s.now())
	row, err := addEmail(ctx, tx, caseEmail{UserID: u.ID, SendAt: now, QueuedAt: now, Cases: ids})
	if err != nil {
		return err
	}
	return s.mails.Enqueue(ctx, tx, mailLegal, u.Email, row)
}

// legalEmail says that letters are nearly due, without anything about them.
func (s *Service) legalEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	e, u, err := findEmail(ctx, tx, id)
	if err != nil {
		return mail.Content{}, err
	}
	due, err := s.listNearlyDue(ctx, tx)
	if err != nil {
		return mail.Content{}, err
	}
	if u.StaffRole != access.Lead || !u.CanWork() ||
		!slices.ContainsFunc(due, func(c Case) bool { return slices.Contains(e.Cases, c.ID) }) {
		return mail.Content{}, mail.ErrObsolete
	}
	return mail.Content{
		Subject: s.brand.BrandName + ": legal deadlines of complaints", Greeting: "Hello,",
		Paragraphs: []string{"Letters about complaints are legally due within 2 days, or overdue."},
		Button:     &mail.Link{Text: "Open complaints", URL: s.url + "/wcpp/desk/cases"},
	}, nil
}
