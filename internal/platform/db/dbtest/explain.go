package dbtest

import (
	"context"
	"database/sql"
	"regexp"
	"strings"
	"testing"

	"wcpp/internal/platform/db"
)

// Explaining runs each query through EXPLAIN first and fails the test when it
// would scan a whole table instead of using an index.
func Explaining(t testing.TB, d *db.DB) db.Queryer {
	return explaining{Queryer: d.Writer, t: t, d: d}
}

type explaining struct {
	db.Queryer
	t testing.TB
	d *db.DB
}

func (e explaining) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if plan := e.plan(ctx, query, args); fullScan(e.d.Dialect.Name, plan) {
		e.t.Errorf("scans a whole table:\n%s\n%s", query, plan)
	}
	return e.Queryer.QueryContext(ctx, query, args...)
}

// A walk along an index without a condition is a scan as well.
var sqliteScan = regexp.MustCompile(`(?m)^SCAN (?:TABLE )?\w+`)

func fullScan(dialect, plan string) bool {
	if dialect == "postgres" {
		return strings.Contains(plan, "Seq Scan on")
	}
	return sqliteScan.MatchString(plan)
}

func (e explaining) plan(ctx context.Context, query string, args []any) string {
	e.t.Helper()
	tx, err := e.d.Writer.BeginTx(ctx, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was changed
	prefix := "EXPLAIN QUERY PLAN "
	if e.d.Dialect.Name == "postgres" {
		prefix = "EXPLAIN "
		// Small tables are scanned whatever their indexes.
		if _, err := tx.ExecContext(ctx, "SET LOCAL enable_seqscan = off"); err != nil {
			e.t.Fatal(err)
		}
	}
	rows, err := tx.QueryContext(ctx, prefix+query, args...)
	if err != nil {
		e.t.Fatalf("explain: %v\n%s", err, query)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		e.t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			e.t.Fatal(err)
		}
		if s, ok := (*values[len(values)-1].(*any)).(string); ok {
			lines = append(lines, s)
		}
	}
	if err := rows.Err(); err != nil {
		e.t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
