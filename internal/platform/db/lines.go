package db

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// alive detects a silently lost server within about ten seconds.
var alive = net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}}

// openConns are all open connections to PostgreSQL. Clients of a frozen or cut-off server would
// otherwise wait too long. The system never closes connections that are still acknowledged, and
// closes others after a quarter of an hour.
type openConns struct {
	mu   sync.Mutex
	open map[*trackedConn]bool
}

// trackedConn records since when its user waits for the server.
type trackedConn struct {
	net.Conn
	of *openConns

	backend atomic.Uint32 // process ID on the server; 0: unknown, or not a connection of the pool
	reading atomic.Bool
	writing atomic.Bool
	passed  atomic.Int64 // when bytes last passed, as nanoseconds since the program's start
}

var started = time.Now()

func (l *openConns) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := alive.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	made := &trackedConn{Conn: conn, of: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[*trackedConn]bool{}
	}
	l.open[made] = true
	return made, nil
}

// Read reads from the server.
func (c *trackedConn) Read(b []byte) (int, error) {
	c.reading.Store(true)
	defer c.reading.Store(false)
	n, err := c.Conn.Read(b)
	c.passed.Store(int64(time.Since(started)))
	return n, err
}

// Write writes to the server.
func (c *trackedConn) Write(b []byte) (int, error) {
	c.writing.Store(true)
	defer c.writing.Store(false)
	n, err := c.Conn.Write(b)
	c.passed.Store(int64(time.Since(started)))
	return n, err
}

// Close closes the connection.
func (c *trackedConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

func (l *openConns) closeAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		_ = c.Conn.Close() // its user gets an error and closes it, too
	}
}

// identify records the server's process of a new connection.
func identify(_ context.Context, conn *pgx.Conn) error {
	under := conn.PgConn().Conn()
	if secure, is := under.(*tls.Conn); is {
		under = secure.NetConn()
	}
	if c, is := under.(*trackedConn); is {
		c.backend.Store(conn.PgConn().PID())
	}
	return nil
}

const (
	silentEvery = 2 * time.Second
	// silentAfter is how long a user waits before the server is asked about the connection.
	silentAfter = 4 * time.Second
	// silentAlone is how long a user waits for a server that accepts no connections either.
	silentAlone = 30 * time.Second
)

// listSilent returns the connections whose users have waited for an answer for some time, with
// the time when bytes last passed.
func (l *openConns) listSilent(longer time.Duration) map[*trackedConn]int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := map[*trackedConn]int64{}
	for c := range l.open {
		passed := c.passed.Load()
		if c.backend.Load() != 0 && c.reading.Load() && !c.writing.Load() && time.Since(started)-time.Duration(passed) > longer {
			found[c] = passed
		}
	}
	return found
}

// closeSilent closes connections that lost bytes on the way, until the context ends. There, the
// program waits for the server and the server for the program, and the system still considers
// the connection intact. Long statements aren't affected, because the server works on them.
func (d *DB) closeSilent(ctx context.Context) {
	tick := time.NewTicker(silentEvery)
	defer tick.Stop()
	suspects := map[*trackedConn]int64{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		silent := d.lines.listSilent(silentAfter)
		if len(silent) == 0 {
			continue
		}
		waiting, err := d.findWaiting(ctx, silent)
		if err != nil {
			waiting = d.lines.listSilent(silentAlone)
			suspects = waiting
		}
		for c, passed := range waiting { // the second time, so the answer isn't delayed
			if before, is := suspects[c]; is && before == passed && c.passed.Load() == passed {
				slog.WarnContext(ctx, "closing a connection to the database that lost data on the way")
				_ = c.Conn.Close() // its user gets an error and closes it, too
			}
		}
		suspects = waiting
	}
}

// findWaiting returns the connections on which the server waits, too, or that it doesn't know.
func (d *DB) findWaiting(ctx context.Context, silent map[*trackedConn]int64) (map[*trackedConn]int64, error) {
	within, cancel := context.WithTimeout(ctx, pulseWithin)
	defer cancel()
	conn, err := d.connect(within, d.URL)
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return nil, nil // it answers, but can't be asked
	}
	if err != nil {
		return nil, err
	}
	defer conn.Close(within) //nolint:errcheck // it has answered
	var pids []int32
	for c := range silent {
		pids = append(pids, int32(c.backend.Load())) //nolint:gosec // the server's process IDs are positive
	}
	rows, err := conn.Query(within,
		`SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND wait_event_type IS DISTINCT FROM 'Client'`, pids)
	if err != nil {
		return nil, err
	}
	working, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	waiting := maps.Clone(silent)
	maps.DeleteFunc(waiting, func(c *trackedConn, _ int64) bool {
		return slices.Contains(working, int32(c.backend.Load())) //nolint:gosec // as above
	})
	return waiting, err
}
