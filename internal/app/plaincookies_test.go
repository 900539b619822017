package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/sso"
)

// Only a browser that didn't store its cookies gets cookies without Secure.
func TestPlainCookies(t *testing.T) {
	const secret = "s3al"
	handler := plainCookies(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie(sso.CookieName); err == nil {
			w.Header().Set("Heard", c.Value)
		}
		for _, name := range []string{sso.CookieName, httpapi.SessionCookie, "theme"} {
			http.SetCookie(w, &http.Cookie{Name: name, Value: secret, Path: "/", Secure: true, HttpOnly: true,
				SameSite: http.SameSiteLaxMode})
		}
		w.WriteHeader(http.StatusSeeOther)
	}))
	for _, test := range []struct {
		name, path, cookie string
		heard              string
		plain              bool
	}{
		{"at first", "/sso/start", "", "", false},
		{"once more, without what it was given", "/sso/start?again=1", "", "", true},
		{"once more, with what it was given", "/sso/start?again=1", "__Host-wcpp-sso=x", "x", false},
		{"with a plain one", "/api/authenticate", "theme=dark; wcpp-sso=x", "x", true},
		{"with both", "/api/authenticate", "wcpp-sso=old; __Host-wcpp-sso=x", "x", false},
		{"with a password, without what the settings brought", "/api/authenticate", "wcpp-asked=1", "", true},
		{"with a password, with what the settings brought", "/api/authenticate", "wcpp-asked=1; __Host-wcpp-kept=1", "", false},
		{"elsewhere without what the settings brought", "/api/session", "wcpp-asked=1", "", false},
		{"elsewhere without any", "/api/authenticate?again=1", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, test.path, nil)
			if test.cookie != "" {
				r.Header.Set("Cookie", test.cookie)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if heard := w.Header().Get("Heard"); heard != test.heard {
				t.Errorf("heard %q", heard)
			}
			for _, line := range w.Header()["Set-Cookie"] {
				ours := strings.Contains(line, "wcpp")
				if plain := !strings.Contains(line, "Secure"); plain != (ours && test.plain) || strings.HasPrefix(line, hostPrefix) !=
					(ours && !test.plain) {
					t.Error(line)
				}
				assert.Contains(t, line, "HttpOnly")
				assert.Contains(t, line, "SameSite=Lax")
			}
		})
	}
}

// The settings set one Secure cookie and one that every browser stores.
func TestCookiesOfTheSettings(t *testing.T) {
	w := httptest.NewRecorder()
	plainCookies(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/js/config.json", nil))
	secure := map[string]bool{}
	for _, c := range w.Result().Cookies() {
		secure[c.Name] = c.Secure
	}
	if len(secure) != 2 || !secure["__Host-wcpp-kept"] || secure["wcpp-asked"] {
		t.Error(secure)
	}
}

// Only the configuration decides, not the request.
func TestWithoutTLS(t *testing.T) {
	for address, want := range map[string]bool{
		"http://localhost:8080": true, "http://127.0.0.1:8080": true, "https://localhost:8080": false,
		"http://portal.example": false, "https://portal.example": false, "http://localhost.example": false, "": false,
	} {
		assert.Equal(t, want, withoutTLS(address), address)
	}
}
