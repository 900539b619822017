package signin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Half is a sign-in with the correct password that still needs a second factor. Until then its
// attempt counts as failed, so that knowing a password doesn't allow more tries.
type Half struct {
	UserID int64
	// Password identifies the password that was correct. Changing the password ends the sign-in.
	Password string
}

// halfError is the error that contains a Half.
type halfError struct{ Half }

func (halfError) Error() string { return "password accepted, waiting for two-step verification" }

// GetHalf returns the unfinished sign-in from an error of SignIn.
func GetHalf(err error) (Half, bool) {
	var h halfError
	return h.Half, errors.As(err, &h)
}

// newHalfError refuses a person with the correct password until the sign-in is finished with a second
// factor.
func (s *Service) newHalfError(u users.User) error {
	if err := s.checkCanSignIn(u); err != nil {
		return err
	}
	return problem.WithCode(problem.Unauthenticated, codeSecond).WithCause(halfError{Half{UserID: u.ID, Password: digest(u)}})
}

func digest(u users.User) string {
	h := sha256.Sum256([]byte("second factor " + u.PasswordHash))
	return base64.RawURLEncoding.EncodeToString(h[:])
}

// FindUnfinished finds the account of an unfinished sign-in that is still valid, and grants setting up a
// factor for it.
func (s *Service) FindUnfinished(ctx context.Context, h Half) (access.UserGrant, error) {
	u, err := s.findHalf(ctx, h)
	return bySignIn.User(u.ID), err
}

func (s *Service) findHalf(ctx context.Context, h Half) (users.User, error) {
	u, err := s.accounts.ByID(ctx, h.UserID)
	if problem.Is(err, problem.NotFound) || err == nil && subtle.ConstantTimeCompare([]byte(digest(u)), []byte(h.Password)) != 1 {
		err = newCodeError(codeExpired)
	}
	if err == nil {
		err = s.checkCanSignIn(u)
	}
	return u, err
}

// VerifyFunc verifies a second factor and returns its id, or 0 for a recovery code. It returns an
// Unauthenticated problem for a wrong one.
type VerifyFunc func(context.Context) (factor int64, err error)

// Finish completes a sign-in with a second factor. A wrong factor counts as a failed attempt by
// the name.
func (s *Service) Finish(ctx context.Context, h Half, show VerifyFunc) (Entry, error) {
	u, err := s.findHalf(ctx, h)
	if err != nil {
		return Entry{}, err
	}
	return s.verifySecond(ctx, u, 1, show) // the password is the first step
}

// SignInWithPasskey signs in an account's owner with a passkey, which counts as both factors.
func (s *Service) SignInWithPasskey(ctx context.Context, userID int64, show VerifyFunc) (Entry, error) {
	u, err := s.accounts.ByID(ctx, userID)
	if err != nil {
		return Entry{}, err
	}
	return s.verifySecond(ctx, u, 0, show)
}

func (s *Service) verifySecond(ctx context.Context, u users.User, earlier int, show VerifyFunc) (Entry, error) {
	entered, err := s.tryVerify(ctx, u, earlier, show)
	if err != nil {
		return Entry{}, s.auditRefusal(ctx, u.UserName, err)
	}
	return entered, nil
}

func (s *Service) tryVerify(ctx context.Context, u users.User, earlier int, show VerifyFunc) (Entry, error) {
	attempt, err := s.countAttempt(ctx, text.Key(u.UserName))
	if err != nil {
		return Entry{}, err
	}
	attempt.earlier = earlier
	factor, err := show(ctx)
	if problem.Is(err, problem.Unauthenticated) && !attempt.locks.IsZero() {
		return Entry{}, s.lock(ctx, attempt)
	} else if err != nil {
		return Entry{}, err
	}
	return s.completeSignIn(ctx, u, &attempt, verified{factor: &factor})
}
