package sso

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"net/http"

	g "maragu.dev/gomponents"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
)

// Half is a sign-in after the correct password, in the form that the password checker
// recognizes.
type Half struct {
	UserID   int64
	Password string // identifies the correct password
}

// Second is the second step of a sign-in in progress. It is sealed with the rest and isn't a
// proof, so each page verifies the factor again.
type Second struct {
	Half     Half   // zero before the correct password
	SetUp    bool   // a factor is required, but none is set up
	App      string // state of an app being set up
	Ceremony string // state of a passkey challenge
	Added    int64  // id of the new factor; 0: none yet
}

// SecondFactor verifies and sets up second factors. It returns an Unauthenticated problem, with
// INVALID_FACTOR for a wrong factor.
type SecondFactor interface {
	// IsOffered reports whether anyone can have a factor.
	IsOffered() bool
	// FindFactors reports whether the person has a factor, and whether one is a passkey.
	FindFactors(ctx context.Context, h Half) (factor, passkey bool, err error)
	// VerifyCode signs in with an app's code or a recovery code.
	VerifyCode(ctx context.Context, h Half, code string) (Authenticated, error)
	// NewChallenge creates a passkey challenge: for one of the person's passkeys or, before a correct
	// password, for any.
	NewChallenge(ctx context.Context, h Half) (options json.RawMessage, state string, err error)
	// VerifyPasskey signs in with a passkey's response, and returns the person.
	VerifyPasskey(ctx context.Context, h Half, state string, answer []byte) (Authenticated, error)

	// NewApp returns the data for setting up an app, and continues from an earlier state.
	NewApp(ctx context.Context, h Half, state string) (secret, picture, next string, err error)
	// AddApp and AddPasskey set up the first factor.
	AddApp(ctx context.Context, h Half, state, code string) (id int64, err error)
	NewPasskey(ctx context.Context, h Half) (options json.RawMessage, state string, err error)
	AddPasskey(ctx context.Context, h Half, state string, answer []byte) (id int64, err error)
	// Codes creates the recovery codes for a new factor, or none if they already exist.
	Codes(ctx context.Context, h Half, added int64) ([]string, error)
	// Finish signs in, once, with a new factor, if it still exists.
	Finish(ctx context.Context, h Half, added int64) (Authenticated, error)
}

const (
	signInPage = "/sso/sign-in"
	factorPage = "/sso/factor"
	setUpPage  = "/sso/set-up"
	codesPage  = "/sso/recovery-codes"
)

// continueHalf continues with the second step after the correct password.
func (e *Embedded) continueHalf(w http.ResponseWriter, r *http.Request, p Pending, h Half) {
	held, _, err := e.second.FindFactors(r.Context(), h)
	if err != nil {
		e.refuse(w, r, p, signInPage, err)
		return
	}
	p.Second, p.Message, p.At = Second{Half: h, SetUp: !held}, FormMessage{}, e.now()
	if held {
		e.goTo(w, r, p, factorPage)
	} else {
		e.goTo(w, r, p, setUpPage)
	}
}

// openStep returns the sign-in for a second-step page, or starts over.
func (e *Embedded) openStep(w http.ResponseWriter, r *http.Request, fits func(Second) bool) (Pending, bool) {
	p, ok := e.readPending(r)
	if ok && p.Second.Half.UserID != 0 && fits(p.Second) {
		return p, true
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, StartPath, http.StatusSeeOther)
	return p, false
}

// openPosted returns the sign-in that one of our forms continues, with the checks of submit.
func (e *Embedded) openPosted(w http.ResponseWriter, r *http.Request, fits func(Second) bool) (Pending, bool) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	p, ok := e.readPending(r)
	switch {
	case !ok || subtle.ConstantTimeCompare([]byte(r.FormValue("state")), []byte(p.State)) != 1 || !fits(p.Second):
		http.Redirect(w, r, StartPath, http.StatusSeeOther)
	case !e.limit.Allow(httpapi.Source(r.Context())):
		httpapi.WriteProblem(w, r, problem.New(problem.TooMany))
	default:
		p.Message = FormMessage{}
		return p, true
	}
	return p, false
}

func isFactorStep(s Second) bool { return s.Half.UserID != 0 && !s.SetUp }
func isSetUpStep(s Second) bool  { return s.SetUp && s.Added == 0 }
func isSetUp(s Second) bool      { return s.Added != 0 }
func isAnyStep(Second) bool      { return true }

// codeInvalidFactor is the code of a Second's error for a wrong factor.
const codeInvalidFactor = "INVALID_FACTOR"

// refuse shows the error on a page of the sign-in.
func (e *Embedded) refuse(w http.ResponseWriter, r *http.Request, p Pending, page string, err error) {
	refusal := problem.From(err)
	switch {
	case refusal.Code == codeInvalidFactor:
		p.Message.Error = "Error: The code was incorrect or already used. Try again."
	case refusal.Kind == problem.Unauthenticated:
		http.Redirect(w, r, FailureURL(refusal.Code), http.StatusSeeOther)
		return
	default:
		if refusal.Kind == problem.Internal {
			e.log.ErrorContext(r.Context(), "two-step verification failed", "error", err, "requestId", httpapi.RequestID(r.Context()))
		}
		p.Message.Error = "Error: " + refusal.Message
	}
	p.Second.Ceremony = ""
	e.goTo(w, r, p, page)
}

// showStep shows a page of the second step.
func (e *Embedded) showStep(w http.ResponseWriter, r *http.Request, p Pending, made func(page) g.Node, s step) {
	shown := e.page
	shown.State, shown.FormMessage, shown.step = p.State, p.Message, s
	e.show(w, r, http.StatusOK, made(shown))
}

func (e *Embedded) factorPage(w http.ResponseWriter, r *http.Request) {
	p, ok := e.openStep(w, r, isFactorStep)
	if !ok {
		return
	}
	_, passkey, err := e.second.FindFactors(r.Context(), p.Second.Half)
	if err != nil {
		e.refuse(w, r, p, signInPage, err)
		return
	}
	e.showStep(w, r, p, page.factor, step{Passkey: passkey})
}

func (e *Embedded) showCode(w http.ResponseWriter, r *http.Request) {
	p, ok := e.openPosted(w, r, isFactorStep)
	if !ok {
		return
	}
	who, err := e.second.VerifyCode(r.Context(), p.Second.Half, r.FormValue("code"))
	if err != nil {
		e.refuse(w, r, p, factorPage, err)
		return
	}
	e.returnTo(w, r, p, who)
}

func (e *Embedded) setUpPage(w http.ResponseWriter, r *http.Request) {
	p, ok := e.openStep(w, r, isSetUpStep)
	if !ok {
		return
	}
	secret, picture, state, err := e.second.NewApp(r.Context(), p.Second.Half, p.Second.App)
	if err != nil {
		e.refuse(w, r, p, signInPage, err)
		return
	}
	p.Second.App = state
	if err := storePending(w, e.sealer, p); err != nil {
		e.refuse(w, r, p, signInPage, err)
		return
	}
	e.showStep(w, r, p, page.setUp, step{Secret: secret, Picture: picture})
}

func (e *Embedded) addApp(w http.ResponseWriter, r *http.Request) {
	p, ok := e.openPosted(w, r, isSetUpStep)
	if !ok {
		return
	}
	added, err := e.second.AddApp(r.Context(), p.Second.Half, p.Second.App, r.FormValue("code"))
	e.showCodes(w, r, p, added, err)
}

// showCodes continues to the recovery codes of a new factor.
func (e *Embedded) showCodes(w http.ResponseWriter, r *http.Request, p Pending, added int64, err error) {
	if err != nil {
		e.refuse(w, r, p, setUpPage, err)
		return
	}
	p.Second, p.At = Second{Half: p.Second.Half, SetUp: true, Added: added}, e.now()
	e.goTo(w, r, p, codesPage)
}

func (e *Embedded) codesPage(w http.ResponseWriter, r *http.Request) {
	p, ok := e.openStep(w, r, isSetUp)
	if !ok {
		return
	}
	codes, err := e.second.Codes(r.Context(), p.Second.Half, p.Second.Added)
	if err != nil {
		e.refuse(w, r, p, signInPage, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	e.showStep(w, r, p, page.recoveryCodes, step{Codes: codes})
}

func (e *Embedded) finish(w http.ResponseWriter, r *http.Request) {
	p, ok := e.openPosted(w, r, isSetUp)
	if !ok {
		return
	}
	who, err := e.second.Finish(r.Context(), p.Second.Half, p.Second.Added)
	if err != nil {
		e.refuse(w, r, p, signInPage, err)
		return
	}
	e.returnTo(w, r, p, who)
}

// passkeyOptions returns a passkey challenge as JSON: to add the passkey, to use it as the
// second step, or to sign in with it alone.
func (e *Embedded) passkeyOptions(w http.ResponseWriter, r *http.Request) {
	p, ok := e.openPosted(w, r, isAnyStep)
	if !ok {
		return
	}
	ask := e.second.NewChallenge
	if isSetUpStep(p.Second) {
		ask = e.second.NewPasskey
	}
	options, state, err := ask(r.Context(), p.Second.Half)
	if err == nil {
		p.Second.Ceremony = state
		err = storePending(w, e.sealer, p)
	}
	if err != nil {
		if problem.From(err).Kind == problem.Internal {
			e.log.ErrorContext(r.Context(), "couldn't request passkey", "error", err)
		}
		httpapi.WriteProblem(w, r, problem.From(err)) // passkey.js shows the message
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(options) // the browser disconnected
}

// passkey processes a passkey's response.
func (e *Embedded) passkey(w http.ResponseWriter, r *http.Request) {
	p, ok := e.openPosted(w, r, isAnyStep)
	if !ok {
		return
	}
	answer, state := []byte(r.FormValue("answer")), p.Second.Ceremony
	if isSetUpStep(p.Second) {
		added, err := e.second.AddPasskey(r.Context(), p.Second.Half, state, answer)
		e.showCodes(w, r, p, added, err)
		return
	}
	page, instead := factorPage, "Try again, or enter a code."
	if p.Second.Half.UserID == 0 {
		page, instead = signInPage, "Sign in with your password."
	}
	who, err := e.second.VerifyPasskey(r.Context(), p.Second.Half, state, answer)
	if err != nil {
		if problem.From(err).Code == codeInvalidFactor {
			err = problem.WithMessage(problem.Invalid, "That passkey can't be used. "+instead).WithCause(err)
		}
		e.refuse(w, r, p, page, err)
		return
	}
	e.returnTo(w, r, p, who)
}
