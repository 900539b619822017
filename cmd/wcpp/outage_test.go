package main

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db/dbtest"
)

// cable is a network connection between the portal and another server that tests can cut.
type cable struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	flows    *sync.Cond
	frozen   bool
	broken   bool
	conns    []net.Conn
}

// newCable puts a cable in front of a server.
func newCable(t *testing.T, to string) *cable {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c := &cable{listener: listener, to: to}
	c.flows = sync.NewCond(&c.mu)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go c.carry(conn)
		}
	}()
	t.Cleanup(func() {
		c.mend()
		_ = listener.Close()
		c.hangUp()
	})
	return c
}

func (c *cable) address() string { return c.listener.Addr().String() }

func (c *cable) carry(near net.Conn) {
	c.mu.Lock()
	broken := c.broken
	c.conns = append(c.conns, near)
	c.mu.Unlock()
	if broken {
		_ = near.Close() // cut
		return
	}
	far, err := net.Dial("tcp", c.to)
	if err != nil {
		_ = near.Close() // cut
		return
	}
	go c.flow(near, far)
	c.flow(far, near)
}

// flow copies bytes and pauses while the cable is frozen.
func (c *cable) flow(from, to net.Conn) {
	defer to.Close()   //nolint:errcheck // it is cut
	defer from.Close() //nolint:errcheck // it is cut
	part := make([]byte, 32<<10)
	for {
		n, err := from.Read(part)
		c.mu.Lock()
		for c.frozen {
			c.flows.Wait()
		}
		c.mu.Unlock()
		if n > 0 {
			if _, failed := to.Write(part[:n]); failed != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// freeze stops all traffic without closing connections.
func (c *cable) freeze() { c.set(true, false) }

// cut closes existing connections and refuses new ones.
func (c *cable) cut() {
	c.set(false, true)
	c.hangUp()
}

func (c *cable) mend() { c.set(false, false) }

func (c *cable) set(frozen, broken bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frozen, c.broken = frozen, broken
	c.flows.Broadcast()
}

func (c *cable) hangUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		_ = conn.Close() // cut
	}
	c.conns = nil
}

// asked is a request's result and duration.
type asked struct {
	status     int
	retryAfter string
	took       time.Duration
}

func getAnswer(t *testing.T, address, token, path string) asked {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, "http://"+address+path, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	began := time.Now()
	client := http.Client{Timeout: 2 * time.Minute}
	res, err := client.Do(req)
	require.NoError(t, err, path)
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body) // only the status matters
	return asked{res.StatusCode, res.Header.Get("Retry-After"), time.Since(began)}
}

// If the database is cut off or doesn't respond, the portal reports it within ten seconds with
// Retry-After. It recovers when the database does.
func TestOutageOfPostgreSQL(t *testing.T) {
	t.Parallel()
	direct := dbtest.URL(t, "postgres")
	if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", direct, "--type", "PRUS", "--first-name", "Ada",
		"--last-name", "Moore",
		"--email", "ada@example.com", "--tins", "111111111", "--password-stdin"); code != 0 {
		t.Fatal(out)
	}
	u, err := url.Parse(direct)
	require.NoError(t, err)
	c := newCable(t, u.Host)
	u.Host = c.address()
	metrics := freeAddress(t)
	address, cmd := startServer(t, u.String(), filepath.Join(t.TempDir(), "data"), "--metrics-listen", metrics)
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	token, err := signIn(address)
	require.NoError(t, err)
	const call = "/api/session"
	if got := getAnswer(t, address, token, call); got.status != http.StatusOK {
		t.Fatalf("%+v", got)
	}
	for name, outage := range map[string]func(){"cut": c.cut, "frozen": c.freeze} {
		t.Run(name, func(t *testing.T) {
			outage()
			var wait sync.WaitGroup
			for range 30 { // more than the pool size and the per-user limit
				wait.Go(func() {
					got := getAnswer(t, address, token, call)
					isRefused := got.status == http.StatusServiceUnavailable || got.status == http.StatusTooManyRequests
					if !isRefused || got.retryAfter == "" || got.took > 10*time.Second {
						t.Errorf("%+v", got)
					}
				})
			}
			wait.Wait()
			await(t, "calls are refused at once", func() bool { return getAnswer(t, address, token, call).took < time.Second })
			if got := getAnswer(t, address, token, "/readyz"); got.status != http.StatusServiceUnavailable {
				t.Errorf("ready: %+v", got)
			}
			if got := getAnswer(t, address, token, "/healthz"); got.status != http.StatusOK {
				t.Errorf("alive: %+v", got)
			}
			if exposed := getBody(t, metrics, "/metrics"); !strings.Contains(exposed, "\nwcpp_ready 0") ||
				!strings.Contains(exposed, "\ngo_goroutines ") {
				t.Errorf("metrics: %.200s", exposed)
			}
			c.mend()
			await(t, "calls are answered again", func() bool { return getAnswer(t, address, token, call).status == http.StatusOK })
			await(t, "it is ready again", func() bool { return ready(address) })
			assert.Contains(t, getBody(t, metrics, "/metrics"), "\nwcpp_ready 1")
			for range 30 {
				if got := getAnswer(t, address, token, call); got.status != http.StatusOK || got.took > 10*time.Second {
					t.Errorf("afterwards: %+v", got)
				}
			}
		})
	}
}

func getBody(t *testing.T, address, path string) string {
	t.Helper()
	res, err := http.Get("http://" + address + path)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return strings.TrimSpace(fmt.Sprintf("%d %s", res.StatusCode, body))
}

// awaitBody waits for a response body with a given prefix.
func awaitBody(t *testing.T, address, path, want string) {
	t.Helper()
	await(t, path+" answers "+want, func() bool { return strings.HasPrefix(getBody(t, address, path), want) })
}

// The portal reports a full disk at startup or later, and continues once there's space.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--data", data, "--type", "PRUS", "--first-name", "Ada", "--last-name",
		"Moore",
		"--email", "ada@example.com", "--password-stdin"); code != 0 {
		t.Fatal(out)
	}
	limit := func(cmd *exec.Cmd, bytes string) {
		t.Helper()
		if out, err := exec.Command("prlimit", "--pid", strconv.Itoa(cmd.Process.Pid), "--fsize="+bytes+":unlimited").
			CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	address := freeAddress(t)
	cmd := program(t, "serve", "--data", data, "--listen", address, "--legacy-sign-in", "--log-level", "error")
	cmd.Args = append([]string{"prlimit", "--fsize=0:unlimited", cmd.Path}, cmd.Args[1:]...)
	var err error
	if cmd.Path, err = exec.LookPath("prlimit"); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, cmd.Start())
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	awaitBody(t, address, "/readyz", "503 not ready: The disk is full")
	assert.Equal(t, "200 ok", getBody(t, address, "/healthz"))
	if got := getBody(t, address, "/api/session"); !strings.HasPrefix(got, `503 {"status":503,"code":"UNAVAILABLE"`) {
		t.Error(got)
	}
	limit(cmd, "unlimited")
	awaitBody(t, address, "/readyz", "200 ok")
	require.NoError(t, dbtest.Err(signIn(address)))

	limit(cmd, "0")
	awaitBody(t, address, "/readyz", "503 the database isn't writable")
	assert.Error(t, dbtest.Err(signIn(address)), "somebody signs in of whom nothing can be noted")
	limit(cmd, "unlimited")
	awaitBody(t, address, "/readyz", "200 ok")
	assert.NoError(t, dbtest.Err(signIn(address)))
}

// A backup that doesn't fit says so, and leaves no archive.
func TestBackupToAFullDisk(t *testing.T) {
	t.Parallel()
	data, archive := t.TempDir(), filepath.Join(t.TempDir(), "backup.tar")
	if out, code := wcpp(t, "", "migrate", "--data", data); code != 0 {
		t.Fatal(out)
	}
	cmd := program(t, "backup", "--data", data, archive)
	cmd.Args = append([]string{"prlimit", "--fsize=65536", cmd.Path}, cmd.Args[1:]...)
	var err error
	if cmd.Path, err = exec.LookPath("prlimit"); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the disk is full or failing; free some space, then try again") {
		t.Errorf("%v: %s", err, out)
	}
	assert.ErrorIs(t, dbtest.Err(os.Stat(archive)), fs.ErrNotExist)
}

// If the file store is missing at startup or stops responding later, only requests that need
// files are delayed, and only briefly.
func TestOutageOfTheStorage(t *testing.T) {
	store := s3mem.New()
	require.NoError(t, store.CreateBucket("files"))
	s3 := httptest.NewServer(gofakes3.New(store).Server())
	defer s3.Close()
	c := newCable(t, strings.TrimPrefix(s3.URL, "http://"))
	c.cut()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	blobs := "s3://files?" + url.Values{"region": {"us-east-1"}, "endpoint": {"http://" + c.address()}, "use_path_style": {"true"},
		"timeout": {"2s"}}.Encode()
	data := t.TempDir()
	database := "sqlite:" + filepath.Join(data, "wcpp.db")
	rosterAdmin(t, database)
	metrics := freeAddress(t)
	address, cmd := startServer(t, database, data, "--blob-url", blobs, "--metrics-listen", metrics)
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	awaitBody(t, address, "/readyz", "200 ok, but file storage is failing: ")
	if exposed := getBody(t, metrics, "/metrics"); !strings.Contains(exposed, "\nwcpp_files_reachable 0\n") ||
		!strings.Contains(exposed, "\nwcpp_ready 1") {
		t.Errorf("metrics: %.200s", exposed)
	}
	token, err := signIn(address)
	require.NoError(t, err)
	send := func() (time.Duration, error) {
		began := time.Now()
		_, err := sendRoster(address, token, filesOf(1))
		return time.Since(began), err
	}
	c.mend()
	await(t, "a roster can be sent", func() bool { _, err := send(); return err == nil })
	c.freeze()
	if took, err := send(); err == nil || !strings.Contains(err.Error(), "503") || took > 20*time.Second {
		t.Errorf("%s: %v", took, err)
	}
	c.mend()
	await(t, "a roster can be sent again", func() bool { _, err := send(); return err == nil })
}
