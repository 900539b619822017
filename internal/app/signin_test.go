package app_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/sessions"
)

func TestSignInByTheForm(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("prus")
		r := p.do("GET", "/api/session", nil, bearer(token))
		var s sessions.Session
		r.into(t, &s)
		if s.Username != "prus" || s.User.TypeCd != access.PRUS || s.MirroredUser != nil || s.IdleMinutes != 30 || s.Token != token {
			t.Errorf("session: %s", r.body)
		}
		if len(s.Menu) != 7 || s.Menu[0].Label != "Bill Search" {
			t.Errorf("menu: %v", s.Menu)
		}
		// After a reload, only the cookie is available.
		if r := p.do("GET", "/api/session", nil, cookie(httpapi.SessionCookie, token)); r.status != http.StatusOK ||
			!strings.Contains(string(r.body), token) {
			t.Errorf("by cookie: %d", r.status)
		}
		// The cookie alone can't change or search anything.
		for _, path := range []string{"/api/session/touch", "/api/logout", "/api/session/mirror"} {
			if r := p.do("POST", path, "{}", cookie(httpapi.SessionCookie, token)); r.status != http.StatusUnauthorized {
				t.Errorf("%s by cookie: %d", path, r.status)
			}
		}
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'sign-in' AND actor = 'prus' AND result = 'ok'`))
	})
}

func TestCodeIsSingleUseShortAndBound(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		pending, state, code := p.code("prad", password)
		otherPending, otherState := p.form()
		for name, r := range map[string]reply{
			"another browser": p.exchange(otherPending, otherState, code),
			"without a cookie": p.do("POST", "/api/authenticate",
				map[string]string{"username": "checkAuth", "password": "x", "state": state}),
			"another state":          p.exchange(pending, otherState, "x"),
			"the code as a stranger": p.exchange("nonsense", state, code),
		} {
			if r.status != http.StatusUnauthorized || len(r.cookies) != 0 {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		}
		// The attempt from another browser invalidated the code.
		assert.Equal(t, http.StatusUnauthorized, p.exchange(pending, state, code).status)
		pending, state, code = p.code("prad", password)
		assert.Equal(t, http.StatusOK, p.exchange(pending, state, code).status)
		assert.Equal(t, http.StatusUnauthorized, p.exchange(pending, state, code).status)
		pending, state, code = p.code("prad", password)
		p.clock.Advance(61 * time.Second)
		assert.Equal(t, http.StatusUnauthorized, p.exchange(pending, state, code).status)
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM sso_codes WHERE code_hash IS NOT NULL`))
	})
}

func TestFormRefuses(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		pending, state := p.form()
		submit := func(state, user, pass string) reply {
			r := p.do("POST", "/sso/sign-in", url.Values{"username": {user}, "password": {pass}, "state": {state}},
				cookie(ssoCookie, pending))
			if r.header.Get("Location") != "/sso/sign-in" {
				return r
			}
			// The form redirects to a GET. Otherwise Back would hit a response that the browser
			// can't show again.
			return p.do("GET", "/sso/sign-in", nil, cookie(ssoCookie, r.cookies[ssoCookie]))
		}
		if r := submit(state, "prad", "wrong"); r.status != http.StatusOK || !strings.Contains(string(r.body), `value="prad"`) ||
			!strings.Contains(string(r.body), "Error: The Username or Password is incorrect.") {
			t.Errorf("wrong password: %d", r.status)
		}
		if r := submit(state, "", "x"); !strings.Contains(string(r.body), "Error: Enter Username") {
			t.Errorf("no user name: %d", r.status)
		}
		if r := submit(state, "prad", ""); !strings.Contains(string(r.body), "Error: Enter Password") {
			t.Errorf("no password: %d", r.status)
		}
		start := p.do("GET", "/sso/start?changed=1", nil)
		changed := func(pending string) bool {
			return strings.Contains(string(p.do("GET", "/sso/sign-in", nil, cookie(ssoCookie, pending)).body), "Your password was changed.")
		}
		if !changed(start.cookies[ssoCookie]) || changed(pending) {
			t.Error("the form tells of a changed password only after a change")
		}
		first := p.do("GET", "/sso/start?chosen=1", nil).cookies[ssoCookie]
		form := string(p.do("GET", "/sso/sign-in", nil, cookie(ssoCookie, first)).body)
		if !strings.Contains(form, "Your password is set. Sign in with it and the username in your email.") || changed(first) {
			t.Error("the form tells of a first password after it was chosen")
		}
		for _, way := range []string{"/wcpp/forgotusernm", "/wcpp/resetPassword", "/wcpp/login"} {
			assert.Containsf(t, form, `<a href="`+way+`">`, "no way to %s for who cannot sign in", way)
		}
		if r := submit("forged", "prad", password); r.header.Get("Location") != "/sso/start" {
			t.Errorf("another site's form: %d to %q", r.status, r.header.Get("Location"))
		}
		assert.NotContains(t, string(submit(state, `"><script>alert(1)</script>`, "x").body), "<script>", "the typed name is not escaped")
		// If an older form is submitted in another tab, the username stays and the newer form
		// still works.
		_, older := p.form()
		own := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") }
		r := p.do("POST", "/sso/sign-in", url.Values{"username": {"prad"}, "password": {password}, "state": {older}},
			cookie(ssoCookie, pending), own)
		if again := string(p.do("GET", "/sso/sign-in", nil, cookie(ssoCookie, r.cookies[ssoCookie])).body); !strings.Contains(again,
			`value="prad"`) || !strings.Contains(again, "in another tab") || !strings.Contains(again, state) {
			t.Errorf("the older of two forms: %d to %q", r.status, r.header.Get("Location"))
		}
		if r := p.do("GET", "/sso/sign-in?again=1", nil); r.status != http.StatusBadRequest ||
			!strings.Contains(string(r.body), "blocks cookies") {
			t.Errorf("opened by a browser that blocks cookies: %d", r.status)
		}
		if r := p.do("GET", "/sso/start?again=1", nil); !strings.HasPrefix(r.header.Get("Set-Cookie"), "__Host-wcpp-sso=") ||
			!strings.Contains(r.header.Get("Set-Cookie"), "Secure") {
			t.Errorf("a cookie without Secure: %s", r.header.Get("Set-Cookie"))
		}
		if r := p.do("GET", "/sso/sign-in", nil); r.header.Get("Location") != "/sso/start?again=1" {
			t.Errorf("opened directly: %d", r.status)
		} else if r.header.Get("Cache-Control") != "no-store" {
			t.Error("a browser may keep the redirect, and go round between the form and the start")
		}
		p.clock.Advance(16 * time.Minute)
		same := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-origin") }
		late := p.do("POST", "/sso/sign-in", url.Values{"username": {"prad"}, "password": {password}, "state": {state}},
			cookie(ssoCookie, pending), same)
		if r := p.do("GET", "/sso/sign-in", nil, cookie(ssoCookie, late.cookies[ssoCookie])); late.header.Get("Location") !=
			"/sso/sign-in" ||
			!strings.Contains(string(r.body), "This page expired. Sign in again.") || !strings.Contains(string(r.body), `value="prad"`) {
			t.Errorf("left open: %d to %q: %s", late.status, late.header.Get("Location"), r.body)
		}
		if r := submit(state, "prad", password); r.header.Get("Location") != "/sso/start" {
			t.Errorf("another site's late form: %d to %q", r.status, r.header.Get("Location"))
		}
		token := p.signIn("prad")
		assert.Equal(t, "/wcpp/login", p.do("GET", "/sso/start", nil, cookie(httpapi.SessionCookie, token)).header.Get("Location"))
		if r := p.do("GET", "/sso/start?prompt=login", nil, cookie(httpapi.SessionCookie, token)); r.header.Get("Location") !=
			"/sso/sign-in" {
			t.Errorf("asked anew: %q", r.header.Get("Location"))
		}
		// Another tab signed in and cleared the cookie that both forms used.
		left := p.do("POST", "/sso/sign-in", url.Values{"username": {"prad"}, "password": {password}, "state": {state}},
			cookie(httpapi.SessionCookie, token), own)
		if left.header.Get("Location") != "/wcpp/login" || left.header.Get("Set-Cookie") != "" {
			t.Errorf("a form that was left open while another tab signed in: %d to %q", left.status, left.header.Get("Location"))
		}
		assert.Equal(t, http.StatusOK, p.do("GET", "/api/session", nil, cookie(httpapi.SessionCookie, token)).status)
	})
}

// Every sign-in failure, for the form and for the legacy endpoint.
func TestSignInFailures(t *testing.T) {
	each(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(t *testing.T, p *portal) {
		set := func(name string, status users.Status) {
			p.add(name, access.PRUS, 0)
			p.exec(`UPDATE users SET status_cd = $1 WHERE user_name = $2`, status, name)
		}
		set("newcomer", users.New)
		set("drafted", users.Draft)
		set("inactive", users.Inactive)
		set("locked", users.Locked)
		set("disabled", users.Deactivated)
		set("ended", users.Terminated)
		p.exec(`UPDATE users SET employee_id = '' WHERE user_name = 'irad'`)
		for name, want := range map[string]string{
			"newcomer": "INACTIVE_CREDENTIALS", "drafted": "INACTIVE_CREDENTIALS", "inactive": "USER_ACCT_INACTIVE",
			"locked": "USER_ACCT_LOCKED:30", "disabled": "USER_ACCT_DEACTIVATED", "ended": "USER_ACCT_TERMINATED",
			"irad": "MISSING_EMPLOYEE_ID",
		} {
			r := p.do("POST", "/api/authenticate", map[string]string{"username": name, "password": password})
			if r.status != http.StatusUnauthorized || r.code() != want {
				t.Errorf("%s: %d %s, want %s", name, r.status, r.body, want)
			}
			pending, state := p.form()
			form := p.do("POST", "/sso/sign-in", url.Values{"username": {name}, "password": {password}, "state": {state}},
				cookie(ssoCookie, pending))
			if form.header.Get("Location") != "/wcpp/login?fail="+url.QueryEscape(want) {
				t.Errorf("%s by the form: %d to %q", name, form.status, form.header.Get("Location"))
			}
			if r := p.do("POST", "/api/authenticate", map[string]string{"username": name, "password": "wrong"}); r.code() !=
				"INVALID_CREDENTIALS" {
				t.Errorf("%s with a wrong password: %s", name, r.body)
			}
		}
		for _, name := range []string{"nobody", "checkauth", "CHECKAUTH", ""} {
			if r := p.do("POST", "/api/authenticate", map[string]string{"username": name, "password": password}); r.code() !=
				"INVALID_CREDENTIALS" {
				t.Errorf("%q: %s", name, r.body)
			}
		}
		assert.Equal(t, 2, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'sign-in' AND result = 'USER_ACCT_TERMINATED'`))
	})
}

func TestLegacySignInOnlyWhereConfigured(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		if r := p.do("POST", "/api/authenticate", map[string]string{"username": "prad", "password": password}); r.status !=
			http.StatusUnauthorized {
			t.Errorf("legacy sign-in: %d", r.status)
		}
	})
	each(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(t *testing.T, p *portal) {
		if r := p.do("POST", "/api/authenticate", map[string]string{"username": "PRAD", "password": password}); r.status != http.StatusOK {
			t.Errorf("legacy sign-in: %d", r.status)
		}
	})
}

// Lockout counts submitted usernames, reveals nothing about accounts, works with concurrent
// attempts and ends by itself. A page on another site can't sign anyone in, whatever it sends.
func TestSignInFromOwnPagesOnly(t *testing.T) {
	each(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(t *testing.T, p *portal) {
		for name, c := range map[string]struct {
			kind, origin string
			status       int
		}{
			"the own page":             {"application/json", "http://portal.test", 200},
			"the host that it asked":   {"application/json; charset=utf-8", p.url, 200},
			"no page":                  {"application/json", "", 200},
			"a form of another site":   {"text/plain", "https://evil.example", 400},
			"a body of no type":        {"", "", 400},
			"JSON of another site":     {"application/json", "https://evil.example", 403},
			"a sandboxed frame":        {"application/json", "null", 403},
			"the own name without TLS": {"application/json", "https://portal.test", 403},
			"a name that begins alike": {"application/json", "http://portal.test.evil.example", 403},
			"a type that begins alike": {"application/jsonp", "", 400},
		} {
			r := p.do("POST", "/api/authenticate", fmt.Sprintf(`{"username":"prus","password":%q}`, password), func(r *http.Request) {
				r.Header.Del("Content-Type")
				if c.kind != "" {
					r.Header.Set("Content-Type", c.kind)
				}
				if c.origin != "" {
					r.Header.Set("Origin", c.origin)
				}
			})
			assert.Equalf(t, c.status, r.status, "%s: %d %s", name, r.status, r.body)
		}
	})
}

func TestLockout(t *testing.T) {
	each(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(t *testing.T, p *portal) {
		try := func(name, pass string) string {
			return p.do("POST", "/api/authenticate", map[string]string{"username": name, "password": pass}).code()
		}
		for _, name := range []string{"prus", "nobody"} {
			for range 4 {
				assert.Equal(t, "INVALID_CREDENTIALS", try(name, "wrong"), name)
			}
			assert.Equalf(t, "USER_ACCT_LOCKED:30", try(name, "wrong"), "the fifth try of %s", name)
			p.clock.Advance(10*time.Minute + time.Second)
			assert.Equalf(t, "USER_ACCT_LOCKED:20", try(name, password), "%s ten minutes later, right password", name)
		}
		if n := p.count(`SELECT count(*) FROM users WHERE user_name = 'prus' AND status_cd = 'LOCK'`); n != 1 {
			t.Error("the account is not shown as locked")
		}
		p.clock.Advance(30 * time.Minute)
		assert.Empty(t, try("prus", password))
		if n := p.count(`SELECT count(*) FROM users WHERE user_name = 'prus' AND status_cd = 'ACTIV' AND locked_until IS NULL`); n != 1 {
			t.Error("the account is still shown as locked")
		}

		var wait sync.WaitGroup
		var mu sync.Mutex
		looked := 0
		for range 12 {
			wait.Go(func() {
				if try("nnus", "wrong") == "INVALID_CREDENTIALS" {
					mu.Lock()
					looked++
					mu.Unlock()
				}
			})
		}
		wait.Wait()
		assert.LessOrEqual(t, looked, 4)
		if got := try("nnus", password); !strings.HasPrefix(got, "USER_ACCT_LOCKED:") {
			t.Errorf("after twelve attempts at the same time: %s", got)
		}
	})
}

// fromAddress sets the client address that a trusted proxy reports.
func fromAddress(address string) option {
	return func(r *http.Request) { r.Header.Set("X-Forwarded-For", address) }
}

func behindProxy(c *app.Config) {
	c.Sessions.LegacySignIn, c.TrustedProxies = true, []string{"127.0.0.0/8"}
}

// A lock applies to its source address. An IPv6 customer's /64 counts as one address.
func TestLockHoldsForItsSource(t *testing.T) {
	each(t, behindProxy, func(t *testing.T, p *portal) {
		try := func(name, pass, from string) string {
			return p.do("POST", "/api/authenticate", map[string]string{"username": name, "password": pass}, fromAddress(from)).code()
		}
		for _, name := range []string{"prus", "nobody"} {
			for i := range 5 {
				try(name, "wrong", fmt.Sprintf("2001:db8:0:7::%x", i+1))
			}
			assert.Equalf(t, "USER_ACCT_LOCKED:30", try(name, password, "2001:db8:0:7::99"), "%s from the network that tried", name)
		}
		assert.Equal(t, "INVALID_CREDENTIALS", try("nobody", "wrong", "2001:db8:0:8::1"))
		assert.Empty(t, try("prus", password, "2001:db8:0:8::1"))
		if n := p.count(`SELECT count(*) FROM users WHERE user_name = 'prus' AND status_cd = 'LOCK'`); n != 1 {
			t.Error("the account is not shown as locked while a lock holds")
		}
	})
}

// A stranger's attempts block only the owner's new devices, for a day. Guesses stay limited, and
// a reset still works.
func TestStrangerKeepsNobodyOut(t *testing.T) {
	each(t, behindProxy, func(t *testing.T, p *portal) {
		home := p.do("POST", "/api/authenticate", map[string]string{"username": "prus", "password": password}, fromAddress("203.0.113.1"))
		device := cookie(httpapi.DeviceCookie, home.cookies[httpapi.DeviceCookie])
		guesses, codes := 0, map[string]int{}
		for i := range 1000 {
			name := []string{"prus", "nobody"}[i%2]
			got := p.do("POST", "/api/authenticate", map[string]string{"username": name, "password": "wrong"},
				fromAddress(fmt.Sprintf("198.51.100.%d", i/2%50))).code()
			if name == "prus" && got == "INVALID_CREDENTIALS" {
				guesses++
			}
			if name == "prus" {
				codes[got]++
			} else {
				codes[got]--
			}
			p.post("/public/resetPasswordByUser/start", fields{"userName": "prus", "emailAddress": "guess@example.com"},
				fromAddress(fmt.Sprintf("198.51.100.%d", i%50)))
		}
		assert.Less(t, guesses, 20)
		for code, more := range codes {
			assert.Equalf(t, 0, more, "%s: %d times more for a name that is there", code, more)
		}
		in := func(opts ...option) string {
			return p.do("POST", "/api/authenticate", map[string]string{"username": "prus", "password": password}, opts...).code()
		}
		assert.Empty(t, in(fromAddress("203.0.113.2"), device))
		assert.Equal(t, "USER_ACCT_LOCKED:1440", in(fromAddress("203.0.113.2")))
		if n := p.count(`SELECT count(*) FROM users WHERE user_name = 'prus' AND status_cd = 'LOCK'`); n != 1 {
			t.Error("the account is not shown as locked")
		}
		p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": "prus", "emailAddress": "prus@example.com"},
			fromAddress("198.51.100.1")), 200, "success")
		p.only("prus@example.com", "Reset your password")
		p.clock.Advance(24*time.Hour + time.Second)
		assert.Empty(t, in(fromAddress("203.0.113.2")))
	})
}

// After a hundred failures in a row, nobody can sign in before a password reset.
func TestLockedUntilReset(t *testing.T) {
	each(t, behindProxy, func(t *testing.T, p *portal) {
		home := p.do("POST", "/api/authenticate", map[string]string{"username": "prus", "password": password}, fromAddress("203.0.113.1"))
		device := cookie(httpapi.DeviceCookie, home.cookies[httpapi.DeviceCookie])
		for i := range 5 {
			for j := range 20 {
				p.do("POST", "/api/authenticate", map[string]string{"username": "prus", "password": "wrong"},
					fromAddress(fmt.Sprintf("198.51.%d.%d", i, j/4)))
			}
			p.clock.Advance(25 * time.Hour)
		}
		in := func() string {
			return p.do("POST", "/api/authenticate", map[string]string{"username": "prus", "password": password},
				fromAddress("203.0.113.1"), device).code()
		}
		assert.Equal(t, "USER_ACCT_LOCKED:1440", in())
		p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": "prus", "emailAddress": "prus@example.com"}), 200, "success")
		token := p.linkIn(p.only("prus@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		p.want(p.post("/public/resetPassword/complete", fields{"token": token, "newPassword": "Clear-River-8"}), 200, "success")
		assert.Empty(t, p.do("POST", "/api/authenticate", map[string]string{"username": "prus", "password": "Clear-River-8"}).code())
	})
}

// Other people's attempts lock the sign-in but not existing sessions.
func TestLockLeavesOpenSessions(t *testing.T) {
	each(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(t *testing.T, p *portal) {
		token := p.signIn("prus")
		for range 5 {
			p.do("POST", "/api/authenticate", map[string]string{"username": "prus", "password": "wrong"})
		}
		if n := p.count(`SELECT count(*) FROM users WHERE user_name = 'prus' AND status_cd = 'LOCK'`); n != 1 {
			t.Fatal("the account is not locked")
		}
		assert.Equal(t, http.StatusOK, p.do("GET", "/api/session", nil, bearer(token)).status)
		// A lock imported from the network applies to the person.
		p.exec(`UPDATE users SET locked_until = NULL WHERE user_name = 'prus'`)
		assert.Equal(t, http.StatusUnauthorized, p.do("GET", "/api/session", nil, bearer(token)).status)
	})
}

// A new sign-in replaces the browser's existing session.
func TestSignInEndsTheSessionBefore(t *testing.T) {
	each(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(t *testing.T, p *portal) {
		before, elsewhere := p.signIn("prus"), p.signIn("prus")
		again := p.do("POST", "/api/authenticate", map[string]string{"username": "prus", "password": password},
			cookie(httpapi.SessionCookie, before))
		require.Equal(t, http.StatusOK, again.status)
		for token, want := range map[string]int{before: http.StatusUnauthorized, elsewhere: http.StatusOK,
			again.cookies[httpapi.SessionCookie]: http.StatusOK} {
			assert.Equal(t, want, p.do("GET", "/api/session", nil, bearer(token)).status)
		}
	})
}

func TestSessionEndsByIdleness(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("prad")
		session := func() int { return p.do("GET", "/api/session", nil, bearer(token)).status }
		for range 4 {
			p.clock.Advance(29 * time.Minute)
			require.Equal(t, http.StatusNoContent, p.do("POST", "/api/session/touch", nil, bearer(token)).status)
		}
		// Automatic page requests don't extend the session.
		for range 3 {
			p.clock.Advance(9 * time.Minute)
			require.Equal(t, http.StatusOK, session())
			p.do("GET", "/api/appProperties/property/FE_APP_TIMEOUT", nil, bearer(token))
			p.do("GET", "/api/ftin/userFtins/prad?activeFlag=true", nil, bearer(token))
		}
		p.clock.Advance(4*time.Minute + time.Second)
		assert.Equal(t, http.StatusUnauthorized, session())
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM sessions`))
		token = p.signIn("prad")
		for range 25 {
			p.clock.Advance(29 * time.Minute)
			p.do("POST", "/api/session/touch", nil, bearer(token))
		}
		assert.Equal(t, http.StatusUnauthorized, session())
	})
}

func TestSignOutAndTerminationEndSessionsAtOnce(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		first, second := p.signIn("prad"), p.signIn("prad")
		r := p.do("POST", "/api/logout", nil, bearer(first))
		if r.status != http.StatusOK || !strings.Contains(string(r.body), `"signOutUrl":null`) || r.cookies[httpapi.SessionCookie] != "" {
			t.Errorf("logout: %d %s", r.status, r.body)
		}
		assert.Equal(t, http.StatusUnauthorized, p.do("GET", "/api/session", nil, bearer(first)).status)
		assert.Equal(t, http.StatusOK, p.do("GET", "/api/session", nil, bearer(second)).status)
		p.exec(`UPDATE users SET status_cd = 'TERM' WHERE user_name = 'prad'`)
		assert.Equal(t, http.StatusUnauthorized, p.do("GET", "/api/session", nil, bearer(second)).status)
	})
}

// Saved form input is readable only by its user, for eight hours and not after sign-out.
func TestFormKey(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		ask := func(token string) (string, int) {
			r := p.do("PUT", "/api/session/form-key", nil, bearer(token))
			return string(r.body), r.status
		}
		active := func(token string) { p.do("POST", "/api/session/touch", nil, bearer(token)) }
		token := p.signIn("prad")
		key, status := ask(token)
		if again, _ := ask(token); status != http.StatusOK || again != key {
			t.Errorf("%d, and another key the second time", status)
		}
		if other, _ := ask(p.signIn("prus")); other == key {
			t.Error("two users have one key")
		}

		p.do("POST", "/api/logout?idle=true", nil, bearer(token))
		p.clock.Advance(7*time.Hour + 59*time.Minute)
		token = p.signIn("prad")
		if kept, _ := ask(token); kept != key {
			t.Error("another key after an idle end")
		}
		p.do("POST", "/api/logout?idle=true", nil, bearer(token))
		p.clock.Advance(8*time.Hour + time.Minute)
		token = p.signIn("prad")
		p.clock.Advance(time.Minute)
		active(token)
		later, _ := ask(token)
		assert.NotEqual(t, key, later, "the same key after eight hours")
		for range 20 { // activity extends the key
			p.clock.Advance(29 * time.Minute)
			active(token)
		}
		if kept, _ := ask(token); kept != later {
			t.Error("another key for whoever was active just now")
		}

		p.do("POST", "/api/logout", nil, bearer(token))
		if fresh, _ := ask(p.signIn("prad")); fresh == later {
			t.Error("the same key after sign-out")
		}
		admin := p.signIn("isad")
		p.do("POST", "/api/session/mirror", map[string]string{"userNm": "prus"}, bearer(admin))
		if _, status := ask(admin); status != http.StatusForbidden {
			t.Errorf("while mirroring: %d", status)
		}
	})
}

func TestProperty(t *testing.T) {
	each(t, func(c *app.Config) { c.Sessions.IdleMinutes = 17 }, func(t *testing.T, p *portal) {
		token := p.signIn("rous")
		if r := p.do("GET", "/api/appProperties/property/FE_APP_TIMEOUT", nil, bearer(token)); strings.TrimSpace(string(r.body)) != "17" {
			t.Errorf("FE_APP_TIMEOUT: %s", r.body)
		}
		assert.Equal(t, http.StatusNotFound, p.do("GET", "/api/appProperties/property/OTHER", nil, bearer(token)).status)
	})
}

func TestMirroring(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("isad")
		mirror := func(name string) reply {
			return p.do("POST", "/api/session/mirror", map[string]string{"userNm": name}, bearer(token))
		}
		for name, want := range map[string]int{"road": 400, "irad": 400, "nobody": 404} {
			assert.Equalf(t, want, mirror(name).status, "mirroring %s", name)
		}
		r := mirror("prus")
		var s sessions.Session
		r.into(t, &s)
		if s.Username != "isad" || s.MirroredUser == nil || s.MirroredUser.UserNm != "prus" || s.Menu[0].Label != "Bill Search" {
			t.Fatalf("mirroring prus: %s", r.body)
		}
		for _, route := range s.Routes {
			assert.NotEqual(t, "UserSearch", route, "the mirrored type decides about routes, yet UserSearch is among them")
		}
		if r := p.do("GET", "/api/ftin/userFtins/prus?activeFlag=true", nil, bearer(token)); !strings.Contains(string(r.body),
			"111111111") || strings.Contains(string(r.body), "222222222") {
			t.Errorf("the mirrored user's TINs: %s", r.body)
		}
		r = p.do("DELETE", "/api/session/mirror", nil, bearer(token))
		s = sessions.Session{}
		r.into(t, &s)
		if r.status != http.StatusOK || s.MirroredUser != nil || s.Menu[2].Label != "User Search" {
			t.Errorf("revert: %d %s", r.status, r.body)
		}
		assert.Equal(t, http.StatusOK, p.do("DELETE", "/api/session/mirror", nil, bearer(token)).status)
		for _, e := range []string{"mirror-start", "mirror-stop"} {
			if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = $1 AND actor = 'isad' AND acting_for = 'prus'`, e); n != 1 {
				t.Errorf("%d audit entries %s", n, e)
			}
		}
		// If the mirrored user is terminated, mirroring ends.
		mirror("prus")
		p.exec(`UPDATE users SET status_cd = 'TERM' WHERE user_name = 'prus'`)
		s = sessions.Session{}
		p.do("GET", "/api/session", nil, bearer(token)).into(t, &s)
		if s.MirroredUser != nil || s.MirrorEnded != "Prus Tester" {
			t.Errorf("a terminated user is still mirrored, or ended silently: %+v", s)
		}
		p.want(mirror("nnus"), http.StatusConflict, "MIRROR_ENDED")
		p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(token)), http.StatusOK, "")
		if r := p.do("POST", "/api/session/mirror", map[string]string{"userNm": "nnus"}, bearer(p.signIn("prad"))); r.status !=
			http.StatusForbidden {
			t.Errorf("a provider administrator mirrors: %d", r.status)
		}
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'startMirror' AND actor = 'prad'
			AND result = 'refused'`); n != 1 {
			t.Errorf("%d audit entries of the refusal", n)
		}
		// Audit entries while mirroring name both users.
		mirror("nnus")
		p.do("POST", "/api/logout", nil, bearer(token))
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'sign-out' AND actor = 'isad' AND acting_for = 'nnus'`); n != 1 {
			t.Errorf("%d audit entries of the sign-out", n)
		}
	})
}

// Nobody mirrors a user whose group changes at the same time, with the former group's approval.
func TestMirroredUserMoves(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token, other := p.signIn("isad"), p.add("ada", access.PRAD, 0, "444444444").GroupID
		wait := dbtest.Interleave(t, p.DB, func(ctx context.Context, tx *sql.Tx) {
			// As an import does.
			assert.NoError(t, dbtest.Err(db.One[int64](ctx, tx, `SELECT id FROM users WHERE user_name = 'prus'`+p.DB.Dialect.ForUpdate)))
			assert.NoError(t, db.Run(ctx, tx, `UPDATE users SET group_id = $1 WHERE user_name = 'prus'`, other))
		})
		p.want(p.mirror(token, "prus", ""), 409, "Someone else changed this. Reload and try again.")
		wait()
		p.audited(0, `operation = 'mirror-start'`)
		p.want(p.mirror(token, "prus", ""), 200, "")
	})
}

// The end of mirroring is audited if the session ends first, or acts as another user.
func TestMirroringEndsWithItsSession(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		for actor, end := range map[string]func(token string){
			"isad": func(token string) { p.want(p.post("/logout", nil, bearer(token)), 200, "") },
			"irad": func(token string) {
				p.clock.Advance(40 * time.Minute)
				assert.Equal(t, 401, p.do("GET", "/api/session", nil, bearer(token)).status)
			},
		} {
			token := p.signIn(actor)
			p.want(p.post("/session/mirror", fields{"userNm": "nnus"}, bearer(token)), 200, "")
			p.want(p.post("/session/mirror", fields{"userNm": "prus"}, bearer(token)), 200, "")
			p.audited(1, `operation = 'mirror-stop' AND actor = $1 AND acting_for = 'nnus' AND detail = ''`, actor)
			p.audited(0, `operation = 'mirror-stop' AND actor = $1 AND acting_for = 'prus'`, actor)
			end(token)
			p.audited(1, `operation = 'mirror-stop' AND actor = $1 AND acting_for = 'prus' AND subject = 'prus'
				AND detail = 'the session ended'`, actor)
		}
	})
}

// If mirroring ends by itself, actions meant for the mirrored user are rejected until the person
// has seen the notice.
func TestMirroringEndsLoudly(t *testing.T) {
	for name, end := range map[string]func(p *portal){
		"reset by an administrator": func(p *portal) {
			p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": "prus"}, bearer(p.signIn("prad"))), 200, "success")
		},
		"terminated": func(p *portal) {
			p.want(p.do("PUT", "/api/users/terminate", fields{"userNm": "prus"}, bearer(p.signIn("prad"))), 200, "")
		},
		"deactivated by what comes in": func(p *portal) { p.exec(`UPDATE users SET status_cd = 'DISABL' WHERE user_name = 'prus'`) },
	} {
		t.Run(name, func(t *testing.T) {
			each(t, nil, func(t *testing.T, p *portal) {
				token, other := p.signIn("isad"), p.signIn("irad")
				for _, t := range []string{token, other} {
					p.want(p.post("/session/mirror", fields{"userNm": "prus", "reason": "  Ticket  4711 "}, bearer(t)), 200, "")
				}
				p.audited(2, `operation = 'mirror-start' AND acting_for = 'prus' AND detail = 'Ticket 4711'`)
				end(p)
				details := fields{
					"userNm": "isad", "userFirstName": "Not", "userLastName": "Mine", "emailAddr": "isad@example.com",
					"phoneNum": "2165550148",
				}
				p.want(p.do("PUT", "/api/users/updateUser", details, bearer(token)), 409, "MIRROR_ENDED")
				p.want(p.do("GET", "/api/ftin/userFtins/isad?activeFlag=true", nil, bearer(token)), 409, "MIRROR_ENDED")
				p.want(p.do("GET", "/api/appProperties/property/FE_APP_TIMEOUT", nil, bearer(token)), 200, "")
				p.audited(1, `operation = 'updateUser' AND actor = 'isad' AND result = 'refused'`)
				p.audited(0, `operation = 'userFtins' AND result = 'refused'`) // a screen's own request, not a person's
				p.want(p.do("POST", "/api/session/touch", nil, bearer(token)), 204, "")
				var s sessions.Session
				p.do("GET", "/api/session", nil, bearer(token)).into(t, &s)
				if s.MirrorEnded != "Prus Tester" || s.MirroredUser != nil {
					t.Errorf("%+v", s)
				}
				p.do("GET", "/api/session", nil, bearer(other))
				for _, who := range []string{"isad", "irad"} {
					p.audited(1, `operation = 'mirror-stop' AND actor = $1 AND acting_for = 'prus' AND subject = 'prus'
						AND detail = 'the account was reset or terminated'`, who)
				}
				p.want(p.do("DELETE", "/api/session/mirror", nil, bearer(token)), 200, "")
				p.audited(1, `operation = 'mirror-stop' AND actor = 'isad'`)
				p.want(p.do("GET", "/api/users/userByName/isad", nil, bearer(token)), 200, "")
				// Signing out works without having seen it.
				p.want(p.post("/logout", nil, bearer(other)), 200, "")
			})
		})
	}
}

// A mirroring reason is required if the settings say so.
func TestReasonOfMirroring(t *testing.T) {
	each(t, func(c *app.Config) { c.Sessions.MirrorReason = "required" }, func(t *testing.T, p *portal) {
		token := p.signIn("isad")
		var s sessions.Session
		p.do("GET", "/api/session", nil, bearer(token)).into(t, &s)
		assert.True(t, s.MirrorReason, "the browser is not told to ask")
		s = sessions.Session{}
		if p.do("GET", "/api/session", nil, bearer(p.signIn("prad"))).into(t, &s); s.MirrorReason {
			t.Error("who may not mirror is told to say why")
		}
		for reason, want := range map[string]string{
			"": "reason: Error: Enter a reason", "\u2003": "reason: Error: Enter a reason",
			strings.Repeat("é", 201): "reason: Up to 200 characters", strings.Repeat("é", 200): "",
		} {
			if r := p.post("/session/mirror", fields{"userNm": "prus", "reason": reason}, bearer(token)); r.fields() != want ||
				(r.status == 200) != (want == "") {
				t.Errorf("%q: %d %s", reason, r.status, r.body)
			}
		}
		p.audited(1, `operation = 'mirror-start' AND detail = $1`, strings.Repeat("é", 200))
	})
}

// Users get emails about sign-ins to their account: once per new browser, once a day about
// repeated failures, and about a lock. Nobody else learns anything from it.
func TestMailsOfSignIns(t *testing.T) {
	mails := func(p *portal, to string) string {
		var list []string
		for _, m := range p.inbox(to) {
			list = append(list, m.Subject)
		}
		return strings.Join(list, ", ")
	}
	try := func(p *portal, user, pass string, opts ...option) reply {
		return p.post("/authenticate", fields{"username": user, "password": pass}, opts...)
	}
	const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"
	byFirefox := func(r *http.Request) { r.Header.Set("User-Agent", firefox) }
	set := func(c *app.Config) {
		c.Sessions.LegacySignIn, c.SignIn.SignInMails, c.TrustedProxies = true, "on", []string{"127.0.0.1/32"}
		c.SignIn.LockDayFailures = 12
	}
	each(t, set, func(t *testing.T, p *portal) {
		p.from = "192.0.2.7"
		first := try(p, "prad", password)
		assert.Empty(t, mails(p, "prad@example.com"))
		try(p, "prad", password, cookie(httpapi.DeviceCookie, first.cookies[httpapi.DeviceCookie]))
		assert.Empty(t, mails(p, "prad@example.com"))
		second := try(p, "prad", password, byFirefox)
		m := p.only("prad@example.com", "New sign-in to your account")
		for _, part := range []string{"prad", "03/02/2026 at 10:00 AM EST", "Firefox on Linux", "192.0.2.7", "Reset Password",
			"http://portal.test/wcpp/login"} {
			assert.Contains(t, m.Text, part)
		}
		try(p, "prad", password, cookie(httpapi.DeviceCookie, second.cookies[httpapi.DeviceCookie]))
		assert.Empty(t, mails(p, "prad@example.com"))

		fail := func(from string, times int) (last reply) {
			p.from = from
			for range times {
				last = try(p, "prad", "Wrong-Pass-1", byFirefox)
			}
			return last
		}
		fail("192.0.2.8", 4)
		assert.Empty(t, mails(p, "prad@example.com"))
		refused := fail("192.0.2.8", 1)
		m = p.only("prad@example.com", "Failed sign-ins to your account")
		assert.Contains(t, m.Text, "tried 5 times")
		assert.Contains(t, m.Text, "192.0.2.8")
		fail("192.0.2.8", 3)
		fail("192.0.2.9", 5)
		assert.Empty(t, mails(p, "prad@example.com"))
		fail("192.0.2.10", 2)
		p.only("prad@example.com", "Your account is locked")
		fail("192.0.2.11", 3)
		assert.Empty(t, mails(p, "prad@example.com"))

		// A nonexistent user gets the same response and no email is sent.
		p.from = "192.0.2.12"
		var nobody reply
		for range 5 {
			nobody = try(p, "nobody", "Wrong-Pass-1")
		}
		if nobody.status != refused.status || nobody.code() != refused.code() {
			t.Errorf("got %d %s for an unknown name, %d %s for prad", nobody.status, nobody.code(), refused.status, refused.code())
		}
		// Users of inactive groups don't get emails.
		p.from = "192.0.2.13"
		p.exec(`UPDATE users SET group_ended = $1 WHERE user_name = 'prus'`, true)
		for range 5 {
			try(p, "prus", "Wrong-Pass-1")
		}
		assert.Equal(t, 3, p.count(`SELECT count(*) FROM mails`))
		p.clock.Advance(91 * 24 * time.Hour)
		require.NoError(t, p.SignIn.Cleanup(t.Context()))
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM sign_in_notices`))
	})
	each(t, func(c *app.Config) { set(c); c.SignIn.SignInMails = "off" }, func(t *testing.T, p *portal) {
		for range 2 {
			try(p, "prad", password)
		}
		for range 5 {
			try(p, "prad", "Wrong-Pass-1")
		}
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM mails`))
	})
}
