package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

// pooler starts PgBouncer in transaction mode, with fewer server connections than the portal
// opens to it.
func pooler(t *testing.T, server *dbtest.Server, most int) (host string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "wcpp-pgbouncer-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	host = freeAddress(t)
	settings, err := dbtest.PoolerSettings(host, "wcpp", server.Host(), most)
	require.NoError(t, err)
	file := filepath.Join(dir, "pgbouncer.ini")
	require.NoError(t, os.WriteFile(file, []byte(settings), 0o644))
	cmd := exec.Command("/usr/sbin/pgbouncer", file)
	if err := os.Chmod(dir, 0o755); err != nil { // it may run as another user
		t.Fatal(err)
	}
	dbtest.RunAsServer(cmd)
	said := &strings.Builder{}
	cmd.Stderr = said
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(said)
		}
	})
	await(t, "the pooler answers", func() bool {
		conn, err := net.Dial("tcp", host)
		return err == nil && conn.Close() == nil
	})
	return host
}

// Two instances share four server connections through a pooler that assigns one per transaction.
// Search, uploads and file creation work, each job runs once and events cross instances.
func TestBehindAPoolerOfTransactions(t *testing.T) {
	t.Parallel()
	server := dbtest.StartServer(t)
	pooled := "postgres://wcpp@" + pooler(t, server, 4) + "/postgres?sslmode=disable&default_query_exec_mode=exec"
	direct := server.URL("postgres")
	if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", pooled, "--database-direct-url", direct, "--type", "PRUS",
		"--first-name", "Ada", "--last-name", "Moore",
		"--email", "ada@example.com", "--tins", "111111111", "--password-stdin"); code != 0 {
		t.Fatal(out)
	}
	d, err := db.Open(t.Context(), direct)
	require.NoError(t, err)
	defer d.Close()
	instances, token, id := twoServing(t, pooled, "--database-direct-url", direct)
	var heard, answered atomic.Int64
	stop := make(chan struct{})
	defer close(stop)
	go follow(instances[1], token, id, &heard, stop)
	await(t, "the stream is open", func() bool { return heard.Load() > 0 })
	count := heard.Load()
	await(t, "the stream is told", func() bool {
		_, err := db.Exec(t.Context(), d.Writer, fmt.Sprintf(`SELECT pg_notify('wcpp_events', 'user:%d')`, id))
		return err == nil && heard.Load() > count
	})
	done := make(chan bool)
	for n := range 30 {
		go func() {
			for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
				if !search(instances[n%2], token, fmt.Sprintf("N%d", n)) {
					done <- false
					return
				}
				answered.Add(1)
			}
			done <- true
		}()
	}
	for range 30 {
		if !<-done {
			t.Error("a search failed")
		}
	}
	t.Logf("%d searches", answered.Load())
	var connections int
	require.NoError(t, db.Get(t.Context(), d.Reader, &connections, `SELECT count(*) FROM pg_stat_activity
		WHERE application_name = 'wcpp'`))
	if connections > 4+2+2 { // pooler, both event listeners and this test
		t.Errorf("%d connections", connections)
	}
	var failed []string
	require.NoError(t, db.Select(t.Context(), d.Reader, &failed, `SELECT kind || ' ' || coalesce(errors[1]->>'error', '') FROM river_job
		WHERE errors IS NOT NULL`))
	assert.Empty(t, failed)
}

// The portal detects a pooler. It doesn't use prepared statements even if the address doesn't
// say so, and it reports a missing direct address.
func TestAPoolerIsKnown(t *testing.T) {
	t.Parallel()
	server := dbtest.StartServer(t)
	pooled, direct := "postgres://wcpp@"+pooler(t, server, 4)+"/postgres?sslmode=disable", server.URL("postgres")
	said, _ := runDoctor(t, "--data", t.TempDir(), "--database-url", pooled)
	wantLines(t, said, "warning  pooler:         A connection pooler is in use")
	said, _ = runDoctor(t, "--data", t.TempDir(), "--database-url", pooled, "--database-direct-url", direct)
	wantLines(t, said, "ok       direct URL:     The address reaches the same database.")
	if said, _ := runDoctor(t, "--data", t.TempDir(), "--database-url", direct); strings.Contains(said, "pooler") {
		t.Errorf("a server is taken for a pooler:\n%s", said)
	}
	if out, code := wcpp(t, "Quiet-Lake-7\n", "user", "add", "--database-url", pooled, "--type", "PRUS", "--first-name", "Ada",
		"--last-name", "Moore",
		"--email", "ada@example.com", "--tins", "111111111", "--password-stdin"); code != 0 {
		t.Fatal(out)
	}
	instances, token, _ := twoServing(t, pooled, "--database-direct-url", direct)
	done := make(chan bool)
	for n := range 10 {
		go func() {
			good := true
			for m := range 20 {
				good = search(instances[n%2], token, fmt.Sprintf("N%d", m)) && good
			}
			done <- good
		}()
	}
	for range 10 {
		if !<-done {
			t.Error("a search failed")
		}
	}
}

// The direct address must be the same database. Tables in another database aren't touched.
func TestTheDirectAddressIsTheSameDatabase(t *testing.T) {
	url, other := dbtest.URL(t, "postgres"), dbtest.URL(t, "postgres")
	embedded := "sqlite:" + filepath.Join(t.TempDir(), "wcpp.db")
	for _, addresses := range [][]string{{url, other}, {embedded, other}} {
		for _, command := range []string{"serve --listen " + freeAddress(t), "migrate"} {
			out, code := wcpp(t, "", append(strings.Fields(command), "--data", filepath.Join(t.TempDir(), "data"), "--database-url",
				addresses[0], "--database-direct-url", addresses[1])...)
			if code != 2 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "WCPP_DATABASE_DIRECT_URL: is ") {
				t.Errorf("%s: exit %d\n%s", command, code, out)
			}
		}
	}
	d, err := db.Open(t.Context(), other)
	require.NoError(t, err)
	defer d.Close()
	if version, newest, err := migrations.ReadVersions(t.Context(), d); err != nil || version != 0 || newest == 0 {
		t.Errorf("the other database has version %d of %d, %v", version, newest, err)
	}
	said, ill := runDoctor(t, "--data", t.TempDir(), "--database-url", url, "--database-direct-url", other)
	if wantLines(t, said, "wrong    direct URL:     is a different database"); !ill {
		t.Error("it is called well")
	}
	said, _ = runDoctor(t, "--data", t.TempDir(), "--database-url", url, "--database-direct-url",
		"postgres://wcpp:hunter2@"+freeAddress(t)+"/wcpp")
	wantLines(t, said, "wrong    direct URL:     Connection refused.")
}
