// Package dbtest provides tests with a new, migrated database of each kind.
package dbtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/rivermigrate"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/migrations"
)

// PostgresEnv is the environment variable with the address of a PostgreSQL server for tests. Its
// user must be able to create databases. make test sets it.
const PostgresEnv = "WCPP_TEST_POSTGRES"

// PartitionsEnv is the environment variable with the number of partitions per PostgreSQL table
// in tests. Without it, tables aren't partitioned.
const PartitionsEnv = "WCPP_TEST_PARTITIONS"

// Each runs the test on both databases, with empty tables.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) { test(t, open(t, MigratedURL(t, kind))) })
	}
}

// Open opens an empty database without tables.
func Open(t testing.TB, kind string) *db.DB {
	t.Helper()
	return open(t, URL(t, kind))
}

func open(t testing.TB, address string) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// AwaitWaiting returns when a PostgreSQL session waits for a lock.
func AwaitWaiting(t testing.TB, d *db.DB) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		var waits bool
		if err := db.Get(t.Context(), d.Reader, &waits, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock')`); err != nil {
			t.Fatal(err)
		}
		if waits {
			return
		}
		if time.Now().After(end) {
			t.Fatal("nobody waits")
		}
	}
}

// URL returns the address of an empty database that is dropped after the test. Without a server,
// the test skips PostgreSQL, and go test -v shows this.
func URL(t testing.TB, kind string) string {
	t.Helper()
	if kind == "sqlite" {
		return "sqlite:" + filepath.Join(t.TempDir(), "wcpp.db")
	}
	return postgresCopy(t, "template0")
}

// MigratedURL is URL with all tables, copied from a migrated template.
func MigratedURL(t testing.TB, kind string) string {
	t.Helper()
	if kind == "sqlite" {
		file, err := sqliteTables()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "wcpp.db")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		return "sqlite:" + path
	}
	skipWithoutPostgres(t)
	name, err := postgresTables()
	if err != nil {
		t.Fatal(err)
	}
	return postgresCopy(t, name)
}

func skipWithoutPostgres(t testing.TB) {
	t.Helper()
	if os.Getenv(PostgresEnv) == "" {
		t.Skipf("%s is not set, so only the half on SQLite runs: `make test` starts a PostgreSQL server", PostgresEnv)
	}
}

// postgresCopy creates a database from a template.
func postgresCopy(t testing.TB, template string) string {
	t.Helper()
	skipWithoutPostgres(t)
	ctx := context.Background()
	admin, err := db.Open(ctx, os.Getenv(PostgresEnv))
	if err != nil {
		t.Fatal(err)
	}
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	name := "wcpp_test_" + hex.EncodeToString(random)
	// Copying the files takes a third of the time that copying through the write-ahead log takes.
	create := fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy", name, template)
	if _, err := admin.Writer.ExecContext(ctx, create); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Writer.ExecContext(ctx, fmt.Sprintf("DROP DATABASE %s WITH (FORCE)", name)); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	address, err := databaseURL(name)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// databaseURL returns the address of a database on the server.
func databaseURL(database string) (string, error) {
	u, err := url.Parse(os.Getenv(PostgresEnv))
	if err != nil {
		return "", err
	}
	u.Path = "/" + database
	return u.String(), nil
}

// sqliteTables returns a migrated database as a file.
var sqliteTables = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "wcpp-tables-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "wcpp.db")
	if err := migrate("sqlite:"+path, 0); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// postgresTables returns the name of a migrated database that stays on the server for the tests
// of all packages. Different tables give a different name.
var postgresTables = sync.OnceValues(func() (string, error) {
	files, err := migrations.Files("postgres")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		sum.Write([]byte(path)) // a renumbered migration is another one
		sum.Write(text)
		return err
	}); err != nil {
		return "", err
	}
	river, err := rivermigrate.New(riverdatabasesql.New(nil), nil)
	if err != nil {
		return "", err
	}
	for _, version := range river.AllVersions() {
		sum.Write([]byte(version.SQLUp))
	}
	parted, _ := strconv.Atoi(os.Getenv(PartitionsEnv))
	name := fmt.Sprintf("wcpp_tables_%x_%d", sum.Sum(nil)[:8], parted)

	ctx := context.Background()
	admin, err := db.Open(ctx, os.Getenv(PostgresEnv))
	if err != nil {
		return "", err
	}
	defer admin.Close()
	// Packages are tested in parallel. The first creates it, and the others wait.
	conn, err := admin.Writer.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SET lock_timeout = 0"); err != nil {
		return "", err
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(7723502)"); err != nil {
		return "", err
	}
	defer func() { _, _ = conn.ExecContext(ctx, "SELECT pg_advisory_unlock(7723502)") }()
	var made bool
	if err := conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&made); err != nil ||
		made {
		return name, err
	}
	begun := name + "_begun"
	for _, statement := range []string{"DROP DATABASE IF EXISTS " + begun, "CREATE DATABASE " + begun + " TEMPLATE template0"} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return "", err
		}
	}
	address, err := databaseURL(begun)
	if err != nil {
		return "", err
	}
	if err := migrate(address, parted); err != nil {
		return "", err
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf("ALTER DATABASE %s RENAME TO %s", begun, name))
	return name, err
})

func migrate(address string, partitions int) error {
	ctx := context.Background()
	d, err := db.Open(ctx, address)
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := migrations.Up(ctx, d); err != nil || partitions == 0 {
		return err
	}
	return migrations.Partition(ctx, d, partitions, func(string) {})
}
