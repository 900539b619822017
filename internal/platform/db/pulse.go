package db

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrOutage is the cause with which contexts end while the database does not answer.
var ErrOutage = errors.New("database isn't responding")

const (
	pulseEvery = 2 * time.Second
	// A database that says nothing for so long has an outage. With the time between
	// two questions whoever waits is told within 10 seconds.
	pulseWithin = 4 * time.Second
)

// Pulse knows whether PostgreSQL answers: it asks on a connection of its own, which no
// slow query keeps waiting. A server that is frozen, or cut off, answers nobody, and
// without it they would all wait: in an outage all connections are hung up. None at all
// always beats.
type Pulse struct {
	db      *DB
	log     *slog.Logger
	conn    *pgx.Conn
	mu      sync.Mutex
	answers context.Context // ends with an outage
	end     context.CancelCauseFunc
}

// NewPulse makes the pulse of a database, which answers until Run finds that it does
// not. SQLite always does.
func NewPulse(d *DB, log *slog.Logger) *Pulse {
	p := &Pulse{db: d, log: log}
	p.answers, p.end = context.WithCancelCause(context.Background())
	return p
}

// Beats tells whether the database answered when it was asked last.
func (p *Pulse) Beats() bool { return p == nil || p.now().Err() == nil }

func (p *Pulse) now() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answers
}

// Quiet is a log of what goes on in loops: it is silent while the database does not answer,
// which the pulse tells once, and each of them would several times a second.
func (p *Pulse) Quiet(log *slog.Logger) *slog.Logger { return slog.New(quiet{log.Handler(), p}) }

type quiet struct {
	slog.Handler
	pulse *Pulse
}

// Enabled tells whether something is logged.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return q.pulse.Beats() && q.Handler.Enabled(ctx, level)
}

// WithAttrs is the log with attributes.
func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler {
	return quiet{q.Handler.WithAttrs(attrs), q.pulse}
}

// WithGroup is the log with a group.
func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name), q.pulse} }

// With is ctx, which ends with ErrOutage when the database does not answer any more. A
// context that is made during an outage is not ended: that there is one it may find
// out by itself. Stop must be called.
func (p *Pulse) With(ctx context.Context) (_ context.Context, stop func()) {
	if p == nil || p.db.Dialect.Name != "postgres" {
		return ctx, func() {}
	}
	answers := p.now()
	if answers.Err() != nil {
		return ctx, func() {}
	}
	ctx, end := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(answers, func() { end(ErrOutage) })
	return ctx, func() {
		unhook()
		end(context.Canceled)
	}
}

// Run asks the database until the context ends.
func (p *Pulse) Run(ctx context.Context) {
	if p.db.Dialect.Name != "postgres" {
		return
	}
	defer p.leave(ctx)
	for ctx.Err() == nil {
		p.tell(ctx, p.ask(ctx))
		select {
		case <-ctx.Done():
		case <-time.After(pulseEvery):
		}
	}
}

// ask answers ErrOutage where neither the connection nor a new one is answered in time.
func (p *Pulse) ask(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, pulseWithin)
	defer cancel()
	if p.conn != nil && p.conn.Ping(within) == nil {
		return nil
	}
	p.leave(ctx)
	conn, err := p.db.connect(within, p.db.URL) // as everybody
	if err == nil {
		p.conn = conn
		return nil
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) && !strings.HasPrefix(refused.Code, "57P") {
		return nil // it answers, if not as hoped
	}
	return errors.Join(ErrOutage, err)
}

func (p *Pulse) leave(ctx context.Context) {
	if p.conn == nil {
		return
	}
	at, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = p.conn.Close(at) // it is given up
	p.conn = nil
}

func (p *Pulse) tell(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil { // also those that were made meanwhile
		p.db.lines.hangUp()
	}
	switch was := p.answers.Err() == nil; {
	case was && err != nil:
		p.log.ErrorContext(ctx, "database isn't responding, rejecting requests until it does", "error", err)
		p.end(ErrOutage)
	case !was && err == nil:
		p.log.InfoContext(ctx, "database is responding again")
		p.db.renew()
		p.answers, p.end = context.WithCancelCause(context.Background())
	}
}
