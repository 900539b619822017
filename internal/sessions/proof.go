package sessions

import (
	"context"
	"database/sql"
	"time"

	"wcpp/internal/identity/users/signin"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// Proof shows that someone owns an account. The session doesn't depend on how they proved it.
type Proof struct {
	UserID int64
	Method Method
	// IDToken is the ID token of an SSO provider, or empty.
	IDToken string
	// SID is the SSO provider's session id, or empty if unknown.
	SID string
	// At is when the person last authenticated, or zero if the SSO provider doesn't say.
	At time.Time
	// Guard runs in the transaction that opens the session, and fails if the proof is no longer
	// valid. It locks the account.
	Guard db.Guard
}

// Method is a way to prove an identity.
type Method string

// The methods.
const (
	SingleSignOnCode Method = "single sign-on"
	Password         Method = "password"
)

// signInCredentials contains the credentials of a sign-in attempt.
type signInCredentials struct {
	UserName string
	Secret   string // a password, or the single sign-on code
	State    string // returned with the code
	Issuer   string // returned with the code, if any
	Pending  string // the browser's record of the sign-in in progress
}

// prover verifies people by one method. It ignores credentials in other forms.
type prover struct {
	takes func(signInCredentials) bool
	prove func(context.Context, signInCredentials) (Proof, error)
}

// prove asks the first prover that accepts the credentials, or fails if there is none.
func (s *Service) prove(ctx context.Context, shown signInCredentials) (Proof, error) {
	for _, p := range s.provers {
		if p.takes(shown) {
			return p.prove(ctx, shown)
		}
	}
	return Proof{}, problem.WithCode(problem.Unauthenticated, "INVALID_CREDENTIALS")
}

// Proven is a person verified by single sign-on.
type Proven struct {
	UserID  int64
	IDToken string
	SID     string
	At      time.Time
	Guard   db.Guard
}

// SingleSignOn exchanges the code that the browser returned with.
type SingleSignOn interface {
	Exchange(ctx context.Context, code, state, issuer, pending string) (Proven, error)
	// SignOutURL returns the URL that ends the provider's own session, or empty if there is
	// none.
	SignOutURL(ctx context.Context, idToken string) string
	// DeleteCodes deletes a user's codes that could still open a session.
	DeleteCodes(ctx context.Context, tx *sql.Tx, userID int64) error
}

// codeUser is the literal username that marks the secret as a single sign-on code.
const codeUser = "checkAuth"

func newSSOProver(sso SingleSignOn) prover {
	return prover{
		takes: func(shown signInCredentials) bool { return shown.UserName == codeUser },
		prove: func(ctx context.Context, shown signInCredentials) (Proof, error) {
			proven, err := sso.Exchange(ctx, shown.Secret, shown.State, shown.Issuer, shown.Pending)
			return Proof{UserID: proven.UserID, Method: SingleSignOnCode, IDToken: proven.IDToken, SID: proven.SID, At: proven.At,
				Guard: proven.Guard}, err
		},
	}
}

// newPasswordProver accepts all other credentials: the portal's form before single sign-on.
func newPasswordProver(s *signin.Service, now func() time.Time) prover {
	return prover{
		takes: func(signInCredentials) bool { return true },
		prove: func(ctx context.Context, shown signInCredentials) (Proof, error) {
			e, err := s.SignIn(ctx, shown.UserName, shown.Secret)
			return Proof{UserID: e.ID, Method: Password, At: now(), Guard: e.Guard}, err
		},
	}
}
