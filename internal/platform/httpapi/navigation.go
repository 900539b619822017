package httpapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/felixge/httpsnoop"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"wcpp/internal/platform/pages"
	"wcpp/internal/platform/problem"
)

//go:embed navigation.css
var navigationStyle string

const signInPages = "/sso/"

// navigationPolicy allows only the page's own style.
var navigationPolicy = func() string {
	sum := sha256.Sum256([]byte(navigationStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// isNavigation reports whether the browser displays the response itself: for a link to a
// document, or for a sign-in link or form.
func isNavigation(r *http.Request) bool {
	isDocument := r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/api/")
	if !isDocument && !strings.HasPrefix(r.URL.Path, signInPages) {
		return false
	}
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" && mode != "navigate" {
		return false
	}
	for accepted := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		if kind, _, err := mime.ParseMediaType(accepted); err == nil && kind == "text/html" {
			return true
		}
	}
	return false
}

// withErrorPage replaces the JSON of a failed navigation with a page. The returned function writes
// the page after the request.
func withErrorPage(w http.ResponseWriter, r *http.Request, brand string) (http.ResponseWriter, func()) {
	var failed int
	var sent bytes.Buffer
	kept := httpsnoop.Wrap(w, httpsnoop.Hooks{
		WriteHeader: func(next httpsnoop.WriteHeaderFunc) httpsnoop.WriteHeaderFunc {
			return func(status int) {
				kind, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
				if status >= http.StatusBadRequest && kind == "application/json" {
					failed = status
					return
				}
				next(status)
			}
		},
		Write: func(next httpsnoop.WriteFunc) httpsnoop.WriteFunc {
			return func(b []byte) (int, error) {
				if failed != 0 {
					return sent.Write(b)
				}
				return next(b)
			}
		},
	})
	return kept, func() {
		if failed == 0 {
			return
		}
		var p Problem
		_ = json.Unmarshal(sent.Bytes(), &p) // without a message if the body is invalid
		p.Status = failed
		wait, _ := strconv.Atoi(w.Header().Get("Retry-After"))
		w.Header().Del("Content-Length")
		w.Header().Set("Content-Security-Policy", navigationPolicy)
		_ = pages.Write(w, failed, failurePage(brand, r.URL, p, time.Duration(wait)*time.Second)) // it renders into memory
	}
}

// failurePage describes the failure and links to a next step.
func failurePage(brand string, asked *url.URL, p Problem, wait time.Duration) g.Node {
	title, message := "This page can't be shown", p.Message
	again := asked.RequestURI()
	if strings.HasPrefix(asked.Path, signInPages) { // a link can't submit a form again
		again = signInPages + "start"
	}
	way := h.A(h.Href(again), g.Text("Try again"))
	switch p.Status {
	case http.StatusUnauthorized:
		title, message = "Please sign in", "You're signed out. Sign in to open this document."
		way = h.A(h.Href("/wcpp/login?"+url.Values{"document": {asked.RequestURI()}}.Encode()), g.Text("Sign in"))
	case http.StatusNotFound:
		title, way = "Document not found", nil
	case http.StatusForbidden:
		title, way = "Access denied", nil
	case http.StatusTooManyRequests:
		title = "Too many requests"
	case http.StatusServiceUnavailable:
		title = "Temporarily unavailable"
	}
	if message == "" || message == p.Code { // a bare code is for programs
		message = "We can't open this right now."
	}
	words := problem.FormatWait(wait)
	return pages.Document(title+" · "+brand, h.StyleEl(g.Raw(navigationStyle)), pages.Header(brand), h.Main(
		h.H1(g.Text(title)),
		h.P(g.Text(message)),
		g.If(wait > 0 && !strings.Contains(message, words), h.P(g.Text("You can try again in "+words+"."))),
		h.Ul(g.If(way != nil, h.Li(way)), h.Li(h.A(h.Href("/wcpp/home"), g.Text("Go to Home")))),
	))
}
