package users

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/mail"
)

// The mails of the area: the first about an asked-for address, the others about
// an account.
const (
	mailEmailConfirm = "email-confirm"
	mailEmailAsked   = "email-asked"
	mailEmailChanged = "email-changed"
)

// letters tells the outbox how the area's mails are written.
func (s *Service) letters(o *mail.Outbox) {
	o.Write(mailEmailChanged, func(ctx context.Context, tx *sql.Tx, userID int64) (mail.Letter, error) {
		u, err := byID(ctx, tx, userID)
		return mail.Letter{
			Subject:  "Your email address was changed",
			Greeting: greeting(u),
			Paragraphs: []string{
				"the email address of your account was changed. Mails about your account go to the new address from now on.",
				"If neither you nor your administrator did this, please contact support at once.",
			},
			Facts: []mail.Fact{{Label: "Username", Value: u.UserName}},
		}, err
	})
	o.Write(mailEmailAsked, func(ctx context.Context, tx *sql.Tx, userID int64) (mail.Letter, error) {
		u, err := byID(ctx, tx, userID)
		return mail.Letter{
			Subject:  "A new email address was asked for",
			Greeting: greeting(u),
			Paragraphs: []string{
				"a new email address was entered for your account. It holds once the link that was sent there is opened; until then mails about your account come here.",
				"If neither you nor your administrator did this, use Reset Password on the sign-in page at once and contact support: the link ends with it.",
			},
			Facts: []mail.Fact{{Label: "Username", Value: u.UserName}},
		}, err
	})
	o.Write(mailEmailConfirm, s.emailConfirmLetter)
}

func greeting(u User) string { return "Hello " + u.FirstName + " " + u.LastName + "," }
