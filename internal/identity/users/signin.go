package users

import (
	"context"
	"database/sql"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/passwords"
)

// Account changes by signing in.

// FindBySubject finds the account linked to an SSO subject, or returns db.ErrNotFound.
func FindBySubject(ctx context.Context, q db.Queryer, issuer, subject string) (User, error) {
	return bySubject(ctx, q, issuer, subject)
}

// BindSubject links an account to an SSO subject, and unlinks it from an ended account. A
// subject that is linked to another account is an error that db.IsUnique reports.
func (s *Service) BindSubject(ctx context.Context, tx *sql.Tx, g access.UserGrant, issuer, subject string) error {
	if err := freeSubject(ctx, tx, issuer, subject); err != nil {
		return err
	}
	return bindSubject(ctx, tx, g, issuer, subject, db.At(s.now()))
}

// UnbindSubject removes an account's SSO subject.
func (s *Service) UnbindSubject(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return unbindSubject(ctx, tx, g)
}

// RecordSignIn records a sign-in and clears an expired lock. It returns false if the account can
// no longer sign in.
func (s *Service) RecordSignIn(ctx context.Context, tx *sql.Tx, g access.UserGrant) (bool, error) {
	n, err := noteSignIn(ctx, tx, g, db.At(s.now()))
	return n > 0, err
}

// LockOut locks the account with a username until a time. It returns false if there is no active
// account with that name.
func (s *Service) LockOut(ctx context.Context, tx *sql.Tx, name string, until time.Time) (bool, error) {
	n, err := lockActive(ctx, tx, name, db.At(until), db.At(s.now()))
	return n > 0, err
}

// EndLocks clears expired locks.
func (s *Service) EndLocks(ctx context.Context) error {
	return unlockExpired(ctx, s.db.Writer, db.At(s.now()))
}

// DeactivateUnused deactivates accounts that haven't been used since a time.
func (s *Service) DeactivateUnused(ctx context.Context, since time.Time) error {
	return deactivateUnused(ctx, s.db.Writer, db.At(since), db.At(s.now()))
}

// SetMissingPasswords sets the same password for every registered account without one, for the
// demo. It doesn't change any status.
func (s *Service) SetMissingPasswords(ctx context.Context, password string) error {
	hash, err := passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return setMissingPasswords(ctx, s.db.Writer, hash)
}
