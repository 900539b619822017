package account

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/text"
)

// The mails of the area. Those with a link are about the link, the others about
// an account or a request.
const (
	mailRequest      = "account-request"
	mailKnown        = "account-known"
	mailUnderReview  = "account-request-under-review"
	mailSubmitted    = "account-request-submitted"
	mailDeclined     = "account-request-declined"
	mailRegistration = "registration"
	mailReset        = "password-reset"
	mailBind         = "sign-in-bind"
	mailResetByAdmin = "password-reset-by-admin"
	mailForgotten    = "forgotten-username"
	mailChanged      = "password-changed"
	mailFactors      = "factor-reset"
)

func requestSubject(id int64) string { return fmt.Sprintf("request %d", id) }

// letters tells the outbox how the area's mails are written.
func (s *Service) letters() {
	s.mails.Write(mailRequest, s.aboutLink(s.requestLetter))
	s.mails.Write(mailRegistration, s.aboutLink(s.registrationLetter))
	s.mails.Write(mailReset, s.aboutLink(s.resetLetter))
	s.mails.Write(mailBind, s.aboutLink(s.bindLetter))
	s.mails.Write(mailResetByAdmin, s.aboutLink(s.adminResetLetter))
	s.mails.Write(mailFactors, s.aboutLink(s.factorResetLetter))
	s.mails.Write(mailKnown, s.aboutAccount(s.knownLetter))
	s.mails.Write(mailForgotten, s.aboutAccount(s.forgottenLetter))
	s.mails.Write(mailChanged, s.aboutAccount(s.changedLetter))
	s.mails.Write(mailUnderReview, s.underReviewLetter)
	s.mails.Write(mailSubmitted, s.submittedLetter)
	s.mails.Write(mailDeclined, s.declinedLetter)
}

func (s *Service) aboutLink(write func(context.Context, *sql.Tx, link) (mail.Letter, error)) mail.Writer {
	return func(ctx context.Context, tx *sql.Tx, id int64) (mail.Letter, error) {
		l, err := linkByID(ctx, tx, id)
		if err != nil {
			return mail.Letter{}, err
		}
		if l.UserID == 0 && l.RequestID == 0 { // stands for an account that does not exist
			return mail.Letter{}, mail.ErrObsolete
		}
		return write(ctx, tx, l)
	}
}

func (s *Service) aboutAccount(write func(Account) mail.Letter) mail.Writer {
	return func(ctx context.Context, tx *sql.Tx, id int64) (mail.Letter, error) {
		u, err := s.accounts.LockUser(ctx, tx, id)
		return write(u), err
	}
}

func hello(u Account) string { return "Hello " + u.FirstName + " " + u.LastName + "," }

func userNameFact(u Account) []mail.Fact { return []mail.Fact{{Label: "Username", Value: u.UserName}} }

func (s *Service) requestLetter(ctx context.Context, tx *sql.Tx, l link) (mail.Letter, error) {
	token, authentication, expires, err := s.mint(ctx, tx, l, s.settings.requestFor())
	return mail.Letter{
		Subject:    "Your request for an account",
		Greeting:   "Hello,",
		Paragraphs: []string{"thank you for your interest in " + s.brand.InText() + ". Open the form and enter this authentication code there to go on with your request."},
		Facts:      []mail.Fact{{Label: "Authentication Code", Value: authentication}},
		Button:     &mail.Link{Text: "Open the form", URL: s.address("registration", expiring(token, expires))},
		Closing:    []string{holds(s.settings.requestFor()), "If you did not ask for an account, you need not do anything."},
	}, err
}

func (s *Service) registrationLetter(ctx context.Context, tx *sql.Tx, l link) (mail.Letter, error) {
	u, err := s.accounts.LockUser(ctx, tx, l.UserID)
	if err != nil {
		return mail.Letter{}, err
	}
	address, err := s.registrationAddress(ctx, tx, l)
	finish, button := "Choose a password to finish setting it up; then sign in with this username.", "Choose a password"
	if s.settings.PasswordElsewhere {
		finish, button = "Confirm it to finish setting it up; then sign in with this username.", "Confirm the account"
	}
	return mail.Letter{
		Subject:    "Finish setting up your account",
		Greeting:   hello(u),
		Paragraphs: []string{"an account for " + s.brand.InText() + " was made for you. " + finish},
		Facts:      userNameFact(u),
		Button:     &mail.Link{Text: button, URL: address},
		Closing:    []string{holds(s.settings.registrationFor()), "Links in earlier registration emails no longer work."},
	}, err
}

func (s *Service) bindLetter(ctx context.Context, tx *sql.Tx, l link) (mail.Letter, error) {
	u, err := s.accounts.LockUser(ctx, tx, l.UserID)
	if err != nil {
		return mail.Letter{}, err
	}
	token, _, expires, err := s.mint(ctx, tx, l, s.settings.resetFor())
	return mail.Letter{
		Subject:  "Confirm your sign-in",
		Greeting: hello(u),
		Paragraphs: []string{
			"someone, most likely you, has just signed in for the first time with the name of your account. If it was you, confirm it, and then sign in again. From then on that sign-in, and no other, opens your account.",
		},
		Facts:  userNameFact(u),
		Button: &mail.Link{Text: "Confirm the sign-in", URL: s.address("confirmSignIn", expiring(token, expires))},
		Closing: []string{
			holds(s.settings.resetFor()),
			"If it was not you, do not open the link, and contact support: whoever confirms it is given your account.",
		},
	}, err
}

func (s *Service) resetLetter(ctx context.Context, tx *sql.Tx, l link) (mail.Letter, error) {
	if s.settings.PasswordElsewhere {
		return s.anyResetLetter(ctx, tx, l, "someone, most likely you, asked for a link that lets your account sign in again and signs you out everywhere. "+
			"A forgotten password is reset where you enter it, not here.", "If it was not you, you need not do anything: your account stays as it is.")
	}
	return s.anyResetLetter(ctx, tx, l, "someone, most likely you, asked to reset the password of your account.",
		"If it was not you, you need not do anything: your password stays as it is.")
}

func (s *Service) adminResetLetter(ctx context.Context, tx *sql.Tx, l link) (mail.Letter, error) {
	what := "an administrator has reset the password of your account. You can sign in again once you have chosen a new one."
	if s.settings.PasswordElsewhere {
		what = "an administrator has reset your account. You can sign in again once you have confirmed by the link that it is yours."
	}
	return s.anyResetLetter(ctx, tx, l, what, "If the link has ended, use Reset Password on the sign-in page to get another.")
}

func (s *Service) anyResetLetter(ctx context.Context, tx *sql.Tx, l link, what, closing string) (mail.Letter, error) {
	u, err := s.accounts.LockUser(ctx, tx, l.UserID)
	if err != nil {
		return mail.Letter{}, err
	}
	address, err := s.resetAddress(ctx, tx, l)
	subject, button := "Reset your password", "Choose a new password"
	if s.settings.PasswordElsewhere {
		subject, button = "Let your account sign in again", "Let it sign in again"
	}
	return mail.Letter{
		Subject: subject, Greeting: hello(u), Paragraphs: []string{what},
		Facts: userNameFact(u), Button: &mail.Link{Text: button, URL: address},
		Closing: []string{holds(s.settings.resetFor()), closing},
	}, err
}

func (s *Service) factorResetLetter(ctx context.Context, tx *sql.Tx, l link) (mail.Letter, error) {
	u, err := s.accounts.LockUser(ctx, tx, l.UserID)
	if err != nil {
		return mail.Letter{}, err
	}
	token, _, expires, err := s.mint(ctx, tx, l, s.settings.resetFor())
	return mail.Letter{
		Subject: "Reset the second step of your sign-in", Greeting: hello(u),
		Paragraphs: []string{"an administrator lets you reset the second step of your sign-in: your passkeys, authenticator apps and recovery codes. Until you do, they stay as they are."},
		Facts:      userNameFact(u), Button: &mail.Link{Text: "Reset the second step", URL: s.address("confirmFactorReset", expiring(token, expires))},
		Closing: []string{holds(s.settings.resetFor()), "If you did not ask for it, do not open the link, and tell your administrator."},
	}, err
}

func (s *Service) knownLetter(u Account) mail.Letter {
	forgotten := "If you do not know your password any more, use Reset Password on the sign-in page."
	if s.settings.PasswordElsewhere {
		forgotten = "A forgotten password is reset where you enter it, not here."
	}
	return mail.Letter{
		Subject:  "You have an account already",
		Greeting: hello(u),
		Paragraphs: []string{
			"someone, most likely you, asked for an account with this email address. You have one already: sign in with this username.",
			forgotten,
		},
		Facts:  userNameFact(u),
		Button: s.signInButton(),
	}
}

func (s *Service) forgottenLetter(u Account) mail.Letter {
	return mail.Letter{
		Subject: "Your username", Greeting: hello(u), Paragraphs: []string{"someone, most likely you, asked for the username of your account."},
		Facts: userNameFact(u), Button: s.signInButton(),
		Closing: []string{"If it was not you, you need not do anything."},
	}
}

func (s *Service) changedLetter(u Account) mail.Letter {
	subject, what := "Your password was changed", "the password of your account was changed, and everyone who was signed in with it elsewhere is signed out."
	if s.settings.PasswordElsewhere {
		subject, what = "Your account was reset", "your account was reset: it can sign in again, and everyone who was signed in with it is signed out."
	}
	return mail.Letter{
		Subject: subject, Greeting: hello(u),
		Paragraphs: []string{what, "If it was not you, use Reset Password on the sign-in page at once and contact support."},
		Facts:      userNameFact(u), Button: s.signInButton(),
	}
}

func (s *Service) signInButton() *mail.Link {
	return &mail.Link{Text: "Go to the sign-in page", URL: s.publicURL + "/wcpp/login"}
}

func (s *Service) underReviewLetter(ctx context.Context, tx *sql.Tx, id int64) (mail.Letter, error) {
	_, err := requestByID(ctx, tx, id)
	return mail.Letter{
		Subject: "Your request for an account is under review", Greeting: "Hello,",
		Paragraphs: []string{"we have your request for an account already. Our support team is reviewing it and will write to you."},
	}, err
}

func (s *Service) submittedLetter(ctx context.Context, tx *sql.Tx, id int64) (mail.Letter, error) {
	r, err := requestByID(ctx, tx, id)
	return mail.Letter{
		Subject:    "Request for an account",
		Greeting:   "A person has asked for an account.",
		Paragraphs: []string{"Review the request. If it is right, open Add User, where it is filled in: creating the user answers the request and mails the registration link. If it is not, decline it there."},
		Facts: []mail.Fact{
			{Label: "Name", Value: r.FirstName + " " + r.LastName},
			{Label: "Email Address", Value: r.Email},
			{Label: "Company Name", Value: r.CompanyName},
			{Label: "Provider", Value: r.ProviderName},
		},
		Button: &mail.Link{Text: "Open in Add User", URL: s.address("AddUser", url.Values{"request": {fmt.Sprint(id)}})},
	}, err
}

func (s *Service) declinedLetter(ctx context.Context, tx *sql.Tx, id int64) (mail.Letter, error) {
	r, err := requestByID(ctx, tx, id)
	letter := mail.Letter{
		Subject: "Your request for an account was declined", Greeting: "Hello " + r.FirstName + " " + r.LastName + ",",
		Paragraphs: []string{"thank you for your interest in " + s.brand.InText() + ". We have reviewed your request for an account, and cannot give you one."},
		Closing:    []string{"If you think that this is a mistake, please contact support."},
	}
	if r.DeclineReason != "" {
		letter.Facts = []mail.Fact{{Label: "Reason", Value: r.DeclineReason}}
	}
	return letter, err
}

// holds tells how long a link can be used.
func holds(d time.Duration) string {
	switch hours := int(d.Hours()); {
	case d < 2*time.Hour:
		return "The link can be used once, within " + text.Counted(int(d.Minutes()), "minute", "minutes") + "."
	case hours < 72:
		return fmt.Sprintf("The link can be used once, within %d hours.", hours)
	default:
		return fmt.Sprintf("The link can be used once, within %d days.", hours/24)
	}
}
