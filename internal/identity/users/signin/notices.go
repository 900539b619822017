package signin

import (
	"context"
	"database/sql"
	"fmt"

	"wcpp/internal/identity/users"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mail"
)

// Emails about sign-ins: from a new device, repeated failures from one source, and an account
// that is locked everywhere.
const (
	noticeDevice   = "DEVICE"
	noticeFailures = "FAILURES"
	noticeLock     = "LOCK"
)

const mailNotice = "sign-in-notice"

// notifySignIn emails a user about an event, if such emails are turned on. Users of inactive groups
// don't get emails.
func (s *Service) notifySignIn(ctx context.Context, tx *sql.Tx, userID int64, kind string) error {
	if !s.settings.sendsMails() {
		return nil
	}
	u, err := s.accounts.LockUser(ctx, tx, userID)
	if err != nil || u.GroupEnded {
		return err
	}
	id, err := insertNotice(ctx, tx, notice{userID, kind, db.At(s.now()), httpapi.Browser(ctx), httpapi.Source(ctx)})
	if err != nil {
		return err
	}
	return s.mails.Enqueue(ctx, tx, mailNotice, u.Email, id)
}

// notifyLock emails an account's owner that an attempt locked it. For locks of a single source
// it sends at most one email a day.
func (s *Service) notifyLock(ctx context.Context, tx *sql.Tx, a attempt) error {
	u, err := users.FindByName(ctx, tx, a.key)
	if err != nil {
		return err
	}
	if a.everywhere {
		return s.notifySignIn(ctx, tx, u.ID, noticeLock)
	}
	lately, err := noticedSince(ctx, tx, u.ID, noticeFailures, db.At(s.now().Add(-day)))
	if err != nil || lately {
		return err
	}
	return s.notifySignIn(ctx, tx, u.ID, noticeFailures)
}

// Emails returns the notices about sign-ins.
func (s *Service) Emails() []mail.Email {
	return []mail.Email{{Kind: mailNotice, Compose: func(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
		n, err := noticeByID(ctx, tx, id)
		if err != nil {
			return mail.Content{}, err
		}
		u, err := s.accounts.LockUser(ctx, tx, n.UserID)
		return s.composeNotice(u, n), err
	}}}
}

func (s *Service) composeNotice(u users.User, n notice) mail.Content {
	l := mail.Content{
		Greeting: "Hello " + u.FirstName + " " + u.LastName + ",",
		Facts: []mail.Fact{
			{Label: "Username", Value: u.UserName},
			{Label: "When", Value: date.FormatTime(n.At.Time, s.now().Location())},
			{Label: "Browser", Value: n.Browser},
			{Label: "IP address", Value: n.Source},
		},
		Button: &mail.Link{Text: "Go to sign-in", URL: s.publicURL + "/wcpp/login"},
	}
	switch n.Kind {
	case noticeDevice:
		l.Subject = "New sign-in to your account"
		l.Paragraphs = []string{"Someone, most likely you, signed in to your account from a new browser."}
		l.Closing = []string{
			"If this was you, you can ignore this email.",
			"If this wasn't you, contact support right away. Reset Password on the sign-in page signs everyone out.",
		}
	case noticeFailures:
		l.Subject = "Failed sign-ins to your account"
		l.Paragraphs = []string{fmt.Sprintf("Someone tried %d times to sign in to your account with a wrong password. The last attempt "+
			"is shown below.", s.settings.LockFailures)}
		l.Closing = []string{
			"If this was you and you forgot your password, use Reset Password on the sign-in page.",
			"If this wasn't you, no one got in. If you get this email again, contact support.",
		}
	case noticeLock:
		l.Subject = "Your account is locked"
		l.Paragraphs = []string{"We locked your account after too many failed sign-in attempts. The last attempt is shown below."}
		l.Closing = []string{
			"To unlock it right away, use Reset Password on the sign-in page.",
			"If this wasn't you, no one got in. Contact support.",
		}
	}
	return l
}
