package httpapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/problem"
)

const accepted = "text/html,application/xhtml+xml,*/*;q=0.8"

// A browser that opens an endpoint gets a page with a next step, with the same status.
func TestNavigationGetsPages(t *testing.T) {
	for _, c := range []struct {
		failure error
		status  int
		shown   []string
	}{
		{problem.New(problem.Unauthenticated), 401, []string{"Sign in to open this document.",
			`href="/wcpp/login?document=%2Fapi%2Fa%3Fb%3Dc"`}},
		{problem.New(problem.Forbidden), 403, []string{"You don&#39;t have permission to do this.", `href="/wcpp/home"`}},
		{problem.New(problem.NotFound), 404, []string{"This doesn&#39;t exist", `href="/wcpp/home"`}},
		{problem.WithCode(problem.Conflict, "MIRROR_ENDED"), 409, []string{"We can&#39;t open this right now."}},
		{problem.TooManyAttempts(12 * time.Minute), 429, []string{"Too many attempts. Wait 12 minutes and try again.",
			`href="/api/a?b=c"`}},
		{problem.RetryLater(25*time.Minute, "Slow <b>down</b>."), 429,
			[]string{"Slow &lt;b&gt;down&lt;/b&gt;.", "You can try again in 25 minutes."}},
		{problem.New(problem.Unavailable), 503, []string{"You can try again in a minute.", `href="/api/a?b=c"`}},
		{errors.New("secret cause"), 500, []string{"Something went wrong on our side."}},
	} {
		mux := http.NewServeMux()
		Register(New(mux, Deps{Guard: guard{}, Log: slog.New(slog.DiscardHandler)}, Settings{Title: "test", Version: "1"}),
			Operation{ID: "a", Method: http.MethodGet, Path: "/a", Access: Public, Effect: Read},
			func(context.Context, *struct{}) (*struct{}, error) { return nil, c.failure })
		h := Wrap(mux, Options{Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), Brand: "Harbor"})
		ask := func(headers map[string]string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(http.MethodGet, "/api/a?b=c", nil)
			for name, value := range headers {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w
		}
		for _, headers := range []map[string]string{{"Accept": accepted}, {"Accept": accepted, "Sec-Fetch-Mode": "navigate"}} {
			w := ask(headers)
			page := w.Body.String()
			if w.Code != c.status || w.Header().Get("Content-Type") != "text/html; charset=utf-8" || w.Header().Get("Cache-Control") !=
				"no-store" {
				t.Errorf("%v: %d %v", c.failure, w.Code, w.Header())
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") ||
				strings.Contains(policy, "unsafe") {
				t.Errorf("policy %q", policy)
			}
			for _, text := range append(c.shown, "Harbor") {
				assert.Containsf(t, page, text, "%v: no %q in", c.failure, text)
			}
			if strings.Contains(page, "<script") || strings.Contains(page, "requestId") || strings.Contains(page, "secret") {
				t.Errorf("%v: %s", c.failure, page)
			}
			if limited := c.status == 429 || c.status == 503; limited != (w.Header().Get("Retry-After") != "") {
				t.Errorf("%v: %v", c.failure, w.Header())
			}
		}
		for _, headers := range []map[string]string{{}, {"Accept": "application/json"}, {"Accept": "*/*"},
			{"Accept": accepted, "Sec-Fetch-Mode": "cors"}} {
			if w := ask(headers); w.Code != c.status || w.Header().Get("Content-Type") != "application/json" ||
				!strings.Contains(w.Body.String(), `"requestId"`) {
				t.Errorf("%v, asked with %v: %d %s", c.failure, headers, w.Code, w.Body)
			}
		}
	}
}

// Successful responses, and those outside of the API, are unchanged.
func TestSuccessfulNavigationStaysUnchanged(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/file", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "%PDF") })
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, r *http.Request) { WriteProblem(w, r, problem.New(problem.NotFound)) })
	mux.HandleFunc("/api/panic", func(http.ResponseWriter, *http.Request) { panic("secret") })
	h := Wrap(mux, Options{Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry()})
	for path, want := range map[string]string{"/api/file": "%PDF", "/elsewhere": `"NOT_FOUND"`, "/api/panic": "<h1>"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept", accepted)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		assert.Containsf(t, w.Body.String(), want, "%s: %s", path, w.Body)
	}
}

// Sign-in links and forms get a page, too. A link can't submit a form again, so the page links
// to the start of sign-in.
func TestSignInNavigationGetsPages(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/sso/", func(w http.ResponseWriter, r *http.Request) { WriteProblem(w, r, problem.New(problem.TooMany)) })
	h := Wrap(mux, Options{Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), Brand: "Harbor"})
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		r := httptest.NewRequest(method, "/sso/factor", nil)
		r.Header.Set("Accept", accepted)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if page := w.Body.String(); w.Code != 429 || w.Header().Get("Retry-After") != "60" ||
			!strings.Contains(page, "Wait a minute and try again.") || !strings.Contains(page, `href="/sso/start"`) {
			t.Errorf("%s: %d %v %s", method, w.Code, w.Header(), page)
		}
	}
}
