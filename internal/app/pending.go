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
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/upstream"
)

// again is the delay before another attempt to open a portal.
const again = 3 * time.Second

// Listener is a listener with a deadline that stops waiting for a connection, so that it can be
// reused.
type Listener interface {
	net.Listener
	SetDeadline(at time.Time) error
}

// OpenServing opens a portal for the listener. If its database or disk isn't available yet, or the
// database's tables are being partitioned, it serves and logs that, and retries until it succeeds
// or the context ends. It returns any other error. The listener is free afterward.
func OpenServing[T any](ctx context.Context, log *slog.Logger, listener Listener, open func() (T, error)) (opened T, err error) {
	leave := func() error { return nil }
	defer func() { err = errors.Join(err, leave()) }()
	var why atomic.Value // the last attempt's error
	for answering := false; ; {
		opened, err := open()
		isMoving := errors.Is(err, migrations.ErrMoving)
		if !isMoving && !db.IsUnavailable(err) && !db.IsStorageFault(err) {
			return opened, err
		}
		log.ErrorContext(ctx, "the portal can't start yet, retrying", "error", err)
		if isMoving {
			why.Store(migrations.ErrMoving.Error())
		} else {
			why.Store(upstream.DescribeError(err))
		}
		if !answering {
			answering, leave = true, serveUnavailable(log, listener, func() string { return why.Load().(string) })
		}
		select {
		case <-ctx.Done():
			return opened, err
		case <-time.After(again):
		}
	}
}

// serveUnavailable responds to requests with the reason why there's no portal, until leave is called.
func serveUnavailable(log *slog.Logger, listener Listener, why func() string) (leave func() error) {
	server := &http.Server{Handler: unavailableHandler(why), ReadHeaderTimeout: 10 * time.Second,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(reusableListener{listener}) // returns on leave
	}()
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(ctx) // an error means that a request was cut off
		<-done
		return listener.SetDeadline(time.Time{})
	}
}

// reusableListener is a listener that stays open. Close only stops it from accepting.
type reusableListener struct{ Listener }

// Close stops waiting for connections.
func (k reusableListener) Close() error { return k.SetDeadline(time.Now()) }

// unavailableHandler responds to requests that come too early.
func unavailableHandler(why func() string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", serveHealth)
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
