package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/tracing"
	"wcpp/internal/platform/upstream"
)

// SetGCPercent sets the heap growth in percent that starts garbage collection, unless GOGC is set.
func SetGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// Serve serves the listener until the context ends. Then requests and jobs in progress may
// finish.
func (a *App) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: a.Handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 60 * time.Second,
		WriteTimeout: 120 * time.Second, IdleTimeout: 120 * time.Second, MaxHeaderBytes: 64 << 10,
		ErrorLog:  slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12},
	}
	endTraces, err := tracing.Start(ctx, Version)
	if err != nil {
		return err
	}
	failed := make(chan error, 2)
	metrics, err := a.serveMetrics(server.ErrorLog, failed)
	if err != nil {
		return err
	}
	defer metrics()
	// Responses are short-lived. A heap of about 60 MB instead of 20 MB saves a quarter of the
	// time.
	SetGCPercent(400)
	if err := a.here.Begin(ctx); err != nil { // /readyz reports it, and it's retried
		a.log.ErrorContext(ctx, "database isn't writable", "error", err)
	}
	// Jobs must outlive the signal. Stop below ends them.
	if err := a.jobs.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	heard, deaf := context.WithCancel(context.WithoutCancel(ctx))
	defer deaf()
	go a.events.Run(heard)
	go a.pulse.Run(heard)
	go a.watchStorage(heard)
	for _, run := range a.running {
		go run(heard)
	}
	go func() {
		if a.Config.TLSCertFile != "" {
			failed <- server.ServeTLS(listener, a.Config.TLSCertFile, a.Config.TLSKeyFile)
			return
		}
		failed <- server.Serve(listener)
	}()
	select {
	case err = <-failed:
	case <-ctx.Done():
		a.log.Info("stopping")
	}
	// Close event streams first, or the server would wait for them.
	a.events.Close()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.Config.StopTimeout)
	defer cancel()
	stopped := make(chan error, 1)
	go func() { stopped <- a.jobs.Stop(stop) }()
	err = errors.Join(err, server.Shutdown(stop), <-stopped, endTraces(stop))
	last, end := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer end()
	if failed := a.here.End(last); failed != nil { // the other instances will notice by themselves
		a.log.WarnContext(ctx, "couldn't notify other instances of shutdown", "error", failed)
	}
	return err
}

// serveMetrics serves GET /metrics on its configured address until end is called. Without an
// address it does nothing.
func (a *App) serveMetrics(errorLog *log.Logger, failed chan<- error) (end func(), err error) {
	if a.Config.MetricsListen == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", a.Config.MetricsListen)
	if err != nil {
		return nil, fmt.Errorf("WCPP_METRICS_LISTEN: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.Metrics)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 60 * time.Second, ErrorLog: errorLog}
	go func() { failed <- server.Serve(listener) }()
	return func() { _ = server.Close() }, nil
}

// requireDirect accepts only direct requests. A proxied request came from outside.
func requireDirect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func serveHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

// findUnreadyReason returns why requests are rejected and the underlying error, or nothing if the portal
// is ready.
func (a *App) findUnreadyReason(ctx context.Context) (why string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := a.DB.Reader.PingContext(ctx); err != nil || !a.pulse.IsHealthy() {
		return "the database is unreachable", errors.Join(err, db.ErrOutage)
	}
	if err := a.here.Failed(); err != nil {
		return "the database isn't writable: " + upstream.DescribeError(err), err
	}
	return "", nil
}

func (a *App) serveReady(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if why, err := a.findUnreadyReason(ctx); err != nil {
		a.log.WarnContext(ctx, "not ready", "error", err)
		http.Error(w, why, http.StatusServiceUnavailable)
		return
	}
	if warning := a.Config.WarnOfProxies(); warning != "" {
		a.warned.Do(func() { a.log.WarnContext(ctx, warning) })
	}
	queue := a.jobs.Stalled()
	if queue != "" {
		failure := upstream.Failure("Background jobs aren't being fetched.")
		a.watcher.Record(jobsSystem, failure)
		a.log.ErrorContext(ctx, "background jobs aren't being fetched", "queue", queue)
	}
	failing := ""
	if why := a.storing.Load(); why != nil {
		failing = *why
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, describeReadiness(failing, queue)+"\n")
}

// describeReadiness returns the response of a ready portal, with why files can't be stored and the queue
// whose jobs aren't fetched, if any. Most requests work without either, so the load balancer
// should keep the instance.
func describeReadiness(storing, queue string) string {
	ready, but := "ok", ", but "
	if storing != "" {
		ready, but = ready+but+"file storage is failing: "+storing, "; "
	}
	if queue != "" {
		ready += but + "background jobs aren't being fetched: queue " + queue
	}
	return ready
}

// cleanupArgs are the arguments for the job that ends locks and deletes expired data.
type cleanupArgs struct{}

func (cleanupArgs) Kind() string { return "tidy" }

func (cleanupArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: jobs.Storage} }

// runCleanups runs each module's cleanup. A failing module doesn't stop the others. One that hangs gets half
// of the remaining time, so that several that wait for storage leave time for the others.
func runCleanups(ctx context.Context, modules []module.Module) error {
	var failed []error
	for _, m := range modules {
		if m.Cleanup == nil {
			continue
		}
		half, cancel := ctx, func() {}
		if end, has := ctx.Deadline(); has {
			half, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		}
		failed = append(failed, m.Cleanup(half))
		cancel()
	}
	return errors.Join(failed...)
}
