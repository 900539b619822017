package mfa

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/mail"
)

// Email kinds. The subject of each is an account.
const (
	mailRemoved  mail.Kind = "factor-removed"
	mailCodes    mail.Kind = "recovery-codes"
	mailCodeUsed mail.Kind = "recovery-code-used"
	mailReset    mail.Kind = "factors-removed"
)

var mailAdded = map[Kind]mail.Kind{Passkey: "passkey-added", App: "app-added"}

const (
	elsewhere = "All other devices are signed out of your account."
	notYou    = "If this wasn't you, use Reset Password on the sign-in page right away and contact support."
)

// Emails returns the emails about changes of second factors.
func (s *Service) Emails() []mail.Email {
	var list []mail.Email
	for kind, l := range map[mail.Kind]mail.Content{
		mailAdded[Passkey]: {Subject: "A passkey was added to your account",
			Paragraphs: []string{"A passkey was added to your account. You can now use it to sign in. " + elsewhere, notYou}},
		mailAdded[App]: {Subject: "An authenticator app was added to your account",
			Paragraphs: []string{"An authenticator app was added to your account. You'll need a code from it to sign in. " + elsewhere,
				notYou}},
		mailRemoved: {Subject: "A sign-in method was removed from your account",
			Paragraphs: []string{"A passkey or an authenticator app was removed from your account. " + elsewhere, notYou}},
		mailCodes: {Subject: "New recovery codes for your account",
			Paragraphs: []string{"New recovery codes were created for your account. Earlier codes no longer work. " + elsewhere, notYou}},
		mailCodeUsed: {Subject: "A recovery code was used",
			Paragraphs: []string{"A recovery code was used to sign in to your account. It can't be used again.",
				"If you're running low, create new codes under Sign-in and security.", notYou}},
		mailReset: {Subject: "Your two-step verification was reset",
			Paragraphs: []string{"All passkeys, authenticator apps and recovery codes were removed from your account. Sign in with " +
				"your password and set up two-step verification again. " + elsewhere, notYou}},
	} {
		list = append(list, mail.Email{Kind: kind, Compose: func(ctx context.Context, tx *sql.Tx, userID int64) (mail.Content, error) {
			u, err := s.users.LockUser(ctx, tx, userID)
			content := l
			content.Greeting = "Hello " + u.FirstName + " " + u.LastName + ","
			content.Facts = []mail.Fact{{Label: "Username", Value: u.UserName}}
			content.Button = &mail.Link{Text: "Go to sign-in", URL: s.signInAt}
			return content, err
		}})
	}
	return list
}
