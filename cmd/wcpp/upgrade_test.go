package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

// A database with data is downgraded to each earlier version in turn, back to the baseline, and
// upgraded again. Every value from the earlier version survives, and the portal serves it.
func TestUpgradeKeepsEverything(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url := dbtest.URL(t, kind)
			fillWithDemo(t, url)
			d, err := db.Open(t.Context(), url)
			require.NoError(t, err)
			defer d.Close()
			newest, err := migrations.Version(t.Context(), d)
			require.NoError(t, err)
			filled := 0
			for _, table := range content(t, url, nil) {
				if len(table.rows) > 0 {
					filled++
				}
			}
			require.GreaterOrEqual(t, filled, 30)
			for version := newest - 1; version >= migrations.Baseline; version-- {
				require.NoErrorf(t, migrations.DownTo(t.Context(), d, version), "back to version %d", version)
				before := content(t, url, nil)
				if ran, err := migrations.Up(t.Context(), d); err != nil || int64(ran) != newest-version {
					t.Fatalf("up from version %d: %d steps, %v", version, ran, err)
				}
				after := content(t, url, before)
				for name, table := range before {
					if !slices.Equal(table.rows, after[name].rows) {
						t.Errorf("up from version %d: %s differs, %d rows became %d", version, name, len(table.rows), len(after[name].rows))
					}
				}
			}
			// A demo user signs in with the same password.
			address, cmd := startServer(t, url, t.TempDir())
			assert.NoError(t, dbtest.Err(signInAs(address, "prus.demo", "Sunny-Day-2026")))
			stop(t, cmd)
		})
	}
}

// fillWithDemo fills the database with demo data.
func fillWithDemo(t *testing.T, url string) {
	t.Helper()
	address := freeAddress(t)
	cmd := program(t, "demo", "--database-url", url, "--data", t.TempDir(), "--listen", address, "--bills", "300")
	require.NoError(t, cmd.Start())
	await(t, "the demo is ready", func() bool { return ready(address) })
	stop(t, cmd)
}

// table has a table's columns, and its rows in sorted order.
type table struct{ columns, rows []string }

// content reads every portal table, or the columns that an earlier read had. It uses a new
// connection, which hasn't cached earlier columns.
func content(t *testing.T, url string, like map[string]table) map[string]table {
	t.Helper()
	d, err := db.Open(t.Context(), url)
	require.NoError(t, err)
	defer d.Close()
	query := `SELECT name FROM sqlite_master WHERE type = 'table'`
	if d.Dialect.Name == "postgres" {
		query = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
	}
	var names []string
	require.NoError(t, db.Select(t.Context(), d.Writer, &names, query))
	found := map[string]table{}
	for _, name := range names {
		if strings.HasPrefix(name, "sqlite_") || strings.HasPrefix(name, "goose_") || strings.HasPrefix(name, "river_") {
			continue
		}
		columns := "*"
		if known, ok := like[name]; ok {
			columns = strings.Join(known.columns, ", ")
		}
		found[name] = read(t, d, columns, name)
	}
	return found
}

func read(t *testing.T, d *db.DB, columns, name string) table {
	t.Helper()
	rows, err := d.Writer.QueryContext(t.Context(), "SELECT "+columns+" FROM "+name)
	require.NoError(t, err)
	defer rows.Close()
	var read table
	if read.columns, err = rows.Columns(); err != nil {
		t.Fatal(err)
	}
	values, into := make([]any, len(read.columns)), make([]any, len(read.columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		require.NoError(t, rows.Scan(into...))
		read.rows = append(read.rows, fmt.Sprint(values...))
	}
	require.NoError(t, rows.Err())
	slices.Sort(read.rows)
	return read
}

// Commands of a newer program don't migrate the tables of a serving portal. Without one, they do.
func TestCommandsKeepTheTablesOfAServingPortal(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url, data := dbtest.URL(t, kind), t.TempDir()
			file := filepath.Join(data, "users.csv")
			require.NoError(t, os.WriteFile(file, []byte("user_name,type,status,first_name,last_name,email\n"), 0o600))
			_, cmd := startServer(t, url, data)
			d, err := db.Open(t.Context(), url)
			require.NoError(t, err)
			defer d.Close()
			_, newest, err := migrations.ReadVersions(t.Context(), d)
			if err == nil {
				err = migrations.DownTo(t.Context(), d, newest-1)
			}
			require.NoError(t, err)
			commands := []struct {
				args []string
				code int
			}{
				{[]string{"user", "link", "ada"}, 2},
				{[]string{"user", "reset-factors", "ada"}, 2},
				{[]string{"user", "add", "--type", "NNUS", "--first-name", "Ada", "--last-name", "Moore", "--email", "ada@portal.example"},
					2},
				{[]string{"import", "csv", "--kind", "users", file}, exitAgain},
			}
			for _, c := range commands {
				out, code := wcpp(t, "", append(c.args, "--database-url", url, "--data", data)...)
				if code != c.code || !strings.Contains(out, "restart the portal") || strings.Count(out, "\n") != 1 {
					t.Errorf("%v: exit %d\n%s", c.args, code, out)
				}
			}
			if at, err := migrations.Version(t.Context(), d); err != nil || at != newest-1 {
				t.Errorf("version %d instead of %d, %v", at, newest-1, err)
			}
			stop(t, cmd)
			if out, code := wcpp(t, "", append(commands[2].args, "--database-url", url, "--data", data)...); code != 0 {
				t.Errorf("exit %d\n%s", code, out)
			}
		})
	}
}
