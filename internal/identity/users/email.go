package users

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"net/url"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/text"
)

// emailLinkFor is how long the link to a new address is valid.
const emailLinkFor = 24 * time.Hour

// needsEmailConfirmation reports whether the owner must confirm a new address. Before registration that
// isn't needed, because the old address is still unused.
func (u *User) needsEmailConfirmation() bool { return u.StatusCd != New && u.StatusCd != Draft }

// requestEmailChange emails a confirmation link to an account's new address. It replaces an earlier link
// and notifies the current address.
func (s *Service) requestEmailChange(ctx context.Context, tx *sql.Tx, g access.UserGrant, u User, inForce string) error {
	other, err := byEmailKey(ctx, tx, text.Key(u.Email))
	if err == nil && other.ID != u.ID {
		return errEmailTaken()
	}
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	if err := deleteEmailChange(ctx, tx, g); err != nil {
		return err
	}
	change, err := insertEmailChange(ctx, tx, g, u.Email, db.At(s.now()))
	if err != nil {
		return err
	}
	if inForce != "" {
		if err := s.mails.Enqueue(ctx, tx, mailEmailAsked, inForce, u.ID); err != nil {
			return err
		}
	}
	return s.mails.Enqueue(ctx, tx, mailEmailConfirm, u.Email, change)
}

// errGroupInactive rejects a change that the owner must confirm, because users of an inactive group
// don't get email.
func errGroupInactive() error {
	e := problem.WithMessage(problem.Conflict,
		"This user's group is inactive. Its users can't confirm a new email address until you reactivate it.")
	e.Fields = []problem.Field{{Path: FieldEmail, Message: "Error: " + e.Message}}
	return e
}

func errEmailTaken() error {
	e := problem.WithMessage(problem.Conflict, "This email address belongs to another account. Enter a different one.")
	e.Fields = []problem.Field{{Path: FieldEmail, Code: "EMAIL_EXISTS", Message: "Error: " + e.Message}}
	return e
}

// cancelEmailChange cancels a pending change of address. A new password does too, because a stolen
// session may have requested the change.
func (s *Service) cancelEmailChange(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return deleteEmailChange(ctx, tx, g)
}

// WithdrawEmail cancels a pending change of address of the actor, or of a user whom the actor administers.
func (s *Service) WithdrawEmail(ctx context.Context, a access.Actor, name string) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		found, err := FindByName(ctx, tx, name)
		if err != nil {
			return err
		}
		u, err := s.LockUser(ctx, tx, found.ID)
		if err != nil {
			return err
		}
		grant, err := a.Reach().EditUser(u.Person())
		if err != nil {
			return err
		}
		_, err = getEmailChange(ctx, tx, u.ID)
		if errors.Is(err, db.ErrNotFound) {
			return problem.WithMessage(problem.Conflict, "This change is no longer pending. Reload the page.")
		}
		if err == nil {
			err = s.cancelEmailChange(ctx, tx, grant)
		}
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "email-cancel", Subject: u.UserName, Result: "ok"})
	})
}

// PendingEmail returns a user's pending new address, or empty if there is none or it expired.
func (s *Service) PendingEmail(ctx context.Context, userID int64) (string, error) {
	c, err := getEmailChange(ctx, s.db.Reader, userID)
	if errors.Is(err, db.ErrNotFound) || err == nil && !c.ExpiresAt.IsZero() && c.ExpiresAt.Before(s.now()) {
		return "", nil
	}
	return c.Email, err
}

// ConfirmEmail changes an account's address to the one that received the link, and notifies the
// old address.
func (s *Service) ConfirmEmail(ctx context.Context, token string) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		c, err := emailChangeByToken(ctx, tx, hashToken(token))
		if err != nil {
			return db.IfNotFound(err, problem.WithCode(problem.Invalid, "INVALID_TOKEN"))
		}
		if c.ExpiresAt.Before(s.now()) {
			return problem.WithCode(problem.Invalid, "EXPIRED_TOKEN")
		}
		u, err := s.LockUser(ctx, tx, c.UserID)
		if err != nil {
			return err
		}
		grant := access.System(u.UserName).User(u.ID) // the link identifies its owner, who may not be signed in
		// Another request can have replaced the link before the lock.
		n, err := useEmailChange(ctx, tx, grant, hashToken(token))
		if err != nil {
			return err
		}
		if n == 0 || u.StatusCd == Terminated || u.GroupEnded {
			return problem.WithCode(problem.Invalid, "INVALID_TOKEN")
		}
		before := u.Email
		u.Email = c.Email
		if err := updateProfile(ctx, tx, grant, u, db.At(s.now())); err != nil {
			return err
		}
		if err := s.moved(ctx, tx, grant, before, u.Email); err != nil {
			return err
		}
		if before != "" {
			if err := s.mails.Enqueue(ctx, tx, mailEmailChanged, before, u.ID); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: "email-confirm", Subject: u.UserName, Result: "ok"})
	})
	if db.IsUnique(err) {
		err = problem.WithCode(problem.Conflict, "EMAIL_EXISTS")
	}
	if e := problem.From(err); err != nil && (e.Kind == problem.Invalid || e.Kind == problem.Conflict) {
		if unwritten := s.audit.RecordNow(ctx, audit.Entry{Operation: "email-confirm", Result: e.Code}); unwritten != nil {
			return unwritten
		}
	}
	return err
}

func hashToken(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// emailConfirmEmail creates the link's token. Sending the email again replaces it.
func (s *Service) emailConfirmEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	c, err := emailChangeByID(ctx, tx, id)
	if errors.Is(err, db.ErrNotFound) { // a newer request replaced it, so this address must not get the link
		return mail.Content{}, mail.ErrObsolete
	}
	var u User
	if err == nil {
		u, err = byID(ctx, tx, c.UserID)
	}
	if err != nil {
		return mail.Content{}, err
	}
	token := seal.NewToken()
	if err := mintEmailChange(ctx, tx, id, hashToken(token), db.At(s.now().Add(emailLinkFor))); err != nil {
		return mail.Content{}, err
	}
	return mail.Content{
		Subject: "Confirm your new email address", Greeting: formatGreeting(u),
		Paragraphs: []string{"Confirm this address to use it for your account. Until then, we'll send account emails to your current " +
			"address."},
		Facts: []mail.Fact{{Label: "Username", Value: u.UserName}},
		Button: &mail.Link{Text: "Confirm this address", URL: s.publicURL + "/wcpp/confirmEmail?" +
			url.Values{"token": {token}}.Encode()},
		Closing: []string{
			"You can use the link once, within 24 hours.",
			"If you or your administrator didn't ask for this, you can ignore this email.",
		},
	}, nil
}
