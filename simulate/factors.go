package main

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/pquerna/otp/totp"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// factors adds an authenticator app to a user's account. While a sign-in asks for its code, a colleague
// has the app removed. After that, neither its codes nor the recovery codes complete a sign-in.
func factors(ctx context.Context, r *runner) {
	s := r.s
	s.mu.Lock()
	var users []*person
	for _, p := range s.people {
		if p.Type == access.PRUS && p.ended == 0 && !p.maybe && !p.changing {
			users = append(users, p)
		}
	}
	p, ok := pickFrom(users, r.step.N[0])
	s.mu.Unlock()
	if !ok {
		return
	}
	t := r.signInAs(ctx, p, p.password)
	if t == nil {
		return
	}
	var asked struct{ Secret, State string }
	if a := r.call(ctx, t, http.MethodPost, "/account/factors/app/start", nil); !a.into(&asked) {
		return
	}
	code := func() string {
		text, err := totp.GenerateCode(strings.ReplaceAll(asked.Secret, " ", ""), s.fleet.now())
		if err != nil {
			s.violate("factors", "the secret: %v", err)
		}
		return text
	}
	p.changing = true
	s.doubted = append(s.doubted, func(ctx context.Context) { s.removeFactors(ctx, p) })
	var given struct{ Codes []string }
	a := r.call(ctx, t, http.MethodPost, "/account/factors/app", fields{"state": asked.State, "code": code(), "name": "Phone"})
	if !a.into(&given) || len(given.Codes) == 0 {
		return
	}
	s.mu.Lock()
	for _, o := range p.tokens {
		if o != t && o.dead == 0 {
			o.dead = max(a.to, o.to)
		}
	}
	s.mu.Unlock()
	r.forbidden = true
	if a := r.call(ctx, &token{person: p}, http.MethodPost, "/authenticate", fields{"username": p.Name, "password": p.password}); a.isOK() {
		s.violate("factors", "%s signed in without the second factor", p.Name)
	}
	r.forbidden = false
	f := &signInForm{r: r, person: p}
	if f.open(ctx); f.at != "/sso/factor" || !r.resetFactors(ctx, p) {
		return
	}
	p.changing = false
	f.send(ctx, "/sso/factor", url.Values{"code": {[]string{code(), given.Codes[0]}[r.step.N[2]%2]}})
	if strings.Contains(f.at, "code=") {
		s.violate("factors", "a code of %s worked after the reset of the factors", p.Name)
	}
	if again := r.signInAs(ctx, p, p.password); again != nil {
		var list []any
		if a := r.call(ctx, again, http.MethodGet, "/account/factors", nil); a.into(&list) && len(list) > 0 {
			s.violate("factors", "%s has a factor after the reset: %s", p.Name, a.body)
		}
	}
}

// resetFactors has an administrator of the network reset a person's factors, by a link that works once.
func (r *runner) resetFactors(ctx context.Context, p *person) bool {
	isa := r.s.byName["isa"]
	t := r.signInAs(ctx, isa, isa.password)
	if t == nil {
		return false
	}
	if a := r.call(ctx, t, http.MethodPost, "/users/factorReset/start", fields{"userName": p.Name}); !a.isOK() {
		return false
	}
	value := r.awaitLink(ctx, p, "confirmFactorReset")
	if value == "" {
		return false
	}
	body := fields{"token": value}
	if a := r.call(ctx, nil, http.MethodPost, "/public/factorReset/complete", body); !a.isOK() {
		return false
	}
	again := *r
	again.forbidden = true
	if a := again.call(ctx, nil, http.MethodPost, "/public/factorReset/complete", body); a.isOK() {
		r.s.violate("links", "a link that resets the factors of %s worked twice", p.Name)
	}
	return true
}

// removeFactors removes the factors that an interrupted step left, so that the person can sign in
// by password.
func (s *simulation) removeFactors(ctx context.Context, p *person) {
	for _, table := range []string{"factors", "recovery_codes"} {
		if _, err := db.Exec(ctx, s.fleet.db.Writer, `DELETE FROM `+table+` WHERE user_id = (SELECT id FROM users WHERE user_name = $1)`,
			p.Name); err != nil {
			s.violate("writable", "%v", err)
		}
	}
	s.settleSessions(ctx, p)
	p.changing = false
}

// settleSessions records which sessions of a person ended by a step with an unknown outcome.
func (s *simulation) settleSessions(ctx context.Context, p *person) {
	r := &runner{s: s, step: Step{Do: "settle"}, process: s.fleet.pick(0), together: 1, forbidden: true}
	for _, t := range p.tokens {
		if t.dead == 0 {
			r.ended(t, r.call(ctx, t, http.MethodGet, "/session", nil))
		}
	}
}

// signInForm is a browser that signs a person in with the portal's own form.
type signInForm struct {
	r                 *runner
	person            *person
	cookie, state, at string
}

var stateField = regexp.MustCompile(`name="state" value="([^"]+)"`)

// open submits the username and password.
func (f *signInForm) open(ctx context.Context) {
	f.do(ctx, http.MethodGet, "/sso/start", nil)
	if found := stateField.FindSubmatch(f.do(ctx, http.MethodGet, "/sso/sign-in", nil)); found != nil {
		f.state = string(found[1])
	}
	f.send(ctx, "/sso/sign-in", url.Values{"username": {f.person.Name}, "password": {f.person.password}})
}

func (f *signInForm) send(ctx context.Context, path string, form url.Values) {
	form.Set("state", f.state)
	f.do(ctx, http.MethodPost, path, form)
}

// do sends a request with the sign-in's cookie, and returns the page or records where it leads.
func (f *signInForm) do(ctx context.Context, method, path string, form url.Values) []byte {
	f.at = ""
	if f.r.process == nil {
		return nil
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+f.r.process.address+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("X-Forwarded-For", f.person.address)
	req.Header.Set("Cookie", f.cookie)
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil // killed
	}
	defer res.Body.Close()
	for _, c := range res.Cookies() {
		if strings.HasSuffix(c.Name, "wcpp-sso") && c.Value != "" {
			f.cookie = c.Name + "=" + c.Value
		}
	}
	f.at = res.Header.Get("Location")
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil
	}
	return body
}
