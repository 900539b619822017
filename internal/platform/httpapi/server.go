package httpapi

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/felixge/httpsnoop"
	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/tracing"
)

type requestKey struct{}

type request struct {
	id     string
	client netip.Addr
	device string
	agent  string
	route  string
}

func getRequest(ctx context.Context) *request {
	r, _ := ctx.Value(requestKey{}).(*request)
	if r == nil {
		return &request{}
	}
	return r
}

// RequestID returns the request's ID in the log, the audit log, and the response.
func RequestID(ctx context.Context) string { return getRequest(ctx).id }

// Client returns the client address that trusted proxies report.
func Client(ctx context.Context) netip.Addr { return getRequest(ctx).client }

// Source returns the key for limits by client address. It is an address, or for IPv6 the 64-bit
// prefix of one customer. It is empty for jobs and commands.
func Source(ctx context.Context) string {
	from := Client(ctx)
	if !from.IsValid() {
		return ""
	}
	if from.Is6() {
		network, _ := from.Prefix(64) // an IPv6 address has enough bits
		return network.String()
	}
	return from.String()
}

// DeviceCookie has the random name of a browser after a sign-in. DeviceFor is its lifetime after
// the last sign-in.
const (
	DeviceCookie = "__Host-wcpp-device"
	DeviceFor    = 400 * 24 * time.Hour
)

// Device returns the browser's device name, or an empty string.
func Device(ctx context.Context) string { return getRequest(ctx).device }

func readDevice(r *http.Request) string {
	c, err := r.Cookie(DeviceCookie)
	if err != nil || len(c.Value) > 100 {
		return ""
	}
	return c.Value
}

func setRoute(ctx context.Context, route string) { getRequest(ctx).route = route }

// Route records the pattern of a route outside of operations for log and metrics.
func Route(pattern string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		setRoute(r.Context(), pattern)
		next.ServeHTTP(w, r)
	})
}

// Options configure the server.
type Options struct {
	Log     *slog.Logger
	Metrics prometheus.Registerer
	// TrustedProxies can set the client address in X-Forwarded-For.
	TrustedProxies []netip.Prefix
	// FrameSources are the origins of embedded pages.
	FrameSources []string
	// ConnectSources are the origins that the application checks for availability.
	ConnectSources []string
	// Probe monitors the database. During an outage, new requests are refused, and open ones are
	// canceled.
	Probe *db.HealthProbe
	// Brand is the portal's name on error pages for browsers.
	Brand string
	// TLS says that browsers use HTTPS, so HSTS is sent.
	TLS bool
}

// Wrap adds what every response needs: a request ID, a log line, metrics, headers, and a 500
// response after a panic.
func Wrap(next http.Handler, o Options) http.Handler {
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "wcpp_http_request_seconds", Help: "Request duration by route and status.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
	}, []string{"route", "status"})
	o.Metrics.MustRegister(seconds)
	policy := contentSecurityPolicy(o.FrameSources, o.ConnectSources)
	var untrusted sync.Once
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isForwarded(r, o.TrustedProxies) {
			untrusted.Do(func() {
				o.Log.WarnContext(r.Context(),
					"requests come through a proxy that isn't in WCPP_TRUSTED_PROXIES, so limits and the audit log see all its clients "+
						"as one address")
			})
		}
		info := &request{id: newID(), client: clientAddress(r, o.TrustedProxies), device: readDevice(r), agent: r.UserAgent()}
		traced, traceEnd := tracing.StartRequest(r)
		beating, stop := o.Probe.WithOutage(traced)
		defer stop()
		ctx := context.WithValue(beating, requestKey{}, info)
		w.Header().Set("X-Request-Id", info.id)
		setSecurityHeaders(w.Header(), policy, o.TLS)
		var sent httpsnoop.Metrics
		sent.CaptureMetrics(w, func(w http.ResponseWriter) {
			if isNavigation(r) {
				var done func()
				w, done = withErrorPage(w, r, o.Brand)
				defer done()
			}
			defer func() {
				if p := recover(); p != nil {
					if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
						if errors.As(err, new(abortedError)) && !errors.Is(err, errNotTaken) {
							o.Log.WarnContext(ctx, "couldn't send the whole response", "requestId", info.id, "route", info.route,
								"error", err)
						}
						panic(http.ErrAbortHandler)
					}
					o.Log.ErrorContext(ctx, "panic", "requestId", info.id, "route", info.route, "error", fmt.Sprint(p), "stack",
						string(debug.Stack()))
					if sent.Code == 0 && sent.Written == 0 {
						WriteProblem(w, r.WithContext(ctx), problem.New(problem.Internal))
					}
				}
			}()
			if strings.HasPrefix(r.URL.Path, "/api/") && !o.Probe.IsHealthy() {
				WriteProblem(w, r.WithContext(ctx), problem.New(problem.Unavailable))
				return
			}
			// A path with an empty value belongs to another endpoint, so it isn't redirected
			// there.
			if strings.HasPrefix(r.URL.Path, "/api/") && strings.Contains(r.URL.Path, "//") {
				WriteProblem(w, r.WithContext(ctx), newUnknownOperation())
				return
			}
			next.ServeHTTP(w, r.WithContext(ctx))
		})
		route := cmp.Or(info.route, "other")
		status := cmp.Or(sent.Code, http.StatusOK)
		traceEnd(route, status)
		seconds.WithLabelValues(route, strconv.Itoa(status)).Observe(sent.Duration.Seconds())
		level := slog.LevelInfo
		if route == "/healthz" || route == "/readyz" || route == "/metrics" || route == "/wcpp/assets" {
			level = slog.LevelDebug
		}
		o.Log.Log(ctx, level, "request", "requestId", info.id, "route", route, "status", status, "ms", sent.Duration.Milliseconds(),
			"bytes", sent.Written)
	})
}

func setSecurityHeaders(h http.Header, policy string, isTLS bool) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	h.Set("X-Robots-Tag", "noindex")
	if isTLS {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
}

func contentSecurityPolicy(frames, connections []string) string {
	also := func(origins []string) string { return strings.Join(append([]string{""}, origins...), " ") }
	// Styles: UI components set sizes and positions in style attributes.
	return "default-src 'none'; object-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
		"font-src 'self'; " +
		"connect-src 'self'" + also(connections) + "; media-src 'self'; frame-src 'self' blob:" + also(frames) +
		"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
}

func newID() string {
	b := make([]byte, 12)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
