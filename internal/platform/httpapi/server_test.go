package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/admission"
	"wcpp/internal/platform/problem"
)

func TestPanicIsAnAnswer(t *testing.T) {
	var log strings.Builder
	h := Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret") }), Options{
		Log: slog.New(slog.NewJSONHandler(&log, nil)), Metrics: prometheus.NewRegistry(), TLS: true,
	})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/x", nil))
	var p Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != http.StatusInternalServerError || p.Code != "INTERNAL" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if strings.Contains(w.Body.String(), "secret") || !strings.Contains(log.String(), "secret") {
		t.Error("the cause belongs in the log and nowhere else")
	}
	assert.NotEmpty(t, w.Header().Get("Strict-Transport-Security"), "no HSTS behind TLS")
}

// A response that started before a panic is logged as sent and not overwritten.
func TestPanicAfterTheBeginning(t *testing.T) {
	var log strings.Builder
	h := Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic("secret")
	}), Options{Log: slog.New(slog.NewJSONHandler(&log, nil)), Metrics: prometheus.NewRegistry()})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/x", nil))
	if w.Code != http.StatusOK || w.Body.String() != "half" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), `"status":200`) || !strings.Contains(log.String(), `"bytes":4`) {
		t.Errorf("logged %s", &log)
	}
}

// Streams flush each message and set their own deadline.
func TestFlushAndDeadlinesReachTheConnection(t *testing.T) {
	written := make(chan struct{})
	server := httptest.NewServer(Wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		control := http.NewResponseController(w)
		_, _ = io.WriteString(w, "first")
		assert.NoError(t, errors.Join(control.SetWriteDeadline(time.Now().Add(time.Minute)), control.Flush()))
		<-written
	}), Options{Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry()}))
	defer server.Close()
	defer close(written)
	answer, err := server.Client().Get(server.URL)
	require.NoError(t, err)
	defer answer.Body.Close()
	first := make([]byte, 5)
	if _, err := io.ReadFull(answer.Body, first); err != nil || string(first) != "first" {
		t.Errorf("%q, %v", first, err)
	}
}

// The cause of every refusal is logged, but not sent.
func TestCausesAreLoggedAndNotTold(t *testing.T) {
	for _, kind := range []problem.Kind{problem.Unauthenticated, problem.Forbidden, problem.Invalid, problem.Unavailable,
		problem.Internal} {
		var log strings.Builder
		mux := http.NewServeMux()
		api := New(mux, Deps{Guard: guard{}, Log: slog.New(slog.NewJSONHandler(&log, nil))}, Settings{Title: "test", Version: "1"})
		Register(api, Operation{ID: "a", Method: http.MethodGet, Path: "/a", Access: Public, Effect: Read},
			func(context.Context, *struct{}) (*struct{}, error) {
				return nil, problem.New(kind).WithCause(errors.New("the cause"))
			})
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/a", nil))
		if w.Code < 400 || strings.Contains(w.Body.String(), "the cause") || !strings.Contains(log.String(), "the cause") {
			t.Errorf("kind %v: %d %s, logged %s", kind, w.Code, w.Body, log.String())
		}
	}
}

// A client that disconnects before the response causes no failure.
func TestGivenUpCallIsNoFailure(t *testing.T) {
	for given, failure := range map[bool]bool{true: false, false: true} {
		var log strings.Builder
		mux := http.NewServeMux()
		api := New(mux, Deps{Guard: guard{}, Log: slog.New(slog.NewJSONHandler(&log, nil))}, Settings{Title: "test", Version: "1"})
		Register(api, Operation{ID: "a", Method: http.MethodGet, Path: "/a", Access: Public, Effect: Read},
			func(context.Context, *struct{}) (*struct{}, error) { return nil, context.Canceled })
		ctx, cancel := context.WithCancel(t.Context())
		if given {
			cancel()
		}
		mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/api/a", nil).WithContext(ctx))
		cancel()
		assert.Equalf(t, failure, strings.Contains(log.String(), `"level":"ERROR"`), "given up: %v, logged %s", given, log.String())
	}
}

// If an operation times out while the client waits, the client can try again.
func TestWhatTookTooLongCanBeAskedAgain(t *testing.T) {
	mux := http.NewServeMux()
	Register(New(mux, Deps{Guard: guard{}, Log: slog.New(slog.DiscardHandler)}, Settings{Title: "test", Version: "1"}),
		Operation{ID: "a", Method: http.MethodGet, Path: "/a", Access: Public, Effect: Read},
		func(context.Context, *struct{}) (*struct{}, error) {
			return nil, fmt.Errorf("audit: %w", context.DeadlineExceeded)
		})
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/a", nil))
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

// After too many attempts, the response has the wait time, or a minute if it's unknown.
func TestWhoTriesTooOftenIsToldForHowLong(t *testing.T) {
	for wait, want := range map[time.Duration]string{0: "60", -time.Second: "1", 10*time.Minute + time.Millisecond: "601"} {
		mux := http.NewServeMux()
		Register(New(mux, Deps{Guard: guard{}, Log: slog.New(slog.DiscardHandler)}, Settings{Title: "test", Version: "1"}),
			Operation{ID: "a", Method: http.MethodGet, Path: "/a", Access: Public, Effect: Read},
			func(context.Context, *struct{}) (*struct{}, error) { return nil, problem.RetryLater(wait, "Wait.") })
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/a", nil))
		if got := w.Header().Get("Retry-After"); w.Code != http.StatusTooManyRequests || got != want {
			t.Errorf("%d after %q seconds, want %s", w.Code, got, want)
		}
	}
}

type guard struct{}

func (guard) Known(p string) bool { return p == "known" }

func (guard) Offers(string) bool { return true }

func (guard) IsCurrent(context.Context) bool { return true }

func (guard) Person(context.Context) string { return "" }

func (guard) Caller(_ context.Context, c Credentials) (admission.Caller, bool) {
	return admission.Caller{Person: c.Bearer}, c.Bearer != ""
}

func (guard) Failed(_ context.Context, _ Operation, failure error) error { return failure }

func (guard) Enter(context.Context, Credentials, Operation) (context.Context, error) {
	return nil, problem.New(problem.Unauthenticated)
}

func TestRegisterStopsWhatIsNotDeclared(t *testing.T) {
	api := New(http.NewServeMux(), Deps{Guard: guard{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))},
		Settings{Title: "test", Version: "1"})
	for name, op := range map[string]Operation{
		"no access":          {ID: "a", Method: http.MethodGet, Path: "/a", Effect: Read},
		"no effect":          {ID: "b", Method: http.MethodGet, Path: "/b", Access: "known"},
		"no id":              {Method: http.MethodGet, Path: "/c", Access: "known", Effect: Read},
		"unknown permission": {ID: "d", Method: http.MethodGet, Path: "/d", Access: "unheard", Effect: Read},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is registered", name)
				}
			}()
			Register(api, op, func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
		}()
	}
	assert.Empty(t, api.Operations())
}

// lettingIn allows all requests. The first word of the token is the user.
type lettingIn struct{ guard }

type personKey struct{}

// Enter allows the request.
func (lettingIn) Enter(ctx context.Context, c Credentials, _ Operation) (context.Context, error) {
	name, _, _ := strings.Cut(c.Bearer, " ")
	return context.WithValue(ctx, personKey{}, name), nil
}

// Person returns the user in the token.
func (lettingIn) Person(ctx context.Context) string {
	name, _ := ctx.Value(personKey{}).(string)
	return name
}

// The program doesn't start if a string parameter in a path has no maximum length.
func TestPathValuesAreBounded(t *testing.T) {
	api := New(http.NewServeMux(), Deps{Guard: guard{}, Log: slog.New(slog.DiscardHandler)}, Settings{Title: "test", Version: "1"})
	op := func(id string) Operation {
		return Operation{ID: id, Method: http.MethodGet, Path: "/" + id + "/{name}", Access: "known", Effect: Read}
	}
	Register(api, op("bounded"), func(context.Context, *struct {
		Name string `path:"name" maxLength:"20"`
	}) (*struct{}, error) {
		return nil, nil
	})
	defer func() {
		if recover() == nil {
			t.Error("a text without a bound is registered")
		}
	}()
	Register(api, op("unbounded"), func(context.Context, *struct {
		Name string `path:"name"`
	}) (*struct{}, error) {
		return nil, nil
	})
}
