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

// hostPrefix is the prefix of cookies that browsers accept only with Secure.
const hostPrefix = "__Host-"

var hostCookies = []string{httpapi.SessionCookie, sso.CookieName}

// withoutTLS reports whether browsers reach the portal on this machine without TLS. It uses the
// configuration, because request data can be forged.
func withoutTLS(publicURL string) bool {
	u, err := url.Parse(publicURL)
	return err == nil && u.Scheme == "http" && text.IsLoopback(u.Hostname())
}

// The page's settings set these two cookies. A browser that returns only the plain one doesn't
// store Secure cookies.
const (
	keptCookie  = hostPrefix + "wcpp-kept"
	askedCookie = "wcpp-asked"
)

// plainCookies supports browsers that don't store Secure cookies on localhost without TLS, such
// as WebKit, so that the demo works there. If one returns to sign in without its cookie, it gets
// cookies without Secure and with unprefixed names. These are then accepted in place of the
// others.
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
				http.SetCookie(w, &http.Cookie{Name: name, Value: "1", Path: "/", Secure: name == keptCookie, HttpOnly: true,
					SameSite: http.SameSiteLaxMode})
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

// plainWriter sends the portal's cookies without Secure.
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

// Unwrap returns the underlying writer so that streams can control the connection.
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
