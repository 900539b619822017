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

// ErrOutage is the cause of canceled contexts while the database doesn't respond.
var ErrOutage = errors.New("database isn't responding")

const (
	pulseEvery = 2 * time.Second
	// A database without a response for this long has an outage. Together with the interval,
	// waiting requests end within 10 seconds.
	pulseWithin = 4 * time.Second
)

// HealthProbe monitors whether PostgreSQL responds. It uses its own connection, so slow queries don't
// delay it. During an outage, it closes all connections, because clients of a frozen or cut-off
// server would wait. A nil HealthProbe always reports a response.
type HealthProbe struct {
	db      *DB
	log     *slog.Logger
	conn    *pgx.Conn
	mu      sync.Mutex
	answers context.Context // canceled by an outage
	end     context.CancelCauseFunc
}

// NewHealthProbe returns the pulse of a database. It assumes a response until Run finds an outage.
// SQLite always responds.
func NewHealthProbe(d *DB, log *slog.Logger) *HealthProbe {
	p := &HealthProbe{db: d, log: log}
	p.answers, p.end = context.WithCancelCause(context.Background())
	return p
}

// IsHealthy reports whether the database responded to the last check.
func (p *HealthProbe) IsHealthy() bool { return p == nil || p.now().Err() == nil }

func (p *HealthProbe) now() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answers
}

// QuietLogger returns a logger for loops that is silent during an outage. The pulse logs the outage
// once, but each loop would log it several times a second.
func (p *HealthProbe) QuietLogger(log *slog.Logger) *slog.Logger {
	return slog.New(quiet{log.Handler(), p})
}

type quiet struct {
	slog.Handler
	probe *HealthProbe
}

// Enabled reports whether a level is logged.
func (q quiet) Enabled(ctx context.Context, level slog.Level) bool {
	return q.probe.IsHealthy() && q.Handler.Enabled(ctx, level)
}

// WithAttrs returns the handler with attributes.
func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler {
	return quiet{q.Handler.WithAttrs(attrs), q.probe}
}

// WithGroup returns the handler with a group.
func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name), q.probe} }

// WithOutage returns a context that ends with ErrOutage when an outage starts. A context created
// during an outage isn't canceled, so its query finds the outage itself. The caller must call
// stop.
func (p *HealthProbe) WithOutage(ctx context.Context) (_ context.Context, stop func()) {
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

// Run checks the database until the context ends.
func (p *HealthProbe) Run(ctx context.Context) {
	if p.db.Dialect.Name != "postgres" {
		return
	}
	defer p.disconnect(ctx)
	for ctx.Err() == nil {
		p.logChange(ctx, p.probe(ctx))
		select {
		case <-ctx.Done():
		case <-time.After(pulseEvery):
		}
	}
}

// probe returns ErrOutage if neither the connection nor a new one responds in time.
func (p *HealthProbe) probe(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, pulseWithin)
	defer cancel()
	if p.conn != nil && p.conn.Ping(within) == nil {
		return nil
	}
	p.disconnect(ctx)
	conn, err := p.db.connect(within, p.db.URL) // with the address that all clients use
	if err == nil {
		p.conn = conn
		return nil
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) && !strings.HasPrefix(refused.Code, "57P") {
		return nil // any response counts, even an error
	}
	return errors.Join(ErrOutage, err)
}

func (p *HealthProbe) disconnect(ctx context.Context) {
	if p.conn == nil {
		return
	}
	at, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = p.conn.Close(at) // the connection is lost
	p.conn = nil
}

func (p *HealthProbe) logChange(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil { // including connections opened during the check
		p.db.lines.closeAll()
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
