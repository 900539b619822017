package db

import (
	"context"
	"net"
	"sync"
	"time"
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

type trackedConn struct {
	net.Conn
	of *openConns
}

func (l *openConns) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := alive.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	made := &trackedConn{conn, l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[*trackedConn]bool{}
	}
	l.open[made] = true
	return made, nil
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
