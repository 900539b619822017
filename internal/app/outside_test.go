package app_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/app"
	"wcpp/internal/desk"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/mail"
)

// outside is an OpenID provider that accepts everyone.
type outside struct {
	*httptest.Server
	portal *portal
	key    *ecdsa.PrivateKey
	says   fields // claims about the person who signs in
}

// eachOutside runs a test against a portal with an external identity provider.
func eachOutside(t *testing.T, change func(*app.Config), test func(t *testing.T, p *portal, o *outside)) {
	t.Helper()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			require.NoError(t, err)
			o := &outside{key: key}
			answer := func(v func() any) http.HandlerFunc {
				return func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					_ = json.NewEncoder(w).Encode(v())
				}
			}
			mux := http.NewServeMux()
			mux.HandleFunc("GET /.well-known/openid-configuration", answer(func() any {
				return fields{
					"issuer": o.URL, "authorization_endpoint": o.URL + "/auth", "token_endpoint": o.URL + "/token",
					"jwks_uri":             o.URL + "/keys",
					"end_session_endpoint": o.URL + "/end", "id_token_signing_alg_values_supported": []string{"ES256"},
					"authorization_response_iss_parameter_supported": true,
				}
			}))
			mux.HandleFunc("GET /keys", answer(func() any {
				return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k", Algorithm: "ES256", Use: "sig"}}}
			}))
			mux.HandleFunc("POST /token", answer(func() any {
				return fields{"access_token": "at", "token_type": "Bearer", "id_token": o.token(o.says)}
			}))
			o.Server = httptest.NewServer(mux)
			t.Cleanup(o.Close)
			o.portal = newPortal(t, kind, func(c *app.Config) {
				c.SSO.OIDCIssuer, c.SSO.OIDCClientID = o.URL, "portal"
				if change != nil {
					change(c)
				}
			})
			test(t, o.portal, o)
		})
	}
}

// token signs claims for the portal at the portal's current time.
func (o *outside) token(says fields) string {
	now := o.portal.clock.Now()
	claims := map[string]any{"iss": o.URL, "aud": "portal", "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(), "auth_time": now.Unix()}
	for name, value := range says {
		claims[name] = value
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: o.key}, (&jose.SignerOptions{}).WithHeader("kid", "k"))
	if err == nil {
		var signed string
		if signed, err = jwt.Signed(signer).Claims(claims).Serialize(); err == nil {
			return signed
		}
	}
	panic(err)
}

// signIn sends a provider user to the portal.
func (o *outside) signIn(subject, name, session string) reply {
	p := o.portal
	p.t.Helper()
	start := p.do("GET", "/sso/start", nil)
	to, err := url.Parse(start.header.Get("Location"))
	if err != nil || start.status != http.StatusSeeOther || !strings.HasPrefix(to.String(), o.URL+"/auth?") {
		p.t.Fatalf("/sso/start answered %d to %q", start.status, start.header.Get("Location"))
	}
	o.says = fields{"sub": subject, "preferred_username": name, "sid": session, "nonce": to.Query().Get("nonce")}
	return p.post("/authenticate", fields{"username": "checkAuth", "password": "a code", "state": to.Query().Get("state"), "iss": o.URL},
		cookie(ssoCookie, start.cookies[ssoCookie]))
}

func (o *outside) signedIn(subject, name, session string) string {
	o.portal.t.Helper()
	r := o.signIn(subject, name, session)
	require.Equalf(o.portal.t, http.StatusOK, r.status, "%d %s", r.status, r.body)
	return r.cookies[httpapi.SessionCookie]
}

func (o *outside) logout(says fields) reply {
	o.portal.t.Helper()
	says["events"] = fields{"http://schemas.openid.net/event/backchannel-logout": fields{}}
	return o.portal.do("POST", "/sso/backchannel-logout", url.Values{"logout_token": {o.token(says)}})
}

// A username from a provider doesn't open an account. The owner must confirm it once with an
// emailed link. The person signing in learns nothing about the account.
func TestAccountIsBoundByItsOwner(t *testing.T) {
	eachOutside(t, nil, func(t *testing.T, p *portal, o *outside) {
		const confirm, subject = "/public/signIn/confirm", "Confirm your sign-in"
		for _, name := range []string{"prad", "nobody"} {
			if r := o.signIn("s1", name, ""); r.status != 401 || r.code() != "SSO_LINK_MAILED" {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		}
		first := p.linkIn(p.only("prad@example.com", subject), "confirmSignIn").Get("token")
		p.want(o.signIn("s2", "prad", ""), 401, "SSO_LINK_MAILED")
		token := p.linkIn(p.only("prad@example.com", subject), "confirmSignIn").Get("token")
		if n := p.count(`SELECT count(*) FROM account_links WHERE token_hash = $1`, []byte(token)); n != 0 {
			t.Error("the token is kept as it was mailed")
		}
		link := fields{"purpose": "BIND", "token": token}
		p.want(p.post("/public/checkLink", link), 200, "success")
		p.want(p.post(confirm, fields{"token": first}), 400, "INVALID_TOKEN") // a newer link was sent
		p.want(p.post("/public/resetPassword/complete", fields{"token": token, "newPassword": "Other-Lake-8"}), 400, "INVALID_TOKEN")
		p.want(o.signIn("s2", "prad", ""), 401, "SSO_LINK_MAILED") // viewing the link didn't connect the account
		token = p.linkIn(p.only("prad@example.com", subject), "confirmSignIn").Get("token")
		p.want(p.post(confirm, fields{"token": token}), 200, "success")
		p.want(p.post(confirm, fields{"token": token}), 400, "INVALID_TOKEN")
		o.signedIn("s2", "prad", "")
		o.signedIn("s2", "another.name", "")                       // after that, only the subject counts
		p.want(o.signIn("s1", "prad", ""), 401, "SSO_LINK_MAILED") // the response doesn't reveal the connection
		assert.Empty(t, p.inbox("prad@example.com"))
		p.audited(3, `operation = 'sso-bind-offer' AND subject = 'prad'`)
		p.audited(1, `operation = 'sso-bind' AND subject = 'prad' AND actor = 'prad' AND result = 'ok'`)

		// A link that arrives late, or for an account that's no longer active.
		p.want(o.signIn("s3", "prus", ""), 401, "SSO_LINK_MAILED")
		late := p.linkIn(p.only("prus@example.com", subject), "confirmSignIn").Get("token")
		p.clock.Advance(61 * time.Minute)
		p.want(p.post(confirm, fields{"token": late}), 400, "EXPIRED_TOKEN")
		p.want(o.signIn("s3", "prus", ""), 401, "SSO_LINK_MAILED")
		ended := p.linkIn(p.only("prus@example.com", subject), "confirmSignIn").Get("token")
		p.exec(`UPDATE users SET status_cd = 'INACT' WHERE user_name = 'prus'`)
		p.want(p.post(confirm, fields{"token": ended}), 400, "INVALID_TOKEN")

		// Repeated sign-ins don't flood the mailbox.
		for range 9 {
			p.want(o.signIn("s4", "nnus", ""), 401, "SSO_LINK_MAILED")
		}
		assert.LessOrEqual(t, len(p.inbox("nnus@example.com")), 5)
	})
}

// After the provider's issuer changes, accounts are bound again in the same way as the first time.
func TestIssuerChanges(t *testing.T) {
	for _, bind := range []string{"link", "claim"} {
		eachOutside(t, func(c *app.Config) { c.SSO.OIDCBind = bind }, func(_ *testing.T, p *portal, o *outside) {
			confirm := func() {
				p.want(o.signIn("s1", "prad", ""), 401, "SSO_LINK_MAILED")
				token := p.linkIn(p.only("prad@example.com", "Confirm your sign-in"), "confirmSignIn").Get("token")
				p.want(p.post("/public/signIn/confirm", fields{"token": token}), 200, "success")
			}
			if bind == "link" {
				confirm()
			}
			o.signedIn("s1", "prad", "")
			p.exec(`UPDATE users SET sso_issuer = 'https://former.example' WHERE user_name = 'prad'`)
			confirm()
			o.signedIn("s1", "prad", "")
			p.audited(2, `operation = 'sso-bind' AND subject = 'prad' AND actor = 'prad' AND result = 'ok'`)
			// With the same issuer, another subject still can't bind the account.
			p.want(o.signIn("s2", "prad", ""), 401, map[string]string{"link": "SSO_LINK_MAILED", "claim": "INACTIVE_CREDENTIALS"}[bind])
			assert.Empty(p.t, p.inbox("prad@example.com"))
			o.signedIn("s1", "prad", "")
		})
	}
}

// A link from before the provider's issuer changed doesn't replace the account's link to the current one.
func TestLinkOfFormerIssuer(t *testing.T) {
	eachOutside(t, nil, func(_ *testing.T, p *portal, o *outside) {
		p.want(o.signIn("s1", "prad", ""), 401, "SSO_LINK_MAILED")
		token := p.linkIn(p.only("prad@example.com", "Confirm your sign-in"), "confirmSignIn").Get("token")
		p.exec(`UPDATE account_links SET sso_issuer = 'https://former.example' WHERE sso_subject = 's1'`)
		p.exec(`UPDATE users SET sso_issuer = $1, sso_subject = 's2' WHERE user_name = 'prad'`, o.URL)
		p.want(p.post("/public/checkLink", fields{"purpose": "BIND", "token": token}), 400, "INVALID_TOKEN")
		p.want(p.post("/public/signIn/confirm", fields{"token": token}), 400, "INVALID_TOKEN")
		o.signedIn("s2", "prad", "")
	})
}

// A user connected to a terminated account gets that message. They can connect a new account
// with a link as before.
func TestBoundAccountEnds(t *testing.T) {
	eachOutside(t, nil, func(t *testing.T, p *portal, o *outside) {
		confirm := func(of string) {
			token := p.linkIn(p.only(of+"@example.com", "Confirm your sign-in"), "confirmSignIn").Get("token")
			p.want(p.post("/public/signIn/confirm", fields{"token": token}), 200, "success")
		}
		o.signIn("s1", "prus", "")
		confirm("prus")
		o.signedIn("s1", "prus", "")
		o.signIn("s9", "isad", "")
		confirm("isad")
		isad := o.signedIn("s9", "isad", "")
		p.want(p.do("PUT", "/api/users/terminateUser/isad/prus", fields{"userNm": "prus"}, bearer(isad)), 200, "1")
		p.want(o.signIn("s1", "prus", ""), 401, "USER_ACCT_TERMINATED")
		p.want(o.signIn("s1", "nobody", ""), 401, "USER_ACCT_TERMINATED")
		assert.Empty(t, p.inbox("prus@example.com"))
		p.want(o.signIn("s1", "nnus", ""), 401, "USER_ACCT_TERMINATED")
		confirm("nnus")
		o.signedIn("s1", "nnus", "")
	})
}

// If only an external identity provider signs users in, links and emails never ask for a
// password because it wouldn't have an effect. A link just allows the account to sign in.
func TestPasswordsElsewhere(t *testing.T) {
	const registration, reset = "/public/registration/complete", "/public/resetPassword/complete"
	eachOutside(t, nil, func(t *testing.T, p *portal, o *outside) {
		said := func(m mail.Received) mail.Received {
			t.Helper()
			if strings.Contains(m.Text, "hoose a") || strings.Contains(m.Text, "your password") {
				t.Errorf("%s: %s", m.Subject, m.Text)
			}
			return m
		}
		p.exec(`UPDATE users SET status_cd = 'NEW' WHERE user_name = 'prus'`)
		p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": "prus", "emailAddress": "prus@example.com"}), 200, "success")
		token := p.linkIn(said(p.only("prus@example.com", "Finish setting up your account")), "confirmAddUser").Get("token")
		p.want(p.post(registration, fields{"token": token, "newPassword": ""}), 200, "success")
		p.want(p.post(registration, fields{"token": token, "newPassword": ""}), 400, "INVALID_TOKEN")
		active := func(name string) {
			t.Helper()
			if n := p.count(`SELECT count(*) FROM users WHERE user_name = $1 AND status_cd = 'ACTIV'
				AND password_hash = ''`, name); n != 1 {
				t.Errorf("%s is not active, or keeps a password", name)
			}
		}
		active("prus")
		p.want(o.signIn("s1", "prus", ""), 401, "SSO_LINK_MAILED")
		bind := p.linkIn(said(p.only("prus@example.com", "Confirm your sign-in")), "confirmSignIn").Get("token")
		p.want(p.post("/public/signIn/confirm", fields{"token": bind}), 200, "success")
		prus := o.signedIn("s1", "prus", "")
		p.want(p.post("/users/updatePwd", fields{"username": "prus", "password": password, "newPassword": "Clear-River-8"}, bearer(prus)),
			409,
			"You sign in with your identity provider. Change your password there.")

		p.exec(`UPDATE users SET status_cd = 'DISABL' WHERE user_name = 'prad'`)
		p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": "prad", "emailAddress": "prad@example.com"}), 200, "success")
		token = p.linkIn(said(p.only("prad@example.com", "Restore your account access")), "confirmPasswordReset").Get("token")
		p.want(p.post(reset, fields{"token": token, "newPassword": "whatever"}), 200, "success")
		said(p.only("prad@example.com", "Your account was reset"))
		active("prad")
		p.audited(1, `operation = 'reset-complete' AND subject = 'prad' AND result = 'ok'`)

		p.want(p.post("/public/registration/startRequestAccount", fields{"emailAddress": "prad@example.com"}), 200, "success")
		said(p.only("prad@example.com", "You already have an account"))

		bound := func(name, subject string) string {
			o.signIn(subject, name, "")
			token := p.linkIn(p.only(name+"@example.com", "Confirm your sign-in"), "confirmSignIn").Get("token")
			p.want(p.post("/public/signIn/confirm", fields{"token": token}), 200, "success")
			return o.signedIn(subject, name, "")
		}
		isad := bound("isad", "s9")
		p.want(p.post("/users/resetPasswordByAdmin/start", fields{"userName": "prus", "emailAddress": "prus@example.com",
			"adminUserName": "isad"}, bearer(isad)), 200, "success")
		p.want(o.signIn("s1", "prus", ""), 401, "USER_ACCT_INACTIVE")
		token = p.linkIn(said(p.only("prus@example.com", "Restore your account access")), "confirmPasswordReset").Get("token")
		p.want(p.post(reset, fields{"token": token, "newPassword": ""}), 200, "success")
		o.signedIn("s1", "prus", "")
	})
	// With the portal's own form available too, links set a password.
	eachOutside(t, func(c *app.Config) { c.Sessions.LegacySignIn = true }, func(_ *testing.T, p *portal, _ *outside) {
		p.want(p.post("/public/resetPasswordByUser/start", fields{"userName": "prus", "emailAddress": "prus@example.com"}), 200, "success")
		token := p.linkIn(p.only("prus@example.com", "Reset your password"), "confirmPasswordReset").Get("token")
		p.want(p.post(reset, fields{"token": token, "newPassword": ""}), 400, "INVALID_PW")
	})
}

// A system administrator disconnects an account. Its sessions end, and the next person connects
// as before.
func TestUnbinding(t *testing.T) {
	eachOutside(t, func(c *app.Config) { c.SSO.OIDCBind = "claim" }, func(t *testing.T, p *portal, o *outside) {
		prus, prad, isad := o.signedIn("s1", "prus", ""), o.signedIn("s2", "prad", ""), o.signedIn("s3", "isad", "")
		var details struct{ SSOBoundDt string }
		p.do("GET", "/api/users/userByName/prus", nil, bearer(isad)).into(t, &details)
		assert.Equal(t, "2026-03-02T15:00:00Z", details.SSOBoundDt)
		p.want(o.signIn("s4", "prus", ""), 401, "INACTIVE_CREDENTIALS")
		p.want(p.do("DELETE", "/api/users/binding/prus", nil, bearer(prad)), 403, "")
		p.want(p.do("DELETE", "/api/users/binding/nobody", nil, bearer(isad)), 404, "")
		p.want(p.do("DELETE", "/api/users/binding/prus", nil, bearer(isad)), 200, "success")
		p.want(p.do("GET", "/api/session", nil, bearer(prus)), 401, "")
		p.audited(1, `operation = 'sso-unbind' AND subject = 'prus' AND actor = 'isad' AND result = 'ok'`)
		details.SSOBoundDt = ""
		p.do("GET", "/api/users/userByName/prus", nil, bearer(isad)).into(t, &details)
		assert.Empty(t, details.SSOBoundDt)
		o.signedIn("s4", "prus", "")
		p.want(o.signIn("s1", "prus", ""), 401, "INACTIVE_CREDENTIALS")
	})
}

// The provider must ask again in any tab of a browser whose session ended without a sign-out.
func TestProviderAsksAgainAfterATimeout(t *testing.T) {
	eachOutside(t, func(c *app.Config) { c.SSO.OIDCBind = "claim" }, func(t *testing.T, p *portal, o *outside) {
		asksAgain := func(ended reply, token string) bool {
			opts := []option{}
			if ended.header.Get("Set-Cookie") == "" { // the browser still has its cookie
				opts = append(opts, cookie(httpapi.SessionCookie, token))
			}
			address := p.do("GET", "/sso/start", nil, opts...).header.Get("Location")
			assert.Truef(t, strings.HasPrefix(address, o.URL+"/auth?"), "/sso/start redirects to %q", address)
			return strings.Contains(address, "prompt=login")
		}
		token := o.signedIn("s1", "prad", "one")
		ended := p.post("/logout?idle=true", nil, bearer(token))
		if !asksAgain(ended, token) || !strings.Contains(string(ended.body), `"signOutUrl":null`) {
			t.Errorf("after an idle timeout, which doesn't sign out at the provider: %s", ended.body)
		}
		token = o.signedIn("s1", "prad", "one")
		p.clock.Advance(32 * time.Minute)
		if !asksAgain(p.do("GET", "/api/session", nil, bearer(token)), token) {
			t.Error("after an idle timeout that only the server noticed")
		}
		token = o.signedIn("s1", "prad", "one")
		assert.False(t, asksAgain(p.post("/logout", nil, bearer(token)), token), "after a sign-out, which ends the provider's session")
	})
}

// The provider's ID token is stored sealed and sent back at sign-out. Sessions that the provider
// ends also end here.
func TestSessionsOfAProvider(t *testing.T) {
	eachOutside(t, func(c *app.Config) { c.SSO.OIDCBind = "claim" }, func(t *testing.T, p *portal, o *outside) {
		alive := func(token string) bool {
			return p.do("GET", "/api/session", nil, bearer(token)).status == http.StatusOK
		}
		first := o.signedIn("s1", "prad", "one")
		var kept string
		if err := p.DB.Writer.QueryRow(`SELECT id_token
			FROM sessions`).Scan(&kept); err != nil || kept == "" || strings.Count(kept, ".") != 0 {
			t.Errorf("kept as %q, %v", kept, err)
		}
		var out struct{ SignOutURL string }
		p.post("/logout", nil, bearer(first)).into(t, &out)
		if hint, err := url.Parse(out.SignOutURL); err != nil || strings.Count(hint.Query().Get("id_token_hint"), ".") != 2 {
			t.Errorf("signs out at %q, %v", out.SignOutURL, err)
		}
		// A session with an unreadable token ends.
		p.exec(`UPDATE sessions SET id_token = 'a.plain.one'`)
		unread := o.signedIn("s1", "prad", "one")
		p.exec(`UPDATE sessions SET id_token = 'a.plain.one'`)
		p.want(p.post("/logout", nil, bearer(unread)), 200, "")

		former, two, other := o.signedIn("s1", "prad", "one"), o.signedIn("s1", "prad", "two"), o.signedIn("s2", "prus", "three")
		p.want(o.logout(fields{"jti": "a", "sub": "s1", "sid": "one"}), 200, "")
		if alive(former) || !alive(two) || !alive(other) {
			t.Errorf("by session: %v %v %v", alive(former), alive(two), alive(other))
		}
		p.want(o.logout(fields{"jti": "a", "sub": "s1"}), 400, "")
		p.want(o.logout(fields{"jti": "b", "sub": "nobody"}), 200, "")
		assert.True(t, alive(two), "a token that was taken before ends sessions")
		p.want(o.logout(fields{"jti": "c", "sub": "s1"}), 200, "")
		if alive(two) || !alive(other) {
			t.Errorf("by subject: %v %v", alive(two), alive(other))
		}
		p.audited(2, `operation = 'sign-out-outside' AND subject = 'prad' AND result = 'ok'`)
	})
}

// The provider's sign-in never asks for a second factor. The legacy form refuses users who have, or
// must have, one.
func TestSecondFactorsWithAProvider(t *testing.T) {
	for _, legacy := range []bool{false, true} {
		eachOutside(t, func(c *app.Config) {
			c.SSO.OIDCBind, c.Factors.SecondFactor, c.Sessions.LegacySignIn = "claim", nil, legacy
		}, func(t *testing.T, p *portal, o *outside) {
			p.exec(`INSERT INTO factors (user_id, kind, name, sealed, created_at)
				SELECT id, 'app', 'Phone', '', created_at FROM users WHERE user_name = 'prad'`)
			for subject, name := range map[string]string{"s1": "isad", "s2": "irad", "s3": "prad", "s4": "prus"} {
				for range 2 { // binding, then bound
					o.signedIn(subject, name, "")
				}
				if !legacy {
					continue
				}
				r := p.post("/authenticate", fields{"username": name, "password": password})
				if name == "prus" {
					p.want(r, 200, "")
				} else {
					p.want(r, 401, "SECOND_FACTOR_NEEDED")
				}
			}
			isad := bearer(o.signedIn("s1", "isad", ""))
			p.want(p.post("/desk/sitting", fields{"reason": "CALL", "reference": "C-7", "text": "asked for it"}, isad), 200, "")
			for _, name := range []string{"irad", "prad"} {
				var card desk.UserCard
				p.post("/desk/users/open", fields{"userName": name}, isad).into(t, &card)
				assert.Equal(t, "Can sign in. Last sign-in: 03/02/2026. ", card.Sentence+" "+string(card.Action), name)
			}
		})
	}
}
