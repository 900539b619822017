package accesslog

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/validate"
)

// When administrators of an office are emailed about network access.
const (
	Weekly = "weekly" // a line in the first digest of the week
	AtOnce = "at-once"
	Never  = "never"
)

// defaultSettings returns the defaults, for an office that has chosen nothing.
func defaultSettings() VisitSettings { return VisitSettings{Mails: Weekly} }

// Settings returns the settings of the actor's group.
func (s *Service) Settings(ctx context.Context, a access.Actor) (VisitSettings, error) {
	return getSettings(ctx, s.db.Reader, a.Acting().GroupID)
}

// SetSettings changes the settings of the actor's group. The version is the one the actor saw.
// It returns Conflict if the settings changed since.
func (s *Service) SetSettings(ctx context.Context, a access.Actor, c VisitSettings) error {
	var wrong validate.Fields
	wrong.Require(c.Mails == Weekly || c.Mails == AtOnce || c.Mails == Never, "mails", "Select weekly, at-once or never.")
	if err := wrong.Refuse("Your changes weren't saved."); err != nil {
		return err
	}
	group := a.Acting().GroupID
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		was, err := getSettings(ctx, tx, group)
		if err != nil {
			return err
		}
		if was.AsksFirst && !c.AsksFirst {
			if err := a.RequireProof(); err != nil {
				return err
			}
		}
		n, err := putSettings(ctx, tx, group, c)
		if err == nil && n == 0 {
			err = problem.WithMessage(problem.Conflict, "Someone else changed this. Reload and try again.")
		}
		if err != nil {
			return err
		}
		if was.AsksFirst != c.AsksFirst {
			if err := s.notifyApprovalChange(ctx, tx, a, c.AsksFirst); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "visits-set", Subject: "visits", Groups: []int64{group}, Result: "ok",
			Detail: "emails " + c.Mails})
	})
}

// notifyApprovalChange notifies the other administrators that the group now requires approval, or no longer
// does. In the latter case it also cancels pending requests.
func (s *Service) notifyApprovalChange(ctx context.Context, tx *sql.Tx, a access.Actor, on bool) error {
	group, operation := a.Acting().GroupID, audit.Operation("visits-ask-first")
	if !on {
		operation = "visits-ask-no-more"
		if err := cancelPending(ctx, tx, group, s.pendingSince(), db.At(s.now())); err != nil {
			return err
		}
	}
	if err := s.notifyAdmins(ctx, tx, mailSwitched, group, a.Person.ID, group); err != nil {
		return err
	}
	return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: "visits", Groups: []int64{group}, Result: "ok"})
}

// CountVisitors counts the distinct staff members who acted as users of a group in a period. It
// returns 0 if the group's administrators get no weekly email.
func (s *Service) CountVisitors(ctx context.Context, q db.Queryer, group int64, from, to time.Time) (int, error) {
	c, err := getSettings(ctx, q, group)
	if err != nil || c.Mails != Weekly {
		return 0, err
	}
	return countVisitors(ctx, q, group, db.At(from), db.At(to))
}

// mailBegun announces that network staff began to act as a user. Its subject is the access
// session.
const mailBegun = "visit-begun"

// Emails returns the emails about network access.
func (s *Service) Emails() []mail.Email {
	begun := func(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
		if _, err := sessionByID(ctx, tx, id); errors.Is(err, db.ErrNotFound) {
			return mail.Content{}, mail.ErrObsolete
		} else if err != nil {
			return mail.Content{}, err
		}
		return s.newEmail("network access to your group",
			"Network staff started acting as a user in your group. Sign in to see who, why and what they opened."), nil
	}
	return append(s.listRequestEmails(), mail.Email{Kind: mailBegun, Compose: begun})
}

// newEmail returns an email to administrators. It contains no names.
func (s *Service) newEmail(about string, paragraphs ...string) mail.Content {
	return mail.Content{
		Subject: s.brand + ": " + about, Greeting: "Hello,", Paragraphs: paragraphs,
		Button: &mail.Link{Text: "Open network access log", URL: s.url + "/wcpp/work/visits"},
	}
}

// notifyAdmins emails the administrators of a group who can sign in, except one.
func (s *Service) notifyAdmins(ctx context.Context, tx *sql.Tx, kind mail.Kind, group, butFor, subject int64) error {
	list, err := listAdmins(ctx, tx, group)
	for _, a := range list {
		if err == nil && a.ID != butFor {
			err = s.mails.Enqueue(ctx, tx, kind, a.Email, subject)
		}
	}
	return err
}
