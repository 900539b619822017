package health

import (
	"context"
	"fmt"

	"wcpp/internal/platform/db"
)

// Table is a table's size according to the database's statistics. Bytes is -1 if unknown.
type Table struct {
	Name  string
	Rows  int64
	Bytes int64
}

const largest = 15

// listTables lists the largest tables and the total size in bytes. It reads the database's
// statistics instead of counting rows.
func listTables(ctx context.Context, d *db.DB) (list []Table, bytes int64, err error) {
	if d.Dialect.Name == "postgres" {
		return postgresTables(ctx, d)
	}
	return sqliteTables(ctx, d)
}

func postgresTables(ctx context.Context, d *db.DB) (list []Table, bytes int64, err error) {
	if err := db.Get(ctx, d.Reader, &bytes, `SELECT pg_database_size(current_database())`); err != nil {
		return nil, 0, err
	}
	// The rows and bytes of a partitioned table are the sums over its partitions.
	err = db.Select(ctx, d.Reader, &list, `
		SELECT coalesce(pg_partition_root(c.oid), c.oid)::regclass::text AS name, sum(greatest(c.reltuples, 0))::bigint AS rows,
			sum(pg_total_relation_size(c.oid))::bigint AS bytes
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relkind = 'r' AND n.nspname = current_schema()
		GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT $1`, largest)
	return list, bytes, err
}

func sqliteTables(ctx context.Context, d *db.DB) (list []Table, bytes int64, err error) {
	var pages, size int64
	if err := db.Get(ctx, d.Reader, &pages, `PRAGMA page_count`); err != nil {
		return nil, 0, err
	}
	if err := db.Get(ctx, d.Reader, &size, `PRAGMA page_size`); err != nil {
		return nil, 0, err
	}
	var n int
	if err := db.Get(ctx, d.Reader, &n, `SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'`); err != nil || n == 0 {
		return nil, pages * size, err // no statistics yet
	}
	err = db.Select(ctx, d.Reader, &list, fmt.Sprintf(`
		SELECT tbl AS name, max(CAST(stat AS integer)) AS rows, -1 AS bytes FROM sqlite_stat1 GROUP BY tbl ORDER BY 2 DESC, 1
			LIMIT %d`, largest))
	return list, pages * size, err
}
