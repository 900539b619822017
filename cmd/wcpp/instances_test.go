package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// balancer forwards requests to the instances in turn. It retries the next instance if one can't
// be reached.
type balancer struct {
	turn      atomic.Int64
	mu        sync.Mutex
	instances []string
}

func (b *balancer) set(n int, address string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.instances[n] = address
}

// RoundTrip tries each instance. Retrying is safe because a refused connection sent nothing.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	instances := append([]string(nil), b.instances...)
	b.mu.Unlock()
	turn := int(b.turn.Add(1))
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	var res *http.Response
	var err error
	for i := range instances {
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.URL.Host = instances[(turn+i)%len(instances)]
		if res, err = http.DefaultTransport.RoundTrip(r); err == nil || !strings.Contains(err.Error(), "connection refused") {
			break
		}
	}
	return res, err
}

// Two instances share a PostgreSQL server and an S3-compatible store behind a load balancer. A
// session from one works on the other, and both share files and events. Either can stop under
// load without signing anyone out or losing a confirmed write.
func TestTwoInstancesBehindABalancer(t *testing.T) {
	store := s3mem.New()
	require.NoError(t, store.CreateBucket("files"))
	s3 := httptest.NewServer(gofakes3.New(store).Server())
	defer s3.Close()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	blobs := "s3://files?" + url.Values{"region": {"us-east-1"}, "endpoint": {s3.URL}, "use_path_style": {"true"}}.Encode()
	address := dbtest.URL(t, "postgres")
	people := []string{"amoore", "bmoore", "cmoore"}
	for n, first := range []string{"Ada", "Ben", "Cleo"} {
		add := []string{"user", "add", "--database-url", address, "--type", "PRUS", "--first-name", first, "--last-name", "Moore",
			"--email", people[n] + "@example.com", "--tins", "111111111", "--password-stdin"}
		if out, code := wcpp(t, "Quiet-Lake-7\n", add...); code != 0 {
			t.Fatal(out)
		}
	}
	d, err := db.Open(t.Context(), address)
	require.NoError(t, err)
	defer d.Close()
	for _, statement := range []string{
		`INSERT INTO providers (provider_id, provider_type, facility_name, name_key) VALUES ('700', 'F', 'Lake Center', 'lake center')`,
		`INSERT INTO provider_tins (ftin, provider_id) VALUES ('111111111', '700')`,
		`INSERT INTO rate_codes (provider_id, line_of_business, ftin, national_rate_code, zip, location_name)
			SELECT '700', 'DPWC', '111111111', 'OH-0' || n, '44114', 'Lake' FROM generate_series(1, 9) AS n`,
		`INSERT INTO rate_allowances (national_rate_code, procedure_code, allowance, effective_date)
			SELECT 'OH-0' || n, '99213', 9200, '2026-01-01' FROM generate_series(1, 9) AS n`,
	} {
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement)))
	}

	b := &balancer{instances: make([]string, 2)}
	front := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.Out.URL.Scheme = "http" },
		Transport:     b,
		FlushInterval: -1, // for streaming
		ErrorLog:      log.New(io.Discard, "", 0),
	})
	defer front.Close()
	at := strings.TrimPrefix(front.URL, "http://")
	running := make([]*exec.Cmd, 2)
	start := func(n int) {
		t.Helper()
		var instance string
		instance, running[n] = startServer(t, address, t.TempDir(), "--blob-url", blobs)
		b.set(n, instance)
	}
	for n := range running {
		start(n)
		defer func() {
			_ = running[n].Process.Kill()
			_ = running[n].Wait()
		}()
	}

	// Sign in on one instance, continue on the other.
	token, err := signIn(b.instances[0])
	require.NoError(t, err)
	require.True(t, signedIn(b.instances[1], token), "the other instance does not know the session")

	// follow requests a fee schedule on one instance. It gets the event on another, which then
	// serves the file.
	follow := func(code int, ask, hear string) {
		t.Helper()
		id := requestFeeSchedule(t, ask, token, fmt.Sprintf("OH-0%d", code))
		req, err := http.NewRequest(http.MethodGet, "http://"+hear+
			"/api/feeSchedule/submitFeeScheduleAndNotify?userName=amoore&feeSchedRqstId="+id, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		heard := false
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			heard = heard || strings.Contains(lines.Text(), `"feeSchedRqstId":`+id)
		}
		assert.Truef(t, heard, "fee schedule %s: nothing was heard of it", id)
		if file := call(t, http.MethodGet, hear, token, "/api/feeSchedule/file/"+id+"?usrName=amoore&mirrorNm="); !bytes.HasPrefix(file,
			[]byte("PK")) {
			t.Errorf("fee schedule %s: %.40q", id, file)
		}
	}
	follow(1, b.instances[0], b.instances[1])
	follow(2, b.instances[1], b.instances[0])

	// Put load on the balancer while each instance is stopped, killed and restarted.
	stop := make(chan struct{})
	var confirmed []string
	var mu sync.Mutex
	var signedOut, calls atomic.Int64
	var load sync.WaitGroup
	// Users sign in one at a time. An attempt interrupted by a kill still counts, so three at
	// once would lock the username.
	for _, person := range people {
		load.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				own, err := signInAs(at, person, "Quiet-Lake-7")
				if err != nil {
					continue // interrupted by a kill, so not confirmed
				}
				mu.Lock()
				confirmed = append(confirmed, own)
				mu.Unlock()
				for range 5 {
					switch status := getStatus(at, own); status {
					case http.StatusOK:
						calls.Add(1)
					case http.StatusUnauthorized:
						signedOut.Add(1)
					}
				}
			}
		})
	}
	code := 3
	for _, how := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		for n := range running {
			before := calls.Load()
			await(t, "the load goes on", func() bool { return calls.Load() > before+20 })
			require.NoError(t, running[n].Process.Signal(how))
			_ = running[n].Wait() // the exit status depends on the signal
			before = calls.Load()
			await(t, "the other instance carries on", func() bool { return calls.Load() > before+20 })
			follow(code, at, at) // jobs and events too
			code++
			start(n)
		}
	}
	close(stop)
	load.Wait()
	assert.LessOrEqual(t, signedOut.Load(), int64(0))
	for _, instance := range b.instances {
		lost := 0
		for _, own := range confirmed {
			if !signedIn(instance, own) {
				lost++
			}
		}
		assert.LessOrEqualf(t, lost, 0, "%d of %d sessions are lost", lost, len(confirmed))
	}
}
