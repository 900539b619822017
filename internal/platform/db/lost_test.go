package db_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// throughWire returns a database through a wire, and directly.
func throughWire(t *testing.T) (*dbtest.Wire, *db.DB, *db.DB) {
	t.Helper()
	address := dbtest.URL(t, "postgres")
	wire, through := dbtest.NewWire(t, address)
	var opened []*db.DB
	for _, at := range []string{through, address} {
		d, err := db.Open(t.Context(), at)
		require.NoError(t, err)
		t.Cleanup(func() { d.Close() })
		opened = append(opened, d)
	}
	must(t, opened[1], `CREATE TABLE books (title text)`)
	return wire, opened[0], opened[1]
}

func countBooks(t *testing.T, d *db.DB) (n int) {
	t.Helper()
	require.NoError(t, db.Get(t.Context(), d.Reader, &n, `SELECT count(*) FROM books`))
	return n
}

// A connection that loses everything without closing ends with an error, and the server ends its
// transaction. Statements that take long aren't affected.
func TestSilentConnections(t *testing.T) {
	t.Parallel()
	wire, d, other := throughWire(t)
	must(t, other, `INSERT INTO books VALUES ('A')`)
	slow := make(chan error, 1)
	go func() {
		_, err := other.Writer.ExecContext(t.Context(), `SELECT pg_sleep(12)`)
		slow <- err
	}()
	err := d.Tx(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(t.Context(), `UPDATE books SET title = 'B'`); err != nil {
			return err
		}
		wire.Set(dbtest.Swallow)
		_, err := tx.ExecContext(t.Context(), `UPDATE books SET title = 'C'`)
		return err
	})
	assert.True(t, db.IsUnavailable(err), err)
	assert.NoError(t, dbtest.Err(db.Exec(t.Context(), other.Writer, `UPDATE books SET title = 'D'`)))
	must(t, d, `UPDATE books SET title = 'E'`) // through new connections
	assert.NoError(t, <-slow)
}

// The URL's own settings win.
func TestSessionLimits(t *testing.T) {
	address := dbtest.URL(t, "postgres")
	for query, want := range map[string]string{
		"": "15s 20s", "&lock_timeout=7000": "15s 7s", "&options=-c%20idle_in_transaction_session_timeout%3D3000": "3s 20s",
	} {
		d, err := db.Open(t.Context(), address+query)
		require.NoError(t, err)
		var got string
		if err := db.Get(t.Context(), d.Reader, &got, `SELECT current_setting('idle_in_transaction_session_timeout') || ' ' ||
			current_setting('lock_timeout')`); err != nil || got != want {
			t.Errorf("%s: %s, %v", query, got, err)
		}
		d.Close()
	}
}

// A lock that another transaction has for too long makes the database unavailable.
func TestLockTimeout(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	must(t, d, `CREATE TABLE books (title text)`)
	err := d.Tx(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(t.Context(), `LOCK TABLE books`); err != nil {
			return err
		}
		return d.Tx(t.Context(), func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(t.Context(), `SET LOCAL lock_timeout = 10`); err != nil {
				return err
			}
			_, err := tx.ExecContext(t.Context(), `LOCK TABLE books`)
			return err
		})
	})
	assert.True(t, db.IsUnavailable(err), err)
}

// A connection that is cut at the commit: the transaction is stored exactly once, or reported as
// unknown.
func TestCutAtCommit(t *testing.T) {
	wire, d, other := throughWire(t)
	insert := func(ctx context.Context, run func(context.Context, func(*sql.Tx) error) error) error {
		return run(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO books VALUES ('A')`)
			return err
		})
	}
	for name, run := range map[string]func(context.Context, func(*sql.Tx) error) error{"Tx": d.Tx, "Bulk": d.Bulk} {
		for fault, stored := range map[dbtest.Fault]int{dbtest.CutBefore: 0, dbtest.CutAfter: 1} {
			before := countBooks(t, other)
			wire.Set(fault)
			if err := insert(db.WithConfirmedCommits(t.Context()), run); err != nil || countBooks(t, other) != before+1 {
				t.Errorf("%s, %d, confirmed: %v, %d stored", name, fault, err, countBooks(t, other)-before)
			}
			assert.True(t, wire.Happened(), "no commit met the fault")
			before = countBooks(t, other)
			wire.Set(fault)
			err := insert(t.Context(), run)
			if !errors.Is(err, db.ErrCommitUnknown) || !db.IsUnavailable(err) || countBooks(t, other) != before+stored {
				t.Errorf("%s, %d: %v, %d stored", name, fault, err, countBooks(t, other)-before)
			}
		}
	}
}

// A stop before the commit isn't a lost commit, also after the rollback that it causes.
func TestCanceledBeforeCommit(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		d := dbtest.Open(t, kind)
		for _, pause := range []time.Duration{0, 200 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			err := d.Tx(ctx, func(*sql.Tx) error { cancel(); time.Sleep(pause); return nil })
			if !errors.Is(err, context.Canceled) || errors.Is(err, db.ErrCommitUnknown) {
				t.Errorf("%s, after %v: %v", kind, pause, err)
			}
		}
	}
}
