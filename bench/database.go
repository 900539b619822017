package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/migrations"
)

// productNames are the names of the databases in the table.
var productNames = map[string]string{"postgres": "PostgreSQL", "sqlite": "SQLite"}

// database creates an empty database with the portal's tables and returns its address. drop
// deletes it.
func (b *bench) database(ctx context.Context, kind, name string) (address string, drop func(), err error) {
	drop = func() {}
	address = "sqlite:" + filepath.Join(b.dir, name+".db")
	if kind == "postgres" {
		server, err := db.Open(ctx, b.postgres)
		if err != nil {
			return "", drop, err
		}
		defer server.Close()
		name = "bench_" + name
		if _, err := db.Exec(ctx, server.Writer, "CREATE DATABASE "+name+" TEMPLATE template0"); err != nil {
			return "", drop, err
		}
		u, err := url.Parse(b.postgres)
		if err != nil {
			return "", drop, err
		}
		u.Path = "/" + name
		address = u.String()
		drop = func() { b.drop(name) }
	}
	d, err := db.Open(ctx, address)
	if err != nil {
		return "", drop, err
	}
	defer d.Close()
	_, err = migrations.Up(ctx, d)
	return address, drop, err
}

// drop also runs if the benchmark is interrupted.
func (b *bench) drop(name string) {
	ctx := context.Background()
	server, err := db.Open(ctx, b.postgres)
	if err == nil {
		defer server.Close()
		_, err = db.Exec(ctx, server.Writer, fmt.Sprintf("DROP DATABASE %s WITH (FORCE)", name))
	}
	if err != nil {
		say("database %s stays: %v", name, err)
	}
}

// withoutIndexes fills a table that has only its primary key, then recreates the other indexes.
// Sorting once is faster than ten million random inserts.
func withoutIndexes(ctx context.Context, d *db.DB, table string, fill func() error) error {
	query := `SELECT name, sql AS definition FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = $1`
	if d.Dialect.Name == "postgres" {
		query = `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = $1
			AND indexname NOT IN (SELECT conname FROM pg_constraint)`
	}
	var indexes []struct{ Name, Definition string }
	if err := db.Select(ctx, d.Writer, &indexes, query, table); err != nil {
		return err
	}
	for _, index := range indexes {
		if _, err := db.Exec(ctx, d.Writer, "DROP INDEX "+index.Name); err != nil {
			return err
		}
	}
	if err := fill(); err != nil {
		return err
	}
	for _, index := range indexes {
		if _, err := db.Exec(ctx, d.Writer, index.Definition); err != nil {
			return err
		}
	}
	return nil
}

// inside opens a portal in this process with its own database. drop closes both.
func (b *bench) inside(ctx context.Context, kind, name string, bills int) (portal *app.App, drop func(), err error) {
	say("%s: making %d bills ...", kind, bills)
	address, dropDatabase, err := b.database(ctx, kind, fmt.Sprintf("%s_%s_%d", name, kind, bills))
	if err != nil {
		return nil, nil, err
	}
	data := filepath.Join(b.dir, name+"-"+kind)
	if err = os.Mkdir(data, 0o700); err == nil {
		portal, err = app.New(ctx, app.NewStoreConfig(app.Store{Data: data, DatabaseURL: address}), slog.New(slog.DiscardHandler),
			time.Now, nil)
	}
	if err != nil {
		dropDatabase()
		return nil, nil, err
	}
	return portal, func() { portal.Close(); dropDatabase() }, nil
}

// rest brings a newly filled database into the state of one that has been in use.
func rest(ctx context.Context, d *db.DB) error {
	after := []string{"ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"}
	if d.Dialect.Name == "postgres" {
		after = []string{"VACUUM ANALYZE", "CHECKPOINT"}
	}
	for _, statement := range after {
		if _, err := d.Writer.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// sizeOf returns a database's disk usage.
func sizeOf(ctx context.Context, d *db.DB, address string) string {
	var bytes int64
	var err error
	if path, is := strings.CutPrefix(address, "sqlite:"); is {
		var file os.FileInfo
		if file, err = os.Stat(path); err == nil {
			bytes = file.Size()
		}
	} else {
		err = db.Get(ctx, d.Reader, &bytes, `SELECT pg_database_size(current_database())`)
	}
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

// readAll runs a query, reads every value of the result and counts the rows.
func readAll(ctx context.Context, q db.Queryer, query string, args []any) (n int, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for ; rows.Next(); n++ {
		if err := rows.Scan(into...); err != nil {
			return n, err
		}
	}
	return n, rows.Err()
}
