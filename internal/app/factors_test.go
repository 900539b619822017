package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/mfa/mfatest"
	"wcpp/internal/platform/httpapi"
)

const portalOrigin = "http://portal.test"

// requireFactors requires two factors for these account types.
func requireFactors(types ...string) func(*app.Config) {
	return func(c *app.Config) {
		for _, t := range types {
			c.Factors.SecondFactor[t] = "required"
		}
	}
}

// browser signs in with the form. It has the cookies and the current page.
type browser struct {
	*portal
	kept  string // the pending sign-in's cookie
	at    string
	state string
}

// typed returns a browser that has submitted a username and password.
func (p *portal) typed(user, pass string, opts ...option) *browser {
	p.t.Helper()
	b := &browser{portal: p}
	b.kept, b.state = p.form()
	b.send("/sso/sign-in", url.Values{"username": {user}, "password": {pass}}, opts...)
	return b
}

// send submits a sign-in form and follows the redirect.
func (b *browser) send(path string, form url.Values, opts ...option) reply {
	b.t.Helper()
	form.Set("state", b.state)
	r := b.do("POST", path, form, append(opts, cookie(ssoCookie, b.kept))...)
	if r.cookies[ssoCookie] != "" {
		b.kept = r.cookies[ssoCookie]
	}
	b.at = r.header.Get("Location")
	return r
}

func (b *browser) page() string {
	b.t.Helper()
	r := b.do("GET", b.at, nil, cookie(ssoCookie, b.kept))
	if r.status != http.StatusOK {
		b.t.Fatalf("%s answered %d to %q", b.at, r.status, r.header.Get("Location"))
	}
	if r.cookies[ssoCookie] != "" {
		b.kept = r.cookies[ssoCookie]
	}
	return string(r.body)
}

// wantPage checks the browser's current page and message.
func (b *browser) wantPage(page, message string) {
	b.t.Helper()
	require.Equal(b.t, page, b.at)
	if message != "" && !strings.Contains(b.page(), message) {
		b.t.Errorf("%s does not tell %q:\n%s", page, message, b.page())
	}
}

// wantSignedIn completes the sign-in and returns the session token.
func (b *browser) wantSignedIn() string {
	b.t.Helper()
	back, err := url.Parse(b.at)
	if err != nil || back.Query().Get("code") == "" {
		b.t.Fatalf("not let in, but led to %q", b.at)
	}
	r := b.exchange(b.kept, b.state, back.Query().Get("code"))
	require.Equalf(b.t, http.StatusOK, r.status, "authenticate: %d %s", r.status, r.body)
	return r.cookies[httpapi.SessionCookie]
}

func (b *browser) code(code string) { b.send("/sso/factor", url.Values{"code": {code}}) }

// asked returns the page's passkey challenge.
func (b *browser) asked() []byte {
	b.t.Helper()
	at := b.at
	r := b.send("/sso/passkey/options", url.Values{})
	b.at = at
	require.Equalf(b.t, http.StatusOK, r.status, "options: %d %s", r.status, r.body)
	return r.body
}

func (b *browser) answer(answer string) { b.send("/sso/passkey", url.Values{"answer": {answer}}) }

// addApp adds an app to the user's account, and returns its secret and recovery codes.
func (p *portal) addApp(token string) (secret string, codes []string) {
	p.t.Helper()
	var asked struct{ Secret, Picture, State string }
	p.post("/account/factors/app/start", nil, bearer(token)).into(p.t, &asked)
	assert.Truef(p.t, strings.HasPrefix(asked.Picture, "data:image/png;base64,"), "the picture is %.40s", asked.Picture)
	r := p.post("/account/factors/app", fields{"state": asked.State, "code": mfatest.Code(p.t, asked.Secret, p.clock.Now()),
		"name": "Phone"}, bearer(token))
	var given struct{ Codes []string }
	if r.into(p.t, &given); r.status != http.StatusOK {
		p.t.Fatalf("%d %s", r.status, r.body)
	}
	return asked.Secret, given.Codes
}

func (p *portal) addPasskey(token string, key *mfatest.Passkey) reply {
	p.t.Helper()
	var asked struct {
		Options json.RawMessage
		State   string
	}
	p.post("/account/factors/passkey/start", nil, bearer(token)).into(p.t, &asked)
	return p.post("/account/factors/passkey", fields{"state": asked.State, "answer": key.Create(asked.Options)}, bearer(token))
}

func TestAppAndRecoveryCodes(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token, elsewhere := p.signIn("prus"), p.signIn("prus")
		var asked struct{ State string }
		p.post("/account/factors/app/start", nil, bearer(token)).into(t, &asked)
		if r := p.post("/account/factors/app", fields{"state": asked.State, "code": "000000"}, bearer(token)); r.status != 400 ||
			!strings.HasPrefix(r.fields(), "code: The code is incorrect.") {
			t.Errorf("%d %s", r.status, r.body)
		}
		if r := p.post("/account/factors/app", fields{"state": asked.State, "code": "000000"}, bearer(p.signIn("prad"))); r.status != 400 ||
			r.fields() != "" {
			t.Errorf("another's state: %d %s", r.status, r.body)
		}
		secret, codes := p.addApp(token)
		if len(codes) != 10 || !regexp.MustCompile(`^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$`).MatchString(codes[0]) {
			t.Errorf("recovery codes %q", codes)
		}
		p.only("prus@example.com", "An authenticator app was added to your account")
		p.want(p.do("GET", "/api/session", nil, bearer(elsewhere)), 401, "")
		p.want(p.do("GET", "/api/session", nil, bearer(token)), 200, "")
		if n := p.count(`SELECT count(*) FROM factors WHERE sealed LIKE '%' || $1 || '%'`, strings.ReplaceAll(secret, " ", "")); n != 0 {
			t.Error("the secret is kept as it is")
		}

		// The setup code can't be used again.
		b := p.typed("prus", password)
		b.wantPage("/sso/factor", "Enter a code from your authenticator app")
		now := func() string { return mfatest.Code(t, secret, p.clock.Now()) }
		b.code(now())
		b.wantPage("/sso/factor", "Error: The code was incorrect or already used.")
		p.clock.Advance(30 * time.Second)
		used := now()
		b.code(used[:3] + " " + used[3:]) // as apps show it
		p.want(p.do("GET", "/api/session", nil, bearer(b.wantSignedIn())), 200, "")
		again := p.typed("prus", password)
		again.code(used)
		again.wantPage("/sso/factor", "already used")
		// A clock that's 30 seconds slow or fast.
		p.clock.Advance(90 * time.Second)
		again.code(mfatest.Code(t, secret, p.clock.Now().Add(-30*time.Second)))
		again.wantSignedIn()
		again = p.typed("prus", password)
		again.code(mfatest.Code(t, secret, p.clock.Now().Add(30*time.Second)))
		again.wantSignedIn()
		p.clock.Advance(5 * time.Minute)
		again = p.typed("prus", password)
		again.code(mfatest.Code(t, secret, p.clock.Now().Add(-60*time.Second)))
		again.wantPage("/sso/factor", "already used")

		b = p.typed("prus", password)
		b.code(strings.ToLower(codes[3]))
		b.wantSignedIn()
		p.only("prus@example.com", "A recovery code was used")
		b = p.typed("prus", password)
		b.code(codes[3])
		b.wantPage("/sso/factor", "already used")
		b.code(codes[4])
		token = b.wantSignedIn()
		p.inbox("prus@example.com")

		var renewed struct{ Codes []string }
		p.post("/account/recoveryCodes", nil, bearer(token)).into(t, &renewed)
		p.only("prus@example.com", "New recovery codes for your account")
		b = p.typed("prus", password)
		b.code(codes[5])
		b.wantPage("/sso/factor", "already used")
		b.code(renewed.Codes[9])
		token = b.wantSignedIn()
		p.inbox("prus@example.com")

		var own struct {
			Policy  string
			Factors []struct {
				ID                          int64
				Kind, Name, AddedDt, UsedDt string
			}
			RecoveryCodes int
		}
		p.do("GET", "/api/account/factors", nil, bearer(token)).into(t, &own)
		if own.Policy != "offered" || own.RecoveryCodes != 9 || len(own.Factors) != 1 || own.Factors[0].Kind != "app" ||
			own.Factors[0].Name != "Phone" || own.Factors[0].UsedDt != "2026-03-02T15:02:00Z" {
			t.Errorf("%+v", own)
		}
		p.want(p.do("DELETE", fmt.Sprintf("/api/account/factors/%d", own.Factors[0].ID), nil, bearer(token)), 204, "")
		p.only("prus@example.com", "A sign-in method was removed from your account")
		p.signIn("prus") // with the password only
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM recovery_codes`))
		for _, operation := range []string{"factor-add", "factor-remove", "recovery-codes", "recovery-code"} {
			if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = $1 AND actor = 'prus' AND subject = 'prus'
				AND result = 'ok'`, operation); n == 0 {
				t.Errorf("no audit entry %s", operation)
			}
		}
		if log := p.logged(); strings.Contains(log, codes[5]) || strings.Contains(log, secret) {
			t.Error("the log holds a code or a secret")
		}
	})
}

func TestPasskeys(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("prus")
		key := mfatest.NewPasskey(t, portalOrigin)
		elsewhere := mfatest.NewPasskey(t, "https://evil.example")
		p.want(p.addPasskey(token, elsewhere), 400, "")
		p.want(p.addPasskey(token, key), 200, "")
		p.only("prus@example.com", "A passkey was added to your account")

		// As the second step.
		b := p.typed("prus", password)
		b.wantPage("/sso/factor", "Use your passkey")
		answer := key.Get(b.asked())
		stolen := *b
		b.answer(answer)
		b.wantSignedIn()
		stolen.answer(answer)
		stolen.wantPage("/sso/factor", "Error: That passkey can&#39;t be used. Try again, or enter a code.")
		b = p.typed("prus", password)
		key.Verifies = false
		b.answer(key.Get(b.asked()))
		b.wantSignedIn()

		// As the only step.
		alone := func() *browser {
			b := &browser{portal: p, at: "/sso/sign-in"}
			b.kept, b.state = p.form()
			return b
		}
		b = alone()
		b.answer(key.Get(b.asked()))
		b.wantPage("/sso/sign-in", "Error: That passkey can&#39;t be used. Sign in with your password.")
		key.Verifies = true
		b.answer(key.Get(b.asked()))
		if r := p.do("GET", "/api/session", nil, bearer(b.wantSignedIn())); !strings.Contains(string(r.body), `"username":"prus"`) {
			t.Errorf("%s", r.body)
		}
		// A response to one step's challenge isn't valid for the other.
		b = p.typed("prus", password)
		second := b.asked()
		b = alone()
		b.asked()
		b.answer(key.Get(second))
		b.wantPage("/sso/sign-in", "Error: That passkey can&#39;t be used. Sign in with your password.")
		key.Origin = "https://evil.example"
		b.answer(key.Get(b.asked()))
		b.wantPage("/sso/sign-in", "Error: That passkey can&#39;t be used. Sign in with your password.")
		key.Origin = portalOrigin
		b = alone()
		late := key.Get(b.asked())
		p.clock.Advance(6 * time.Minute)
		b.answer(late)
		b.wantPage("/sso/sign-in", "Error: That passkey can&#39;t be used. Sign in with your password.")
		b.answer("{}")
		b.wantPage("/sso/sign-in", "Error: That passkey can&#39;t be used. Sign in with your password.")
		p.want(p.addPasskey(p.typedIn(key), mfatest.NewPasskey(t, portalOrigin)), 200, "")

		// Passkeys that several devices share have independent counters.
		key.Count = 1
		token = p.typedIn(key)
		assert.Contains(t, p.logged(), "passkey counter went backward", "nothing tells of a passkey that counts backwards")
		for range 8 {
			p.want(p.addPasskey(token, mfatest.NewPasskey(t, portalOrigin)), 200, "")
		}
		p.want(p.addPasskey(token, mfatest.NewPasskey(t, portalOrigin)), 409, "You can have up to 10 passkeys and apps. Remove one first.")
		p.exec(`UPDATE users SET status_cd = 'TERM' WHERE user_name = 'prus'`)
		b = alone()
		b.answer(key.Get(b.asked()))
		b.wantPage("/wcpp/login?fail=USER_ACCT_TERMINATED", "")
	})
}

// typedIn signs in with a passkey only.
func (p *portal) typedIn(key *mfatest.Passkey) string {
	b := &browser{portal: p, at: "/sso/sign-in"}
	b.kept, b.state = p.form()
	b.answer(key.Get(b.asked()))
	return b.wantSignedIn()
}

var secretOnPage = regexp.MustCompile(`Key <code>([A-Z2-7 ]+)</code>`)

// A required factor is set up after the password, before any session exists. The pages are plain
// HTML without the application.
func TestRequiredFactorIsSetUp(t *testing.T) {
	each(t, requireFactors("ISAD", "IRAD"), func(t *testing.T, p *portal) {
		b, tab := p.typed("isad", password), p.typed("isad", password)
		b.wantPage("/sso/set-up", "Your account requires two-step verification")
		page := b.page()
		found := secretOnPage.FindStringSubmatch(page)
		if found == nil || !strings.Contains(page, `<img src="data:image/png;base64,`) ||
			found[1] != secretOnPage.FindStringSubmatch(b.page())[1] {
			t.Fatalf("%s", page)
		}
		b.send("/sso/set-up", url.Values{"code": {"123"}})
		b.wantPage("/sso/set-up", "The code is incorrect")
		b.send("/sso/set-up", url.Values{"code": {mfatest.Code(t, found[1], p.clock.Now())}})
		b.wantPage("/sso/recovery-codes", "")
		if shown := b.page(); strings.Count(shown, "<li><code>") != 10 || !strings.Contains(shown, "We won&#39;t show them again.") {
			t.Errorf("no ten recovery codes: %s", shown)
		}
		b.wantPage("/sso/recovery-codes", "We&#39;ve already shown your recovery codes.")
		copied := *b
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM sessions`))
		// Someone who started with only the password can't add another factor.
		tab.wantPage("/sso/set-up", "")
		tab.send("/sso/set-up", url.Values{"code": {mfatest.Code(t, secretOnPage.FindStringSubmatch(tab.page())[1], p.clock.Now())}})
		tab.wantPage("/sso/set-up", "Your account already uses two-step verification.")
		b.send("/sso/recovery-codes", url.Values{})
		token := b.wantSignedIn()
		// Copied cookies don't give further access and aren't extended.
		for _, path := range []string{"/sso/recovery-codes", "/sso/sign-in", "/sso/recovery-codes"} {
			if copied.send(path, url.Values{}); strings.Contains(copied.at, "code=") {
				t.Errorf("%s lets the copy in", path)
			}
		}
		p.only("isad@example.com", "An authenticator app was added to your account")
		p.typed("isad", password).wantPage("/sso/factor", "")
		id := p.count(`SELECT id FROM factors`)
		p.want(p.do("DELETE", fmt.Sprintf("/api/account/factors/%d", id), nil, bearer(token)), 409,
			"Your account requires two-step verification. Add another method before you remove this one.")

		// A factor that was set up and then reset doesn't work, even after another one is set
		// up.
		stale := p.typed("irad", password)
		stale.send("/sso/set-up", url.Values{"code": {mfatest.Code(t, secretOnPage.FindStringSubmatch(stale.page())[1], p.clock.Now())}})
		stale.wantPage("/sso/recovery-codes", "")
		reset := func() {
			if removed, err := p.ResetFactors(t.Context(), "irad"); err != nil || !removed {
				t.Fatal(removed, err)
			}
		}
		reset()
		b = p.typed("irad", password)
		b.answer(mfatest.NewPasskey(t, portalOrigin).Create(b.asked()))
		b.wantPage("/sso/recovery-codes", "")
		stale.send("/sso/recovery-codes", url.Values{})
		stale.wantPage("/sso/sign-in", "Error: The code was incorrect")
		reset()

		// With a passkey.
		key := mfatest.NewPasskey(t, portalOrigin)
		b = p.typed("irad", password)
		b.answer(key.Create(b.asked()))
		b.wantPage("/sso/recovery-codes", "")
		b.send("/sso/recovery-codes", url.Values{})
		b.wantSignedIn()
		p.want(p.do("GET", "/api/session", nil, bearer(p.typedIn(key))), 200, "")

		// A new administrator sets it up at the end of registration.
		made := p.do("PUT", "/api/users/createUser", fields{
			"userFirstName": "Nora", "userLastName": "Newman", "emailAddr": "nora@example.com", "phoneNum": "2165550148", "typeCd": "ISAD",
			"employeeId": "E-9",
		}, bearer(token))
		p.want(made, 200, "")
		link := p.linkIn(p.only("nora@example.com", "Finish setting up your account"), "confirmAddUser").Get("token")
		r := p.post("/public/registration/complete", fields{"token": link, "newPassword": password})
		p.want(r, 200, "success")
		assert.Empty(t, r.cookies)
		p.typed("nnewman", password).wantPage("/sso/set-up", "Your account requires two-step verification")

		// Setting a new password ends sign-ins that started with the old one.
		begun := p.typed("nnewman", password)
		secret := secretOnPage.FindStringSubmatch(begun.page())[1]
		p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": "nnewman", "emailAddress": "nora@example.com"}), 200,
			"success")
		link = p.linkIn(p.only("nora@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		p.want(p.post("/public/resetPassword/complete", fields{"token": link, "newPassword": "Clear-River-8"}), 200, "success")
		begun.send("/sso/set-up", url.Values{"code": {mfatest.Code(t, secret, p.clock.Now())}})
		begun.wantPage("/wcpp/login?fail=SSO_EXPIRED", "")
		if n := p.count(`SELECT count(*) FROM factors f JOIN users u ON u.id = f.user_id WHERE u.user_name = 'nnewman'`); n != 0 {
			t.Error("a factor was set up with a password that is no more")
		}
	})
}

// Knowing the password doesn't give more attempts.
func TestFactorsAreTriedAsPasswordsAre(t *testing.T) {
	each(t, behindProxy, func(t *testing.T, p *portal) {
		_, codes := p.addApp(p.signIn("prus"))
		attacker := fromAddress("198.51.100.7")
		// A correct password counts as an attempt until the factor succeeds. Each wrong code
		// counts too.
		b := p.typed("prus", password, attacker)
		// A code of the wrong length is a slip, which doesn't count.
		for _, slip := range []string{"", "12345", "1234567", "ABCD-EFGH-JKLM-NPQ", "ABCD-EFGH-JKLM-NPQRS"} {
			b.send("/sso/factor", url.Values{"code": {slip}}, attacker)
			b.wantPage("/sso/factor", "Enter the 6 digits from your app, or a recovery code of 16 characters.")
		}
		for range 3 {
			b.send("/sso/factor", url.Values{"code": {"000000"}}, attacker)
			b.wantPage("/sso/factor", "")
		}
		b.send("/sso/factor", url.Values{"code": {"000000"}}, attacker)
		b.wantPage("/wcpp/login?fail=USER_ACCT_LOCKED%3A30", "")
		b.send("/sso/factor", url.Values{"code": {codes[0]}}, attacker)
		b.wantPage("/wcpp/login?fail=USER_ACCT_LOCKED%3A30", "")
		for range 2 {
			p.typed("prus", password, attacker).wantPage("/wcpp/login?fail=USER_ACCT_LOCKED%3A30", "")
		}
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'sign-in' AND subject = 'prus'
			AND result = 'INVALID_FACTOR'`); n != 3 {
			t.Errorf("%d audit entries of wrong codes", n)
		}
		// The owner gets in from another address. A hundred failures in a row lock the account
		// until a reset, even with the password.
		home := fromAddress("203.0.113.1")
		b = p.typed("prus", password, home)
		b.send("/sso/factor", url.Values{"code": {codes[0]}}, home)
		b.wantSignedIn()
		for day := range 6 {
			for n := range 20 {
				p.from = fmt.Sprintf("198.51.%d.%d", 101+day, n/4)
				if b := p.typed("prus", password); b.at == "/sso/factor" {
					b.code("000000")
				}
			}
			p.clock.Advance(25 * time.Hour)
		}
		p.from = ""
		p.typed("prus", password, home).wantPage("/wcpp/login?fail=USER_ACCT_LOCKED%3A1440", "")
	})
}

func TestFactorReset(t *testing.T) {
	each(t, requireFactors("ISAD"), func(t *testing.T, p *portal) {
		p.addApp(p.signIn("prus"))
		b := p.typed("isad", password)
		b.send("/sso/set-up", url.Values{"code": {mfatest.Code(t, secretOnPage.FindStringSubmatch(b.page())[1], p.clock.Now())}})
		b.send("/sso/recovery-codes", url.Values{})
		isad, prad := b.wantSignedIn(), p.signIn("prad")
		p.add("ada", access.PRAD, 0)
		start := func(token, name string) reply {
			return p.post("/users/factorReset/start", fields{"userName": name}, bearer(token))
		}
		p.want(start(isad, "isad"), 400, "You can't reset your own two-step verification. Ask another administrator.")
		p.want(start(p.signIn("ada"), "prus"), 404, "")
		p.want(start(p.signIn("nnus"), "prus"), 403, "")
		p.want(start(prad, "prad"), 400, "")
		p.want(start(isad, "prad"), 409, "This user hasn't set up two-step verification.")
		// Offered only for users with a factor whom the requester administers.
		offered := func(token, path string, search fields) string {
			var page struct {
				Rows []struct {
					UserNm        string
					HasSecondStep bool
				}
			}
			search["table"] = fields{"page": 0, "pageSize": 50}
			p.post(path, search, bearer(token)).into(t, &page)
			var list []string
			for _, r := range page.Rows {
				if r.HasSecondStep {
					list = append(list, r.UserNm)
				}
			}
			return strings.Join(list, " ")
		}
		group := fields{"groupId": p.groupOf("prad")}
		if got := offered(prad, "/users/manageUsers/page", group) + ", " + offered(p.signIn("irad"), "/users/manageUsers/page",
			group); got != "prus, " {
			t.Errorf("offered under Manage Users: %s", got)
		}
		for name, want := range map[string]string{"prus": "prus", "prad": "", "isad": ""} {
			assert.Equalf(t, want, offered(isad, "/admin/userList/page", fields{"userName": name}), "offered to isad for %s", name)
		}
		p.inbox("prus@example.com")
		p.want(start(prad, "prus"), 200, "success")
		old := p.linkIn(p.only("prus@example.com", "Reset your two-step verification"), "confirmFactorReset").Get("token")
		p.want(start(isad, "prus"), 200, "success")
		link := p.linkIn(p.only("prus@example.com", "Reset your two-step verification"), "confirmFactorReset").Get("token")
		held := func() int {
			return p.count(`SELECT count(*) FROM factors f JOIN users u ON u.id = f.user_id WHERE u.user_name = 'prus'`)
		}

		// A mail scanner's request changes nothing. Links work only for their own purpose.
		p.do("GET", "/wcpp/confirmFactorReset?token="+link, nil)
		p.want(p.post("/public/checkLink", fields{"purpose": "FACTORS", "token": link}), 200, "success")
		p.want(p.post("/public/checkLink", fields{"purpose": "REGISTRATION", "token": link}), 400, "INVALID_TOKEN")
		p.want(p.post("/public/registration/complete", fields{"token": link, "newPassword": password}), 400, "INVALID_TOKEN")
		p.want(p.post("/public/factorReset/complete", fields{"token": old}), 400, "INVALID_TOKEN")
		p.want(p.post("/public/factorReset/complete", fields{"token": "x"}), 400, "INVALID_TOKEN")
		assert.Equal(t, 1, held(), "the factor went before the link was opened")
		r := p.post("/public/factorReset/complete", fields{"token": link})
		p.want(r, 200, "success")
		if len(r.cookies) != 0 || held() != 0 {
			t.Errorf("%v, %d factors", r.cookies, held())
		}
		p.only("prus@example.com", "Your two-step verification was reset")
		p.want(p.post("/public/factorReset/complete", fields{"token": link}), 400, "INVALID_TOKEN")
		p.signIn("prus")
		for entry, want := range map[string]int{
			`operation = 'factor-reset-start' AND actor = 'prad' AND subject = 'prus' AND result = 'ok'`: 1,
			`operation = 'factor-reset' AND actor = 'prus' AND subject = 'prus' AND result = 'ok'`:       1,
		} {
			if n := p.count(`SELECT count(*) FROM audit_log WHERE ` + entry); n != want {
				t.Errorf("%d audit entries: %s", n, entry)
			}
		}
		// A password reset doesn't remove factors and doesn't bypass them.
		p.addApp(p.signIn("prus"))
		p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": "prus"}, bearer(isad)), 200, "success")
		p.want(p.post("/public/resetPassword/complete", fields{"token": p.tokenFor("prus@example.com"), "newPassword": "Clear-River-8"}),
			200, "success")
		p.typed("prus", "Clear-River-8").wantPage("/sso/factor", "")

		// For the last system administrator, on the command line.
		if removed, err := p.ResetFactors(t.Context(), "isad"); err != nil || !removed {
			t.Errorf("%t, %v", removed, err)
		}
		p.want(p.do("GET", "/api/session", nil, bearer(isad)), 401, "")
		p.typed("isad", password).wantPage("/sso/set-up", "")
		if n := p.count(`SELECT count(*) FROM audit_log WHERE operation = 'factor-reset' AND actor = 'command line'
			AND subject = 'isad'`); n != 1 {
			t.Errorf("%d audit entries of the command line", n)
		}
		if removed, err := p.ResetFactors(t.Context(), "isad"); err != nil || removed {
			t.Errorf("again: %t, %v", removed, err)
		}
	})
}

// tokenFor returns the token in the newest password link.
func (p *portal) tokenFor(address string) string {
	p.t.Helper()
	list := p.inbox(address)
	return p.linkIn(list[len(list)-1], "confirmPasswordReset").Get("token")
}

// A single factor (a password, an emailed link or a pending sign-in) doesn't give access through
// any endpoint or page if two are required.
func TestNoWayInWithOneFactor(t *testing.T) {
	each(t, func(c *app.Config) {
		requireFactors("ISAD")(c)
		c.Sessions.LegacySignIn, c.TrustedProxies, c.SignIn.LockFailures, c.SignIn.LockDayFailures, c.SignIn.LockRowFailures = true,
			[]string{"127.0.0.0/8"}, 10_000, 10_000, 10_000
	}, func(t *testing.T, p *portal) {
		p.addApp(p.signIn("prus"))
		reset := func() string {
			p.exec(`DELETE FROM rate_limits`)
			p.post("/public/resetPasswordByUser/start", fields{"userName": "prus", "emailAddress": "prus@example.com"})
			return p.tokenFor("prus@example.com")
		}
		p.exec(`DELETE FROM sessions`)
		var entered httpapi.Operation
		p.API.Observe(func(op httpapi.Operation, _ context.Context) { entered = op })
		calls := 0
		// try sends a request with every available credential and checks whether it gives
		// access.
		try := func(who, method, path string, body any, opts ...option) reply {
			t.Helper()
			calls++
			p.from, entered = fmt.Sprintf("10.%d.%d.%d", calls>>16, calls>>8&255, calls&255), httpapi.Operation{}
			r := p.do(method, path, body, opts...)
			if entered.ID != "" && entered.Access != httpapi.Public {
				t.Errorf("%s: %s %s enters %s", who, method, path, entered.ID)
			}
			if r.cookies[httpapi.SessionCookie] != "" || strings.Contains(string(r.body), `"token"`) && r.status == http.StatusOK {
				t.Errorf("%s: %s %s answers a session: %s", who, method, path, r.body)
			}
			assert.NotContainsf(t, r.header.Get("Location"), "code=", "%s: %s %s leads in", who, method, path)
			return r
		}
		var pages [][2]string
		for _, file := range []string{"sso.go", "embedded.go", "second.go"} {
			code, err := os.ReadFile(filepath.Join("..", "sso", file))
			require.NoError(t, err)
			for _, found := range regexp.MustCompile(`"(GET|POST) (/sso/[a-z/-]+)"`).FindAllStringSubmatch(string(code), -1) {
				pages = append(pages, [2]string{found[1], found[2]})
			}
		}
		require.GreaterOrEqual(t, len(pages), 10)
		require.Contains(t, pages, [2]string{"POST", "/sso/recovery-codes"})
		for who, user := range map[string]string{"a factor that is held": "prus", "one that must be set up": "isad"} {
			if r := try(who, "POST", "/api/authenticate", fields{"username": user, "password": password}); r.code() !=
				"SECOND_FACTOR_NEEDED" {
				t.Errorf("%s: the password alone answers %d %s", who, r.status, r.body)
			}
			half := p.typed(user, password)
			if half.at != "/sso/factor" && half.at != "/sso/set-up" {
				t.Fatalf("%s: got page %q after the password", who, half.at)
			}
			// Each page gets empty or wrong input once, and no input once.
			for _, page := range pages {
				for _, form := range []url.Values{
					{}, {"state": {half.state}},
					{"state": {half.state}, "code": {"000000"}, "answer": {"{}"}, "username": {user}, "password": {password}},
				} {
					var body any
					path := page[1]
					if page[0] == "POST" {
						body = form
					} else if len(form) > 0 {
						path += "?" + form.Encode()
					}
					try(who, page[0], path, body, cookie(ssoCookie, half.kept))
				}
			}
			for _, op := range p.API.Operations() {
				path := "/api" + parameter.ReplaceAllString(op.Path, "1")
				for _, secret := range []string{half.kept, half.state, password} {
					for _, body := range []any{
						fields{"username": "checkAuth", "password": secret, "state": half.state},
						fields{"username": user, "password": password, "state": half.state, "token": secret, "newPassword": password},
					} {
						try(who, op.Method, path, body, cookie(ssoCookie, half.kept), cookie(httpapi.SessionCookie, secret), bearer(secret))
					}
				}
			}
		}
		// An emailed link isn't a second factor. After each one, the password sign-in still asks
		// for a factor.
		link := reset()
		p.want(try("a reset", "POST", "/api/public/resetPassword/complete", fields{"token": link, "newPassword": "Clear-River-8"}), 200,
			"success")
		if r := try("a reset", "POST", "/api/authenticate", fields{"username": "prus", "password": "Clear-River-8"}); r.code() !=
			"SECOND_FACTOR_NEEDED" {
			t.Errorf("after a reset: %d %s", r.status, r.body)
		}
		made, err := p.AddUser(t.Context(), users.User{FirstName: "Nora", LastName: "Newman", Email: "nora@example.com",
			TypeCd: access.ISAD, StatusCd: users.New, EmployeeID: "E-9"}, nil, "")
		require.NoError(t, err)
		address, err := p.RegistrationLink(t.Context(), made.ID)
		require.NoError(t, err)
		registration, err := url.Parse(address)
		require.NoError(t, err)
		p.want(try("a registration", "POST", "/api/public/registration/complete",
			fields{"token": registration.Query().Get("token"), "newPassword": password}), 200, "success")
		if r := try("a registration", "POST", "/api/authenticate", fields{"username": made.UserName, "password": password}); r.code() !=
			"SECOND_FACTOR_NEEDED" {
			t.Errorf("after a registration: %d %s", r.status, r.body)
		}
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM sessions`)+p.count(`SELECT count(*) FROM sso_codes`))
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM factors`))
	})
}

// By default, internal staff need a second factor. It's off by setting. It can't be set up with an
// external identity provider, so that the legacy form refuses internal staff.
func TestFactorPolicies(t *testing.T) {
	p := newPortal(t, "sqlite", func(c *app.Config) { c.Factors.SecondFactor = nil })
	for user, want := range map[string]string{"isad": "/sso/set-up", "irad": "/sso/set-up"} {
		p.typed(user, password).wantPage(want, "")
	}
	token := p.signIn("prad")
	p.addApp(token)
	p.want(p.do("GET", "/api/account/factors", nil, bearer(token)), 200, "")

	off := newPortal(t, "sqlite", func(c *app.Config) {
		c.Factors.SecondFactor = map[string]string{"PRUS": "off", "ISAD": "off", "IRAD": "off"}
	})
	off.signIn("isad")
	token = off.signIn("prus")
	off.want(off.addPasskey(token, mfatest.NewPasskey(t, portalOrigin)), 403, "Two-step verification isn't available for your account.")

	outside := newPortal(t, "sqlite", func(c *app.Config) {
		c.Factors.SecondFactor, c.Sessions.LegacySignIn = nil, true
		c.SSO.OIDCIssuer, c.SSO.OIDCClientID = "https://id.example", "portal"
	})
	outside.want(outside.post("/authenticate", fields{"username": "isad", "password": password}), 401, "SECOND_FACTOR_NEEDED")
	r := outside.post("/authenticate", fields{"username": "prad", "password": password})
	outside.want(r, 200, "")
	var s struct{ Permissions []string }
	token = r.cookies[httpapi.SessionCookie]
	outside.do("GET", "/api/session", nil, bearer(token)).into(t, &s)
	if slices.Contains(s.Permissions, "account.factors") || slices.Contains(s.Permissions, "users.factors") ||
		!slices.Contains(s.Permissions, "account.sessions") {
		t.Errorf("with an outside provider: %v", s.Permissions)
	}
	outside.want(outside.do("GET", "/api/account/factors", nil, bearer(token)), 404, "")
	outside.want(outside.do("GET", "/api/account/sessions", nil, bearer(token)), 200, "")

	wrong := app.NewStoreConfig(app.Store{Data: t.TempDir()})
	wrong.Factors.SecondFactor = map[string]string{"PRAX": "required", "PRAD": "needed"}
	if err := wrong.Check(); err == nil || !strings.Contains(err.Error(), "WCPP_SECOND_FACTOR: has unknown account type PRAX") ||
		!strings.Contains(err.Error(), "WCPP_SECOND_FACTOR: must be off, offered or required for PRAD") {
		t.Errorf("%v", err)
	}
}

func TestOpenSessions(t *testing.T) {
	each(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(t *testing.T, p *portal) {
		in := func(user, agent string) string {
			r := p.do("POST", "/api/authenticate", fields{"username": user, "password": password}, func(r *http.Request) {
				r.Header.Set("User-Agent", agent)
			})
			return r.cookies[httpapi.SessionCookie]
		}
		first := in("prus", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
		p.clock.Advance(5 * time.Minute)
		second, third, other := in("prus", "curl/8"), in("prus", "curl/8"), in("prad", "curl/8")
		p.clock.Advance(time.Minute)
		p.post("/session/touch", nil, bearer(first))
		type open struct {
			ID, Device, SinceDt, SeenDt string
			ThisHere                    bool
		}
		list := func(token string) (found []open) {
			p.do("GET", "/api/account/sessions", nil, bearer(token)).into(t, &found)
			return found
		}
		found := list(first)
		if len(found) != 3 || found[2].Device != "Firefox on Linux" || !found[2].ThisHere || found[2].SinceDt != "2026-03-02T15:00:00Z" ||
			found[2].SeenDt != "2026-03-02T15:06:00Z" || found[0].Device != "Unknown browser on an unknown system" || found[0].ThisHere {
			t.Errorf("%+v", found)
		}
		current := slices.IndexFunc(list(second), func(o open) bool { return o.ThisHere })
		p.want(p.do("DELETE", "/api/account/sessions/"+list(second)[current].ID, nil, bearer(other)), 404, "")
		p.want(p.do("DELETE", "/api/account/sessions/nonsense", nil, bearer(first)), 404, "")
		p.want(p.do("DELETE", "/api/account/sessions/"+list(second)[current].ID, nil, bearer(first)), 204, "")
		for token, want := range map[string]int{first: 200, second: 401, third: 200, other: 200} {
			p.want(p.do("GET", "/api/session", nil, bearer(token)), want, "")
		}
		kept, state, code := p.code("prus", password) // typed elsewhere a moment ago
		otherKept, otherState, otherCode := p.code("prad", password)
		p.want(p.do("DELETE", "/api/account/sessions", nil, bearer(first)), 204, "")
		assert.NotEqual(t, 200, p.exchange(kept, state, code).status, "a code from before the end of the other sessions opens one")
		p.want(p.exchange(otherKept, otherState, otherCode), 200, "")
		for token, want := range map[string]int{first: 200, third: 401, other: 200} {
			p.want(p.do("GET", "/api/session", nil, bearer(token)), want, "")
		}
		assert.Equal(t, 2, p.count(`SELECT count(*) FROM audit_log WHERE operation = 'session-end' AND actor = 'prus'`))
		p.clock.Advance(40 * time.Minute)
		assert.Len(t, list(in("prus", "")), 1)
		// While mirroring, neither person's factors are visible.
		isad := p.tokenOf("isad>prus")
		for _, path := range []string{"/api/account/sessions", "/api/account/factors"} {
			p.want(p.do("GET", path, nil, bearer(isad)), 403, "")
		}
	})
}

// Adding an app again, because the first response was lost, doesn't make its codes work twice.
func TestAppIsAddedOnce(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		token := p.signIn("prus")
		var asked struct{ Secret, State string }
		p.post("/account/factors/app/start", nil, bearer(token)).into(t, &asked)
		add := func() reply {
			return p.post("/account/factors/app", fields{"state": asked.State, "code": mfatest.Code(t, asked.Secret, p.clock.Now()),
				"name": "Phone"}, bearer(token))
		}
		p.want(add(), 200, "")
		const told = "You've already added this app. If you don't have your recovery codes, create new ones."
		p.want(add(), 409, told)
		p.later(time.Minute) // with a later code
		p.want(add(), 409, told)
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM factors`))
		assert.Equal(t, 10, p.count(`SELECT count(*) FROM recovery_codes`))
	})
}
