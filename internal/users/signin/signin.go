// Package signin decides who may enter: it checks passwords, knows the people
// whom outside providers prove, counts failed attempts and locks names.
package signin

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/passwords"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/users"
)

// Service signs people in.
type Service struct {
	db       *db.DB
	accounts *users.Service
	audit    *audit.Log
	now      func() time.Time
	settings Settings
}

// NewService makes the service over the accounts.
func NewService(d *db.DB, accounts *users.Service, log *audit.Log, now func() time.Time, settings Settings) *Service {
	return &Service{db: d, accounts: accounts, audit: log, now: now, settings: settings}
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
)

func refuse(code string) error { return problem.Coded(problem.Unauthenticated, code) }

func lockedFor(until, now time.Time) error {
	minutes := int((until.Sub(now) + time.Minute - 1) / time.Minute)
	return refuse(codeLocked + ":" + strconv.Itoa(max(1, minutes)))
}

// SignIn checks a user name and password. Failed attempts are counted by the name
// that was typed, existing or not, and a lock is answered without looking at
// the password, so that it tells neither whether the name exists nor whether
// the password was right. The state of an account is told only after the right
// password.
func (s *Service) SignIn(ctx context.Context, name, password string) (users.User, error) {
	u, err := s.signIn(ctx, name, password)
	if err != nil {
		return users.User{}, s.refused(ctx, name, err)
	}
	return u, nil
}

func (s *Service) signIn(ctx context.Context, name, password string) (users.User, error) {
	key := text.Key(name)
	if key == "" || key == users.ReservedName || len(name) > 200 || len(password) > 200 {
		return users.User{}, refuse(codeInvalid)
	}
	// The attempt is counted before the password is looked at, so that many at
	// once are still only so many.
	count, err := s.countAttempt(ctx, key)
	if err != nil {
		return users.User{}, err
	}
	u, err := users.FindByName(ctx, s.db.Writer, name)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return users.User{}, err
	}
	found := err == nil
	if found && u.StatusCd == users.Locked && u.LockedUntil.IsZero() {
		return users.User{}, refuse(codeLocked)
	}
	right, err := passwords.Verify(ctx, u.PasswordHash, password)
	if err != nil {
		return users.User{}, err
	}
	if !found || !right {
		if count >= s.settings.LockFailures {
			return users.User{}, s.lock(ctx, key)
		}
		return users.User{}, refuse(codeInvalid)
	}
	return s.enter(ctx, u)
}

// countAttempt counts an attempt by the name, or answers its lock.
func (s *Service) countAttempt(ctx context.Context, key string) (int, error) {
	now := s.now()
	var count int
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		a, err := attemptsOf(ctx, tx, s.db.Dialect, key)
		if err != nil {
			return err
		}
		if a.LockedUntil.After(now) {
			return lockedFor(a.LockedUntil.Time, now)
		}
		if !a.LockedUntil.IsZero() || now.Sub(a.LastFailedAt.Time) > s.settings.lockFor() {
			a.Failures = 0
		}
		count = a.Failures + 1
		if count > s.settings.LockFailures {
			// Attempts at the same time that already used up what is allowed.
			return lockedFor(now.Add(s.settings.lockFor()), now)
		}
		return saveAttempts(ctx, tx, key, count, db.At(now), db.Instant{})
	})
	return count, err
}

// lock locks the name, and the account of that name if it is active.
func (s *Service) lock(ctx context.Context, key string) error {
	now := s.now()
	until := db.At(now.Add(s.settings.lockFor()))
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := saveAttempts(ctx, tx, key, s.settings.LockFailures, db.At(now), until); err != nil {
			return err
		}
		locked, err := s.accounts.LockOut(ctx, tx, key, until.Time)
		if err != nil || !locked {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "account-locked", Subject: key, Result: "ok"})
	})
	if err != nil {
		return err
	}
	return lockedFor(until.Time, now)
}

// mayEnter tells whether the account, its owner proven, may sign in.
func (s *Service) mayEnter(u users.User) error {
	switch u.StatusCd {
	case users.Active:
	case users.Locked:
		if u.LockedUntil.IsZero() {
			return refuse(codeLocked)
		}
		if u.LockedUntil.After(s.now()) {
			return lockedFor(u.LockedUntil.Time, s.now())
		}
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

// enter lets a proven person in: a lock that has run out ends, attempts
// are forgotten, the time is noted.
func (s *Service) enter(ctx context.Context, u users.User) (users.User, error) {
	if err := s.mayEnter(u); err != nil {
		return users.User{}, err
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := forgetAttempts(ctx, tx, text.Key(u.UserName)); err != nil {
			return err
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
	return u, err
}

// Identity is a person as an outside provider knows them.
type Identity struct {
	Issuer   string
	Subject  string
	UserName string
}

// SignInIdentity finds the account of a person whom the outside provider has
// proven: by the issuer's subject once bound, at first by the user name, never
// by e-mail.
func (s *Service) SignInIdentity(ctx context.Context, id Identity) (users.User, error) {
	u, err := users.FindBySubject(ctx, s.db.Writer, id.Issuer, id.Subject)
	if errors.Is(err, db.ErrNotFound) {
		u, err = users.FindByName(ctx, s.db.Writer, id.UserName)
		if err == nil && u.SSOSubject != "" {
			// The name belongs to an account of another subject.
			err = db.ErrNotFound
		}
		if err == nil {
			var bound bool
			bound, err = s.accounts.BindSubject(ctx, bySignIn.User(u.ID), id.Issuer, id.Subject)
			if err == nil && !bound {
				err = db.ErrNotFound
			}
		}
	}
	if err == nil {
		u, err = s.enter(ctx, u)
	} else if errors.Is(err, db.ErrNotFound) {
		err = refuse(codeNotActive)
	}
	if err != nil {
		return users.User{}, s.refused(ctx, id.UserName, err)
	}
	return u, nil
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
	return module.Module{Tidy: s.Tidy}
}

// Tidy ends locks whose time has run out, forgets old attempts and deactivates
// accounts that were not used for the configured time. It is safe to repeat.
func (s *Service) Tidy(ctx context.Context) error {
	now := s.now()
	if err := s.accounts.EndLocks(ctx); err != nil {
		return err
	}
	if err := forgetOldAttempts(ctx, s.db.Writer, db.At(now.Add(-24*time.Hour-s.settings.lockFor()))); err != nil {
		return err
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
// password.
func (s *Service) Suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	u, err := s.accounts.Suspend(ctx, tx, g)
	if err != nil {
		return err
	}
	return forgetAttempts(ctx, tx, text.Key(u.UserName))
}
