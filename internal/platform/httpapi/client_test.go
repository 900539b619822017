package httpapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// An untrusted proxy is logged once.
func TestUntrustedProxyIsToldOnce(t *testing.T) {
	for _, c := range []struct {
		remote, header string
		want           int
	}{
		{"203.0.113.7:1", "X-Forwarded-For", 1}, {"203.0.113.7:1", "Forwarded", 1}, {"203.0.113.7:1", "Accept", 0},
		{"10.0.0.1:1", "X-Forwarded-For", 0}, {"[::ffff:10.0.0.1]:1", "Forwarded", 0},
	} {
		var log strings.Builder
		h := Wrap(http.NotFoundHandler(), Options{
			Log: slog.New(slog.NewJSONHandler(&log, nil)), Metrics: prometheus.NewRegistry(),
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		})
		for range 3 {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = c.remote
			r.Header.Set(c.header, "198.51.100.1")
			h.ServeHTTP(httptest.NewRecorder(), r)
		}
		if n := strings.Count(log.String(), "WCPP_TRUSTED_PROXIES"); n != c.want || strings.Contains(log.String(), "198.51.100.1") {
			t.Errorf("%s with %s: logged %d times, want %d: %s", c.remote, c.header, n, c.want, &log)
		}
	}
}

func TestClientAddress(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, c := range []struct{ remote, forwarded, want string }{
		{"203.0.113.7:1", "198.51.100.1", "203.0.113.7"},                     // not a proxy, so its header is ignored
		{"10.0.0.1:1", "198.51.100.1", "198.51.100.1"},                       // a trusted proxy
		{"10.0.0.1:1", "192.0.2.66, 198.51.100.1, 10.0.0.2", "198.51.100.1"}, // the nearest untrusted address; what it claims is ignored
		{"10.0.0.1:1", "nonsense", "10.0.0.1"},
		{"10.0.0.1:1", "", "10.0.0.1"},
		{"[::1]:1", "2001:db8::1", "2001:db8::1"},
		{"[::ffff:203.0.113.7]:1", "", "203.0.113.7"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := clientAddress(r, trusted); got.String() != c.want {
			t.Errorf("%s, %q: %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}
