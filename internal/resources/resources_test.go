package resources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/admission"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/problem"
)

// guard accepts one user by bearer token or cookie.
type guard struct{}

func (guard) Known(string) bool { return true }

func (guard) Offers(string) bool             { return true }
func (guard) IsCurrent(context.Context) bool { return true }
func (guard) Person(context.Context) string  { return "ada" }

func (guard) Caller(context.Context, httpapi.Credentials) (admission.Caller, bool) {
	return admission.Caller{Person: "ada"}, true
}

func (guard) Failed(_ context.Context, _ httpapi.Operation, failure error) error { return failure }

func (guard) Enter(ctx context.Context, c httpapi.Credentials, _ httpapi.Operation) (context.Context, error) {
	if c.Bearer != "session" && c.Cookie != "session" {
		return nil, problem.New(problem.Unauthenticated)
	}
	return access.WithActor(audit.WithActor(ctx, "prus", ""),
		access.Actor{Person: access.Person{ID: 7, UserName: "prus", Type: access.PRUS}}), nil
}

type portal struct {
	t   *testing.T
	url string
	db  *db.DB
}

// serve runs the service in front of a host.
func serve(t *testing.T, address, key string, limit time.Duration) portal {
	t.Helper()
	d := dbtest.Open(t, "sqlite")
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	auditLog := audit.New(audit.Deps{DB: d, Clock: time.Now, Log: log})
	t.Cleanup(auditLog.Close)
	s, err := NewService(Settings{ResourceURL: address, ResourceKey: key, ResourceTimeout: limit}, auditLog, plain)
	require.NoError(t, err)
	mux := http.NewServeMux()
	s.Register(httpapi.New(mux, httpapi.Deps{Guard: guard{}, Log: log}, httpapi.Settings{Title: "test", Version: "1"}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return portal{t, server.URL, d}
}

// host is a content host that records its requests.
func host(t *testing.T, answer http.HandlerFunc) (address string, asked *[]*http.Request) {
	t.Helper()
	asked = &[]*http.Request{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/content", asked
}

type reply struct {
	*http.Response
	body string
	err  error // no response, or an incomplete one
}

func (p portal) get(path string, headers ...string) reply {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+"/api/resources/"+path, nil)
	require.NoError(p.t, err)
	if len(headers) == 0 {
		req.Header.Set("Authorization", "Bearer session")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return reply{Response: &http.Response{}, err: err}
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return reply{res, string(body), err}
}

const film = "0123456789abcdefghijklmnopqrstuvwxyz"

func serveFilm(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "video/webm")
	w.Header().Set("ETag", `"v1"`)
	w.Header().Set("Set-Cookie", "host=1")
	w.Header().Set("X-Powered-By", "host")
	w.Header().Set("Content-Security-Policy", "default-src *")
	http.ServeContent(w, r, "", time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC), strings.NewReader(film))
}

func TestWholeAndInParts(t *testing.T) {
	address, asked := host(t, serveFilm)
	p := serve(t, address, "host-key", time.Second)
	for name, c := range map[string]struct {
		headers []string
		status  int
		body    string
		ranged  string
	}{
		"whole, by the cookie": {[]string{"Cookie", httpapi.SessionCookie + "=session; other=1"}, 200, film, ""},
		"from the start":       {[]string{"Authorization", "Bearer session", "Range", "bytes=0-"}, 206, film, "bytes 0-35/36"},
		"the type alone":       {[]string{"Authorization", "Bearer session", "Range", "bytes=0-0"}, 206, "0", "bytes 0-0/36"},
		"a part": {[]string{"Cookie", httpapi.SessionCookie + "=session", "Range", "bytes=10-12"}, 206, "abc",
			"bytes 10-12/36"},
		"the end":      {[]string{"Cookie", httpapi.SessionCookie + "=session", "Range", "bytes=-2"}, 206, "yz", "bytes 34-35/36"},
		"past the end": {[]string{"Cookie", httpapi.SessionCookie + "=session", "Range", "bytes=99-"}, 416, "", "bytes */36"},
		"changed meanwhile": {[]string{"Cookie", httpapi.SessionCookie + "=session", "Range", "bytes=10-12", "If-Range", `"v0"`}, 200,
			film, ""},
		"known already": {[]string{"Cookie", httpapi.SessionCookie + "=session", "If-None-Match", `"v1"`}, 304, "", ""},
		"not changed since": {[]string{"Cookie", httpapi.SessionCookie + "=session", "If-Modified-Since",
			"Mon, 02 Mar 2026 15:00:00 GMT"}, 304, "", ""},
	} {
		r := p.get("films/tour.webm", c.headers...)
		if r.StatusCode != c.status || c.body != "" && r.body != c.body || r.Header.Get("Content-Range") != c.ranged {
			t.Errorf("%s: %d %q %v", name, r.StatusCode, r.body, r.Header)
		}
		if c.status == 200 || c.status == 206 {
			if r.Header.Get("Content-Type") != "video/webm" || r.Header.Get("Accept-Ranges") != "bytes" || r.Header.Get("ETag") != `"v1"` ||
				r.Header.Get("Last-Modified") == "" || r.Header.Get("Content-Length") != fmt.Sprint(len(c.body)) {
				t.Errorf("%s lacks headers: %v", name, r.Header)
			}
		}
		if r.Header.Get("Set-Cookie") != "" || r.Header.Get("X-Powered-By") != "" {
			t.Errorf("%s passes the host's headers on: %v", name, r.Header)
		}
		// Replacing a cached video's policy with a sandbox would cut the video off from the
		// session cookie.
		want := policy
		switch c.status {
		case http.StatusNotModified:
			want = ""
		case http.StatusRequestedRangeNotSatisfiable:
			want = "sandbox; " + policy
		}
		assert.Equalf(t, want, r.Header.Get("Content-Security-Policy"), "%s: policy", name)
	}
	for _, r := range *asked {
		if r.URL.Path != "/content/films/tour.webm" || r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != "Bearer host-key" {
			t.Errorf("the host was asked for %s with %v", r.URL, r.Header)
		}
	}
	// Opened: complete, from the start, complete because it changed, and twice revalidated from the cache.
	var opened int
	if err := db.Get(t.Context(), p.db.Reader, &opened, `SELECT count(*) FROM audit_log WHERE operation = 'open-resource'
		AND subject = 'films/tour.webm' AND actor = 'prus'`); err != nil || opened != 5 {
		t.Errorf("audited %d times, %v", opened, err)
	}
}

func TestNothingWithoutASession(t *testing.T) {
	address, asked := host(t, serveFilm)
	p := serve(t, address, "", time.Second)
	if r := p.get("a.pdf", "Authorization", "Bearer other"); r.StatusCode != http.StatusUnauthorized || len(*asked) != 0 {
		t.Errorf("%d, host asked %d times", r.StatusCode, len(*asked))
	}
	if p.get("a.webm"); (*asked)[0].Header.Get("Authorization") != "" {
		t.Error("the session's bearer reached the host")
	}
}

func TestOnlyBelowTheAddress(t *testing.T) {
	address, asked := host(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "application/pdf") })
	p := serve(t, address, "", time.Second)
	for _, path := range []string{
		"..%2fsecret", "a%2f..%2f..%2fsecret", "%2e%2e%2fsecret", "a%5c..%5csecret", "a\\b", "%252e%252e/secret", "a%2fb", "a%5Cb",
		"a/%00/b", "a/%0d%0aHost:x", "%2Fetc", "http:%2f%2f169.254.169.254", strings.Repeat("a/", 600) + "a",
	} {
		if r := p.get(path); r.StatusCode != http.StatusNotFound && r.StatusCode != http.StatusBadRequest ||
			!strings.Contains(r.Header.Get("Content-Type"), "json") {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
	}
	// The server itself redirects dots in its own URLs.
	for _, path := range []string{"../x", "%2e%2e/x", "a/../../x", "a//b"} {
		if r := p.get(path); r.StatusCode < http.StatusMultipleChoices || r.StatusCode == http.StatusNotModified {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
	if len(*asked) != 0 {
		t.Fatalf("the host was asked for %s", (*asked)[0].URL)
	}
	for path, want := range map[string]string{
		"a/b.pdf": "/content/a/b.pdf", "Fee%20Schedule%20(2026).pdf": "/content/Fee%20Schedule%20%282026%29.pdf",
		"what%3Fx=1%23y": "/content/what%3Fx=1%23y", "a.pdf?x=1": "/content/a.pdf", "@evil.example/a.pdf": "/content/@evil.example/a.pdf",
		"a/": "/content/a",
	} {
		*asked = nil
		if r := p.get(path); r.StatusCode != http.StatusOK || len(*asked) != 1 || (*asked)[0].RequestURI != want {
			t.Errorf("%s: %d, asked %v, want %s", path, r.StatusCode, *asked, want)
		}
	}
}

// The portal's origin serves these responses, so they must not run scripts.
func TestTypes(t *testing.T) {
	kind := ""
	address, _ := host(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{kind}
		fmt.Fprint(w, "<script>alert(1)</script>")
	})
	p := serve(t, address, "", time.Second)
	const workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	for sent, want := range map[string]string{
		"application/pdf": "application/pdf", "video/mp4; codecs=x": "video/mp4", "audio/mpeg": "audio/mpeg", "image/png": "image/png",
		"application/json; charset=utf-8": "application/json",
		workbook:                          workbook,
		"application/msword":              "application/msword",
		"text/html":                       "", "TEXT/HTML": "", "image/svg+xml": "", "Image/SVG+XML": "",
		"application/xhtml+xml": "", "text/xml": "", "application/javascript": "",
		"text/plain": "", "multipart/related": "", "nonsense": "", "": "", "application/pdf, text/html": "",
	} {
		kind = sent
		r := p.get("x")
		got, attached := r.Header.Get("Content-Type"), r.Header.Get("Content-Disposition")
		if want == "" && (got != "application/octet-stream" || attached != "attachment") || want != "" && (got != want || attached != "") {
			t.Errorf("%q: %q %q", sent, got, attached)
		}
		boxed := strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "sandbox; default-src 'none'")
		if viewer := strings.HasPrefix(got, "video/") || strings.HasPrefix(got, "audio/") || got == "application/pdf"; boxed == viewer ||
			!strings.HasSuffix(r.Header.Get("Content-Security-Policy"), policy) || r.Header.Get("Cross-Origin-Resource-Policy") !=
			"same-origin" || r.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%q: %v", sent, r.Header)
		}
	}
}

func TestHostilePaths(t *testing.T) {
	metadata, reached := host(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "credentials") })
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		status int
	}{
		"leads to the metadata address": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusFound)
		}, 503},
		"leads to another host": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, metadata, http.StatusTemporaryRedirect)
		}, 503},
		"leads out of the path": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/admin", http.StatusMovedPermanently)
		}, 503},
		"has huge headers": {func(w http.ResponseWriter, _ *http.Request) {
			for i := range 100 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 1<<10))
			}
		}, 503},
		"is silent": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 503},
		"sends a coding": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, "x")
		}, 503},
		"refuses": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "secret cause", http.StatusForbidden) }, 503},
		"fails": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "secret cause", http.StatusInternalServerError)
		}, 503},
		"has none":         {http.NotFound, 404},
		"had one":          {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) }, 404},
		"hangs up at once": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 503},
		"sends no content": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, 503},
	} {
		t.Run(name, func(t *testing.T) {
			address, _ := host(t, c.answer)
			r := serve(t, address, "", 300*time.Millisecond).get("a.pdf")
			if r.StatusCode != c.status || r.Header.Get("Content-Type") != "application/json" || !strings.Contains(r.body, `"message"`) ||
				strings.Contains(r.body, "secret") {
				t.Errorf("%d %s", r.StatusCode, r.body)
			}
		})
	}
	assert.Empty(t, *reached, "a redirect was followed")
}

// A partial document never counts as complete, with or without a known length.
func TestBrokenOff(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"with a length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000")
			fmt.Fprint(w, "part")
		},
		"without": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "part")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		},
		"falls silent": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "part")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			address, _ := host(t, answer)
			r := serve(t, address, "", 300*time.Millisecond).get("a.pdf")
			assert.Errorf(t, r.err, "%d %q was taken as whole", r.StatusCode, r.body)
		})
	}
}

// A document can take longer than the time limit, as long as data arrives.
func TestSlowButAlive(t *testing.T) {
	address, _ := host(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 8 {
			fmt.Fprint(w, "x")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	})
	if r := serve(t, address, "", 400*time.Millisecond).get("a.pdf"); r.err != nil || r.body != "xxxxxxxx" {
		t.Errorf("%q %v", r.body, r.err)
	}
}

func TestNoHost(t *testing.T) {
	r := serve(t, "", "", time.Second).get("a.pdf")
	assert.Equal(t, http.StatusNotFound, r.StatusCode)
	assert.Contains(t, r.body, "The resource host isn't configured.")
	down := httptest.NewServer(nil)
	down.Close()
	assert.Equal(t, http.StatusServiceUnavailable, serve(t, down.URL, "", time.Second).get("a.pdf").StatusCode)
	if _, err := NewService(Settings{ResourceURL: "http://[", ResourceTimeout: time.Second}, nil, plain); err == nil ||
		errors.Is(err, io.EOF) {
		t.Error("an address that is none is taken")
	}
}

func plain(t http.RoundTripper) http.RoundTripper { return t }

// A host that sends a byte at a time is cut off, although it's never silent.
func TestHostThatDrips(t *testing.T) {
	ended := make(chan struct{})
	address, _ := host(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		control := http.NewResponseController(w)
		for r.Context().Err() == nil {
			_, err := w.Write([]byte{'x'})
			if err = errors.Join(err, control.Flush()); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	assert.Error(t, serve(t, address, "", 100*time.Millisecond).get("a.pdf").err, "the document seems complete")
	<-ended
}
