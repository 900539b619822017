package users

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/mail"
)

const mailEmailChanged = "email-changed"

// letters tells the outbox how the area's mails are written.
func (s *Service) letters(o *mail.Outbox) {
	o.Write(mailEmailChanged, func(ctx context.Context, tx *sql.Tx, userID int64) (mail.Letter, error) {
		u, err := byID(ctx, tx, userID)
		return mail.Letter{
			Subject:  "Your email address was changed",
			Greeting: "Hello " + u.FirstName + " " + u.LastName + ",",
			Paragraphs: []string{
				"the email address of your account was changed. Mails about your account go to the new address from now on.",
				"If neither you nor your administrator did this, please contact support at once.",
			},
			Facts: []mail.Fact{{Label: "Username", Value: u.UserName}},
		}, err
	})
}
