package sso

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"log/slog"
	"net/http"
	"strings"
	"time"

	g "maragu.dev/gomponents"

	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/pages"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/text"
)

// A code can be exchanged once, within this time.
const codeFor = time.Minute

// PasswordChecker checks a username and password. It returns the account, or the code of the refusal,
// or, if a second factor is required, the half-finished sign-in.
type PasswordChecker func(ctx context.Context, userName, password string) (who Authenticated, half Half, err error)

// Lock locks an account, and fails if it can't sign in.
type Lock func(ctx context.Context, tx *sql.Tx, userID int64) error

// DemoAccount is listed on the demo's sign-in form.
type DemoAccount struct{ UserName, About string }

// Embedded is the portal's own sign-in form. It doesn't have its own session, so signing out of
// the portal is enough.
type Embedded struct {
	db     *db.DB
	check  PasswordChecker
	second SecondFactor
	lock   Lock
	sealer *seal.Sealer
	now    func() time.Time
	log    *slog.Logger
	limit  *ratelimit.Limiter
	holds  SessionChecker
	page   page
}

// EmbeddedDeps are what the form needs.
type EmbeddedDeps struct {
	platform.Kit
	Check      PasswordChecker
	Second     SecondFactor
	Lock       Lock
	IsSignedIn SessionChecker
}

// Demo has the accounts that the form of the demo shows.
type Demo struct {
	Accounts []DemoAccount
	Password string
}

// NewEmbedded creates the provider.
func NewEmbedded(d EmbeddedDeps, demo Demo) *Embedded {
	platform.Require(d)
	return &Embedded{
		db: d.DB, check: d.Check, second: d.Second, lock: d.Lock, sealer: d.Sealer, now: d.Clock, log: d.Log,
		limit: ratelimit.NewLimiter(120, 120), holds: d.IsSignedIn,
		page: page{Brand: d.Brand.BrandName, Phone: d.Brand.SupportPhone, Email: d.Brand.SupportEmail, Demo: demo.Accounts,
			Password: demo.Password, Passkeys: d.Second.IsOffered()},
	}
}

// Module describes the form to the program: its pages, and the cleanup of unused codes.
func (e *Embedded) Module() module.Module { return module.Module{Routes: e.routes, Cleanup: e.Cleanup} }

func (e *Embedded) routes(mux *http.ServeMux) {
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET /sso/sign-in": e.serveForm, "POST /sso/sign-in": e.submit,
		"GET /sso/factor": e.factorPage, "POST /sso/factor": e.showCode,
		"GET /sso/set-up": e.setUpPage, "POST /sso/set-up": e.addApp,
		"GET /sso/recovery-codes": e.codesPage, "POST /sso/recovery-codes": e.finish,
		"POST /sso/passkey": e.passkey, "POST /sso/passkey/options": e.passkeyOptions,
	} {
		mux.Handle(pattern, httpapi.Route(pattern[strings.IndexByte(pattern, '/'):], handle))
	}
	for _, file := range []string{"/sso/style.css", "/sso/passkey.js", "/sso/waiting.js"} {
		mux.Handle("GET "+file, httpapi.Route(file, http.StripPrefix("/sso/", http.FileServerFS(files))))
	}
}

// Address returns the form's URL.
func (e *Embedded) Address(context.Context, Pending) (string, error) {
	return "/sso/sign-in", nil
}

func (e *Embedded) readPending(r *http.Request) (Pending, bool) {
	c, err := r.Cookie(CookieName)
	if err != nil {
		return Pending{}, false
	}
	return openPending(e.sealer, c.Value, e.now())
}

func (e *Embedded) serveForm(w http.ResponseWriter, r *http.Request) {
	p, ok := e.readPending(r)
	if !ok && r.URL.Query().Has(Again) {
		e.show(w, r, http.StatusBadRequest, e.page.cookies())
		return
	}
	if !ok { // opened directly, too long ago, or without cookies
		// Otherwise Back would load a cached redirect: to the start, from there to here, and so
		// on.
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, StartPath+"?"+Again+"=1", http.StatusSeeOther)
		return
	}
	if p.Second.Half.UserID != 0 { // returning to the form starts over
		p.Second = Second{}
		if err := storePending(w, e.sealer, p); err != nil {
			e.refuse(w, r, p, signInPage, err)
			return
		}
	}
	shown := e.page
	shown.State, shown.FormMessage, shown.Changed, shown.Chosen = p.State, p.Message, p.Changed, p.Chosen
	e.show(w, r, http.StatusOK, shown.signIn())
}

func (e *Embedded) show(w http.ResponseWriter, r *http.Request, status int, shown g.Node) {
	if err := pages.Write(w, status, shown); err != nil {
		e.log.ErrorContext(r.Context(), "sign-in form", "error", err)
		httpapi.WriteProblem(w, r, problem.New(problem.Internal))
	}
}

// showAgain shows the form again with a message. It redirects to the form, because the browser
// couldn't navigate back to a response of the submit.
func (e *Embedded) showAgain(w http.ResponseWriter, r *http.Request, p Pending, message FormMessage) {
	if len(message.UserName) > 200 { // not a username, and too long for a cookie
		message.UserName = ""
	}
	// An unfinished second step isn't extended: returning to the form starts over.
	p.Message, p.At, p.Changed, p.Chosen, p.Second = message, e.now(), false, false, Second{}
	e.goTo(w, r, p, "/sso/sign-in")
}

// goTo continues a sign-in on one of the pages.
func (e *Embedded) goTo(w http.ResponseWriter, r *http.Request, p Pending, page string) {
	if err := storePending(w, e.sealer, p); err != nil {
		e.log.ErrorContext(r.Context(), "couldn't continue sign-in", "error", err)
		http.Redirect(w, r, FailureURL("SSO_UNAVAILABLE"), http.StatusSeeOther)
		return
	}
	http.Redirect(w, r, page, http.StatusSeeOther)
}

func (e *Embedded) submit(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 16<<10)
	name := r.FormValue("username")
	p, ok := e.readPending(r)
	own := r.Header.Get("Sec-Fetch-Site") == "same-origin"
	// The state proves that this browser was shown the form. Another site can't sign a visitor
	// in as someone else.
	shown := ok && subtle.ConstantTimeCompare([]byte(r.FormValue("state")), []byte(p.State)) == 1
	switch {
	case !ok && own && hasSession(r, e.holds): // another tab has signed in
		http.Redirect(w, r, continuePage, http.StatusSeeOther)
		return
	case !ok && own:
		e.showAgain(w, r, newPending(e.now()), FormMessage{"This page expired. Sign in again.", name})
		return
	case !shown && own: // the newer form works too
		e.showAgain(w, r, p, FormMessage{"Sign-in was restarted in another tab. Enter your password again.", name})
		return
	case !shown:
		http.Redirect(w, r, "/sso/start", http.StatusSeeOther)
		return
	}
	if !e.limit.Allow(httpapi.Source(r.Context())) {
		e.showAgain(w, r, p, FormMessage{problem.New(problem.TooMany).Message, name})
		return
	}
	switch {
	case name == "":
		e.showAgain(w, r, p, FormMessage{"Error: Enter Username", name})
		return
	case r.FormValue("password") == "":
		e.showAgain(w, r, p, FormMessage{"Error: Enter Password", name})
		return
	}
	if !text.IsStorable(name) { // no account has this name, and databases reject it
		e.showAgain(w, r, p, FormMessage{"Error: The Username or Password is incorrect.", ""})
		return
	}
	who, half, err := e.check(r.Context(), name, r.FormValue("password"))
	if err == nil && half.UserID != 0 {
		e.continueHalf(w, r, p, half)
		return
	}
	if err != nil {
		refusal := problem.From(err)
		switch {
		case refusal.Code == "INVALID_CREDENTIALS":
			e.showAgain(w, r, p, FormMessage{"Error: The Username or Password is incorrect.", name})
		case refusal.Kind == problem.Unauthenticated:
			http.Redirect(w, r, FailureURL(refusal.Code), http.StatusSeeOther)
		default:
			e.log.ErrorContext(r.Context(), "sign-in failed", "error", err, "requestId", httpapi.RequestID(r.Context()))
			e.showAgain(w, r, p, FormMessage{refusal.Message, name})
		}
		return
	}
	e.returnTo(w, r, p, who)
}

// returnTo sends the browser back with a code for the person.
func (e *Embedded) returnTo(w http.ResponseWriter, r *http.Request, p Pending, who Authenticated) {
	code := newRandom()
	err := e.db.Tx(r.Context(), func(tx *sql.Tx) error {
		if err := who.Guard(r.Context(), tx); err != nil {
			return err
		}
		return insertCode(r.Context(), tx, digest(code), who.UserID, digest(p.Browser), db.At(e.now().Add(codeFor)))
	})
	if refusal := problem.From(err); err != nil && refusal.Kind == problem.Unauthenticated {
		http.Redirect(w, r, FailureURL(refusal.Code), http.StatusSeeOther)
		return
	}
	if err != nil {
		e.log.ErrorContext(r.Context(), "couldn't save sign-in code", "error", err)
		e.showAgain(w, r, p, FormMessage{problem.New(problem.Internal).Message, ""})
		return
	}
	http.Redirect(w, r, callbackURL(code, p.State), http.StatusSeeOther)
}

func digest(s string) []byte {
	h := sha256.Sum256([]byte(s))
	return h[:]
}

// Exchange accepts a code once, from the same browser and within its time limit.
func (e *Embedded) Exchange(ctx context.Context, code, _ string, p Pending) (Proven, error) {
	expired := problem.WithCode(problem.Unauthenticated, "SSO_EXPIRED")
	hash := digest(code)
	found, err := findCode(ctx, e.db.Writer, hash)
	if err != nil {
		return Proven{}, db.IfNotFound(err, expired)
	}
	if e.now().After(found.ExpiresAt.Time) || subtle.ConstantTimeCompare(found.BrowserHash, digest(p.Browser)) != 1 {
		_, err := takeCode(ctx, e.db.Writer, hash)
		return Proven{}, cmp.Or[error](err, expired)
	}
	return Proven{UserID: found.UserID, At: e.now(), Guard: func(ctx context.Context, tx *sql.Tx) error {
		// A reset locks the account first and then deletes its codes.
		if err := e.lock(ctx, tx, found.UserID); err != nil {
			return err
		}
		n, err := takeCode(ctx, tx, hash)
		if err == nil && n == 0 {
			err = expired
		}
		return err
	}}, nil
}

// SignOutURL is empty, because the form doesn't have a session.
func (e *Embedded) SignOutURL(context.Context, string) string { return "" }

// Cleanup deletes expired codes.
func (e *Embedded) Cleanup(ctx context.Context) error {
	return e.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return deleteOldCodes(ctx, tx, db.At(e.now())) })
}
