// Package account lets people manage their own accounts: request one, finish the registration,
// recover access and change the password. It owns the emailed links and the account requests.
// Package users owns the accounts themselves.
package account

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/identity/users/signin"
	"wcpp/internal/platform"
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

// Sessions ends signed-in sessions.
type Sessions interface {
	EndAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) error
	EndOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error
}

// Factors manages second factors.
type Factors interface {
	HasFactor(ctx context.Context, userID int64) (bool, error)
	// RemoveAll removes them, ends all sessions, notifies the owner and audits it. It returns
	// false if there were none.
	RemoveAll(ctx context.Context, tx *sql.Tx, user access.UserGrant) (bool, error)
}

// Service implements the account flows.
type Service struct {
	*Links
	users     *users.Service
	signIn    *signin.Service
	sessions  Sessions
	factors   Factors
	signing   []byte // key for reset tokens
	settings  Settings
	brand     settings.Brand
	publicURL string // of the portal, used in links
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Links    *Links
	Users    *users.Service
	SignIn   *signin.Service
	Sessions Sessions
	Factors  Factors
	Key      []byte // signs reset tokens
}

// NewService creates the service.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	return &Service{Links: d.Links, users: d.Users, signIn: d.SignIn, sessions: d.Sessions, factors: d.Factors, signing: d.Key,
		settings: settings, brand: d.Brand, publicURL: d.PublicURL}
}

// Result codes of the flows.
const (
	codeInvalidToken  = "INVALID_TOKEN"
	codeExpiredToken  = "EXPIRED_TOKEN"
	codeNoMatch       = "INVALID_USERNAME_OR_EMAIL"
	codeTerminated    = "USER_ACCT_TERMINATED"
	codeNoEmail       = "INVALID_EMAIL"
	codeNew           = "USER_ACCT_NEW"
	codeInternalUser  = "INTERNAL_USER"
	codeTooMany       = "TOO_MANY" // only in the audit log
	answerWrong       = "incorrect_password"
	byThemselves      = "owner"
	fromRequestScreen = "account request"
)

func newCodeError(c string) error { return problem.WithCode(problem.Invalid, c) }

// maxAttempts is the limit per name, address, link or account in 15 minutes, whether or not it
// exists.
const maxAttempts = 5

// limitSource limits how many addresses one source can send emails to, because anyone can type
// an address there.
func (s *Service) limitSource(ctx context.Context, email string) error {
	return s.attempts.AllowOther(ctx, "mail", httpapi.Source(ctx), email, s.settings.StrangerMails, ratelimit.Hour)
}

// StartReset emails a password reset link to the account with this username and address. An
// account that isn't registered yet gets its registration link again.
func (s *Service) StartReset(ctx context.Context, userName, email string) error {
	userName, email = text.Clean(userName), text.Clean(email)
	u, err := s.users.ByName(ctx, userName)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	refusal := ""
	switch {
	case err != nil || u.StatusCd == users.Draft || text.Key(u.Email) != text.Key(email):
		refusal = codeNoMatch
	case u.StatusCd == users.Terminated || u.GroupEnded:
		refusal = codeTerminated
	}
	// A separate counter, so that attempts by strangers never block the owner's reset.
	counted := "reset"
	if refusal == "" {
		counted = "reset-mail"
	}
	if err := s.attempts.Allow(ctx, counted, userName, maxAttempts, ratelimit.Quarter); problem.Is(err, problem.TooMany) &&
		s.settings.isNeutral() {
		refusal = codeTooMany
	} else if err != nil {
		return err
	}
	purpose, kind := purposeReset, mailReset
	if u.StatusCd == users.New {
		purpose, kind = purposeRegistration, mailRegistration
	}
	return s.runAudited(ctx, "reset-request", userName, refusal, func(tx *sql.Tx) error {
		if isSame, err := s.lockAsRead(ctx, tx, u); err != nil || !isSame {
			return err
		}
		return s.sendLink(ctx, tx, link{Purpose: purpose, UserID: u.ID, CreatedBy: byThemselves}, kind, u.Email)
	})
}

// lockAsRead locks a user, and reports whether the account, its address and its status are still as they were read. If they aren't,
// nothing must be emailed to the address.
func (s *Service) lockAsRead(ctx context.Context, tx *sql.Tx, u users.User) (bool, error) {
	now, err := s.users.LockUser(ctx, tx, u.ID)
	if problem.Is(err, problem.NotFound) {
		return false, nil
	}
	return text.Key(now.Email) == text.Key(u.Email) && now.StatusCd == u.StatusCd && now.GroupEnded == u.GroupEnded, err
}

// ForgotUsername emails the username to the address of an account.
func (s *Service) ForgotUsername(ctx context.Context, email string) error {
	email = text.Clean(email)
	if err := s.attempts.Allow(ctx, "forgot", email, maxAttempts, ratelimit.Quarter); err != nil {
		return err
	}
	// Apply the limit whether or not the account exists, so that a refusal reveals nothing.
	if err := s.limitSource(ctx, email); err != nil {
		return err
	}
	u, err := s.users.ByEmail(ctx, email)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	refusal := ""
	switch {
	case err != nil || u.StatusCd == users.Draft || u.GroupEnded:
		refusal = codeNoEmail
	case u.StatusCd == users.New:
		refusal = codeNew
	}
	return s.runAudited(ctx, "forgot-username", u.UserName, refusal, func(tx *sql.Tx) error {
		if isSame, err := s.lockAsRead(ctx, tx, u); err != nil || !isSame {
			return err
		}
		return s.mails.Enqueue(ctx, tx, mailForgotten, u.Email, u.ID)
	})
}

// runAudited runs the change and audits it, or audits the refusal and returns its code. If the
// portal must not reveal whether an account exists, a refusal returns success after the same
// work, and the email without a recipient is dropped.
func (s *Service) runAudited(ctx context.Context, operation audit.Operation, subject, refusal string, do func(tx *sql.Tx) error) error {
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
		case s.settings.isNeutral():
			if err := s.sendLink(ctx, tx, link{Purpose: purposeReset, CreatedBy: byThemselves}, mailReset, ""); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: subject, Result: result})
	})
	if err == nil && refusal != "" && !s.settings.isNeutral() {
		err = newCodeError(refusal)
	}
	return err
}

// CompleteReset sets the new password from an emailed link. It also unlocks the account and ends
// all its sessions. If passwords live at an SSO provider, no password is set.
func (s *Service) CompleteReset(ctx context.Context, token, password string) error {
	jti, err := s.readReset(token)
	if err != nil {
		return err
	}
	return s.completeLink(ctx, purposeReset, jti, password, "reset-complete", mailChanged)
}

// CompleteRegistration sets an account's first password, or none if passwords live at an SSO
// provider.
func (s *Service) CompleteRegistration(ctx context.Context, token, password string) error {
	return s.completeLink(ctx, purposeRegistration, token, password, "registration-complete", "")
}

func (s *Service) completeLink(ctx context.Context, purpose, token, password string, operation audit.Operation, notice mail.Kind) error {
	hash := hashToken(token)
	// Check the link first, so that a rejected password doesn't use it up and the hashing runs
	// outside the transaction.
	l, err := s.findUsableLink(ctx, s.db.Reader, purpose, hash)
	if err != nil {
		return s.auditRefusedLink(ctx, operation, err)
	}
	stored, err := s.hashChosenPassword(ctx, l, strings.TrimSpace(password))
	if err != nil {
		return err
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err := s.findUsableLink(ctx, tx, purpose, hash)
		if err != nil {
			return err
		}
		u, err := s.users.LockUser(ctx, tx, l.UserID)
		if err != nil {
			return err
		}
		if !canComplete(u, purpose) {
			return newCodeError(codeInvalidToken)
		}
		if n, err := useLink(ctx, tx, l.ID, db.At(s.now())); err != nil || n == 0 {
			return cmp.Or[error](err, newCodeError(codeInvalidToken))
		}
		grant := access.System(u.UserName).User(u.ID) // the link identifies its owner, who isn't signed in
		if err := s.setPassword(ctx, tx, grant, stored); err != nil {
			return err
		}
		if err := s.sessions.EndAll(ctx, tx, grant); err != nil {
			return err
		}
		if notice != "" {
			if err := s.mails.Enqueue(ctx, tx, notice, u.Email, u.ID); err != nil {
				return err
			}
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: operation, Subject: u.UserName, Result: "ok"})
	})
	return s.auditRefusedLink(ctx, operation, err)
}

// hashChosenPassword returns the hash of the password chosen through a link. If passwords live at an SSO
// provider, the hash is empty and matches no password.
func (s *Service) hashChosenPassword(ctx context.Context, l link, password string) (string, error) {
	if s.settings.PasswordElsewhere {
		return "", nil
	}
	u, err := s.users.ByID(ctx, l.UserID)
	if err != nil {
		return "", err
	}
	if err := CheckPassword(password, u, s.brand); err != nil {
		return "", err
	}
	return passwords.Hash(ctx, password)
}

// CheckPassword validates a password for an account of a portal with this brand.
func CheckPassword(password string, u users.User, brand settings.Brand) error {
	err := passwords.Check(password, u.UserName, u.FirstName, u.LastName)
	if err == nil && passwords.IsMadeOfNames(password, brand.BrandName, brand.OrganizationName) {
		err = passwords.NewRefusal(passwords.Common)
	}
	return err
}

// auditRefusedLink audits a rejected link.
func (s *Service) auditRefusedLink(ctx context.Context, operation audit.Operation, err error) error {
	if e := problem.From(err); err != nil && e.Kind == problem.Invalid {
		if unwritten := s.audit.RecordNow(ctx, audit.Entry{Operation: operation, Result: e.Code}); unwritten != nil {
			return unwritten
		}
	}
	return err
}

func (s *Service) setPassword(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string) error {
	if err := s.signIn.Activate(ctx, tx, g, hash); err != nil {
		return err
	}
	_, err := endLinks(ctx, tx, g.ID(), 0, []string{purposeReset, purposeRegistration, purposeBind}, db.At(s.now()))
	return err
}

// CompleteBinding binds an account to the subject that the emailed link was made for.
func (s *Service) CompleteBinding(ctx context.Context, token string) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err := s.findUsableLink(ctx, tx, purposeBind, hashToken(token))
		if err != nil {
			return err
		}
		grant := access.System(byThemselves).User(l.UserID) // the link identifies its owner, who isn't signed in
		bound, err := s.signIn.Bind(ctx, tx, grant, l.SSOIssuer, l.SSOSubject)
		if err == nil && !bound {
			err = newCodeError(codeInvalidToken)
		}
		if err != nil {
			return err
		}
		if n, err := useLink(ctx, tx, l.ID, db.At(s.now())); err != nil || n == 0 {
			return cmp.Or[error](err, newCodeError(codeInvalidToken))
		}
		return nil
	})
	if db.IsUnique(err) { // the subject was bound to another account in the meantime
		err = newCodeError(codeInvalidToken)
	}
	return s.auditRefusedLink(ctx, "sso-bind", err)
}

// ChangePassword changes the actor's own password and ends the account's other sessions. It
// returns success, or a text that contains incorrect_password, failed or INVALID_PW followed by
// the reason.
func (s *Service) ChangePassword(ctx context.Context, a access.Actor, userName, current, password string) (string, error) {
	if err := a.CheckName(userName); err != nil {
		return "", err
	}
	if s.settings.PasswordElsewhere {
		return "", problem.WithMessage(problem.Conflict, "You sign in with your identity provider. Change your password there.")
	}
	if err := s.attempts.Allow(ctx, "change", a.Person.UserName, maxAttempts, ratelimit.Quarter); err != nil {
		return "", err
	}
	current, password = strings.TrimSpace(current), strings.TrimSpace(password)
	u, err := s.users.ByName(ctx, a.Person.UserName)
	if err != nil {
		return "", err
	}
	right, err := passwords.Verify(ctx, u.PasswordHash, current)
	if err != nil {
		return "", err
	}
	if !right {
		return answerWrong, s.audit.RecordNow(ctx, audit.Entry{Operation: "password-change", Subject: u.UserName, Result: answerWrong})
	}
	err = CheckPassword(password, u, s.brand)
	if err == nil && password == current {
		err = passwords.NewRefusal(passwords.Same)
	}
	if e := problem.From(err); err != nil && e.Code == passwords.Invalid {
		// The current password was right, so this wasn't an attempt to guess it.
		return e.Code + " " + e.Fields[0].Code, s.db.Tx(ctx, func(tx *sql.Tx) error {
			return s.attempts.Reset(ctx, tx, "change", u.UserName)
		})
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
		u, err := s.users.LockUser(ctx, tx, grant.ID())
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
		if err := s.mails.Enqueue(ctx, tx, mailChanged, u.Email, u.ID); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "password-change", Subject: u.UserName, Result: "ok"})
	})
}

// ResetByAdmin blocks a user's sign-in until they choose a new password through the emailed
// link. It also unlocks the account.
func (s *Service) ResetByAdmin(ctx context.Context, a access.Actor, userName, email, admin string) error {
	if err := a.CheckName(admin); err != nil {
		return err
	}
	found, err := s.users.FindManaged(ctx, a, userName, 0)
	if err != nil {
		return err
	}
	if found.ID == a.Person.ID {
		return problem.WithMessage(problem.Invalid, "To change your own password, use Change Password.")
	}
	if email != "" && text.Key(email) != text.Key(found.Email) {
		return problem.WithMessage(problem.Conflict, "This user's email address has changed. Reload the list and try again.")
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, grant, err := s.users.LockManaged(ctx, tx, a, found)
		if err != nil {
			return err
		}
		if u.GroupEnded {
			return problem.WithMessage(problem.Conflict, groupInactive)
		}
		if err := s.signIn.Suspend(ctx, tx, grant); err != nil {
			return err
		}
		if err := s.sessions.EndAll(ctx, tx, grant); err != nil {
			return err
		}
		l := link{Purpose: purposeReset, UserID: u.ID, CreatedBy: a.Person.UserName}
		if err := s.sendLink(ctx, tx, l, mailResetByAdmin, u.Email); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "password-reset", Subject: u.UserName, Result: "ok"})
	})
}

// StartFactorReset emails a user the link that removes their second factors. Users can't reset
// their own, so a reset takes two people. The last system administrator's factors are reset on
// the command line.
func (s *Service) StartFactorReset(ctx context.Context, a access.Actor, userName string) error {
	found, err := s.users.FindManaged(ctx, a, userName, 0)
	if err != nil {
		return err
	}
	if found.ID == a.Person.ID {
		return problem.WithMessage(problem.Invalid, "You can't reset your own two-step verification. Ask another administrator.")
	}
	if !canComplete(found, purposeFactors) {
		return problem.WithMessage(problem.Conflict, "This user isn't registered yet or is terminated.")
	}
	if held, err := s.factors.HasFactor(ctx, found.ID); err != nil || !held {
		return cmp.Or[error](err, problem.WithMessage(problem.Conflict, "This user hasn't set up two-step verification."))
	}
	if err := a.RequireProof(); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, _, err := s.users.LockManaged(ctx, tx, a, found)
		if err != nil {
			return err
		}
		l := link{Purpose: purposeFactors, UserID: u.ID, CreatedBy: a.Person.UserName}
		if err := s.sendLink(ctx, tx, l, mailFactors, u.Email); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "factor-reset-start", Subject: u.UserName, Result: "ok"})
	})
}

// CompleteFactorReset removes an account's second factors through the emailed link. It doesn't
// sign the user in. The password is still required, and a required factor must be set up again.
func (s *Service) CompleteFactorReset(ctx context.Context, token string) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err := s.findUsableLink(ctx, tx, purposeFactors, hashToken(token))
		if err != nil {
			return err
		}
		u, err := s.users.LockUser(ctx, tx, l.UserID)
		if err != nil {
			return err
		}
		if !canComplete(u, purposeFactors) {
			return newCodeError(codeInvalidToken)
		}
		if n, err := useLink(ctx, tx, l.ID, db.At(s.now())); err != nil || n == 0 {
			return cmp.Or[error](err, newCodeError(codeInvalidToken))
		}
		_, err = s.factors.RemoveAll(ctx, tx, access.System(u.UserName).User(u.ID)) // the link identifies its owner
		return err
	})
	return s.auditRefusedLink(ctx, "factor-reset", err)
}

// ResendRegistration emails a new registration link to a user who hasn't finished the
// registration. It invalidates earlier links.
func (s *Service) ResendRegistration(ctx context.Context, a access.Actor, requester string, userID int64) error {
	if err := a.CheckName(requester); err != nil {
		return err
	}
	found, err := s.users.FindManaged(ctx, a, "", userID)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, grant, err := s.users.LockManaged(ctx, tx, a, found)
		if err != nil {
			return err
		}
		if err := s.Invite(ctx, tx, grant, 0); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "registration-resend", Subject: u.UserName, Result: "ok"})
	})
}

const groupInactive = "This user's group is inactive. Its users can't sign in or get email until you reactivate it."

// Invite emails the registration link to a new account, in the transaction that created it. The
// request is the account request it completes, if any.
func (s *Service) Invite(ctx context.Context, tx *sql.Tx, user access.UserGrant, request int64) error {
	u, err := s.lockInvitable(ctx, tx, user)
	if err != nil {
		return err
	}
	l := link{Purpose: purposeRegistration, UserID: u.ID, RequestID: request, CreatedBy: user.By()}
	return s.sendLink(ctx, tx, l, mailRegistration, u.Email)
}

// lockInvitable locks a user, and returns Conflict if the user can't complete the registration.
func (s *Service) lockInvitable(ctx context.Context, tx *sql.Tx, user access.UserGrant) (users.User, error) {
	u, err := s.users.LockUser(ctx, tx, user.ID())
	switch {
	case err != nil:
		return u, err
	case u.StatusCd == users.Terminated:
		return u, problem.WithMessage(problem.Conflict, "The account has been terminated.")
	case u.StatusCd != users.New:
		return u, problem.WithMessage(problem.Conflict, "This user is already registered.")
	case u.GroupEnded:
		return u, problem.WithMessage(problem.Conflict, groupInactive)
	}
	return u, nil
}

// RegistrationLink creates a registration link to pass on by other means than email. It
// invalidates earlier links.
func (s *Service) RegistrationLink(ctx context.Context, user access.UserGrant) (string, error) {
	var address string
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		u, err := s.lockInvitable(ctx, tx, user)
		if err != nil {
			return err
		}
		id, err := s.createLink(ctx, tx, link{Purpose: purposeRegistration, UserID: u.ID, CreatedBy: user.By()})
		if err != nil {
			return err
		}
		l, err := linkByID(ctx, tx, id)
		if err != nil {
			return err
		}
		if address, err = s.registrationURL(ctx, tx, l); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: user.By(), Operation: "registration-link", Subject: u.UserName, Result: "ok"})
	})
	return address, err
}

// Cleanup deletes old expired links and abandoned requests. It is safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	before := db.At(s.now().AddDate(0, 0, -linkKeepDays))
	err := errors.Join(
		s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteOldLinks(ctx, tx, before) }),
		s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteAbandoned(ctx, tx, before) }),
	)
	if s.settings.AccountRequestKeepDays == 0 {
		return err
	}
	return errors.Join(err, s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) {
		return deleteClosed(ctx, tx, db.At(s.now().AddDate(0, 0, -s.settings.AccountRequestKeepDays)))
	}))
}
