package app

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/text"
	"wcpp/internal/sso"
)

// hostPrefix begins the names of cookies that browsers take with Secure only.
const hostPrefix = "__Host-"

var hostCookies = []string{httpapi.SessionCookie, sso.CookieName}

// withoutTLS tells that browsers reach the portal on this machine without TLS, by
// what is configured: a request could say anything.
func withoutTLS(publicURL string) bool {
	u, err := url.Parse(publicURL)
	return err == nil && u.Scheme == "http" && text.IsLoopback(u.Hostname())
}

// The page's settings bring these two. A browser that has the plain one alone keeps
// no Secure cookies.
const (
	keptCookie  = hostPrefix + "wcpp-kept"
	askedCookie = "wcpp-asked"
)

// plainCookies lets browsers that keep no Secure cookies on localhost without TLS,
// as WebKit's do, use the demo: one that comes back to sign in without the cookie it
// was given gets its cookies without Secure and under names that need none, and what
// it sends of these is taken for the others.
func plainCookies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := r.Cookies()
		has := func(name string) bool {
			return slices.ContainsFunc(sent, func(c *http.Cookie) bool { return c.Name == name })
		}
		kept := slices.ContainsFunc(hostCookies, has)
		plain := false
		switch r.URL.Path {
		case sso.StartPath:
			plain = !kept && r.URL.Query().Has(sso.Again)
		case "/api/authenticate":
			plain = !kept && has(askedCookie) && !has(keptCookie)
		case "/js/config.json":
			for _, name := range []string{keptCookie, askedCookie} {
				http.SetCookie(w, &http.Cookie{Name: name, Value: "1", Path: "/", Secure: name == keptCookie, HttpOnly: true, SameSite: http.SameSiteLaxMode})
			}
		}
		if !kept {
			r = r.Clone(r.Context())
			r.Header.Del("Cookie")
			for _, c := range sent {
				if slices.Contains(hostCookies, hostPrefix+c.Name) {
					c.Name, plain = hostPrefix+c.Name, true
				}
				r.AddCookie(c)
			}
		}
		if plain {
			w = &plainWriter{ResponseWriter: w}
		}
		next.ServeHTTP(w, r)
	})
}

// plainWriter sends the cookies of the portal without Secure.
type plainWriter struct {
	http.ResponseWriter
	begun bool
}

func (w *plainWriter) WriteHeader(status int) {
	w.begin()
	w.ResponseWriter.WriteHeader(status)
}

func (w *plainWriter) Write(b []byte) (int, error) {
	w.begin()
	return w.ResponseWriter.Write(b)
}

// Unwrap lets streams control the connection.
func (w *plainWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *plainWriter) begin() {
	if w.begun {
		return
	}
	w.begun = true
	lines := w.Header()["Set-Cookie"]
	for i, line := range lines {
		if c, err := http.ParseSetCookie(line); err == nil && slices.Contains(hostCookies, c.Name) {
			c.Name, c.Secure = strings.TrimPrefix(c.Name, hostPrefix), false
			lines[i] = c.String()
		}
	}
}
