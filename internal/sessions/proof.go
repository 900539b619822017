package sessions

import (
	"context"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// Proof is that somebody is the owner of an account. How it was shown is nothing
// to the session that is opened with it.
type Proof struct {
	UserID int64
	Method Method
	// IDToken is what an outside provider signed about the person; empty otherwise.
	IDToken string
	// SID is the outside provider's own session; empty where it does not tell.
	SID string
	// At is when the person was last asked; zero where an outside provider does
	// not tell.
	At time.Time
	// Still refuses, in the transaction that opens the session, where what was shown is not
	// good any more. It locks the account.
	Still db.Guard
}

// Method is a way to prove a person.
type Method string

// The methods.
const (
	SingleSignOnCode Method = "single sign-on"
	Password         Method = "password"
)

// presented is what somebody shows who wants to sign in.
type presented struct {
	UserName string
	Secret   string // a password, or the code that single sign-on returned
	State    string // that came with the code
	Issuer   string // that came with it, if any
	Pending  string // what the browser kept of the sign-in under way
}

// prover proves people by one method. It takes what is presented in its form
// and leaves the rest to others.
type prover struct {
	takes func(presented) bool
	prove func(context.Context, presented) (Proof, error)
}

// prove asks the first prover that takes what is presented. Without one nobody
// is proven.
func (s *Service) prove(ctx context.Context, shown presented) (Proof, error) {
	for _, p := range s.provers {
		if p.takes(shown) {
			return p.prove(ctx, shown)
		}
	}
	return Proof{}, problem.Coded(problem.Unauthenticated, "INVALID_CREDENTIALS")
}

// Proven is a person whom single sign-on has proven.
type Proven struct {
	UserID  int64
	IDToken string
	SID     string
	At      time.Time
	Still   db.Guard
}

// SingleSignOn exchanges the code that the browser came back with.
type SingleSignOn interface {
	Exchange(ctx context.Context, code, state, issuer, pending string) (Proven, error)
	// SignOutURL is where the browser ends the provider's own session; empty
	// when the provider keeps none.
	SignOutURL(idToken string) string
}

// codeUser is the literal user name that marks the secret as a single sign-on
// code.
const codeUser = "checkAuth"

func bySingleSignOn(sso SingleSignOn) prover {
	return prover{
		takes: func(shown presented) bool { return shown.UserName == codeUser },
		prove: func(ctx context.Context, shown presented) (Proof, error) {
			proven, err := sso.Exchange(ctx, shown.Secret, shown.State, shown.Issuer, shown.Pending)
			return Proof{UserID: proven.UserID, Method: SingleSignOnCode, IDToken: proven.IDToken, SID: proven.SID, At: proven.At, Still: proven.Still}, err
		},
	}
}

// Passwords checks a user name and password and answers the account's id and what
// refuses it once the password is another, or the code of the refusal.
type Passwords func(ctx context.Context, userName, password string) (userID int64, still db.Guard, err error)

// SignIn is where sign-ins and their failures are counted.
type SignIn interface {
	// RememberDevice notes a browser that a person has signed in from.
	RememberDevice(ctx context.Context, userID int64, device string) error
	// ProvePassword checks the password of somebody who is signed in: Invalid for a
	// wrong one, TooMany where there were too many of them.
	ProvePassword(ctx context.Context, userName, password string) error
}

// byPassword takes everything else: the form of the portal before single sign-on.
func byPassword(check Passwords, now func() time.Time) prover {
	return prover{
		takes: func(presented) bool { return true },
		prove: func(ctx context.Context, shown presented) (Proof, error) {
			userID, still, err := check(ctx, shown.UserName, shown.Secret)
			return Proof{UserID: userID, Method: Password, At: now(), Still: still}, err
		},
	}
}
