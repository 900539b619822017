package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/upstream"
)

// again is how long a portal that could not be opened waits before it tries again.
const again = 3 * time.Second

// Listener is one that can be given back: a deadline ends waiting for a connection.
type Listener interface {
	net.Listener
	SetDeadline(at time.Time) error
}

// OpenServing opens a portal that is to answer on the listener. Where its database or a
// disk cannot be used yet it says so there, and in the log, and tries again until it
// can or the context ends; any other failure it answers. The listener is then free.
func OpenServing[T any](ctx context.Context, log *slog.Logger, listener Listener, open func() (T, error)) (opened T, err error) {
	leave := func() error { return nil }
	defer func() { err = errors.Join(err, leave()) }()
	var why atomic.Value // the reason of the last try
	for answering := false; ; {
		opened, err := open()
		if !db.IsUnavailable(err) && !db.IsStorageFault(err) {
			return opened, err
		}
		log.ErrorContext(ctx, "the portal can't start yet, retrying", "error", err)
		why.Store(upstream.Words(err))
		if !answering {
			answering, leave = true, answer(log, listener, func() string { return why.Load().(string) })
		}
		select {
		case <-ctx.Done():
			return opened, err
		case <-time.After(again):
		}
	}
}

// answer tells who asks why there is no portal, until leave is called.
func answer(log *slog.Logger, listener Listener, why func() string) (leave func() error) {
	server := &http.Server{Handler: notYet(why), ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(staying{listener}) // it ends when it is left
	}()
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(ctx) // a call that is under way is broken off
		<-done
		return listener.SetDeadline(time.Time{})
	}
}

// staying is a listener that stays open: closed, it accepts no more.
type staying struct{ Listener }

// Close ends waiting for connections.
func (k staying) Close() error { return k.SetDeadline(time.Now()) }

// notYet answers who asks too early.
func notYet(why func() string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", healthy)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		httpapi.WriteProblem(w, r, problem.New(problem.Unavailable))
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Retry-After", "10")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "not ready: "+why()+"\n")
	})
	return mux
}
