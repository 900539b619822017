// Package signin decides who may enter: it checks passwords, knows the people
// whom outside providers prove, counts failed attempts and locks names.
package signin

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/access"
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
	"wcpp/internal/users"
)

// Offer mails the owner of an account a link that binds it to the subject of an
// outside provider. For 0, nobody, it does the same work and mails nothing.
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
	// publicURL is the portal's, for links.
	publicURL string
}

// Factors are what people show beside their passwords.
type Factors interface {
	// Asked tells whether the right password alone does not let a person in.
	Asked(ctx context.Context, q db.Queryer, userID int64, t access.Type) (bool, error)
	// Has tells whether the account has the factor; for 0, any.
	Has(ctx context.Context, q db.Queryer, userID, factor int64) (bool, error)
}

// Entry is a person who was let in.
type Entry struct {
	users.User
	// Still refuses where what was shown does not let the person in any more. Whatever
	// outlives the sign-in is made in a transaction that asks it first; it locks the account.
	Still db.Guard
}

// shown is what a person came in with, besides the password that the account had.
type shown struct {
	factor          *int64 // nil: none; to 0: a recovery code
	issuer, subject string // of the outside provider that proved them
}

// NewService makes the service over the accounts. Mails tell times as the clock
// does, in its zone.
func NewService(d *db.DB, accounts *users.Service, mails *mail.Outbox, offer Offer, factors Factors, log *audit.Log, now func() time.Time, settings Settings, publicURL string) *Service {
	s := &Service{db: d, accounts: accounts, mails: mails, offer: offer, factors: factors, audit: log, now: now, settings: settings, publicURL: publicURL}
	s.letters()
	return s
}

// bySignIn changes the accounts of those who have proven to be their owners.
const bySignIn = access.System("sign-in")

// Codes a sign-in fails with. The screen has a sentence for each.
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

func refuse(code string) *problem.Error { return problem.Coded(problem.Unauthenticated, code) }

func lockedFor(until, now time.Time) error {
	minutes := int((until.Sub(now) + time.Minute - 1) / time.Minute)
	e := refuse(codeLocked + ":" + strconv.Itoa(max(1, minutes)))
	e.Wait = until.Sub(now)
	return e
}

// SignIn checks a user name and password. Failed attempts are counted by the name
// that was typed, existing or not, and a lock is answered without looking at
// the password, so that it tells neither whether the name exists nor whether
// the password was right. The state of an account is told only after the right
// password. Where a second factor is asked for nobody is let in: the refusal has
// the Half of the sign-in.
func (s *Service) SignIn(ctx context.Context, name, password string) (Entry, error) {
	e, err := s.signIn(ctx, name, password)
	if err != nil {
		return Entry{}, s.refused(ctx, name, err)
	}
	return e, nil
}

func (s *Service) signIn(ctx context.Context, name, password string) (Entry, error) {
	key := text.Key(name)
	if key == "" || key == users.ReservedName || len(name) > 200 || len(password) > 200 {
		return Entry{}, refuse(codeInvalid)
	}
	// The attempt is counted before the password is looked at, so that many at
	// once are still only so many.
	if err := passwords.Turn(); err != nil {
		return Entry{}, err
	}
	attempt, err := s.countAttempt(ctx, key)
	if err != nil {
		return Entry{}, err
	}
	u, err := users.FindByName(ctx, s.db.Writer, name)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return Entry{}, err
	}
	found := err == nil
	right, err := passwords.Verify(ctx, u.PasswordHash, password)
	if err != nil {
		return Entry{}, err
	}
	if !found || !right {
		if !attempt.locks.IsZero() {
			return Entry{}, s.lock(ctx, attempt)
		}
		return Entry{}, refuse(codeInvalid)
	}
	if asked, err := s.factors.Asked(ctx, s.db.Writer, u.ID, u.TypeCd); err != nil {
		return Entry{}, err
	} else if asked {
		return Entry{}, s.half(u)
	}
	return s.enter(ctx, u, &attempt, shown{})
}

// ProvePassword checks the password of somebody who is signed in. A wrong one is
// Invalid and counts as a failed sign-in; a lock, which the session outlives, is
// TooMany.
func (s *Service) ProvePassword(ctx context.Context, name, password string) error {
	err := s.provePassword(ctx, text.Key(name), password)
	e := problem.From(err)
	if err == nil || e.Kind != problem.Unauthenticated {
		return err
	}
	if unwritten := s.audit.Now(ctx, audit.Entry{Operation: "proof", Subject: text.Key(name), Result: e.Code}); unwritten != nil {
		return unwritten
	}
	if minutes, locked := strings.CutPrefix(e.Code, codeLocked+":"); locked {
		return problem.Later(e.Wait, "Error: Too many wrong passwords. Try again in "+minutes+" minutes.")
	}
	const wrong = "Error: The password is incorrect."
	return validate.RefuseField(wrong, "password", wrong)
}

func (s *Service) provePassword(ctx context.Context, key, password string) error {
	if err := passwords.Turn(); err != nil {
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
	right, err := passwords.Verify(ctx, u.PasswordHash, password)
	switch {
	case err != nil:
		return err
	case right:
		return s.db.Tx(ctx, func(tx *sql.Tx) error { return s.succeeded(ctx, tx, attempt) })
	case !attempt.locks.IsZero():
		return s.lock(ctx, attempt)
	}
	return refuse(codeInvalid)
}

// mayEnter tells whether the account, its owner proven, may sign in.
func (s *Service) mayEnter(u users.User) error {
	if u.GroupEnded {
		return refuse(codeDeactivated)
	}
	switch u.StatusCd {
	case users.Active:
	case users.Locked:
		if u.LockedUntil.IsZero() {
			return lockedFor(s.now().Add(s.settings.lockFor()), s.now()) // it came so; no attempt tells it from a lock by attempts
		}
		// A lock by attempts holds for those whom they came from; the rest is its
		// account's look.
	case users.Inactive:
		return refuse(codeInactive)
	case users.Deactivated:
		return refuse(codeDeactivated)
	case users.Terminated:
		return refuse(codeTerminated)
	default:
		return refuse(codeNotActive)
	}
	if u.TypeCd.Internal() && u.EmployeeID == "" {
		return refuse(codeNoEmployee)
	}
	return nil
}

// still is the Entry's: an account with another password, without the factor that was
// shown, with one that was not, or bound to somebody else lets the person in no more.
func (s *Service) still(u users.User, with shown) db.Guard {
	return func(ctx context.Context, tx *sql.Tx) error {
		now, err := s.accounts.LockUser(ctx, tx, u.ID)
		if problem.Is(err, problem.NotFound) {
			err = refuse(codeNotActive)
		}
		if err == nil {
			err = s.mayEnter(now)
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
			asked, err = s.factors.Asked(ctx, tx, u.ID, now.TypeCd)
			good = !asked
		}
		if err == nil && !good {
			err = refuse(codeExpired)
		}
		return err
	}
}

// enter lets a proven person in: a lock that has run out ends, the attempt counts
// as none that failed, the time is noted.
func (s *Service) enter(ctx context.Context, u users.User, attempt *attempt, with shown) (Entry, error) {
	if err := s.mayEnter(u); err != nil {
		return Entry{}, err
	}
	still := s.still(u, with)
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := still(ctx, tx); err != nil {
			return err
		}
		if attempt != nil {
			if err := s.succeeded(ctx, tx, *attempt); err != nil {
				return err
			}
		}
		noted, err := s.accounts.NoteSignIn(ctx, tx, bySignIn.User(u.ID))
		if err != nil {
			return err
		}
		if !noted { // terminated or reset since it was read
			return refuse(codeNotActive)
		}
		return s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: "sign-in", Subject: u.UserName, Result: "ok"})
	})
	u.StatusCd = users.Active
	return Entry{u, still}, err
}

// Lock locks an account until the transaction ends, and refuses one that may not sign in.
func (s *Service) Lock(ctx context.Context, tx *sql.Tx, userID int64) error {
	u, err := s.accounts.LockUser(ctx, tx, userID)
	if problem.Is(err, problem.NotFound) {
		return refuse(codeNotActive)
	}
	return cmp.Or(err, s.mayEnter(u))
}

// Identity is a person as an outside provider knows them.
type Identity struct {
	Issuer   string
	Subject  string
	UserName string
	Asserted bool // the provider is trusted to say whose account it is
}

// SignInIdentity finds the account of a person whom the outside provider has
// proven: by the issuer's subject once bound, at first by the user name, never
// by e-mail. Whose account has ended begins anew with another, and is told that it has
// ended, whatever name they brought, until that one is bound.
func (s *Service) SignInIdentity(ctx context.Context, id Identity) (Entry, error) {
	u, err := users.FindBySubject(ctx, s.db.Writer, id.Issuer, id.Subject)
	ended := err == nil && u.StatusCd == users.Terminated
	if ended || errors.Is(err, db.ErrNotFound) {
		u, err = s.atFirst(ctx, id)
	}
	if ended && (errors.Is(err, db.ErrNotFound) || problem.From(err).Code == codeLinkMailed) {
		err = refuse(codeTerminated)
	}
	var entered Entry
	if err == nil {
		entered, err = s.enter(ctx, u, nil, shown{issuer: id.Issuer, subject: id.Subject})
	} else if errors.Is(err, db.ErrNotFound) || db.IsUnique(err) {
		err = refuse(codeNotActive)
	}
	if err != nil {
		return Entry{}, s.refused(ctx, id.UserName, err)
	}
	return entered, nil
}

// atFirst binds the account of the name that the provider asserts, and answers
// it. Where the provider is not trusted to, its owner is mailed a link in place
// of that, and whoever came is told the same whether there is such an account or
// not.
func (s *Service) atFirst(ctx context.Context, id Identity) (users.User, error) {
	u, err := users.FindByName(ctx, s.db.Writer, id.UserName)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return u, err
	}
	known := err == nil && u.SSOSubject == "" // else the name's account is another subject's
	if !id.Asserted {
		owner := u.ID
		if !known || s.mayEnter(u) != nil {
			owner = 0
		}
		if err := s.offer(ctx, owner, id.Issuer, id.Subject); err != nil {
			return u, err
		}
		return u, refuse(codeLinkMailed)
	}
	if !known {
		return u, db.ErrNotFound
	}
	if err := s.mayEnter(u); err != nil {
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

// Bind binds an account to the subject of an outside provider. It answers false
// where the account may not sign in or is bound already; a subject that is bound to
// another account is an error that db.IsUnique knows.
func (s *Service) Bind(ctx context.Context, tx *sql.Tx, g access.UserGrant, issuer, subject string) (bool, error) {
	u, err := s.accounts.LockUser(ctx, tx, g.ID())
	if err != nil || u.SSOSubject != "" || s.mayEnter(u) != nil {
		return false, err
	}
	if err := s.accounts.BindSubject(ctx, tx, g, issuer, subject); err != nil {
		return false, err
	}
	return true, s.audit.Record(ctx, tx, audit.Entry{Actor: u.UserName, Operation: "sso-bind", Subject: u.UserName, Result: "ok"})
}

// refused notes a refused sign-in by the name that was given.
func (s *Service) refused(ctx context.Context, name string, err error) error {
	e := problem.From(err)
	if e.Kind != problem.Unauthenticated {
		return err
	}
	if unwritten := s.audit.Now(ctx, audit.Entry{Operation: "sign-in", Subject: text.Key(name), Result: e.Code}); unwritten != nil {
		return unwritten
	}
	return err
}

// Module is what the area brings to the program.
func (s *Service) Module() module.Module {
	return module.Module{Tidy: s.Tidy, Keeps: []retention.Item{
		retention.Until("1 day after the lock; 100 failures in a row stay until a reset", "Failed sign-in attempts", "sign_in_attempts", "sign_in_sources"),
		retention.Until("400 days after the last sign-in", "Browsers that users signed in from", "sign_in_devices"),
		retention.Until("90 days", "Emails about sign-ins", "sign_in_notices"),
	}}
}

// Tidy ends locks whose time has run out, forgets old attempts and deactivates
// accounts that were not used for the configured time. It is safe to repeat.
func (s *Service) Tidy(ctx context.Context) error {
	now := s.now()
	if err := s.accounts.EndLocks(ctx); err != nil {
		return err
	}
	for _, forget := range []func(tx *sql.Tx) (int64, error){
		func(tx *sql.Tx) (int64, error) {
			return forgetSources(ctx, tx, db.At(now.Add(-day-s.settings.lockFor())))
		},
		func(tx *sql.Tx) (int64, error) {
			return forgetNames(ctx, tx, db.At(now.Add(-rememberNames)), s.settings.LockRowFailures)
		},
		func(tx *sql.Tx) (int64, error) { return deleteOldNotices(ctx, tx, db.At(now.Add(-rememberNames))) },
		func(tx *sql.Tx) (int64, error) { return forgetOldDevices(ctx, tx, db.At(now.Add(-httpapi.DeviceFor))) },
	} {
		if err := s.db.Forget(ctx, forget); err != nil {
			return err
		}
	}
	if s.settings.disableIn() == 0 {
		return nil
	}
	return s.accounts.DeactivateUnused(ctx, now.Add(-s.settings.disableIn()))
}

// Activate gives an account a password, in force at once: it may sign in, its
// lock and its failed attempts are forgotten.
func (s *Service) Activate(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string) error {
	u, err := s.accounts.Activate(ctx, tx, g, hash)
	if err != nil {
		return err
	}
	return forgetAttempts(ctx, tx, text.Key(u.UserName))
}

// Suspend keeps an account from signing in until its owner has chosen a new
// password, and makes none of its devices a known one.
func (s *Service) Suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	u, err := s.accounts.Suspend(ctx, tx, g)
	if err != nil {
		return err
	}
	if err := forgetDevices(ctx, tx, g); err != nil {
		return err
	}
	return forgetAttempts(ctx, tx, text.Key(u.UserName))
}
