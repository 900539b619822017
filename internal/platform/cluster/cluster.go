// Package cluster tracks which instances of the program are alive. Each instance writes a
// heartbeat. The others watch whether it changes, so clocks needn't agree.
package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

const (
	beat = 10 * time.Second
	// Silent is how long an instance can miss heartbeats before it counts as ended.
	Silent = 3 * beat
)

// Instance is a running instance.
type Instance struct {
	ID        string
	Version   string
	StartedAt db.Instant
	SeenAt    db.Instant // by its own clock
}

// Self is this instance, with its view of the others.
type Self struct {
	ID      string
	Started time.Time

	db      *db.DB
	version string
	log     *slog.Logger
	now     func() time.Time
	alive   func(ctx context.Context, ids []string) error

	mu     sync.Mutex
	heard  map[string]heartbeat
	failed error // error of the last heartbeat
}

// heartbeat is when this instance last saw another's heartbeat change, by its own clock.
type heartbeat struct {
	said db.Instant
	at   time.Time
}

// New returns this instance. After each heartbeat, it calls alive with the live instances.
func New(d *db.DB, version string, log *slog.Logger, now func() time.Time, alive func(ctx context.Context, ids []string) error) *Self {
	return &Self{ID: rand.Text(), Started: now(), db: d, version: version, log: log, now: now, heard: map[string]heartbeat{}, alive: alive}
}

// Module returns the module that tracks instances.
func (h *Self) Module() module.Module {
	return module.Module{Run: h.run, Cleanup: h.Cleanup, Retention: []retention.Item{
		retention.Until("1 day", "Stopped instances", "instances"),
	}}
}

// Begin writes the first heartbeat, before this instance does anything else. On SQLite, it can
// be the only instance.
func (h *Self) Begin(ctx context.Context) error {
	if h.db.Dialect.Name == "sqlite" {
		if err := forgetAll(ctx, h.db.Writer); err != nil {
			return err
		}
	}
	return h.Beat(ctx)
}

// End removes the heartbeat of this instance.
func (h *Self) End(ctx context.Context) error { return forget(ctx, h.db.Writer, h.ID) }

func (h *Self) run(ctx context.Context) {
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

// Failed returns why the last heartbeat failed, which means that the database accepts no writes.
// It returns nil if the heartbeat succeeded.
func (h *Self) Failed() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failed
}

// Beat writes a heartbeat and reads those of the others.
func (h *Self) Beat(ctx context.Context) error {
	err := h.beat(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failed = err
	return err
}

func (h *Self) beat(ctx context.Context) error {
	if err := note(ctx, h.db.Writer, Instance{h.ID, h.version, db.At(h.Started), db.At(h.now())}); err != nil {
		return err
	}
	list, err := all(ctx, h.db.Writer)
	if err != nil {
		return err
	}
	return h.alive(ctx, h.listActive(list, h.now()))
}

// listActive returns the instances whose heartbeat changed recently. A new instance counts as
// changed. After a missed heartbeat of this instance, all count as changed, because the others
// couldn't send theirs during an outage of the database either.
func (h *Self) listActive(list []Instance, now time.Time) (ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	known := h.heard
	missed := now.Sub(known[h.ID].at) > beat*3/2
	h.heard = map[string]heartbeat{}
	for _, in := range list {
		last, before := known[in.ID]
		if missed || !before || !last.said.Equal(in.SeenAt.Time) {
			last = heartbeat{in.SeenAt, now}
		}
		h.heard[in.ID] = last
		if in.ID == h.ID || now.Sub(last.at) < Silent {
			ids = append(ids, in.ID)
		}
	}
	return ids
}

// ListActive lists the instances with a recent heartbeat at the given time.
func ListActive(ctx context.Context, q db.Queryer, now time.Time) ([]Instance, error) {
	return since(ctx, q, db.At(now.Add(-Silent)))
}

// watchTime is how long CheckAlone watches for heartbeats. Tests shorten it.
var watchTime = beat + time.Second

// CheckAlone returns an error if instances with a recent heartbeat use a PostgreSQL database, or with
// one that changes while it watches, because clocks can differ. An embedded database has a lock instead
// (db.LockDatabase).
func CheckAlone(ctx context.Context, d *db.DB, now time.Time) error {
	serving, err := ListServing(ctx, d, now)
	if err == nil && len(serving) == 0 {
		serving, err = watchServing(ctx, d)
	}
	if err == nil && len(serving) > 0 {
		err = fmt.Errorf("%w (%d; a killed instance counts for %d seconds)", ErrServed, len(serving), int(Silent.Seconds()))
	}
	return err
}

// watchServing lists the instances of a PostgreSQL database whose heartbeat changes now. It only takes
// time if there are heartbeats.
func watchServing(ctx context.Context, d *db.DB) (serving []Instance, err error) {
	if d.Dialect.Name != "postgres" {
		return nil, nil
	}
	before, err := all(ctx, d.Writer)
	if db.IsNoTable(err) || err == nil && len(before) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(watchTime):
	}
	after, err := all(ctx, d.Writer)
	for _, in := range after {
		if !slices.ContainsFunc(before, func(b Instance) bool { return b.ID == in.ID && b.SeenAt.Equal(in.SeenAt.Time) }) {
			serving = append(serving, in)
		}
	}
	return serving, err
}

// ListServing lists the active instances of a PostgreSQL database, as ListActive does. It also works if
// tables are missing or outdated.
func ListServing(ctx context.Context, d *db.DB, now time.Time) ([]Instance, error) {
	if d.Dialect.Name != "postgres" {
		return nil, nil
	}
	list, err := ListActive(ctx, d.Writer, now)
	if db.IsNoTable(err) {
		return nil, nil
	}
	return list, err
}

// ErrServed means that instances use a database that a command needs exclusively.
var ErrServed = errors.New("instances are using this database; stop them first")

// Cleanup removes instances that ended a day ago. Repeating it is safe.
func (h *Self) Cleanup(ctx context.Context) error {
	return forgetBefore(ctx, h.db.Writer, db.At(h.now().Add(-24*time.Hour)))
}
