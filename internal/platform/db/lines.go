package db

import (
	"context"
	"net"
	"sync"
	"time"
)

// alive finds out within some ten seconds that a server is gone without a word.
var alive = net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}}

// lines are the open connections to PostgreSQL, whoever uses them. Who waits for a
// server that is frozen, or behind a network that swallows everything, would wait for
// ever: the machine's own limits end no connection that is still acknowledged, and
// others after a quarter of an hour.
type lines struct {
	mu   sync.Mutex
	open map[*line]bool
}

type line struct {
	net.Conn
	of *lines
}

func (l *lines) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := alive.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	made := &line{conn, l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[*line]bool{}
	}
	l.open[made] = true
	return made, nil
}

// Close closes the connection.
func (c *line) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// hangUp closes all of them.
func (l *lines) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		_ = c.Conn.Close() // who uses it is told, and closes it, too
	}
}
