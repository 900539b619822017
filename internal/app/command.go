package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"wcpp/internal/platform/cluster"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/migrations"
)

// ErrOutdated means that a serving portal uses tables that are older than this program.
var ErrOutdated = errors.New("the database is older than this program, and another wcpp process is using it")

// lockWait is how long a command waits while another process migrates an embedded database.
const lockWait = 10 * time.Second

// NewForCommand opens a portal as New does, for a command that can run while the portal is serving.
// It returns ErrOutdated instead of migrating tables that a serving portal uses, because an older
// program can't start again with newer tables.
func NewForCommand(ctx context.Context, cfg Config, log *slog.Logger, now func() time.Time) (*App, error) {
	return open(ctx, cfg, log, now, nil, func(d *db.DB) error { return migrateUnused(ctx, d, now()) })
}

// migrateUnused migrates a database, unless migrations are pending and a portal serves it.
func migrateUnused(ctx context.Context, d *db.DB, now time.Time) error {
	release, err := lockIfPending(ctx, d, now)
	if err == nil {
		_, err = migrations.Up(ctx, d)
		err = errors.Join(err, release())
	}
	return err
}

// lockIfPending locks an embedded database if migrations are pending. It returns ErrOutdated if a portal
// serves the database then.
func lockIfPending(ctx context.Context, d *db.DB, now time.Time) (release func() error, err error) {
	for end := time.Now().Add(lockWait); ; {
		pending, err := migrations.HasPending(ctx, d)
		if err != nil || !pending {
			return func() error { return nil }, err
		}
		release, err := lockUnserved(ctx, d, now)
		switch {
		case err == nil:
			return release, nil
		case errors.Is(err, cluster.ErrServed), errors.Is(err, db.ErrHeld) && time.Now().After(end):
			return nil, fmt.Errorf("%w. Back up and restart the portal with this program, then run this command again", ErrOutdated)
		case !errors.Is(err, db.ErrHeld):
			return nil, err
		}
		select { // another process migrates it
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// lockUnserved locks an embedded database. It returns cluster.ErrServed if a portal serves the database,
// and db.ErrHeld if another process has the lock.
func lockUnserved(ctx context.Context, d *db.DB, now time.Time) (release func() error, err error) {
	release, err = db.LockDatabase(d.URL)
	if errors.Is(err, db.ErrHeld) {
		if serving, failed := cluster.ListActive(ctx, d.Reader, now); failed == nil && len(serving) > 0 {
			err = errors.Join(err, cluster.ErrServed)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := cluster.CheckAlone(ctx, d, now); err != nil {
		return nil, errors.Join(err, release())
	}
	return release, nil
}
