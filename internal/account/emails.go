package account

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	"wcpp/internal/identity/users"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/text"
)

// Email kinds. Those with a link refer to the link, the others to an account or a request.
const (
	mailRequest      mail.Kind = "account-request"
	mailKnown        mail.Kind = "account-known"
	mailUnderReview  mail.Kind = "account-request-under-review"
	mailSubmitted    mail.Kind = "account-request-submitted"
	mailDeclined     mail.Kind = "account-request-declined"
	mailRegistration mail.Kind = "registration"
	mailReset        mail.Kind = "password-reset"
	mailBind         mail.Kind = "sign-in-bind"
	mailResetByAdmin mail.Kind = "password-reset-by-admin"
	mailForgotten    mail.Kind = "forgotten-username"
	mailChanged      mail.Kind = "password-changed"
	mailFactors      mail.Kind = "factor-reset"
)

func requestSubject(id int64) string { return fmt.Sprintf("request %d", id) }

// Emails returns the emails about accounts and requests.
func (s *Service) Emails() []mail.Email {
	return []mail.Email{
		{Kind: mailRequest, Compose: s.composeForLink(s.requestEmail)},
		{Kind: mailRegistration, Compose: s.composeForLink(s.registrationEmail)},
		{Kind: mailReset, Compose: s.composeForLink(s.resetEmail)},
		{Kind: mailBind, Compose: s.composeForLink(s.bindEmail)},
		{Kind: mailResetByAdmin, Compose: s.composeForLink(s.adminResetEmail)},
		{Kind: mailFactors, Compose: s.composeForLink(s.factorResetEmail)},
		{Kind: mailKnown, Compose: s.composeForAccount(s.knownAccountEmail)},
		{Kind: mailForgotten, Compose: s.composeForAccount(s.forgottenUsernameEmail)},
		{Kind: mailChanged, Compose: s.composeForAccount(s.passwordChangedEmail)},
		{Kind: mailUnderReview, Compose: s.underReviewEmail},
		{Kind: mailSubmitted, Compose: s.submittedEmail},
		{Kind: mailDeclined, Compose: s.declinedEmail},
	}
}

func (s *Service) composeForLink(write func(context.Context, *sql.Tx, link) (mail.Content, error)) mail.Composer {
	return func(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
		l, err := linkByID(ctx, tx, id)
		if err != nil {
			return mail.Content{}, err
		}
		if l.UserID == 0 && l.RequestID == 0 { // stands in for an account that doesn't exist
			return mail.Content{}, mail.ErrObsolete
		}
		if l.UserID != 0 {
			u, err := s.users.LockUser(ctx, tx, l.UserID)
			if err != nil {
				return mail.Content{}, err
			}
			if !canComplete(u, l.Purpose) {
				return mail.Content{}, mail.ErrObsolete
			}
		}
		return write(ctx, tx, l)
	}
}

func (s *Service) composeForAccount(write func(users.User) mail.Content) mail.Composer {
	return func(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
		u, err := s.users.LockUser(ctx, tx, id)
		if err == nil && isOver(u) {
			err = mail.ErrObsolete
		}
		return write(u), err
	}
}

func formatGreeting(u users.User) string { return "Hello " + u.FirstName + " " + u.LastName + "," }

func userNameFact(u users.User) []mail.Fact {
	return []mail.Fact{{Label: "Username", Value: u.UserName}}
}

func (s *Service) requestEmail(ctx context.Context, tx *sql.Tx, l link) (mail.Content, error) {
	token, authentication, expires, err := s.mintToken(ctx, tx, l, s.settings.requestValidity())
	return mail.Content{
		Subject:  "Your account request",
		Greeting: "Hello,",
		Paragraphs: []string{"Thank you for your interest in " + s.brand.InText() +
			". Open the form and enter this authentication code to continue your request."},
		Facts:   []mail.Fact{{Label: "Authentication Code", Value: authentication}},
		Button:  &mail.Link{Text: "Open the form", URL: s.linkURL("registration", expiryQuery(token, expires))},
		Closing: []string{formatValidity(s.settings.requestValidity()), "If you didn't request an account, you can ignore this email."},
	}, err
}

func (s *Service) registrationEmail(ctx context.Context, tx *sql.Tx, l link) (mail.Content, error) {
	u, err := s.users.LockUser(ctx, tx, l.UserID)
	if err != nil {
		return mail.Content{}, err
	}
	address, err := s.registrationURL(ctx, tx, l)
	finish, button := "Choose a password to finish setting it up, then sign in with this username.", "Choose a password"
	if s.settings.PasswordElsewhere {
		finish, button = "Confirm your account to finish setting it up, then sign in with this username.", "Confirm account"
	}
	return mail.Content{
		Subject:    "Finish setting up your account",
		Greeting:   formatGreeting(u),
		Paragraphs: []string{"Your account for " + s.brand.InText() + " is ready. " + finish},
		Facts:      userNameFact(u),
		Button:     &mail.Link{Text: button, URL: address},
		Closing:    []string{formatValidity(s.settings.registrationValidity()), "Links in earlier registration emails no longer work."},
	}, err
}

func (s *Service) bindEmail(ctx context.Context, tx *sql.Tx, l link) (mail.Content, error) {
	u, err := s.users.LockUser(ctx, tx, l.UserID)
	if err != nil {
		return mail.Content{}, err
	}
	token, _, expires, err := s.mintToken(ctx, tx, l, s.settings.resetValidity())
	return mail.Content{
		Subject:  "Confirm your sign-in",
		Greeting: formatGreeting(u),
		Paragraphs: []string{
			"Someone, most likely you, signed in to your account for the first time. If this was you, confirm it and then sign in " +
				"again. After that, only this sign-in has access to your account.",
		},
		Facts:  userNameFact(u),
		Button: &mail.Link{Text: "Confirm sign-in", URL: s.linkURL("confirmSignIn", expiryQuery(token, expires))},
		Closing: []string{
			formatValidity(s.settings.resetValidity()),
			"If this wasn't you, don't open the link, and contact support. Confirming gives that sign-in access to your account.",
		},
	}, err
}

func (s *Service) resetEmail(ctx context.Context, tx *sql.Tx, l link) (mail.Content, error) {
	if s.settings.PasswordElsewhere {
		return s.anyResetEmail(ctx, tx, l,
			"You can use this link to sign in again and sign out everywhere else. Someone, most likely you, asked for it. "+
				"To reset a forgotten password, use your identity provider.",
			"If this wasn't you, you can ignore this email. Your account hasn't changed.")
	}
	return s.anyResetEmail(ctx, tx, l, "Someone, most likely you, asked to reset your password.",
		"If this wasn't you, you can ignore this email. Your password hasn't changed.")
}

func (s *Service) adminResetEmail(ctx context.Context, tx *sql.Tx, l link) (mail.Content, error) {
	what := "An administrator reset your password. Choose a new one to sign in again."
	if s.settings.PasswordElsewhere {
		what = "An administrator reset your account. Confirm that it's yours to sign in again."
	}
	return s.anyResetEmail(ctx, tx, l, what, "If the link has expired, get a new one with Reset Password on the sign-in page.")
}

func (s *Service) anyResetEmail(ctx context.Context, tx *sql.Tx, l link, what, closing string) (mail.Content, error) {
	u, err := s.users.LockUser(ctx, tx, l.UserID)
	if err != nil {
		return mail.Content{}, err
	}
	address, err := s.resetURL(ctx, tx, l)
	subject, button := "Reset your password", "Choose a new password"
	if s.settings.PasswordElsewhere {
		subject, button = "Restore your account access", "Restore access"
	}
	return mail.Content{
		Subject: subject, Greeting: formatGreeting(u), Paragraphs: []string{what},
		Facts: userNameFact(u), Button: &mail.Link{Text: button, URL: address},
		Closing: []string{formatValidity(s.settings.resetValidity()), closing},
	}, err
}

func (s *Service) factorResetEmail(ctx context.Context, tx *sql.Tx, l link) (mail.Content, error) {
	u, err := s.users.LockUser(ctx, tx, l.UserID)
	if err != nil {
		return mail.Content{}, err
	}
	token, _, expires, err := s.mintToken(ctx, tx, l, s.settings.resetValidity())
	return mail.Content{
		Subject: "Reset your two-step verification", Greeting: formatGreeting(u),
		Paragraphs: []string{"An administrator sent you a link to reset your two-step verification: passkeys, authenticator apps and " +
			"recovery codes. They keep working until you open it."},
		Facts: userNameFact(u), Button: &mail.Link{Text: "Reset two-step verification",
			URL: s.linkURL("confirmFactorReset", expiryQuery(token, expires))},
		Closing: []string{
			formatValidity(s.settings.resetValidity()), "If you didn't ask for this, don't open the link, and contact your administrator.",
		},
	}, err
}

func (s *Service) knownAccountEmail(u users.User) mail.Content {
	forgotten := "If you forgot your password, use Reset Password on the sign-in page."
	if s.settings.PasswordElsewhere {
		forgotten = "To reset a forgotten password, use your identity provider."
	}
	return mail.Content{
		Subject:  "You already have an account",
		Greeting: formatGreeting(u),
		Paragraphs: []string{
			"You already have an account with this email address. Sign in with this username. Someone, most likely you, asked for a " +
				"new account.",
			forgotten,
		},
		Facts:  userNameFact(u),
		Button: s.signInButton(),
	}
}

func (s *Service) forgottenUsernameEmail(u users.User) mail.Content {
	return mail.Content{
		Subject: "Your username", Greeting: formatGreeting(u),
		Paragraphs: []string{"Here's your username. Someone, most likely you, asked for it."},
		Facts:      userNameFact(u), Button: s.signInButton(),
		Closing: []string{"If this wasn't you, you can ignore this email."},
	}
}

func (s *Service) passwordChangedEmail(u users.User) mail.Content {
	subject, what := "Your password was changed", "Your password was changed. All other devices are signed out of your account."
	if s.settings.PasswordElsewhere {
		subject, what = "Your account was reset",
			"Your account was reset. You can sign in again, and all devices are signed out of your account."
	}
	return mail.Content{
		Subject: subject, Greeting: formatGreeting(u),
		Paragraphs: []string{what, "If this wasn't you, use Reset Password on the sign-in page right away and contact support."},
		Facts:      userNameFact(u), Button: s.signInButton(),
	}
}

func (s *Service) signInButton() *mail.Link {
	return &mail.Link{Text: "Go to sign-in", URL: s.publicURL + "/wcpp/login"}
}

func (s *Service) underReviewEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	_, err := requestByID(ctx, tx, id)
	return mail.Content{
		Subject: "Your account request is under review", Greeting: "Hello,",
		Paragraphs: []string{"We already have your account request. Our support team is reviewing it and will email you."},
	}, err
}

func (s *Service) submittedEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	r, err := requestByID(ctx, tx, id)
	return mail.Content{
		Subject:  "New account request",
		Greeting: "Someone requested an account.",
		Paragraphs: []string{"Review the request in Add User, where the form is filled in. Create the user to approve the request and " +
			"send the registration email, or decline it there."},
		Facts: []mail.Fact{
			{Label: "Name", Value: r.FirstName + " " + r.LastName},
			{Label: "Email Address", Value: r.Email},
			{Label: "Company Name", Value: r.CompanyName},
			{Label: "Provider", Value: r.ProviderName},
		},
		Button: &mail.Link{Text: "Open in Add User", URL: s.linkURL("AddUser", url.Values{"request": {fmt.Sprint(id)}})},
	}, err
}

func (s *Service) declinedEmail(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
	r, err := requestByID(ctx, tx, id)
	content := mail.Content{
		Subject: "Your account request was declined", Greeting: "Hello " + r.FirstName + " " + r.LastName + ",",
		Paragraphs: []string{"We reviewed your request and can't approve an account for " + s.brand.InText() +
			" at this time. Thank you for your interest."},
		Closing: []string{"If you think this is a mistake, contact support."},
	}
	if r.DeclineReason != "" {
		content.Facts = []mail.Fact{{Label: "Reason", Value: r.DeclineReason}}
	}
	return content, err
}

// formatValidity formats how long a link is valid.
func formatValidity(d time.Duration) string {
	switch hours := int(d.Hours()); {
	case d < 2*time.Hour:
		return "You can use the link once, within " + text.FormatCount(int(d.Minutes()), "minute", "minutes") + "."
	case hours < 72:
		return fmt.Sprintf("You can use the link once, within %d hours.", hours)
	default:
		return fmt.Sprintf("You can use the link once, within %d days.", hours/24)
	}
}
