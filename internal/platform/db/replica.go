package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// replica is a read replica, for reads that can be slightly outdated.
type replica struct {
	pool *sql.DB
	cfg  pgx.ConnConfig
	lag  time.Duration
	log  *slog.Logger

	holds   atomic.Pointer[time.Time] // it has all commits before this time; nil: unknown
	reads   atomic.Int64              // answered by the replica
	refused atomic.Int64              // answered by the primary instead
}

// within is the replica's query timeout. After it, the primary runs the query.
const within = 3 * time.Second

// UseReplica makes ReadFromReplica read from a replica while it has all commits older than lag. Reads start
// when FollowReplica runs.
func (d *DB) UseReplica(rawURL string, lag time.Duration, log *slog.Logger) error {
	if d.Dialect.Name != "postgres" {
		return errors.New("only PostgreSQL databases can have a replica")
	}
	cfg, err := postgresConfig(requireTLS(rawURL), alive.DialContext)
	if err != nil {
		return err
	}
	pool := openPool(cfg)
	pool.SetMaxOpenConns(d.connections)
	pool.SetMaxIdleConns(d.connections)
	d.replica = &replica{pool: pool, cfg: *cfg, lag: lag, log: log}
	return nil
}

// ReadFromReplica runs fn on the replica if that is recent enough. Otherwise, or if the replica fails, it
// runs fn on the primary. fn must only read and can run twice. Don't use it to show a change
// right after it.
func ReadFromReplica[T any](ctx context.Context, d *DB, fn func(ctx context.Context, q Queryer) (T, error)) (T, error) {
	r := d.replica
	if r == nil {
		return fn(ctx, d.Reader)
	}
	if r.isFresh() {
		limited, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		found, err := fn(limited, r.pool)
		if err == nil || errors.Is(err, ErrNotFound) || ctx.Err() != nil {
			r.reads.Add(1)
			return found, err
		}
		r.log.WarnContext(ctx, "replica failed, using the primary", "error", err)
	}
	r.refused.Add(1)
	return fn(ctx, d.Reader)
}

func (r *replica) isFresh() bool {
	holds := r.holds.Load()
	return holds != nil && time.Since(*holds) <= r.lag
}

// ReplicaStatus is the status of a replica.
type ReplicaStatus struct {
	Age            time.Duration // commits newer than this may be missing; negative: unknown
	Reads, Instead int64         // answered by the replica, and by the primary instead
}

// Replica returns the status of the replica; false without one.
func (d *DB) Replica() (ReplicaStatus, bool) {
	r := d.replica
	if r == nil {
		return ReplicaStatus{}, false
	}
	s := ReplicaStatus{Age: -time.Second, Reads: r.reads.Load(), Instead: r.refused.Load()}
	if holds := r.holds.Load(); holds != nil {
		s.Age = time.Since(*holds)
	}
	return s, true
}

// FollowReplica compares the log positions of the replica and the primary until the context
// ends. It doesn't depend on the servers' clocks.
func (d *DB) FollowReplica(ctx context.Context) {
	r := d.replica
	if r == nil {
		return
	}
	var f follower
	defer f.disconnect(ctx)
	every := max(r.lag/5, 50*time.Millisecond)
	var logged string
	for ctx.Err() == nil {
		asking, cancel := context.WithTimeout(ctx, max(r.lag, time.Second))
		err := f.check(asking, d, r)
		cancel()
		if err != nil {
			f.disconnect(ctx)
		} else if !r.isFresh() {
			err = fmt.Errorf("more than %s behind", r.lag)
		}
		// Log each status once, not at each check.
		switch say := fmt.Sprint(err); {
		case ctx.Err() != nil || say == logged:
		case err != nil:
			logged = say
			r.log.WarnContext(ctx, "stopped using the replica; the primary handles all reads", "error", err)
		default:
			logged = say
			r.log.InfoContext(ctx, "using the replica; searches can be slightly out of date", "lag", r.lag)
		}
		select {
		case <-ctx.Done():
		case <-time.After(every):
		}
	}
}

// CheckReplica returns why the replica isn't used, and its lag in bytes of the log.
func (d *DB) CheckReplica(ctx context.Context) (behind int64, err error) {
	var f follower
	defer f.disconnect(ctx)
	if err := f.check(ctx, d, d.replica); err != nil || len(f.pending) == 0 {
		return 0, err
	}
	return f.pending[0].end - f.replayed, nil
}

// follower checks both servers on its own connections.
type follower struct {
	primary, replica *pgx.Conn
	pending          []place // not replayed by the replica yet
	replayed         int64   // by the replica
}

// mostPending limits the stored positions for a replica that makes no progress.
const mostPending = 100

// place is a lower bound of the primary's log position at a time.
type place struct {
	at  time.Time
	end int64
}

func (f *follower) disconnect(ctx context.Context) {
	for _, conn := range []*pgx.Conn{f.primary, f.replica} {
		if conn != nil {
			at, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			_ = conn.Close(at) // the connection is lost
			cancel()
		}
	}
	f.primary, f.replica, f.pending = nil, nil, nil
}

// which identifies a database in a cluster. A replica's value equals its primary's.
const which = `SELECT (SELECT system_identifier FROM pg_control_system())::text || ' ' || oid::text FROM pg_database
	WHERE datname = current_database()`

// Identity returns a text that differs for every PostgreSQL database, also for a restored dump, or "" for an embedded one.
func (d *DB) Identity(ctx context.Context) (id string, err error) {
	if d.Dialect.Name != "postgres" {
		return "", nil
	}
	return id, d.Writer.QueryRowContext(ctx, which).Scan(&id)
}

func (f *follower) connect(ctx context.Context, d *DB, r *replica) (err error) {
	if f.primary, err = d.Connect(ctx); err != nil {
		return fmt.Errorf("primary: %w", redact(err))
	}
	if f.replica, err = pgx.ConnectConfig(ctx, &r.cfg); err != nil {
		return fmt.Errorf("replica: %w", redact(err))
	}
	var ours, theirs string
	if err := errors.Join(f.primary.QueryRow(ctx, which).Scan(&ours), f.replica.QueryRow(ctx, which).Scan(&theirs)); err != nil {
		return err
	}
	if ours != theirs {
		return errors.New("the address is a different database than the portal's")
	}
	return nil
}

// check records the newest time whose commits the replica has completely.
func (f *follower) check(ctx context.Context, d *DB, r *replica) error {
	if f.replica == nil {
		if err := f.connect(ctx, d, r); err != nil {
			return err
		}
	}
	// Read the clock first: all commits before it are before the log position read afterwards.
	p := place{at: time.Now()}
	if err := f.primary.QueryRow(ctx, `SELECT (pg_current_wal_lsn() - '0/0')::bigint`).Scan(&p.end); err != nil {
		return fmt.Errorf("primary: %w", redact(err))
	}
	f.pending = append(f.pending, p)
	var follows bool
	var replayed *int64
	if err := f.replica.QueryRow(ctx, `SELECT pg_is_in_recovery(),
		(pg_last_wal_replay_lsn() - '0/0')::bigint`).Scan(&follows, &replayed); err != nil {
		return fmt.Errorf("replica: %w", redact(err))
	}
	if !follows || replayed == nil {
		return errors.New("the server isn't a replica")
	}
	f.replayed = *replayed
	for len(f.pending) > 0 && f.pending[0].end <= f.replayed {
		at := f.pending[0].at
		r.holds.Store(&at)
		f.pending = f.pending[1:]
	}
	f.pending = f.pending[max(0, len(f.pending)-mostPending):]
	return nil
}
