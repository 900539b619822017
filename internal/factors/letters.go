package factors

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/mail"
)

// The mails of the area, each about an account.
const (
	mailRemoved  = "factor-removed"
	mailCodes    = "recovery-codes"
	mailCodeUsed = "recovery-code-used"
	mailReset    = "factors-removed"
)

var mailAdded = map[Kind]string{Passkey: "passkey-added", App: "app-added"}

const (
	elsewhere = "Everyone who was signed in with your account elsewhere is signed out."
	notYou    = "If it was not you, use Reset Password on the sign-in page at once and contact support."
)

// letters tells the outbox how the area's mails are written.
func (s *Service) letters() {
	for kind, l := range map[string]mail.Letter{
		mailAdded[Passkey]: {Subject: "A passkey was added to your account", Paragraphs: []string{"a passkey was added to your account. You can sign in with it from now on. " + elsewhere, notYou}},
		mailAdded[App]:     {Subject: "An authenticator app was added to your account", Paragraphs: []string{"an authenticator app was added to your account. Signing in asks for a code of it from now on. " + elsewhere, notYou}},
		mailRemoved:        {Subject: "A sign-in method was removed from your account", Paragraphs: []string{"a passkey or an authenticator app was removed from your account. " + elsewhere, notYou}},
		mailCodes:          {Subject: "New recovery codes for your account", Paragraphs: []string{"new recovery codes were made for your account; those before no longer work. " + elsewhere, notYou}},
		mailCodeUsed:       {Subject: "A recovery code of your account was used", Paragraphs: []string{"a recovery code was used to sign in with your account. It cannot be used again.", "If few are left, make new ones under Sign-in and security.", notYou}},
		mailReset:          {Subject: "The second step of your sign-in was reset", Paragraphs: []string{"all passkeys, authenticator apps and recovery codes were removed from your account. Sign in with your password, and set the second step up again. " + elsewhere, notYou}},
	} {
		s.mails.Write(kind, func(ctx context.Context, tx *sql.Tx, userID int64) (mail.Letter, error) {
			u, err := s.accounts.LockUser(ctx, tx, userID)
			letter := l
			letter.Greeting = "Hello " + u.FirstName + " " + u.LastName + ","
			letter.Facts = []mail.Fact{{Label: "Username", Value: u.UserName}}
			letter.Button = &mail.Link{Text: "Go to the sign-in page", URL: s.signInAt}
			return letter, err
		})
	}
}
