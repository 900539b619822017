package users

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/mail"
)

// Email kinds. The subject of the first is a requested address, and of the others an account.
const (
	mailEmailConfirm mail.Kind = "email-confirm"
	mailEmailAsked   mail.Kind = "email-asked"
	mailEmailChanged mail.Kind = "email-changed"
)

// Emails returns the emails about addresses.
func (s *Service) Emails() []mail.Email {
	return []mail.Email{{Kind: mailEmailChanged, Compose: func(ctx context.Context, tx *sql.Tx, userID int64) (mail.Content, error) {
		u, err := byID(ctx, tx, userID)
		return mail.Content{
			Subject:  "Your email address was changed",
			Greeting: formatGreeting(u),
			Paragraphs: []string{
				"Your account's email address was changed. We'll send account emails to the new address.",
				"If you or your administrator didn't do this, contact support right away.",
			},
			Facts: []mail.Fact{{Label: "Username", Value: u.UserName}},
		}, err
	}}, {Kind: mailEmailAsked, Compose: func(ctx context.Context, tx *sql.Tx, userID int64) (mail.Content, error) {
		u, err := byID(ctx, tx, userID)
		return mail.Content{
			Subject:  "New email address requested",
			Greeting: formatGreeting(u),
			Paragraphs: []string{
				"Someone entered a new email address for your account. We'll keep using this address until they open the link we sent " +
					"to the new one.",
				"If you or your administrator didn't do this, use Reset Password on the sign-in page right away and contact support. " +
					"Resetting the password cancels the link.",
			},
			Facts: []mail.Fact{{Label: "Username", Value: u.UserName}},
		}, err
	}}, {Kind: mailEmailConfirm, Compose: s.emailConfirmEmail}}
}

func formatGreeting(u User) string { return "Hello " + u.FirstName + " " + u.LastName + "," }
