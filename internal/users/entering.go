package users

import (
	"context"
	"database/sql"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/passwords"
)

// What signing in changes of accounts.

// FindBySubject finds the account that an outside provider's subject is bound
// to; db.ErrNotFound where there is none.
func FindBySubject(ctx context.Context, q db.Queryer, issuer, subject string) (User, error) {
	return bySubject(ctx, q, issuer, subject)
}

// BindSubject binds an account to the subject of an outside provider, in place of one
// that has ended. A subject that is bound to another is an error that db.IsUnique knows.
func (s *Service) BindSubject(ctx context.Context, tx *sql.Tx, g access.UserGrant, issuer, subject string) error {
	if err := freeSubject(ctx, tx, issuer, subject); err != nil {
		return err
	}
	return bindSubject(ctx, tx, g, issuer, subject, db.At(s.now()))
}

// UnbindSubject takes the outside provider's subject off an account.
func (s *Service) UnbindSubject(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return unbindSubject(ctx, tx, g)
}

// NoteSignIn notes a sign-in and ends a lock that has run out. It answers false
// for an account that may not sign in any more.
func (s *Service) NoteSignIn(ctx context.Context, tx *sql.Tx, g access.UserGrant) (bool, error) {
	n, err := noteSignIn(ctx, tx, g, db.At(s.now()))
	return n > 0, err
}

// LockOut keeps the account of a user name from signing in until the time. It
// answers false where there is no active account of the name.
func (s *Service) LockOut(ctx context.Context, tx *sql.Tx, name string, until time.Time) (bool, error) {
	n, err := lockActive(ctx, tx, name, db.At(until), db.At(s.now()))
	return n > 0, err
}

// EndLocks ends the locks whose time has run out.
func (s *Service) EndLocks(ctx context.Context) error {
	return unlockExpired(ctx, s.db.Writer, db.At(s.now()))
}

// DeactivateUnused deactivates the accounts that were not used since the time.
func (s *Service) DeactivateUnused(ctx context.Context, since time.Time) error {
	return deactivateUnused(ctx, s.db.Writer, db.At(since), db.At(s.now()))
}

// SetMissingPasswords gives every registered account without a password the
// same one, as the demo has it. It changes no state.
func (s *Service) SetMissingPasswords(ctx context.Context, password string) error {
	hash, err := passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return setMissingPasswords(ctx, s.db.Writer, hash)
}
