package db_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Only what another transaction caused is tried again, and not forever.
func TestTxTriesAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		conflict, broken := error(&pgconn.PgError{Code: "40001"}), errors.New("broken")
		for name, c := range map[string]struct {
			fails    error
			times    int // how often it fails before it holds
			attempts int
			want     error
		}{
			"conflicts that end":    {conflict, 2, 3, nil},
			"conflicts without end": {conflict, 9, 5, conflict},
			"any other error":       {broken, 9, 1, broken},
		} {
			attempts := 0
			err := d.Tx(t.Context(), func(*sql.Tx) error {
				if attempts++; attempts <= c.times {
					return c.fails
				}
				return nil
			})
			if !errors.Is(err, c.want) || attempts != c.attempts {
				t.Errorf("%s: %v after %d attempts", name, err, attempts)
			}
		}
	})
}

// Callers know a context that ended by its plain error, whatever its cause.
func TestTxEndsWithItsContext(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithCancelCause(t.Context())
		attempts := 0
		err := d.Tx(ctx, func(*sql.Tx) error {
			attempts++
			cancel(errors.New("the cause"))
			return &pgconn.PgError{Code: "40P01"}
		})
		if !errors.Is(err, context.Canceled) || attempts != 1 {
			t.Errorf("%v after %d attempts", err, attempts)
		}
	})
}
