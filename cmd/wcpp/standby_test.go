package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// A synchronous standby takes over while users sign in and search. The primary is either gone or
// doesn't respond. Both instances find the standby by their configured addresses. Sessions
// continue, confirmed writes exist and streams reconnect.
func TestStandbyTakesOver(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"killed", "frozen"} {
		t.Run(how, func(t *testing.T) {
			primary := dbtest.StartServer(t)
			standby := primary.Follower("standby")
			primary.Set("synchronous_standby_names='standby'")
			c := newCable(t, primary.Host())
			hosts := &url.URL{
				Scheme: "postgres", User: url.User("wcpp"), Host: c.address() + "," + standby.Host(), Path: "/postgres",
				RawQuery: "sslmode=disable&target_session_attrs=read-write",
			}
			if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", hosts.String(), "--type", "PRUS", "--first-name",
				"Ada", "--last-name", "Moore",
				"--email", "ada@example.com", "--tins", "111111111", "--password-stdin"); code != 0 {
				t.Fatal(out)
			}
			instances, token, id := twoServing(t, hosts.String())
			var answered, heard atomic.Int64
			var tokens []string
			var mu sync.Mutex
			stop := make(chan struct{})
			var load sync.WaitGroup
			again := func(do func()) {
				load.Go(func() {
					for {
						select {
						case <-stop:
							return
						default:
							do()
						}
					}
				})
			}
			for n := range 4 {
				again(func() {
					if search(instances[n%2], token, fmt.Sprintf("N%d", n)) {
						answered.Add(1)
					} else {
						time.Sleep(50 * time.Millisecond)
					}
				})
			}
			again(func() {
				if own, err := signIn(instances[1]); err == nil {
					mu.Lock()
					tokens = append(tokens, own)
					mu.Unlock()
				}
				time.Sleep(50 * time.Millisecond)
			})
			again(func() { follow(instances[1], token, id, &heard, stop) })
			await(t, "people search", func() bool { return answered.Load() > 100 })
			await(t, "a stream is open", func() bool { return heard.Load() > 0 })

			if how == "killed" {
				primary.Kill()
			} else {
				c.freeze()
			}
			standby.Promote()
			promoted := time.Now()
			for _, address := range instances {
				await(t, "calls are answered again", func() bool { return signedIn(address, token) })
			}
			if took := time.Since(promoted); took > 30*time.Second {
				t.Errorf("it took %s", took)
			} else {
				t.Logf("answered again after %s", took)
			}
			before := answered.Load()
			await(t, "people search again", func() bool { return answered.Load() > before+50 })

			// The stream gets an event from the other instance.
			count := heard.Load()
			d, err := db.Open(t.Context(), standby.URL("postgres"))
			require.NoError(t, err)
			defer d.Close()
			await(t, "the stream is told", func() bool {
				_, err := db.Exec(t.Context(), d.Writer, fmt.Sprintf(`SELECT pg_notify('wcpp_events', 'user:%d')`, id))
				return err == nil && heard.Load() > count
			})
			close(stop)
			load.Wait()
			mu.Lock()
			defer mu.Unlock()
			for i, own := range tokens {
				if status := getStatus(instances[i%2], own); status != http.StatusOK {
					t.Errorf("session %d of %d was confirmed, and is answered with %d", i, len(tokens), status)
				}
			}
			var noted int64
			require.NoError(t, db.Get(t.Context(), d.Reader, &noted, `SELECT count(*) FROM audit_log
				WHERE operation = 'searchByAssorted'`))
			assert.GreaterOrEqual(t, noted, answered.Load())
		})
	}
}

// twoServing starts two instances and signs Ada in on the first.
func twoServing(t *testing.T, url string, more ...string) (instances []string, token string, id int64) {
	t.Helper()
	for range 2 {
		address, cmd := startServer(t, url, t.TempDir(), more...)
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		instances = append(instances, address)
	}
	token, err := signIn(instances[0])
	require.NoError(t, err)
	var who struct{ User struct{ ID int64 } }
	require.NoError(t, json.Unmarshal(call(t, http.MethodGet, instances[1], token, "/api/session"), &who))
	return instances, token, who.User.ID
}

// follow counts the messages of a stream until it ends.
func follow(address, token string, id int64, heard *atomic.Int64, stop <-chan struct{}) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	go func() {
		select {
		case <-stop:
			end()
		case <-ctx.Done():
		}
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/api/notifications/events/%d", address, id), nil)
	if err != nil {
		return
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		time.Sleep(100 * time.Millisecond)
		return
	}
	defer res.Body.Close()
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "data:") {
			heard.Add(1)
		}
	}
	time.Sleep(100 * time.Millisecond)
}
