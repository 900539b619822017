package cluster

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"all":          "they are few, and forgotten after a day",
		"since":        "they are few, and forgotten after a day",
		"forgetAll":    "they are few, and all of them are meant",
		"forgetBefore": "they are few, and forgotten after a day",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		assert.NoError(t, errors.Join(
			note(ctx, tx, Instance{"a", "1", now, now}),
			dbtest.Err(all(ctx, tx)),
			dbtest.Err(since(ctx, tx, now)),
			forget(ctx, tx, "a"),
			forgetBefore(ctx, tx, now),
			forgetAll(ctx, tx),
		))
	})
}

// Serving lists the instances of a PostgreSQL database, even with older tables.
func TestServing(t *testing.T) {
	usual := watchTime
	watchTime = 0
	defer func() { watchTime = usual }()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Now()
		here := New(d, "1", slog.New(slog.DiscardHandler), func() time.Time {
			return now
		}, func(context.Context, []string) error { return nil })
		require.NoError(t, here.Begin(t.Context()))
		known := d.Dialect.Name == "postgres" // an embedded database has a lock
		list, err := ListServing(t.Context(), d, now.Add(time.Second))
		if err != nil || (len(list) == 1) != known {
			t.Errorf("%v, %v", list, err)
		}
		if err := CheckAlone(t.Context(), d, now.Add(time.Second)); errors.Is(err, ErrServed) != known {
			t.Error(err)
		}
		assert.NoError(t, CheckAlone(t.Context(), d, now.Add(time.Minute)))
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `DROP TABLE instances`)))
		if list, err := ListServing(t.Context(), d, now); err != nil || len(list) > 0 {
			t.Errorf("older tables: %v, %v", list, err)
		}
	})
}

// A command whose clock is ahead sees that the heartbeats of an instance still change.
func TestAloneWithAnotherClock(t *testing.T) {
	usual := watchTime
	watchTime = 500 * time.Millisecond
	defer func() { watchTime = usual }()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		began := time.Now()
		other := New(d, "1", slog.New(slog.DiscardHandler), time.Now, func(context.Context, []string) error { return nil })
		require.NoError(t, other.Begin(t.Context()))
		stop, stopped := make(chan struct{}), make(chan error)
		go func() {
			var err error
			for err == nil {
				select {
				case <-stop:
					stopped <- nil
					return
				case <-time.After(10 * time.Millisecond):
					err = other.Beat(t.Context())
				}
			}
			stopped <- err
		}()
		err := CheckAlone(t.Context(), d, began.Add(time.Hour))
		assert.Equal(t, d.Dialect.Name == "postgres", errors.Is(err, ErrServed), err)
		close(stop)
		assert.NoError(t, errors.Join(<-stopped, CheckAlone(t.Context(), d, began.Add(time.Hour))))
	})
}

// An instance is alive while its heartbeat changes, whatever its clock says. A clean shutdown
// removes it right away.
func TestLiving(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now, theirs := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC), time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC)
		var living []string
		log := slog.New(slog.DiscardHandler)
		here := New(d, "1", log, func() time.Time { return now }, func(_ context.Context, ids []string) error {
			living = ids
			return nil
		})
		other := New(d, "2", log, func() time.Time { return theirs }, func(context.Context, []string) error { return nil })
		require.NoError(t, errors.Join(here.Begin(t.Context()), other.Beat(t.Context())))
		for _, step := range []struct {
			beats, alive bool
		}{{true, true}, {true, true}, {false, true}, {false, true}, {false, false}, {false, false}, {true, true}} {
			if now = now.Add(beat); step.beats {
				theirs = theirs.Add(time.Second)
				require.NoError(t, other.Beat(t.Context()))
			}
			if err := here.Beat(t.Context()); err != nil || !slices.Contains(living, here.ID) || slices.Contains(living, other.ID) !=
				step.alive {
				t.Errorf("%v: %v lives, %v", step, living, err)
			}
		}
		now = now.Add(time.Hour) // the database was down, so neither could send a heartbeat
		for _, alive := range []bool{true, true, true, false} {
			if err := here.Beat(t.Context()); err != nil || slices.Contains(living, other.ID) != alive {
				t.Errorf("after an outage: %v lives, %v", living, err)
			}
			now = now.Add(beat)
		}
		now = now.Add(-beat)
		if list, err := ListActive(t.Context(), d.Reader, now); err != nil || len(list) != 1 || list[0].Version != "1" {
			t.Errorf("%+v, %v", list, err)
		}
		if err := errors.Join(other.End(t.Context()), here.Beat(t.Context())); err != nil || len(living) != 1 {
			t.Errorf("%v lives, %v", living, err)
		}
	})
}
