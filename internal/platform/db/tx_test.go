package db_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Only conflicts with other transactions are retried, and not forever.
func TestTxTriesAgain(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		conflict, broken := error(&pgconn.PgError{Code: "40001"}), errors.New("broken")
		for name, c := range map[string]struct {
			fails    error
			times    int // failures before the first success
			attempts int
			want     error
		}{
			"conflicts that end":    {conflict, 2, 3, nil},
			"conflicts without end": {conflict, 9, 5, conflict},
			"any other error":       {broken, 9, 1, broken},
		} {
			for way, run := range map[string]func(context.Context, func(*sql.Tx) error) error{"Tx": d.Tx, "Read": d.Read, "Bulk": d.Bulk} {
				attempts := 0
				err := run(t.Context(), func(*sql.Tx) error {
					if attempts++; attempts <= c.times {
						return c.fails
					}
					return nil
				})
				if !errors.Is(err, c.want) || attempts != c.attempts {
					t.Errorf("%s, %s: %v after %d attempts", name, way, err, attempts)
				}
			}
		}
	})
}

// A single statement is a transaction, too, so conflicts with others are retried.
func TestAStatementAloneTriesAgain(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	must(t, d, `CREATE TABLE shelves (room text)`)
	must(t, d, `CREATE TABLE books (title_key text)`)
	must(t, d, `INSERT INTO shelves VALUES ('A')`)
	must(t, d, `INSERT INTO books VALUES ('a')`)
	const both = `SELECT room FROM shelves CROSS JOIN books`
	type shelved struct{ Room string }
	table := db.NewTable("shelves", db.Col("room", func(s *shelved) *string { return &s.Room }))
	for name, ask := range map[string]func() error{
		"Get": func() error {
			var room string
			return db.Get(t.Context(), d.Reader, &room, both)
		},
		"Select": func() error {
			var rooms []string
			return db.Select(t.Context(), d.Reader, &rooms, both)
		},
		"Exec": func() error {
			return db.Run(t.Context(), d.Writer, `UPDATE shelves SET room = 'A' FROM books`)
		},
		"Table": func() error {
			_, err := table.Query(t.Context(), d.Reader, both)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			asked := make(chan error, 1)
			if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
				// The other session checks for deadlocks first, so PostgreSQL cancels it.
				for _, statement := range []string{`SET LOCAL deadlock_timeout = '1h'`, `LOCK TABLE books`} {
					if _, err := tx.ExecContext(t.Context(), statement); err != nil {
						return err
					}
				}
				go func() { asked <- ask() }()
				dbtest.AwaitWaiting(t, d)
				_, err := tx.ExecContext(t.Context(), `LOCK TABLE shelves`)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			assert.NoError(t, <-asked)
		})
	}
}

// Callers get the plain error of a canceled context, whatever its cause.
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

// A table without current statistics isn't scanned for a few keys.
func TestByKeysUsesIndexes(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	for _, statement := range []string{`CREATE TABLE books (title text PRIMARY KEY)`, `INSERT INTO books VALUES ('A')`, `ANALYZE books`} {
		must(t, d, statement)
	}
	plan := func(prepare func(tx *sql.Tx) error) string {
		var lines []string
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			if err := prepare(tx); err != nil {
				return err
			}
			return db.Select(t.Context(), tx, &lines,
				`EXPLAIN SELECT b.title FROM (VALUES ('A'), ('B')) k JOIN books b ON b.title = k.column1`)
		}))
		return strings.Join(lines, "\n")
	}
	usual, byKeys := plan(func(*sql.Tx) error { return nil }), plan(func(tx *sql.Tx) error { return d.ForceIndexScans(t.Context(), tx) })
	if !strings.Contains(usual, "Seq Scan on books") || strings.Contains(byKeys, "Seq Scan on books") ||
		!strings.Contains(byKeys, "books_pkey") {
		t.Errorf("usual:\n%s\nby keys:\n%s", usual, byKeys)
	}
}

// SQLite looks up many keys one by one, even with an index on an expression.
func TestAmongUsesIndexesOnExpressions(t *testing.T) {
	d := dbtest.Open(t, "sqlite")
	type book struct{ title string }
	books := db.NewTable("books", db.Col("title", func(b *book) *string { return &b.title }))
	must(t, d, `CREATE TABLE books (title TEXT NOT NULL)`)
	must(t, d, `CREATE INDEX books_title ON books ((ltrim(title, '0')))`)
	var lines []struct {
		ID, Parent, Notused int
		Detail              string
	}
	ask := asking{d.Reader, func(ctx context.Context, query string, args []any) error {
		return db.Select(ctx, d.Reader, &lines, "EXPLAIN QUERY PLAN "+query, args...)
	}}
	if _, err := books.SelectByKeys(t.Context(), ask, []string{"ltrim(t.title, '0') ="}, slices.Repeat([][]any{{"A"}}, 200), ""); err !=
		nil {
		t.Fatal(err)
	}
	var plan []string
	for _, l := range lines {
		plan = append(plan, l.Detail)
	}
	if !slices.ContainsFunc(plan, func(line string) bool { return strings.HasPrefix(line, "SEARCH t USING INDEX books_title") }) {
		t.Errorf("%q", plan)
	}
}

// asking passes each query to a hook before it is sent.
type asking struct {
	db.Queryer
	see func(ctx context.Context, query string, args []any) error
}

func (a asking) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := a.see(ctx, query, args); err != nil {
		return nil, err
	}
	return a.Queryer.QueryContext(ctx, query, args...)
}
