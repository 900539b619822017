package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// Lock lets one transaction at a time hold each of some numbers of a space, until
// it ends. They are taken in ascending order, so that none waits in a circle; what
// is to be guarded must be read afterwards. SQLite has one writer and needs none.
func (d *DB) Lock(ctx context.Context, tx *sql.Tx, space int, numbers ...int) error {
	if d.Dialect.Name != "postgres" || len(numbers) == 0 {
		return nil
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(numbers)))
	values := make([]string, len(sorted))
	for i, n := range sorted {
		values[i] = fmt.Sprintf("(%d)", n)
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf(
		`SELECT pg_advisory_xact_lock(%d, n) FROM (SELECT n FROM (VALUES %s) v (n) ORDER BY n) s`, space, strings.Join(values, ", ")))
	return err
}

// ByKeys makes PostgreSQL look up rows by indexes alone until the transaction
// ends, and in their order. A table that grows by one long load has no statistics
// yet, and a plan made while it was empty would read all of it for each batch; of an
// index that holds what is left to do it expects few rows, and would sort them all
// for the first ones. SQLite always uses indexes so.
func (d *DB) ByKeys(ctx context.Context, tx *sql.Tx) error {
	if d.Dialect.Name != "postgres" {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`)
	return err
}

// TryLock takes the lock of one number without waiting, until the transaction
// ends, and tells whether it was free.
func (d *DB) TryLock(ctx context.Context, tx *sql.Tx, space, number int) (bool, error) {
	if d.Dialect.Name != "postgres" {
		return true, nil
	}
	var free bool
	err := Get(ctx, tx, &free, fmt.Sprintf(`SELECT pg_try_advisory_xact_lock(%d, %d)`, space, number))
	return free, err
}
