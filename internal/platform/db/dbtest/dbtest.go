// Package dbtest gives tests a fresh, migrated database of each kind.
package dbtest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/migrations"
)

// PostgresEnv names the variable with the address of a PostgreSQL server whose
// user may create databases. make test sets it.
const PostgresEnv = "WCPP_TEST_POSTGRES"

// Each runs the test on both databases, each empty but for its tables.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			d := Open(t, kind)
			if _, err := migrations.Up(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			test(t, d)
		})
	}
}

// Open gives an empty database of the kind without tables.
func Open(t testing.TB, kind string) *db.DB {
	t.Helper()
	d, err := db.Open(context.Background(), URL(t, kind))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// URL gives the address of an empty database of the kind, gone after the test.
// Without a server the half of a test that needs PostgreSQL is passed over, and
// go test -v says so.
func URL(t testing.TB, kind string) string {
	t.Helper()
	if kind == "sqlite" {
		return "sqlite:" + filepath.Join(t.TempDir(), "wcpp.db")
	}
	server := os.Getenv(PostgresEnv)
	if server == "" {
		t.Skipf("%s is not set, so only the half on SQLite runs: `make test` starts a PostgreSQL server", PostgresEnv)
	}
	ctx := context.Background()
	admin, err := db.Open(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	name := "wcpp_test_" + hex.EncodeToString(random)
	if _, err := admin.Writer.ExecContext(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE template0", name)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Writer.ExecContext(ctx, fmt.Sprintf("DROP DATABASE %s WITH (FORCE)", name)); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}
