// Package account owns what people do with their own accounts before and
// beside signing in: asking for one, finishing its registration, getting back
// in, changing the password. It owns the mailed links and the account requests;
// the accounts themselves are the users area's.
package account

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/passwords"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/text"
)

// Account is a user as the flows need to know them.
type Account struct {
	ID           int64
	UserName     string
	FirstName    string
	LastName     string
	Email        string
	Status       string
	GroupEnded   bool // the network has made the group inactive: nobody of it is mailed
	PasswordHash string
}

// The states of an account that decide about a flow.
const (
	statusNew        = "NEW"
	statusDraft      = "DRAFT"
	statusInactive   = "INACT" // until a new password is chosen
	statusTerminated = "TERM"
)

// Accounts finds and changes accounts. Whoever is not found, or out of the
// actor's reach, is a problem of kind NotFound.
type Accounts interface {
	ByID(ctx context.Context, id int64) (Account, error)
	ByName(ctx context.Context, userName string) (Account, error)
	// ByEmail knows no terminated accounts.
	ByEmail(ctx context.Context, email string) (Account, error)
	// Managed finds, by user name or id, a user whom the actor administers, and
	// grants the change.
	Managed(ctx context.Context, a access.Actor, userName string, id int64) (Account, access.UserGrant, error)
	// LockUser reads an account and locks it until the transaction ends.
	LockUser(ctx context.Context, tx *sql.Tx, id int64) (Account, error)
	// Activate gives the account a password and lets it sign in.
	Activate(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string) error
	// Bind binds the account to a person of an outside provider. It answers false
	// where it may not sign in or is bound already; a subject that is bound to
	// another account is an error that db.IsUnique knows.
	Bind(ctx context.Context, tx *sql.Tx, g access.UserGrant, issuer, subject string) (bool, error)
	// Suspend keeps it from signing in until it has a new password.
	Suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant) error
}

// Sessions ends what is signed in.
type Sessions interface {
	EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error
	EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error
}

// Factors are what people show beside their passwords.
type Factors interface {
	Held(ctx context.Context, userID int64) (bool, error)
	// RemoveAll takes them away, ends all sessions, tells the owner and writes it down.
	// It answers false where there were none.
	RemoveAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) (bool, error)
}

// Service runs the flows.
type Service struct {
	db        *db.DB
	accounts  Accounts
	sessions  Sessions
	factors   Factors
	mails     *mail.Outbox
	audit     *audit.Log
	attempts  *ratelimit.Shared
	now       func() time.Time
	signing   []byte // key of reset tokens
	settings  Settings
	brand     settings.Brand
	publicURL string // of the portal, for links
	keepDays  int    // of closed requests
}

// Keep has closed requests kept for as many days; 0: for ever.
func (s *Service) Keep(days int) { s.keepDays = days }

// NewService makes the service. The key signs reset tokens; the URL is the
// portal's, for links.
func NewService(d *db.DB, accounts Accounts, sessions Sessions, factors Factors, mails *mail.Outbox, log *audit.Log, attempts *ratelimit.Shared, now func() time.Time, key []byte, limits Settings, brand settings.Brand, publicURL string) *Service {
	s := &Service{db: d, accounts: accounts, sessions: sessions, factors: factors, mails: mails, audit: log, attempts: attempts, now: now, signing: key, settings: limits, brand: brand, publicURL: publicURL}
	s.letters()
	return s
}

// Codes that the flows answer with.
const (
	codeInvalidToken  = "INVALID_TOKEN"
	codeExpiredToken  = "EXPIRED_TOKEN"
	codeNoMatch       = "INVALID_USERNAME_OR_EMAIL"
	codeTerminated    = "USER_ACCT_TERMINATED"
	codeNoEmail       = "INVALID_EMAIL"
	codeNew           = "USER_ACCT_NEW"
	codeInternalUser  = "INTERNAL_USER"
	codeTooMany       = "TOO_MANY" // in the audit log alone
	answerWrong       = "incorrect_password"
	byThemselves      = "owner"
	fromRequestScreen = "account request"
)

func code(c string) error { return problem.Coded(problem.Invalid, c) }

// At most so many attempts by one name, address, link or account in a quarter of
// an hour, whether it exists or not.
const maxAttempts = 5

// limitSource bounds how many addresses one source has mailed, that anybody may
// type there.
func (s *Service) limitSource(ctx context.Context, email string) error {
	return s.attempts.AllowOther(ctx, "mail", httpapi.Source(ctx), email, s.settings.StrangerMails, ratelimit.Hour)
}

// StartReset mails a link to choose a new password to whoever has this name
// and address. An account that was never registered gets its registration
// link again.
func (s *Service) StartReset(ctx context.Context, userName, email string) error {
	userName, email = text.Clean(userName), text.Clean(email)
	u, err := s.accounts.ByName(ctx, userName)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	refusal := ""
	switch {
	case err != nil || u.Status == statusDraft || text.Key(u.Email) != text.Key(email):
		refusal = codeNoMatch
	case u.Status == statusTerminated || u.GroupEnded:
		refusal = codeTerminated
	}
	// Counted apart, so that what strangers try keeps nobody from a reset.
	counted := "reset"
	if refusal == "" {
		counted = "reset-mail"
	}
	if err := s.attempts.Allow(ctx, counted, userName, maxAttempts, ratelimit.Quarter); problem.Is(err, problem.TooMany) && s.settings.neutral() {
		refusal = codeTooMany
	} else if err != nil {
		return err
	}
	purpose, kind := purposeReset, mailReset
	if u.Status == statusNew {
		purpose, kind = purposeRegistration, mailRegistration
	}
	return s.answer(ctx, "reset-request", userName, refusal, func(tx *sql.Tx) error {
		// Nobody is mailed at the address that the account had a moment ago.
		now, err := s.accounts.LockUser(ctx, tx, u.ID)
		if err != nil || text.Key(now.Email) != text.Key(u.Email) || now.Status != u.Status {
			return err
		}
		return s.link(ctx, tx, purpose, kind, u.Email, u.ID, 0, byThemselves)
	})
}

// ForgotUsername mails the user name to the address of an account.
func (s *Service) ForgotUsername(ctx context.Context, email string) error {
	email = text.Clean(email)
	if err := s.attempts.Allow(ctx, "forgot", email, maxAttempts, ratelimit.Quarter); err != nil {
		return err
	}
	// Whether there is such an account or not, so that a refusal does not tell.
	if err := s.limitSource(ctx, email); err != nil {
		return err
	}
	u, err := s.accounts.ByEmail(ctx, email)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	refusal := ""
	switch {
	case err != nil || u.Status == statusDraft || u.GroupEnded:
		refusal = codeNoEmail
	case u.Status == statusNew:
		refusal = codeNew
	}
	return s.answer(ctx, "forgot-username", u.UserName, refusal, func(tx *sql.Tx) error {
		return s.mails.Post(ctx, tx, mailForgotten, u.Email, u.ID)
	})
}

// answer does what was asked for and audits it, or refuses with the code. Where
// the portal tells nothing about accounts a refusal is answered as success,
// after the same work: a mail that is dropped for want of a reader.
func (s *Service) answer(ctx context.Context, operation audit.Operation, subject, refusal string, do func(tx *sql.Tx) error) error {
	result := refusal
	if refusal == "" {
		result = "ok"
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		switch {
		case refusal == "":
			if err := do(tx); err != nil {
				return err
			}
		case s.settings.neutral():
			if err := s.link(ctx, tx, purposeReset, mailReset, "", 0, 0, byThemselves); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: subject, Result: result})
	})
	if err == nil && refusal != "" && !s.settings.neutral() {
		err = code(refusal)
	}
	return err
}

// CompleteReset takes the new password of a mailed link: the account may sign
// in again, its lock is lifted, and all its sessions end. With passwords elsewhere
// it does so without one.
func (s *Service) CompleteReset(ctx context.Context, token, password string) error {
	jti, err := s.readReset(token)
	if err != nil {
		return err
	}
	return s.complete(ctx, purposeReset, jti, password, "reset-complete", mailChanged)
}

// CompleteRegistration takes the first password of an account, or none where
// passwords are elsewhere.
func (s *Service) CompleteRegistration(ctx context.Context, token, password string) error {
	return s.complete(ctx, purposeRegistration, token, password, "registration-complete", "")
}

func (s *Service) complete(ctx context.Context, purpose, token, password string, operation audit.Operation, notice mail.Kind) error {
	hash := hashOf(token)
	// Looked at first, so that a password that is refused leaves the link as it is
	// and the work of hashing is done outside of the transaction.
	l, err := s.usable(ctx, s.db.Reader, purpose, hash)
	if err != nil {
		return s.refusedLink(ctx, operation, err)
	}
	stored, err := s.toKeep(ctx, l, strings.TrimSpace(password))
	if err != nil {
		return err
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err := s.usable(ctx, tx, purpose, hash)
		if err != nil {
			return err
		}
		u, err := s.accounts.LockUser(ctx, tx, l.UserID)
		if err != nil {
			return err
		}
		if !u.completes(purpose) {
			return code(codeInvalidToken)
		}
		if n, err := useLink(ctx, tx, l.ID, db.At(s.now())); err != nil || n == 0 {
			return cmp.Or[error](err, code(codeInvalidToken))
		}
		grant := access.System(u.UserName).User(u.ID) // the link has proven its owner, who is not signed in
		if err := s.setPassword(ctx, tx, grant, stored); err != nil {
			return err
		}
		if err := s.sessions.EndAll(ctx, tx, grant); err != nil {
			return err
		}
		if notice != "" {
			if err := s.mails.Post(ctx, tx, notice, u.Email, u.ID); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: operation, Subject: u.UserName, Result: "ok"})
	})
	return s.refusedLink(ctx, operation, err)
}

// toKeep is the hash of the password that was chosen by a link; empty, which lets
// nobody in, where passwords are elsewhere.
func (s *Service) toKeep(ctx context.Context, l link, password string) (string, error) {
	if s.settings.PasswordElsewhere {
		return "", nil
	}
	u, err := s.accounts.ByID(ctx, l.UserID)
	if err != nil {
		return "", err
	}
	if err := s.check(password, u); err != nil {
		return "", err
	}
	return passwords.Hash(ctx, password)
}

// check finds out whether a password is fit for an account of this portal.
func (s *Service) check(password string, u Account) error {
	err := passwords.Check(password, u.UserName, u.FirstName, u.LastName)
	if err == nil && passwords.MadeOfNames(password, s.brand.BrandName, s.brand.OrganizationName) {
		err = passwords.Refused(passwords.Common)
	}
	return err
}

// refusedLink audits a link that was not taken.
func (s *Service) refusedLink(ctx context.Context, operation audit.Operation, err error) error {
	if e := problem.From(err); err != nil && e.Kind == problem.Invalid {
		if unwritten := s.audit.Now(ctx, audit.Entry{Operation: operation, Result: e.Code}); unwritten != nil {
			return unwritten
		}
	}
	return err
}

func (s *Service) setPassword(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string) error {
	if err := s.accounts.Activate(ctx, tx, g, hash); err != nil {
		return err
	}
	_, err := endLinks(ctx, tx, g.ID(), 0, []string{purposeReset, purposeRegistration, purposeBind}, db.At(s.now()))
	return err
}

// OfferBinding mails the owner of an account a link that binds it to the subject
// of an outside provider, who came for it. For 0, nobody, it does the same work:
// the mail is dropped for want of a reader. Whoever comes too often is mailed
// nothing either.
func (s *Service) OfferBinding(ctx context.Context, userID int64, issuer, subject string) error {
	err := s.attempts.Allow(ctx, "bind", issuer+" "+subject, maxAttempts, ratelimit.Quarter)
	if problem.Is(err, problem.TooMany) {
		return s.audit.Now(ctx, audit.Entry{Operation: "sso-bind-offer", Result: codeTooMany})
	}
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		var u Account
		if userID != 0 {
			if u, err = s.accounts.LockUser(ctx, tx, userID); err != nil {
				return err
			}
		}
		id, err := s.newLink(ctx, tx, purposeBind, userID, 0, byThemselves)
		if err != nil {
			return err
		}
		if err := aimLink(ctx, tx, id, issuer, subject); err != nil {
			return err
		}
		if err := s.mails.Post(ctx, tx, mailBind, u.Email, id); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "sso-bind-offer", Subject: u.UserName, Result: "ok"})
	})
}

// CompleteBinding binds an account by the mailed link to the subject that the
// link was made for.
func (s *Service) CompleteBinding(ctx context.Context, token string) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err := s.usable(ctx, tx, purposeBind, hashOf(token))
		if err != nil {
			return err
		}
		grant := access.System(byThemselves).User(l.UserID) // the link has proven its owner, who is not signed in
		bound, err := s.accounts.Bind(ctx, tx, grant, l.SSOIssuer, l.SSOSubject)
		if err == nil && !bound {
			err = code(codeInvalidToken)
		}
		if err != nil {
			return err
		}
		if n, err := useLink(ctx, tx, l.ID, db.At(s.now())); err != nil || n == 0 {
			return cmp.Or[error](err, code(codeInvalidToken))
		}
		return nil
	})
	if db.IsUnique(err) { // the subject has another account meanwhile
		err = code(codeInvalidToken)
	}
	return s.refusedLink(ctx, "sso-bind", err)
}

// ChangePassword changes the actor's own password and ends all other sessions
// of the account. It answers success, or a text that contains
// incorrect_password, failed or INVALID_PW, the reason behind it.
func (s *Service) ChangePassword(ctx context.Context, a access.Actor, userName, current, password string) (string, error) {
	if err := a.Named(userName); err != nil {
		return "", err
	}
	if s.settings.PasswordElsewhere {
		return "", problem.Say(problem.Conflict, "You sign in with your identity provider. Change your password there.")
	}
	if err := s.attempts.Allow(ctx, "change", a.Person.UserName, maxAttempts, ratelimit.Quarter); err != nil {
		return "", err
	}
	current, password = strings.TrimSpace(current), strings.TrimSpace(password)
	u, err := s.accounts.ByName(ctx, a.Person.UserName)
	if err != nil {
		return "", err
	}
	right, err := passwords.Verify(ctx, u.PasswordHash, current)
	if err != nil {
		return "", err
	}
	if !right {
		return answerWrong, s.audit.Now(ctx, audit.Entry{Operation: "password-change", Subject: u.UserName, Result: answerWrong})
	}
	err = s.check(password, u)
	if err == nil && password == current {
		err = passwords.Refused(passwords.Same)
	}
	if e := problem.From(err); err != nil && e.Code == passwords.Invalid {
		// The password in force was right: this was no try to guess it.
		return e.Code + " " + e.Fields[0].Code, s.db.Tx(ctx, func(tx *sql.Tx) error { return s.attempts.Reset(ctx, tx, "change", u.UserName) })
	}
	hash, err := passwords.Hash(ctx, password)
	if err != nil {
		return "", err
	}
	grant, err := a.Reach().EditUser(a.Person)
	if err != nil {
		return "", err
	}
	return success, s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.accounts.LockUser(ctx, tx, grant.ID())
		if err != nil {
			return err
		}
		if err := s.setPassword(ctx, tx, grant, hash); err != nil {
			return err
		}
		if err := s.sessions.EndOthers(ctx, tx, grant, a.Session); err != nil {
			return err
		}
		if err := s.attempts.Reset(ctx, tx, "change", u.UserName); err != nil {
			return err
		}
		if err := s.mails.Post(ctx, tx, mailChanged, u.Email, u.ID); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "password-change", Subject: u.UserName, Result: "ok"})
	})
}

// ResetByAdmin keeps a user from signing in until the password was chosen anew
// by the mailed link; a lock ends as well.
func (s *Service) ResetByAdmin(ctx context.Context, a access.Actor, userName, email, admin string) error {
	if err := a.Named(admin); err != nil {
		return err
	}
	u, grant, err := s.accounts.Managed(ctx, a, userName, 0)
	if err != nil {
		return err
	}
	if u.ID == a.Person.ID {
		return problem.Say(problem.Invalid, "To change your own password, use Change Password.")
	}
	if email != "" && text.Key(email) != text.Key(u.Email) {
		return problem.Say(problem.Conflict, "This user's email address has changed. Reload the list and try again.")
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.accounts.LockUser(ctx, tx, u.ID)
		if err != nil {
			return err
		}
		if u.GroupEnded {
			return problem.Say(problem.Conflict, groupInactive)
		}
		if err := s.accounts.Suspend(ctx, tx, grant); err != nil {
			return err
		}
		if err := s.sessions.EndAll(ctx, tx, grant); err != nil {
			return err
		}
		if err := s.link(ctx, tx, purposeReset, mailResetByAdmin, u.Email, u.ID, 0, a.Person.UserName); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "password-reset", Subject: u.UserName, Result: "ok"})
	})
}

// StartFactorReset mails a user the link that takes their second factors away. Nobody
// resets the own ones, so that it takes two people; the last system administrator's
// are reset on the command line.
func (s *Service) StartFactorReset(ctx context.Context, a access.Actor, userName string) error {
	u, grant, err := s.accounts.Managed(ctx, a, userName, 0)
	if err != nil {
		return err
	}
	if u.ID == a.Person.ID {
		return problem.Say(problem.Invalid, "You can't reset your own two-step verification. Ask another administrator.")
	}
	if !u.completes(purposeFactors) {
		return problem.Say(problem.Conflict, "This user isn't registered yet or is terminated.")
	}
	if held, err := s.factors.Held(ctx, u.ID); err != nil || !held {
		return cmp.Or[error](err, problem.Say(problem.Conflict, "This user hasn't set up two-step verification."))
	}
	if err := a.MustBeProven(); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.accounts.LockUser(ctx, tx, grant.ID())
		if err != nil {
			return err
		}
		if err := s.link(ctx, tx, purposeFactors, mailFactors, u.Email, u.ID, 0, a.Person.UserName); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "factor-reset-start", Subject: u.UserName, Result: "ok"})
	})
}

// CompleteFactorReset takes the second factors of an account away by the mailed link.
// It lets nobody in: the password is asked for, and a factor set up anew where the
// account must have one.
func (s *Service) CompleteFactorReset(ctx context.Context, token string) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err := s.usable(ctx, tx, purposeFactors, hashOf(token))
		if err != nil {
			return err
		}
		u, err := s.accounts.LockUser(ctx, tx, l.UserID)
		if err != nil {
			return err
		}
		if !u.completes(purposeFactors) {
			return code(codeInvalidToken)
		}
		if n, err := useLink(ctx, tx, l.ID, db.At(s.now())); err != nil || n == 0 {
			return cmp.Or[error](err, code(codeInvalidToken))
		}
		_, err = s.factors.RemoveAll(ctx, tx, access.System(u.UserName).User(u.ID)) // the link has proven its owner
		return err
	})
	return s.refusedLink(ctx, "factor-reset", err)
}

// ResendRegistration mails a new registration link to a user who has not
// finished the registration; the links before it end.
func (s *Service) ResendRegistration(ctx context.Context, a access.Actor, requester string, userID int64) error {
	if err := a.Named(requester); err != nil {
		return err
	}
	u, grant, err := s.accounts.Managed(ctx, a, "", userID)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.Invite(ctx, tx, grant, 0); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "registration-resend", Subject: u.UserName, Result: "ok"})
	})
}

const groupInactive = "This user's group is inactive. Its users can't sign in or get email until you reactivate it."

// Invite mails the registration link to a new account, in the transaction that
// made it. The request is the account request that it answers, if any.
func (s *Service) Invite(ctx context.Context, tx *sql.Tx, user access.UserGrant, request int64) error {
	u, err := s.accounts.LockUser(ctx, tx, user.ID())
	if err != nil {
		return err
	}
	if u.Status == statusTerminated {
		return problem.Say(problem.Conflict, "The account has been terminated.")
	}
	if u.Status != statusNew {
		return problem.Say(problem.Conflict, "This user is already registered.")
	}
	if u.GroupEnded {
		return problem.Say(problem.Conflict, groupInactive)
	}
	return s.link(ctx, tx, purposeRegistration, mailRegistration, u.Email, u.ID, request, user.By())
}

// RegistrationLink makes a registration link to hand over by other means than
// mail; the links before it end.
func (s *Service) RegistrationLink(ctx context.Context, user access.UserGrant) (string, error) {
	var address string
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		id, err := s.newLink(ctx, tx, purposeRegistration, user.ID(), 0, user.By())
		if err != nil {
			return err
		}
		l, err := linkByID(ctx, tx, id)
		if err != nil {
			return err
		}
		address, err = s.registrationAddress(ctx, tx, l)
		return err
	})
	return address, err
}

// Tidy forgets links and abandoned requests that are long over. It is
// safe to repeat.
func (s *Service) Tidy(ctx context.Context) error {
	before := db.At(s.now().AddDate(0, 0, -90))
	err := errors.Join(
		s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return deleteOldLinks(ctx, tx, before) }),
		s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return deleteAbandoned(ctx, tx, before) }),
	)
	if s.keepDays == 0 {
		return err
	}
	return errors.Join(err, s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) {
		return deleteClosed(ctx, tx, db.At(s.now().AddDate(0, 0, -s.keepDays)))
	}))
}
