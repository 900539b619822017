package sso

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// The provider can end its session's or subject's portal sessions. The logout token must be
// valid, recent, unused and for this portal.
func TestBackChannelLogout(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o, other := newOutside(t), newKey(t)
		var ended []string
		var failing error
		mux := http.NewServeMux()
		o.portal(d, func(_ context.Context, _ *sql.Tx, issuer, subject, sid string) error {
			ended = append(ended, strings.Join([]string{strings.TrimPrefix(issuer, o.URL), subject, sid}, " "))
			return failing
		}).Module().Routes(mux)
		token := func(change func(claims)) string {
			c := claims{
				"iss": o.URL, "aud": "portal", "iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
				"jti": newRandom(), "sub": "s1", "events": claims{logoutEvent: claims{}},
			}
			change(c)
			return signed(o, c)
		}
		post := func(token string) int {
			t.Helper()
			r := httptest.NewRequest(http.MethodPost, LogoutPath, strings.NewReader(url.Values{"logout_token": {token}}.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			if w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("may be kept: %v", w.Header())
			}
			return w.Code
		}
		set := func(name string, value any) func(claims) { return func(c claims) { c[name] = value } }

		for name, wrong := range map[string]string{
			"none": "",
			"of another key": signedBy(jose.ES256, other, claims{"iss": o.URL, "aud": "portal", "jti": "x", "sub": "s1",
				"events": claims{logoutEvent: claims{}}}),
			"of another":               token(set("iss", "https://id.example")),
			"for another":              token(set("aud", "elsewhere")),
			"expired":                  token(set("exp", time.Now().Add(-2*time.Minute).Unix())),
			"old":                      token(set("iat", time.Now().Add(-time.Hour).Unix())),
			"of the future":            token(set("iat", time.Now().Add(time.Hour).Unix())),
			"without a time":           token(set("iat", nil)),
			"without a jti":            token(set("jti", nil)),
			"with a nonce":             token(set("nonce", "")),
			"of another event":         token(set("events", claims{"https://id.example/event": claims{}})),
			"of no event":              token(set("events", nil)),
			"whose event says nothing": token(set("events", claims{logoutEvent: "yes"})),
			"of nobody":                token(set("sub", nil)),
		} {
			if status := post(wrong); status != http.StatusBadRequest || ended != nil {
				t.Errorf("%s: %d, ended %v", name, status, ended)
			}
		}

		session := token(set("sid", "theirs"))
		for _, c := range []struct {
			token  string
			status int
			ended  string
		}{
			{token(func(claims) {}), http.StatusOK, " s1 "},
			{session, http.StatusOK, " s1 theirs"},
			{session, http.StatusBadRequest, ""},
			{token(func(c claims) { delete(c, "sub"); c["sid"] = "theirs" }), http.StatusOK, "  theirs"},
		} {
			ended = nil
			if status := post(c.token); status != c.status || strings.Join(ended, ",") != c.ended {
				t.Errorf("%d, ended %q, want %d, %q", status, ended, c.status, c.ended)
			}
		}
		// A failed logout can be retried.
		again := token(func(claims) {})
		failing = errors.New("the database is gone")
		assert.NotEqual(t, http.StatusOK, post(again), "nothing was ended, and it was told that it was")
		failing = nil
		assert.Equal(t, http.StatusOK, post(again))
	})
}
