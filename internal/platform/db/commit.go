package db

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// ErrCommitUnknown means that the connection was lost during the commit, so the transaction is
// stored or not.
var ErrCommitUnknown = errors.New("couldn't confirm whether the last change was stored, because the connection to the database was lost")

// errRolledBack means that the connection was lost during the commit, and the transaction isn't
// stored.
var errRolledBack = errors.New("the connection to the database was lost before the last change was stored")

type confirmKey struct{}

// WithConfirmedCommits returns a context whose transactions on PostgreSQL find out whether they are
// stored if the connection is lost during the commit. It costs a round trip per transaction, so
// it is for imports and jobs.
func WithConfirmedCommits(ctx context.Context) context.Context {
	return context.WithValue(ctx, confirmKey{}, true)
}

// commit commits a transaction of the pool. After a lost connection, it returns nil if the
// transaction is stored, errRolledBack if not, or ErrCommitUnknown.
func commit(ctx context.Context, pool *sql.DB, tx *sql.Tx) error {
	var id sql.NullString // null: it changed nothing
	_, isPostgres := pool.Driver().(*stdlib.Driver)
	confirms := isPostgres && ctx.Value(confirmKey{}) != nil
	if confirms {
		if err := tx.QueryRowContext(ctx, `SELECT pg_current_xact_id_if_assigned()::text`).Scan(&id); err != nil {
			return err
		}
	}
	err := tx.Commit()
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err() // its end rolled back first
	}
	if !isPostgres || !isUnknown(ctx, err) {
		return err
	}
	unknown := errors.Join(ErrCommitUnknown, err)
	if !confirms || ctx.Err() != nil {
		return unknown
	}
	if !id.Valid {
		return nil
	}
	switch readOutcome(ctx, pool, id.String) {
	case "committed":
		return nil
	case "aborted":
		return errors.Join(errRolledBack, err)
	}
	return unknown
}

// isUnknown reports whether the server may or may not have committed. The driver's "conn closed"
// can also mean that the answer got lost.
func isUnknown(ctx context.Context, err error) bool {
	if err == nil || errors.Is(err, sql.ErrTxDone) || errors.Is(err, pgx.ErrTxCommitRollback) ||
		err == ctx.Err() { //nolint:errorlint // the plain error says that it didn't begin to commit
		return false
	}
	var pg *pgconn.PgError // a shutdown can end the wait for a replica, after the commit
	return !errors.As(err, &pg) || strings.HasPrefix(pg.Code, "57P")
}

// outcomeWithin is longer than the server waits for a lost client in a transaction.
const outcomeWithin = 25 * time.Second

// readOutcome returns the status of a transaction as soon as it has ended, or an empty string.
func readOutcome(ctx context.Context, pool *sql.DB, id string) (status string) {
	ctx, cancel := context.WithTimeout(ctx, outcomeWithin)
	defer cancel()
	for {
		var found sql.NullString // null: too old
		err := pool.QueryRowContext(ctx, `SELECT pg_xact_status($1::text::xid8)`, id).Scan(&found)
		if err == nil && found.String != "in progress" {
			return found.String
		}
		select {
		case <-ctx.Done():
			return ""
		case <-time.After(200 * time.Millisecond):
		}
	}
}
