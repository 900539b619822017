package app

import (
	"context"
	"fmt"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/instances"
	"wcpp/internal/platform/migrations"
)

// sinceInstances is the version of the tables from which on instances tell of themselves.
const sinceInstances = 53

// MustBeUnserved refuses a database that instances serve, who would go on without the
// tables that are taken from them. An embedded database is held by whoever serves it.
func MustBeUnserved(ctx context.Context, d *db.DB, now time.Time) error {
	if d.Dialect.Name != "postgres" {
		return nil
	}
	at, _, err := migrations.Look(ctx, d)
	if err != nil || at < sinceInstances {
		return err
	}
	serving, err := instances.Active(ctx, d.Writer, now)
	if err != nil || len(serving) == 0 {
		return err
	}
	return fmt.Errorf("instances serve this database (%d): stop them first; one that was killed counts for %v", len(serving), instances.Silent)
}
