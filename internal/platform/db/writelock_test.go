package db_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
)

// openTwice opens one SQLite database as two programs would.
func openTwice(t *testing.T) (one, other *db.DB) {
	t.Helper()
	url := "sqlite:" + filepath.Join(t.TempDir(), "shared.db")
	for _, d := range []**db.DB{&one, &other} {
		var err error
		if *d, err = db.Open(t.Context(), url); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { (*d).Close() })
	}
	if _, err := one.Writer.ExecContext(t.Context(), `CREATE TABLE counted (id INTEGER PRIMARY KEY, name TEXT)`); err != nil {
		t.Fatal(err)
	}
	return one, other
}

// A program that writes without a pause gives way to another one after each transaction.
func TestWritersTakeTurns(t *testing.T) {
	t.Parallel()
	busy, other := openTwice(t)
	ctx, stop := context.WithCancel(t.Context())
	transactions, started, ended := 0, make(chan struct{}), make(chan error, 1)
	counts := make(chan int)
	go func() {
		for ctx.Err() == nil {
			err := busy.Tx(ctx, func(tx *sql.Tx) error {
				time.Sleep(20 * time.Millisecond)
				_, err := tx.ExecContext(ctx, `INSERT INTO counted (name) VALUES ('busy')`)
				return err
			})
			if err != nil && ctx.Err() == nil {
				ended <- err
				return
			}
			if transactions++; transactions == 1 {
				close(started)
			}
			select {
			case counts <- transactions:
			default:
			}
		}
		ended <- nil
	}()
	<-started
	writes := []func() error{
		func() error {
			_, err := other.Writer.ExecContext(ctx, `INSERT INTO counted (name) VALUES ('other')`)
			return err
		},
		func() error {
			var id int
			return other.Writer.QueryRowContext(ctx, `INSERT INTO counted (name) VALUES ('other') RETURNING id`).Scan(&id)
		},
		func() error { // as River's statements
			var id int
			const named = "-- name: Add :one\nINSERT\nINTO counted (name) VALUES ('other') RETURNING id"
			return other.Writer.QueryRowContext(ctx, named).Scan(&id)
		},
		func() error {
			return other.Tx(ctx, func(tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, `INSERT INTO counted (name) VALUES ('other')`)
				return err
			})
		},
	}
	for i := range 12 {
		before := <-counts
		require.NoError(t, writes[i%len(writes)]())
		// One runs, one can have begun before the other program asked, and one can have ended since.
		if waited := <-counts - before; waited > 4 {
			t.Errorf("write %d waited for %d transactions", i, waited)
		}
	}
	stop()
	require.NoError(t, <-ended)
}

// A wait ends with its request, and the lock is free afterwards.
func TestWriteLockIsFreeAfterACanceledWait(t *testing.T) {
	t.Parallel()
	one, other := openTwice(t)
	write := func(ctx context.Context) error {
		_, err := other.Writer.ExecContext(ctx, `INSERT INTO counted (name) VALUES ('other')`)
		return err
	}
	err := one.Tx(t.Context(), func(*sql.Tx) error {
		ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer stop()
		assert.ErrorIs(t, write(ctx), context.DeadlineExceeded)
		return nil
	})
	require.NoError(t, err)
	for _, write := range []func() error{
		func() error { return write(t.Context()) },
		func() error { return one.Tx(t.Context(), func(*sql.Tx) error { return nil }) },
	} {
		assert.NoError(t, write())
	}
}
