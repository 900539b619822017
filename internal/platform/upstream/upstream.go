// Package upstream monitors requests to the external systems that the program depends on. Each
// request is a span of a trace. For each system, it records the last success, and the last
// failure with its cause.
package upstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/admission"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/tracing"
)

// Outcome is the last status of a system. Times are zero if there was none.
type Outcome struct {
	System   string
	OKAt     time.Time
	FailedAt time.Time
	Failure  string // cause without personal data
}

// Watcher records the results of requests.
type Watcher struct {
	now func() time.Time
	// Failing is a metric: 1 for a system whose last request from this instance failed, else 0.
	Failing *prometheus.GaugeVec

	mu    sync.Mutex
	since map[string]Outcome
}

// NewWatcher returns an empty watcher.
func NewWatcher(now func() time.Time) *Watcher {
	return &Watcher{now: now, since: map[string]Outcome{}, Failing: prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "wcpp_system_failing", Help: "Whether the last request to an external system failed, by system.",
	}, []string{"system"})}
}

// Record records the result of a request. A request that the caller canceled says nothing about
// the system.
func (w *Watcher) Record(system string, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.since[system]
	o.System = system
	if err == nil {
		o.OKAt = w.now()
		w.Failing.WithLabelValues(system).Set(0)
	} else {
		o.FailedAt, o.Failure = w.now(), DescribeError(err)
		w.Failing.WithLabelValues(system).Set(1)
	}
	w.since[system] = o
}

// Flush passes the results since the last time to store, by system. If store fails, the result
// stays recorded, with all later ones.
func (w *Watcher) Flush(store func(Outcome) error) error {
	for _, o := range w.listRecorded() {
		if err := store(o); err != nil {
			return err
		}
		w.forget(o)
	}
	return nil
}

func (w *Watcher) listRecorded() []Outcome {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.SortedFunc(maps.Values(w.since), func(a, b Outcome) int { return strings.Compare(a.System, b.System) })
}

// forget removes a result, unless there is a newer one.
func (w *Watcher) forget(o Outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.since[o.System] == o {
		delete(w.since, o.System)
	}
}

// Call runs do, a request to a system, as a span of the trace in ctx. It frees the admission
// slot during the request.
func (w *Watcher) Call(ctx context.Context, system, what string, do func(context.Context) error) error {
	ctx, end := tracing.StartSpan(ctx, system+" "+what)
	back := admission.Pause(ctx)
	err := do(ctx)
	back()
	end(err)
	w.Record(system, err)
	return err
}

// Transport monitors HTTP requests to a system. A status of 500 or higher counts as a failure. A
// nil base means http.DefaultTransport.
func (w *Watcher) Transport(system string, base http.RoundTripper) http.RoundTripper {
	if base == nil {
		base = http.DefaultTransport
	}
	return roundTripper(func(r *http.Request) (answer *http.Response, err error) {
		_ = w.Call(r.Context(), system, r.Method, func(ctx context.Context) error {
			r := r.WithContext(ctx)
			tracing.Inject(ctx, r.Header)
			answer, err = base.RoundTrip(r) //nolint:bodyclose // the caller closes it
			if err == nil && answer.StatusCode >= http.StatusInternalServerError {
				return status(answer.StatusCode)
			}
			if limit, has := ctx.Deadline(); err != nil && has && !time.Now().Before(limit) {
				return context.DeadlineExceeded // the error itself may not say so
			}
			return err
		})
		return answer, err
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Failure is an error with a message that is safe to show.
type Failure string

// Error returns the message.
func (f Failure) Error() string { return string(f) }

type status int

func (s status) Error() string { return fmt.Sprintf("The system returned %d.", int(s)) }

// DescribeError describes an error without its details, because messages of systems contain addresses
// and personal data.
func DescribeError(err error) string {
	var (
		failure   Failure
		answered  status
		name      *net.DNSError
		unknownCA x509.UnknownAuthorityError
		wrongName x509.HostnameError
		outdated  x509.CertificateInvalidError
		handshake tls.RecordHeaderError
		timeout   interface{ Timeout() bool }
	)
	switch {
	case errors.As(err, &failure):
		return failure.Error()
	case errors.As(err, &answered):
		return answered.Error()
	case db.Refusal(err) != "":
		return db.Refusal(err)
	case errors.As(err, &name):
		return "Host name not found."
	case errors.Is(err, syscall.ECONNREFUSED):
		return "Connection refused."
	case errors.As(err, &unknownCA), errors.As(err, &wrongName), errors.As(err, &outdated), errors.As(err, &handshake):
		return "The certificate isn't trusted, or the server doesn't use TLS."
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "No response in time."
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "The connection was interrupted."
	case errors.Is(err, fs.ErrPermission):
		return "Access denied."
	case db.IsStorageFault(err):
		return "The disk is full or failing."
	}
	return "Unknown error. See the log for details."
}
