// Package cluster tells which instances of the program are alive. Each says so by
// itself; the others look whether it goes on saying so, and need no clock in common.
package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

const (
	beat = 10 * time.Second
	// Silent is how long an instance may say nothing until it is taken for ended.
	Silent = 3 * beat
)

// Instance is a running program.
type Instance struct {
	ID        string
	Version   string
	StartedAt db.Instant
	SeenAt    db.Instant // by its own clock
}

// Here is this instance, and what it knows of the others.
type Here struct {
	ID      string
	Started time.Time

	db      *db.DB
	version string
	log     *slog.Logger
	now     func() time.Time
	alive   func(ctx context.Context, ids []string) error

	mu     sync.Mutex
	heard  map[string]heard
	failed error // of the last beat
}

// heard is when another instance was last heard to say something new, by this one's clock.
type heard struct {
	said db.Instant
	at   time.Time
}

// New makes this instance. After each beat alive is called with those that live.
func New(d *db.DB, version string, log *slog.Logger, now func() time.Time, alive func(ctx context.Context, ids []string) error) *Here {
	return &Here{ID: rand.Text(), Started: now(), db: d, version: version, log: log, now: now, heard: map[string]heard{}, alive: alive}
}

// Module is what knowing the instances brings to the program.
func (h *Here) Module() module.Module {
	return module.Module{Run: h.run, Tidy: h.Tidy, Keeps: []retention.Item{
		retention.Until("1 day", "Stopped instances", "instances"),
	}}
}

// Begin says for the first time that this instance is alive, before it does anything.
// On SQLite it is the only one that can be.
func (h *Here) Begin(ctx context.Context) error {
	if h.db.Dialect.Name == "sqlite" {
		if err := forgetAll(ctx, h.db.Writer); err != nil {
			return err
		}
	}
	return h.Beat(ctx)
}

// End says that this instance is alive no more.
func (h *Here) End(ctx context.Context) error { return forget(ctx, h.db.Writer, h.ID) }

func (h *Here) run(ctx context.Context) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := h.Beat(ctx); err != nil && ctx.Err() == nil {
			h.log.WarnContext(ctx, "couldn't notify other instances that this one is alive", "error", err)
		}
	}
}

// Failed is why this instance could not say last that it is alive: nothing can be
// written to the database. Nil where it could.
func (h *Here) Failed() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failed
}

// Beat says that this instance is alive, and hears the others.
func (h *Here) Beat(ctx context.Context) error {
	err := h.beat(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failed = err
	return err
}

func (h *Here) beat(ctx context.Context) error {
	if err := note(ctx, h.db.Writer, Instance{h.ID, h.version, db.At(h.Started), db.At(h.now())}); err != nil {
		return err
	}
	list, err := all(ctx, h.db.Writer)
	if err != nil {
		return err
	}
	return h.alive(ctx, h.living(list, h.now()))
}

// living are those that have said something new not long ago. One that is heard of for
// the first time has.
func (h *Here) living(list []Instance, now time.Time) (ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.heard
	h.heard = map[string]heard{}
	for _, in := range list {
		last, before := known[in.ID]
		if !before || !last.said.Equal(in.SeenAt.Time) {
			last = heard{in.SeenAt, now}
		}
		h.heard[in.ID] = last
		if in.ID == h.ID || now.Sub(last.at) < Silent {
			ids = append(ids, in.ID)
		}
	}
	return ids
}

// Active lists the instances that said something not long before a moment.
func Active(ctx context.Context, q db.Queryer, now time.Time) ([]Instance, error) {
	return since(ctx, q, db.At(now.Add(-Silent)))
}

// Alone refuses a PostgreSQL database that instances serve: they said something not long
// before a moment. Of an embedded one its lock tells (db.Hold).
func Alone(ctx context.Context, d *db.DB, now time.Time) error {
	serving, err := Serving(ctx, d, now)
	if err == nil && len(serving) > 0 {
		err = fmt.Errorf("%w (%d; a killed instance counts for %d seconds)", ErrServed, len(serving), int(Silent.Seconds()))
	}
	return err
}

// Serving lists the instances of a PostgreSQL database as Active does, also where its
// tables are none or too old to tell.
func Serving(ctx context.Context, d *db.DB, now time.Time) ([]Instance, error) {
	if d.Dialect.Name != "postgres" {
		return nil, nil
	}
	list, err := Active(ctx, d.Writer, now)
	if db.IsNoTable(err) {
		return nil, nil
	}
	return list, err
}

// ErrServed tells that instances serve a database that is to be had alone.
var ErrServed = errors.New("instances are using this database; stop them first")

// Tidy forgets instances that ended a day ago. It is safe to repeat.
func (h *Here) Tidy(ctx context.Context) error {
	return forgetBefore(ctx, h.db.Writer, db.At(h.now().Add(-24*time.Hour)))
}
