// Package sso sends the browser to a sign-in page and exchanges the returned code for a person.
// The page is the portal's own form (embedded) or any OpenID provider (oidc).
package sso

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
)

// Provider is a way to sign in.
type Provider interface {
	// Address returns the URL of the sign-in page.
	Address(ctx context.Context, p Pending) (string, error)
	// Exchange returns the person for a code. The issuer that the browser returned with can be
	// empty.
	Exchange(ctx context.Context, code, issuer string, p Pending) (Proven, error)
	// SignOutURL returns the URL that ends the provider's session, or empty if there is none.
	SignOutURL(ctx context.Context, idToken string) string
	// Module describes the provider to the program.
	Module() module.Module
}

// Proven is a person verified by a provider.
type Proven struct {
	UserID int64
	// IDToken is the ID token of an external provider, or empty.
	IDToken string
	// SID is the provider's session id, or empty if unknown.
	SID string
	// At is when the person last authenticated at the provider, or zero if unknown.
	At time.Time
	// Guard runs in the transaction that opens the session, and fails if the person can no
	// longer sign in. It locks the account.
	Guard db.Guard
}

// Authenticated is a person who signed in on the portal's own form.
type Authenticated struct {
	UserID int64
	Guard  db.Guard
}

// Pending is a sign-in in progress, sealed in the browser's cookie.
type Pending struct {
	State    string
	Nonce    string
	Verifier string
	Browser  string // binds the code to this browser
	At       time.Time
	Fresh    bool        // require authentication even if there is a session
	Message  FormMessage // message of the portal's own form when it is shown again
	Changed  bool        // the password was just set with an emailed link
	Chosen   bool        // likewise, and it is the account's first
	Second   Second
}

// FormMessage is the error on the form and the name that was typed.
type FormMessage struct{ Error, UserName string }

// A sign-in must return within this time, and its code within 60 seconds.
const pendingFor = 15 * time.Minute

// CookieName is the cookie of the sign-in in progress.
const CookieName = "__Host-wcpp-sso"

// StartPath is the URL where a sign-in starts. Its parameters: Again means that the browser
// returned without its cookie, Changed that it comes from setting a new password, and Chosen
// from the first one.
const (
	StartPath = "/sso/start"
	Again     = "again"
	Changed   = "changed"
	Chosen    = "chosen"
)

const purpose = "sso"

// Service starts sign-ins and exchanges their codes.
type Service struct {
	provider Provider
	sealer   *seal.Sealer
	now      func() time.Time
	log      *slog.Logger
	limit    *ratelimit.Limiter
	signedIn SessionChecker
}

// SessionChecker reports whether the token belongs to a session, without extending the session.
type SessionChecker func(ctx context.Context, token string) bool

// NewService creates the service for a provider.
func NewService(kit platform.Kit, p Provider, signedIn SessionChecker) *Service {
	return &Service{provider: p, sealer: kit.Sealer, now: kit.Clock, log: kit.Log, limit: ratelimit.NewLimiter(120, 120),
		signedIn: signedIn}
}

func newRandom() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// Module describes single sign-on to the program: the URL where a sign-in starts.
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
	if c, err := r.Cookie(httpapi.SessionCookie); err == nil && !fresh {
		// Back returns here from the form after a completed sign-in.
		if s.signedIn(r.Context(), c.Value) {
			http.Redirect(w, r, continuePage, http.StatusSeeOther)
			return
		}
		// Only a sign-out deletes the cookie. After a timeout, the provider's own session isn't enough.
		fresh = true
	}
	p := newPending(s.now())
	p.Fresh, p.Changed, p.Chosen = fresh, r.URL.Query().Has(Changed), r.URL.Query().Has(Chosen)
	address, err := s.provider.Address(r.Context(), p)
	if err != nil {
		s.log.ErrorContext(r.Context(), "couldn't reach the single sign-on provider", "error", err, "requestId",
			httpapi.RequestID(r.Context()))
		http.Redirect(w, r, FailureURL("SSO_UNAVAILABLE"), http.StatusSeeOther)
		return
	}
	if err := storePending(w, s.sealer, p); err != nil {
		s.log.ErrorContext(r.Context(), "couldn't start sign-in", "error", err)
		http.Redirect(w, r, FailureURL("SSO_UNAVAILABLE"), http.StatusSeeOther)
		return
	}
	if r.URL.Query().Has(Again) && strings.HasPrefix(address, "/") {
		address += "?" + Again + "=1"
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// continuePage is where a browser with a session continues: on the page that its tab remembers, or
// the home page.
const continuePage = "/wcpp/login"

// hasSession reports whether the browser already has a session.
func hasSession(r *http.Request, holds SessionChecker) bool {
	c, err := r.Cookie(httpapi.SessionCookie)
	return err == nil && holds(r.Context(), c.Value)
}

func newPending(now time.Time) Pending {
	return Pending{State: newRandom(), Nonce: newRandom(), Verifier: newRandom(), Browser: newRandom(), At: now}
}

// storePending stores a sign-in in progress in the browser's cookie.
func storePending(w http.ResponseWriter, sealer *seal.Sealer, p Pending) error {
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

// FailureURL returns the URL of the sign-in screen with the message for a failure code.
func FailureURL(code string) string { return "/wcpp/login?fail=" + url.QueryEscape(code) }

func callbackURL(code, state string) string {
	return "/wcpp/login?" + url.Values{"code": {code}, "state": {state}}.Encode()
}

// openPending unseals a sign-in in progress, unless it expired.
func openPending(sealer *seal.Sealer, sealed string, now time.Time) (Pending, bool) {
	var p Pending
	if sealer.Open(purpose, sealed, &p) != nil || now.Sub(p.At) > pendingFor {
		return Pending{}, false
	}
	return p, true
}

// Exchange exchanges the code of a sign-in that this browser started. The state and issuer were
// returned with it.
func (s *Service) Exchange(ctx context.Context, code, state, issuer, sealed string) (Proven, error) {
	p, ok := openPending(s.sealer, sealed, s.now())
	if !ok || state == "" || state != p.State || code == "" {
		return Proven{}, problem.WithCode(problem.Unauthenticated, "SSO_EXPIRED")
	}
	return s.provider.Exchange(ctx, code, issuer, p)
}

// SignOutURL returns the URL that ends the provider's session.
func (s *Service) SignOutURL(ctx context.Context, idToken string) string {
	return s.provider.SignOutURL(ctx, idToken)
}
