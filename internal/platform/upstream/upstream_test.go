package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The last results of a system are recorded, with causes that contain no personal data.
func TestOutcomes(t *testing.T) {
	now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	w := NewWatcher(func() time.Time { now = now.Add(time.Second); return now })
	answer := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer == 0 {
			<-r.Context().Done()
			return
		}
		w.WriteHeader(answer)
	}))
	defer server.Close()
	client := &http.Client{Transport: w.Transport("host", nil), Timeout: 100 * time.Millisecond}
	get := func(address string) {
		if r, err := client.Get(address); err == nil {
			r.Body.Close()
		}
	}
	noted := func(want string) {
		t.Helper()
		got := ""
		err := w.Flush(func(o Outcome) error {
			got += fmt.Sprintf("%s ok %t failed %t %s", o.System, !o.OKAt.IsZero(), !o.FailedAt.IsZero(), o.Failure)
			return nil
		})
		assert.NoError(t, err)
		assert.Equal(t, want, got)
	}
	get(server.URL)
	noted("host ok true failed false ")
	noted("")
	answer = http.StatusNotFound
	get(server.URL + "/123456789")
	noted("host ok true failed false ")
	answer = http.StatusBadGateway
	get(server.URL + "/123456789")
	noted("host ok false failed true The system returned 502.")
	answer = 0
	get(server.URL)
	noted("host ok false failed true No response in time.")
	get("http://127.0.0.1:1/123456789")
	noted("host ok false failed true Connection refused.")
	answer = http.StatusOK
	get(server.URL)
	get("http://no-such-host.invalid/")
	noted("host ok true failed true Host name not found.")
	get("https" + server.URL[4:])
	noted("host ok false failed true The certificate isn't trusted, or the server doesn't use TLS.")
	w.Record("jobs", Failure("The job mail failed."))
	full := errors.New("the database is full")
	assert.ErrorIs(t, w.Flush(func(Outcome) error { return full }), full)
	noted("jobs ok false failed true The job mail failed.")
	w.Record("storage", errors.New("the file of Julia Perez"))
	noted("storage ok false failed true Unknown error. See the log for details.")
	w.Record("storage", fmt.Errorf("left: %w", context.Canceled))
	noted("")
}

// The metric has the last result of each system.
func TestFailing(t *testing.T) {
	w, metrics := NewWatcher(time.Now), prometheus.NewRegistry()
	metrics.MustRegister(w.Failing)
	check := func(want ...float64) {
		t.Helper()
		found, err := metrics.Gather()
		require.NoError(t, err)
		require.Len(t, found, 1)
		var got []float64
		for _, m := range found[0].GetMetric() { // by system
			got = append(got, m.GetGauge().GetValue())
		}
		assert.Equal(t, want, got)
	}
	for _, err := range []error{nil, errors.New("down"), context.Canceled} {
		w.Record("host", err)
		w.Record("relay", nil)
	}
	check(1, 0)
	w.Record("host", nil)
	check(0, 0)
}
