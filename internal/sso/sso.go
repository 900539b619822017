// Package sso sends the browser to sign in and exchanges the code it comes
// back with for a person: at the portal's own form (embedded) or at any OpenID
// provider (oidc).
package sso

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
)

// Provider is one way to sign in.
type Provider interface {
	// Address is where the browser goes to sign in.
	Address(ctx context.Context, p Pending) (string, error)
	// Exchange answers the person of a code that the browser came back with, and
	// of the issuer that came with it, empty where none did.
	Exchange(ctx context.Context, code, issuer string, p Pending) (Proven, error)
	// SignOutURL ends the provider's own session; empty when there is none.
	SignOutURL(idToken string) string
	// Forget drops the codes of a user that could still become a session.
	Forget(ctx context.Context, tx *sql.Tx, userID int64) error
	// Module is what the provider brings to the program.
	Module() module.Module
}

// Proven is a person whom a provider has proven.
type Proven struct {
	UserID int64
	// IDToken is what an outside provider signed about the person; empty otherwise.
	IDToken string
	// SID is the provider's own session; empty where it does not tell.
	SID string
	// At is when the provider last asked the person; zero where it does not tell.
	At time.Time
	// Still refuses, in the transaction that opens the session, where the person may not
	// come in any more. It locks the account.
	Still db.Guard
}

// Entered is a person who was let in at the portal's own form.
type Entered struct {
	UserID int64
	Still  db.Guard
}

// Pending is a sign-in under way, kept sealed in the browser's cookie.
type Pending struct {
	State    string
	Nonce    string
	Verifier string
	Browser  string // binds the code to this browser
	At       time.Time
	Fresh    bool        // the person is asked in any case
	Message  FormMessage // what the portal's own form says when it is shown again
	Changed  bool        // the password was set by a mailed link just now
	Chosen   bool        // likewise, and it is the account's first
	Second   Second
}

// FormMessage is why the form is shown again, and the name that was typed.
type FormMessage struct{ Error, UserName string }

// A sign-in must come back within this time; the code itself within 60 s.
const pendingFor = 15 * time.Minute

// CookieName is the cookie of the sign-in under way.
const CookieName = "__Host-wcpp-sso"

// StartPath is where a browser starts to sign in; Again is the parameter of one
// that comes back without the cookie it was given, Changed of one that comes from
// setting a new password, Chosen of one that comes from the first.
const (
	StartPath = "/sso/start"
	Again     = "again"
	Changed   = "changed"
	Chosen    = "chosen"
)

const purpose = "sso"

// Service starts sign-ins and takes their codes.
type Service struct {
	provider Provider
	sealer   *seal.Sealer
	now      func() time.Time
	log      *slog.Logger
	limit    *ratelimit.Limiter
	signedIn SignedIn
}

// SignedIn tells whether the token is that of a session; asking does not
// prolong it.
type SignedIn func(ctx context.Context, token string) bool

// NewService makes the service over a provider.
func NewService(p Provider, sealer *seal.Sealer, now func() time.Time, log *slog.Logger, signedIn SignedIn) *Service {
	return &Service{provider: p, sealer: sealer, now: now, log: log, limit: ratelimit.NewLimiter(120, 120), signedIn: signedIn}
}

func random() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Module is what single sign-on brings to the program: the address at which a
// browser starts to sign in.
func (s *Service) Module() module.Module {
	return module.Module{Routes: func(mux *http.ServeMux) {
		mux.Handle("GET "+StartPath, httpapi.Route(StartPath, http.HandlerFunc(s.start)))
	}}
}

func (s *Service) start(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if !s.limit.Allow(httpapi.Source(r.Context())) {
		httpapi.WriteProblem(w, r, problem.New(problem.TooMany))
		return
	}
	fresh := r.URL.Query().Get("prompt") == "login"
	// Back comes here from the form whose sign-in is done.
	if !fresh && hasSession(r, s.signedIn) {
		http.Redirect(w, r, goOnPage, http.StatusSeeOther)
		return
	}
	p := newPending(s.now())
	p.Fresh, p.Changed, p.Chosen = fresh, r.URL.Query().Has(Changed), r.URL.Query().Has(Chosen)
	address, err := s.provider.Address(r.Context(), p)
	if err != nil {
		s.log.ErrorContext(r.Context(), "couldn't reach the single sign-on provider", "error", err, "requestId", httpapi.RequestID(r.Context()))
		http.Redirect(w, r, Failed("SSO_UNAVAILABLE"), http.StatusSeeOther)
		return
	}
	if err := keepPending(w, s.sealer, p); err != nil {
		s.log.ErrorContext(r.Context(), "couldn't start sign-in", "error", err)
		http.Redirect(w, r, Failed("SSO_UNAVAILABLE"), http.StatusSeeOther)
		return
	}
	if r.URL.Query().Has(Again) && strings.HasPrefix(address, "/") {
		address += "?" + Again + "=1"
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// goOnPage is where a browser that has a session goes on: at the page that its tab
// remembers, or at home.
const goOnPage = "/wcpp/login"

// hasSession reports whether the browser has a session already.
func hasSession(r *http.Request, holds SignedIn) bool {
	c, err := r.Cookie(httpapi.SessionCookie)
	return err == nil && holds(r.Context(), c.Value)
}

func newPending(now time.Time) Pending {
	return Pending{State: random(), Nonce: random(), Verifier: random(), Browser: random(), At: now}
}

// keepPending gives a sign-in under way to the browser to keep.
func keepPending(w http.ResponseWriter, sealer *seal.Sealer, p Pending) error {
	sealed, err := sealer.Seal(purpose, p)
	if err != nil {
		return err
	}
	http.SetCookie(w, &http.Cookie{
		Name: CookieName, Value: sealed, Path: "/", MaxAge: int(pendingFor.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	return nil
}

// Failed is the sign-in screen with the sentence of a failure code.
func Failed(code string) string { return "/wcpp/login?fail=" + url.QueryEscape(code) }

func returned(code, state string) string {
	return "/wcpp/login?" + url.Values{"code": {code}, "state": {state}}.Encode()
}

// openPending reads a sign-in under way that is not too old.
func openPending(sealer *seal.Sealer, sealed string, now time.Time) (Pending, bool) {
	var p Pending
	if sealer.Open(purpose, sealed, &p) != nil || now.Sub(p.At) > pendingFor {
		return Pending{}, false
	}
	return p, true
}

// Exchange takes the code of a sign-in that this browser started, with the state
// and the issuer that came with it.
func (s *Service) Exchange(ctx context.Context, code, state, issuer, sealed string) (Proven, error) {
	p, ok := openPending(s.sealer, sealed, s.now())
	if !ok || state == "" || state != p.State || code == "" {
		return Proven{}, problem.Coded(problem.Unauthenticated, "SSO_EXPIRED")
	}
	return s.provider.Exchange(ctx, code, issuer, p)
}

// SignOutURL is where the provider's own session ends.
func (s *Service) SignOutURL(idToken string) string { return s.provider.SignOutURL(idToken) }
