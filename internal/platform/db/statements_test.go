package db_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
)

func numbers(t *testing.T, n int) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "test.db"))
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	must(t, d, `CREATE TABLE numbers (n bigint NOT NULL, name text NOT NULL DEFAULT '')`)
	for i := range n {
		must(t, d, `INSERT INTO numbers (n) VALUES ($1)`, i)
	}
	return d
}

func must(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(t.Context(), d.Writer, statement, args...); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, q db.Queryer, query string, args ...any) []int {
	t.Helper()
	var found []int
	require.NoError(t, db.Select(t.Context(), q, &found, query, args...))
	return found
}

// One connection reads the same query twice concurrently, and each reader gets all rows.
func TestStatementInUse(t *testing.T) {
	d := numbers(t, 3)
	const query = `SELECT n FROM numbers ORDER BY n`
	err := d.Tx(t.Context(), func(tx *sql.Tx) error {
		outer, err := tx.QueryContext(t.Context(), query)
		if err != nil {
			return err
		}
		defer outer.Close()
		for want := range 3 {
			var n int
			if !outer.Next() || outer.Scan(&n) != nil || n != want {
				t.Fatalf("row %d is %d: %v", want, n, outer.Err())
			}
			require.Equal(t, []int{0, 1, 2}, list(t, tx, query))
		}
		return outer.Err()
	})
	require.NoError(t, err)
}

// A cached statement sees schema changes.
func TestStatementAfterChange(t *testing.T) {
	d := numbers(t, 1)
	columns := func() int {
		rows, err := d.Writer.QueryContext(t.Context(), `SELECT * FROM numbers`)
		require.NoError(t, err)
		defer rows.Close()
		names, err := rows.Columns()
		if err != nil || !rows.Next() {
			t.Fatal(err, rows.Err())
		}
		return len(names)
	}
	require.Equal(t, 2, columns())
	must(t, d, `ALTER TABLE numbers ADD COLUMN more text`)
	require.Equal(t, 3, columns())
}

// More statements than the cache can store, including one in use.
func TestManyStatements(t *testing.T) {
	d := numbers(t, 2)
	err := d.Tx(t.Context(), func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(t.Context(), `SELECT n FROM numbers ORDER BY n`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for i := range 500 {
			if got := list(t, tx, fmt.Sprintf(`SELECT n + %d FROM numbers WHERE n = $1`, i), 1); !slices.Equal(got, []int{i + 1}) {
				t.Fatalf("text %d answered %v", i, got)
			}
		}
		read := 0
		for rows.Next() {
			read++
		}
		require.Equal(t, 2, read)
		return rows.Err()
	})
	require.NoError(t, err)
}

func TestParameters(t *testing.T) {
	d := numbers(t, 0)
	var args []any
	var want []int
	for i := range 12 {
		args, want = append(args, i), append(want, i)
	}
	// In order, and more than nine.
	must(t, d, `INSERT INTO numbers (n) VALUES ($1), ($2), ($3), ($4), ($5), ($6), ($7), ($8), ($9), ($10), ($11), ($12)`, args...)
	require.Equal(t, want, list(t, d.Reader, `SELECT n FROM numbers ORDER BY n`))
	for _, c := range []struct {
		query string
		want  []int
	}{
		{`SELECT n FROM numbers WHERE n > $2 AND n < $1 ORDER BY n`, []int{3, 4}},                 // not in order
		{`SELECT n FROM numbers WHERE n = $1 OR n = $2 OR n = $1 + 1 ORDER BY n`, []int{2, 5, 6}}, // one is repeated
		{`SELECT n FROM numbers WHERE name <> '$1' AND n IN ($1, $2) ORDER BY n`, []int{2, 5}},    // one is in a string
	} {
		assert.Equalf(t, c.want, list(t, d.Reader, c.query, 5, 2), "%s answered", c.query)
	}
}

// Only the writer maps the file, because readers would unmap it after each write.
func TestWriterAloneMapsTheFile(t *testing.T) {
	d := numbers(t, 1)
	for of, pool := range map[string]*sql.DB{"reader": d.Reader, "writer": d.Writer} {
		var mapped int64
		if err := db.Get(t.Context(), pool, &mapped, `PRAGMA mmap_size`); err != nil || mapped > 0 != (of == "writer") {
			t.Errorf("the %s maps %d bytes: %v", of, mapped, err)
		}
	}
}
