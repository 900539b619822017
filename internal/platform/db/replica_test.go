package db_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func newest(t *testing.T, d *db.DB) int {
	t.Helper()
	n, err := db.ReadFromReplica(t.Context(), d, func(ctx context.Context, q db.Queryer) (n int, err error) {
		return db.One[int](ctx, q, `SELECT max(n) FROM facts`)
	})
	require.NoError(t, err)
	return n
}

// until waits for a condition.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		require.Falsef(t, time.Now().After(end), "not within 20 s: %s", what)
	}
}

func opened(t *testing.T, url, replica string, lag time.Duration) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	require.NoError(t, d.UseReplica(replica, lag, slog.New(slog.DiscardHandler)))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { d.FollowReplica(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done })
	return d
}

func isFresh(d *db.DB, lag time.Duration) func() bool {
	return func() bool {
		s, there := d.Replica()
		return there && s.Age >= 0 && s.Age <= lag
	}
}

// Reads are never older than the lag. They use the replica while it keeps up, and the primary
// while the replica is paused, unreachable, or promoted.
func TestAgedReadsAreNeverOlderThanTheLag(t *testing.T) {
	primary := dbtest.StartServer(t)
	replica := primary.Follower("replica")
	const lag = time.Second
	d := opened(t, primary.URL("postgres"), replica.URL("postgres"), lag)
	exec := func(query string, args ...any) {
		t.Helper()
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), query, args...)))
	}
	exec(`CREATE TABLE facts (n int)`)
	exec(`INSERT INTO facts VALUES (0)`)
	until(t, "using the replica", isFresh(d, lag))

	// With a replica that pauses repeatedly, reads see all commits older than the lag.
	follower, err := db.Open(t.Context(), replica.URL("postgres"))
	require.NoError(t, err)
	defer follower.Close()
	said := func(query string) {
		t.Helper()
		require.NoError(t, dbtest.Err(follower.Writer.ExecContext(t.Context(), query)))
	}
	confirmed := map[int]time.Time{}
	oldest := func() { // the oldest value that is allowed now
		t.Helper()
		asked := time.Now()
		n := newest(t, d)
		for m, at := range confirmed {
			if m > n && asked.Sub(at) > lag {
				t.Fatalf("%d was read, and %d was confirmed %s before", n, m, asked.Sub(at))
			}
		}
	}
	write := func(times int) {
		t.Helper()
		for range times {
			n := len(confirmed) + 1
			exec(`INSERT INTO facts VALUES ($1)`, n)
			confirmed[n] = time.Now()
			oldest()
			time.Sleep(50 * time.Millisecond)
		}
	}
	useReplica := func() {
		t.Helper()
		before, _ := d.Replica()
		until(t, "a read of the replica", func() bool {
			oldest()
			after, _ := d.Replica()
			return after.Reads > before.Reads
		})
	}
	write(10)
	useReplica()
	said(`SELECT pg_wal_replay_pause()`)
	write(35)
	until(t, "the replica is too old", func() bool { return !isFresh(d, lag)() })
	before, _ := d.Replica()
	oldest()
	if after, _ := d.Replica(); after.Reads != before.Reads || after.Instead != before.Instead+1 {
		t.Errorf("while it's paused, the replica answered %d, the primary %d", after.Reads-before.Reads, after.Instead-before.Instead)
	}
	said(`SELECT pg_wal_replay_resume()`)
	write(15)
	until(t, "using the replica again", isFresh(d, lag))
	useReplica()

	replica.Kill()
	for i := range 5 {
		exec(`INSERT INTO facts VALUES ($1)`, 100+i)
		confirmed[100+i] = time.Now()
		oldest() // right away, without an error
	}
	time.Sleep(lag)
	oldest()
	replica.Start()
	until(t, "using the replica after its start", isFresh(d, lag))
	replica.Promote()
	exec(`INSERT INTO facts VALUES (200)`)
	time.Sleep(lag + 100*time.Millisecond)
	assert.Equal(t, 200, newest(t, d))
}

// If the replica fails a query, the primary runs it without an error.
func TestAQueryThatTheReplicaFailsIsAskedOfThePrimary(t *testing.T) {
	primary := dbtest.StartServer(t)
	replica := primary.Follower("replica")
	d := opened(t, primary.URL("postgres"), replica.URL("postgres"), 5*time.Second)
	until(t, "using the replica", isFresh(d, 5*time.Second))
	follows, err := db.ReadFromReplica(t.Context(), d, func(ctx context.Context, q db.Queryer) (follows bool, err error) {
		// Like a row that is vacuumed during a query, this fails only on the replica.
		return db.One[bool](ctx, q, `SELECT CASE WHEN pg_is_in_recovery() THEN 1 / (random()::int * 0) = 1 ELSE false END`)
	})
	assert.NoError(t, err)
	assert.False(t, follows)
}

func TestAReplicaMustBeOne(t *testing.T) {
	for kind, url := range map[string]string{"sqlite": "postgres://wcpp@127.0.0.1:1/x", "postgres": "mysql://x"} {
		if err := dbtest.Open(t, kind).UseReplica(url, time.Second, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%s took the replica %s", kind, url)
		}
	}
	primary := dbtest.StartServer(t)
	other := dbtest.StartServer(t)
	for name, address := range map[string]string{
		"itself": primary.URL("postgres"), "another": other.URL("postgres"),
		"nobody": fmt.Sprintf("postgres://wcpp@127.0.0.1:%d/x?sslmode=disable", 1),
	} {
		t.Run(name, func(t *testing.T) {
			d := opened(t, primary.URL("postgres"), address, time.Second)
			time.Sleep(500 * time.Millisecond)
			assert.NoError(t, dbtest.Err(db.ReadFromReplica(t.Context(), d, func(ctx context.Context, q db.Queryer) (n int, err error) {
				return db.One[int](ctx, q, `SELECT 1`)
			})))
			if s, _ := d.Replica(); s.Reads != 0 || s.Instead == 0 {
				t.Errorf("it was read from: %+v", s)
			}
		})
	}
}
