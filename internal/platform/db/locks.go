package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// Lock locks some numbers of a space until the transaction ends, each for one transaction at a
// time. It locks in ascending order to avoid deadlocks. Read the guarded rows after Lock. SQLite
// has one writer and doesn't need it.
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

// ForceIndexScans makes PostgreSQL use only indexes, in their order, until the transaction ends. During
// one long load, a table has no statistics yet. A plan for an empty table would scan it for each
// batch. For an index of pending rows, PostgreSQL expects few rows and would sort them all to
// return the first ones. SQLite always uses indexes this way.
func (d *DB) ForceIndexScans(ctx context.Context, tx *sql.Tx) error {
	if d.Dialect.Name != "postgres" {
		return nil
	}
	_, err := tx.ExecContext(ctx, `
		SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
		SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`)
	return err
}

// TryLock locks one number until the transaction ends, without waiting. It reports whether the
// lock was free.
func (d *DB) TryLock(ctx context.Context, tx *sql.Tx, space, number int) (bool, error) {
	if d.Dialect.Name != "postgres" {
		return true, nil
	}
	var free bool
	err := Get(ctx, tx, &free, fmt.Sprintf(`SELECT pg_try_advisory_xact_lock(%d, %d)`, space, number))
	return free, err
}
