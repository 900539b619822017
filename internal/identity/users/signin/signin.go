// Package signin decides who can sign in. It checks passwords and SSO identities, counts failed
// attempts and locks names.
package signin

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/passwords"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Offer emails an account's owner a link that binds the account to an SSO subject. For user 0
// (no account) it does the same work without an email.
type Offer func(ctx context.Context, userID int64, issuer, subject string) error

// Service signs people in.
type Service struct {
	db       *db.DB
	accounts *users.Service
	mails    *mail.Outbox
	offer    Offer
	audit    *audit.Log
	factors  Factors
	now      func() time.Time
	settings Settings
	// publicURL is the portal's URL, for links.
	publicURL string
}

// Factors manages second factors.
type Factors interface {
	// IsRequired reports whether the user must verify a second factor after the password.
	IsRequired(ctx context.Context, q db.Queryer, userID int64, t access.Type) (bool, error)
	// Has reports whether the account has the factor, or any factor if it is 0.
	Has(ctx context.Context, q db.Queryer, userID, factor int64) (bool, error)
}

// Entry is a person who has signed in.
type Entry struct {
	users.User
	// Guard fails if the credentials no longer allow the person to sign in, and locks the
	// account. Every transaction that stores a result of the sign-in must call it first.
	Guard db.Guard
}

// verified contains the credentials that a person signed in with, besides the password.
type verified struct {
	factor          *int64 // nil: none; pointer to 0: a recovery code
	issuer, subject string // of the SSO identity
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Accounts *users.Service
	Offer    Offer
	Factors  Factors
}

// NewService creates the service. Emails show times in the business time zone.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	return &Service{db: d.DB, accounts: d.Accounts, mails: d.Mail, offer: d.Offer, factors: d.Factors, audit: d.Audit, now: d.LocalTime,
		settings: settings, publicURL: d.PublicURL}
}

// bySignIn grants changes to accounts of people who have proved that they own them.
const bySignIn = access.System("sign-in")

// Error codes of a sign-in. The screen has a message for each.
const (
	codeInvalid     = "INVALID_CREDENTIALS"
	codeLocked      = "USER_ACCT_LOCKED"
	codeTerminated  = "USER_ACCT_TERMINATED"
	codeInactive    = "USER_ACCT_INACTIVE"
	codeDeactivated = "USER_ACCT_DEACTIVATED"
	codeNotActive   = "INACTIVE_CREDENTIALS"
	codeNoEmployee  = "MISSING_EMPLOYEE_ID"
	codeLinkMailed  = "SSO_LINK_MAILED"
	codeSecond      = "SECOND_FACTOR_NEEDED"
	codeExpired     = "SSO_EXPIRED"
)

func newCodeError(code string) *problem.Error { return problem.WithCode(problem.Unauthenticated, code) }

func newLockedError(until, now time.Time) error {
	minutes := int((until.Sub(now) + time.Minute - 1) / time.Minute)
	e := newCodeError(codeLocked + ":" + strconv.Itoa(max(1, minutes)))
	e.Wait = until.Sub(now)
	return e
}

// SignIn checks a username and password. It counts failed attempts by the name that was typed,
// whether or not it exists. While a name is locked, the password isn't checked, so the response
// reveals neither whether the name exists nor whether the password was right. The account's
// status is shown only after the correct password. If a second factor is required, the returned
// error contains the Half of the sign-in.
func (s *Service) SignIn(ctx context.Context, name, password string) (Entry, error) {
	e, err := s.signIn(ctx, name, password)
	if err != nil {
		return Entry{}, s.auditRefusal(ctx, name, err)
	}
	return e, nil
}

func (s *Service) signIn(ctx context.Context, name, password string) (Entry, error) {
	key := text.Key(name)
	if key == "" || key == users.ReservedName || len(name) > 200 || len(password) > 200 {
		return Entry{}, newCodeError(codeInvalid)
	}
	// Count the attempt before checking the password, so that parallel attempts can't exceed the
	// limit.
	if err := passwords.CheckQueue(); err != nil {
		return Entry{}, err
	}
	attempt, err := s.countAttempt(ctx, key)
	if err != nil {
		return Entry{}, err
	}
	u, err := users.FindByName(ctx, s.db.Writer, name)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return Entry{}, err
	}
	found := err == nil
	right, err := verify(ctx, u, password)
	if err != nil {
		return Entry{}, err
	}
	if !found || !right {
		if !attempt.locks.IsZero() {
			return Entry{}, s.lock(ctx, attempt)
		}
		return Entry{}, newCodeError(codeInvalid)
	}
	if asked, err := s.factors.IsRequired(ctx, s.db.Writer, u.ID, u.TypeCd); err != nil {
		return Entry{}, err
	} else if asked {
		err := s.newHalfError(u)
		if _, continues := GetHalf(err); continues && !attempt.locks.IsZero() {
			err = s.lock(ctx, attempt) // the second step would be refused
		}
		return Entry{}, err
	}
	return s.completeSignIn(ctx, u, &attempt, verified{})
}

// verify reports whether a password is the account's. Spaces at the ends don't count, because they are
// removed when it is set.
func verify(ctx context.Context, u users.User, password string) (bool, error) {
	return passwords.Verify(ctx, u.PasswordHash, strings.TrimSpace(password))
}

// ProvePassword checks the password of a signed-in user. A wrong one is Invalid and counts as a
// failed sign-in. A lock is TooMany, and the session continues.
func (s *Service) ProvePassword(ctx context.Context, name, password string) error {
	err := s.provePassword(ctx, text.Key(name), password)
	e := problem.From(err)
	if err == nil || e.Kind != problem.Unauthenticated {
		return err
	}
	if unwritten := s.audit.RecordNow(ctx, audit.Entry{Operation: "proof", Subject: text.Key(name), Result: e.Code}); unwritten != nil {
		return unwritten
	}
	if minutes, locked := strings.CutPrefix(e.Code, codeLocked+":"); locked {
		return problem.RetryLater(e.Wait, "Error: Too many wrong passwords. Try again in "+minutes+" minutes.")
	}
	const wrong = "Error: The password is incorrect."
	return validate.RefuseField(wrong, "password", wrong)
}

func (s *Service) provePassword(ctx context.Context, key, password string) error {
	if err := passwords.CheckQueue(); err != nil {
		return err
	}
	attempt, err := s.countAttempt(ctx, key)
	if err != nil {
		return err
	}
	u, err := users.FindByName(ctx, s.db.Writer, key)
	if err != nil {
		return err
	}
	right, err := verify(ctx, u, password)
	switch {
	case err != nil:
		return err
	case right:
		return s.db.Tx(ctx, func(tx *sql.Tx) error { return s.clearAttempts(ctx, tx, attempt) })
	case !attempt.locks.IsZero():
		return s.lock(ctx, attempt)
	}
	return newCodeError(codeInvalid)
}

// checkCanSignIn checks whether the account can sign in, once its owner is verified.
func (s *Service) checkCanSignIn(u users.User) error {
	if u.GroupEnded {
		return newCodeError(codeDeactivated)
	}
	switch u.StatusCd {
	case users.Active:
	case users.Locked:
		if u.LockedUntil.IsZero() {
			return newLockedError(s.now().Add(s.settings.lockDuration()), s.now()) // imported as locked; no attempts explain the lock
		}
		// The lock from failed attempts applies only to their source. For all others it is just
		// the displayed status.
	case users.Inactive:
		return newCodeError(codeInactive)
	case users.Deactivated:
		return newCodeError(codeDeactivated)
	case users.Terminated:
		return newCodeError(codeTerminated)
	default:
		return newCodeError(codeNotActive)
	}
	if u.TypeCd.IsInternal() && u.EmployeeID == "" {
		return newCodeError(codeNoEmployee)
	}
	return nil
}

// newGuard returns the guard of an Entry. It fails if the password changed, if the factor used was
// removed, if a factor was added, or if the account was bound to another identity.
func (s *Service) newGuard(u users.User, with verified) db.Guard {
	return func(ctx context.Context, tx *sql.Tx) error {
		now, err := s.accounts.LockUser(ctx, tx, u.ID)
		if problem.Is(err, problem.NotFound) {
			err = newCodeError(codeNotActive)
		}
		if err == nil {
			err = s.checkCanSignIn(now)
		}
		if err != nil {
			return err
		}
		good := now.PasswordHash == u.PasswordHash
		switch {
		case with.subject != "":
			good = now.SSOIssuer == with.issuer && now.SSOSubject == with.subject
		case good && with.factor != nil:
			good, err = s.factors.Has(ctx, tx, u.ID, *with.factor)
		case good:
			var asked bool
			asked, err = s.factors.IsRequired(ctx, tx, u.ID, now.TypeCd)
			good = !asked
		}
		if err == nil && !good {
			err = newCodeError(codeExpired)
		}
		return err
	}
}

// completeSignIn signs in a verified person. It clears an expired lock, undoes the counted failure and
// records the time.
func (s *Service) completeSignIn(ctx context.Context, u users.User, attempt *attempt, with verified) (Entry, error) {
	if err := s.checkCanSignIn(u); err != nil {
		return Entry{}, err
	}
	still := s.newGuard(u, with)
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := still(ctx, tx); err != nil {
			return err
		}
		if attempt != nil {
			if err := s.clearAttempts(ctx, tx, *attempt); err != nil {
				return err
			}
		}
		noted, err := s.accounts.RecordSignIn(ctx, tx, bySignIn.User(u.ID))
		if err != nil {
			return err
		}
		if !noted { // terminated or reset since it was read
			return newCodeError(codeNotActive)
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: "sign-in", Subject: u.UserName, Result: "ok"})
	})
	u.StatusCd = users.Active
	return Entry{u, still}, err
}

// Lock locks an account until the transaction ends. It fails if the account can't sign in.
func (s *Service) Lock(ctx context.Context, tx *sql.Tx, userID int64) error {
	u, err := s.accounts.LockUser(ctx, tx, userID)
	if problem.Is(err, problem.NotFound) {
		return newCodeError(codeNotActive)
	}
	return cmp.Or(err, s.checkCanSignIn(u))
}

// Identity is a person as identified by an SSO provider.
type Identity struct {
	Issuer   string
	Subject  string
	UserName string
	Asserted bool // the provider is trusted to identify the account
}

// SignInIdentity finds the account of a person verified by the SSO provider. It uses the subject
// once bound, and the username the first time, but never the email. A person whose account has
// ended can start again with another account. Until that one is bound, they see that their
// account ended, whatever username they use.
func (s *Service) SignInIdentity(ctx context.Context, id Identity) (Entry, error) {
	u, err := users.FindBySubject(ctx, s.db.Writer, id.Issuer, id.Subject)
	ended := err == nil && u.StatusCd == users.Terminated
	if ended || errors.Is(err, db.ErrNotFound) {
		u, err = s.findFirstSignIn(ctx, id)
	}
	if ended && (errors.Is(err, db.ErrNotFound) || problem.From(err).Code == codeLinkMailed) {
		err = newCodeError(codeTerminated)
	}
	var entered Entry
	if err == nil {
		entered, err = s.completeSignIn(ctx, u, nil, verified{issuer: id.Issuer, subject: id.Subject})
	} else if errors.Is(err, db.ErrNotFound) || db.IsUnique(err) {
		err = newCodeError(codeNotActive)
	}
	if err != nil {
		return Entry{}, s.auditRefusal(ctx, id.UserName, err)
	}
	return entered, nil
}

// findFirstSignIn binds the account with the username from the provider and returns it. If the provider
// isn't trusted for that, the owner gets an email with a link instead. The response is then the
// same whether or not the account exists.
func (s *Service) findFirstSignIn(ctx context.Context, id Identity) (users.User, error) {
	u, err := users.FindByName(ctx, s.db.Writer, id.UserName)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return u, err
	}
	known := err == nil && !isBound(u, id.Issuer)    // otherwise the account belongs to another subject
	if !id.Asserted || known && u.SSOSubject != "" { // a claim doesn't replace a binding to a former issuer
		owner := u.ID
		if !known || s.checkCanSignIn(u) != nil {
			owner = 0
		}
		if err := s.offer(ctx, owner, id.Issuer, id.Subject); err != nil {
			return u, err
		}
		return u, newCodeError(codeLinkMailed)
	}
	if !known {
		return u, db.ErrNotFound
	}
	if err := s.checkCanSignIn(u); err != nil {
		return u, err
	}
	return u, s.db.Tx(ctx, func(tx *sql.Tx) error {
		bound, err := s.Bind(ctx, tx, bySignIn.User(u.ID), id.Issuer, id.Subject)
		if err == nil && !bound {
			err = db.ErrNotFound
		}
		return err
	})
}

// Bind binds an account to an SSO subject. It returns false if the account can't sign in or is
// already bound to one of the issuer. A subject that is bound to another account is an error that db.IsUnique
// reports.
func (s *Service) Bind(ctx context.Context, tx *sql.Tx, g access.UserGrant, issuer, subject string) (bool, error) {
	u, err := s.accounts.LockUser(ctx, tx, g.ID())
	if err != nil || isBound(u, issuer) || s.checkCanSignIn(u) != nil {
		return false, err
	}
	if err := s.accounts.BindSubject(ctx, tx, g, issuer, subject); err != nil {
		return false, err
	}
	return true, s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: "sso-bind", Subject: u.UserName, Result: "ok"})
}

// isBound reports whether an account is bound to a subject of the issuer. A binding to a former issuer
// doesn't count, because its sign-ins aren't accepted anymore.
func isBound(u users.User, issuer string) bool { return u.SSOSubject != "" && u.SSOIssuer == issuer }

// auditRefusal audits a refused sign-in by the name that was typed.
func (s *Service) auditRefusal(ctx context.Context, name string, err error) error {
	e := problem.From(err)
	if e.Kind != problem.Unauthenticated {
		return err
	}
	if unwritten := s.audit.RecordNow(ctx, audit.Entry{Operation: "sign-in", Subject: text.Key(name), Result: e.Code}); unwritten != nil {
		return unwritten
	}
	return err
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Cleanup: s.Cleanup, Retention: []retention.Item{
		retention.Until("90 days after the last failure; a lock until a reset stays", "Failed sign-in attempts by name",
			"sign_in_attempts"),
		retention.Until("1 day after the lock", "Failed sign-in attempts by source", "sign_in_sources"),
		retention.Until("400 days after the last sign-in", "Browsers that users signed in from", "sign_in_devices"),
		retention.Until("90 days", "Emails about sign-ins", "sign_in_notices"),
	}}
}

// Cleanup clears expired locks, deletes old attempts, and deactivates accounts that weren't used
// for the configured time. It is safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	now := s.now()
	if err := s.accounts.EndLocks(ctx); err != nil {
		return err
	}
	for _, forget := range []func(tx *sql.Tx) (int64, error){
		func(tx *sql.Tx) (int64, error) {
			return deleteSources(ctx, tx, db.At(now.Add(-day-s.settings.lockDuration())))
		},
		func(tx *sql.Tx) (int64, error) {
			return deleteNames(ctx, tx, db.At(now.Add(-rememberNames)), s.settings.LockRowFailures)
		},
		func(tx *sql.Tx) (int64, error) { return deleteOldNotices(ctx, tx, db.At(now.Add(-rememberNames))) },
		func(tx *sql.Tx) (int64, error) { return forgetOldDevices(ctx, tx, db.At(now.Add(-httpapi.DeviceFor))) },
	} {
		if err := s.db.DeleteInBatches(ctx, forget); err != nil {
			return err
		}
	}
	if s.settings.DisableAfterDays == 0 {
		return nil
	}
	return s.accounts.DeactivateUnused(ctx, now.AddDate(0, 0, -s.settings.DisableAfterDays))
}

// Activate sets an account's password, allows sign-in immediately, and clears its lock and
// failed attempts.
func (s *Service) Activate(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string) error {
	u, err := s.accounts.Activate(ctx, tx, g, hash)
	if err != nil {
		return err
	}
	return deleteAttempts(ctx, tx, text.Key(u.UserName))
}

// Suspend blocks sign-in until the account's owner chooses a new password, and forgets all known
// devices.
func (s *Service) Suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	u, err := s.accounts.Suspend(ctx, tx, g)
	if err != nil {
		return err
	}
	if err := forgetDevices(ctx, tx, g); err != nil {
		return err
	}
	return deleteAttempts(ctx, tx, text.Key(u.UserName))
}
