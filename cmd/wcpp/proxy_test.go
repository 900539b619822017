package main

import (
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/sso"
)

// Behind a proxy on the same machine, serve sets only Secure __Host- cookies, whatever the proxy
// sends and whatever cookies the browser has.
func TestCookiesBehindAProxyOnTheSameMachine(t *testing.T) {
	database := dbtest.URL(t, "sqlite")
	if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", database, "--type", "PRUS",
		"--first-name", "Ada", "--last-name", "Moore", "--email", "ada@example.com", "--password-stdin"); code != 0 {
		t.Fatal(out)
	}
	address, cmd := startServer(t, database, t.TempDir(), "--trusted-proxies", "127.0.0.0/8", "--public-url", "http://localhost:8080")
	defer stop(t, cmd)
	for _, scheme := range []string{"http", "https"} {
		front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: address})
			r.SetXForwarded()
			r.Out.Host = "localhost"
			r.Out.Header.Set("X-Forwarded-Proto", scheme)
			r.Out.Header.Set("X-Forwarded-Host", "localhost")
		}})
		defer front.Close()
		// The jar, like WebKit, rejects Secure cookies over plain http.
		jar, err := cookiejar.New(nil)
		require.NoError(t, err)
		var given []*http.Cookie
		client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		do := func(method, path, body string) {
			t.Helper()
			r, err := http.NewRequestWithContext(t.Context(), method, front.URL+path, strings.NewReader(body))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			res, err := client.Do(r)
			require.NoError(t, err)
			res.Body.Close()
			assert.Lessf(t, res.StatusCode, http.StatusBadRequest, "%s %s", method, path)
			given = append(given, res.Cookies()...)
		}
		do("GET", "/js/config.json", "")
		do("GET", sso.StartPath, "")
		do("GET", sso.StartPath+"?"+sso.Again+"=1", "")
		do("POST", "/api/authenticate", `{"username":"amoore","password":"Quiet-Lake-7"}`)
		names := map[string]bool{}
		for _, c := range given {
			names[c.Name] = true
			if !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" ||
				!strings.HasPrefix(c.Name, "__Host-") {
				t.Errorf("%s: %s", scheme, c)
			}
		}
		if !names[httpapi.SessionCookie] || !names[sso.CookieName] {
			t.Errorf("%s: given %v", scheme, names)
		}
	}
}
