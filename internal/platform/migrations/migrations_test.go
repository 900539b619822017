package migrations_test

import (
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

func tables(t *testing.T, d *db.DB) int {
	t.Helper()
	query := "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%'"
	if d.Dialect.Name == "postgres" {
		query = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'goose_%'"
	}
	var n int
	if err := db.Get(t.Context(), d.Writer, &n, query); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestUpDownUp(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			d := dbtest.Open(t, kind)
			if _, err := migrations.Up(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			up := tables(t, d)
			if up < 15 {
				t.Fatalf("%d tables after Up", up)
			}
			if err := migrations.DownTo(t.Context(), d, 0); err != nil {
				t.Fatal(err)
			}
			if n := tables(t, d); n != 0 {
				t.Fatalf("%d tables left after going down", n)
			}
			if _, err := migrations.Up(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			if n := tables(t, d); n != up {
				t.Fatalf("%d tables after the second Up, %d after the first", n, up)
			}
			if ran, err := migrations.Up(t.Context(), d); err != nil || ran != 0 {
				t.Fatalf("a further Up ran %d steps, %v", ran, err)
			}
		})
	}
}

func TestAuditLogIsAppendOnly(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if _, err := db.Exec(t.Context(), d.Writer,
			`INSERT INTO audit_log (at, actor, operation, result) VALUES ('2026-01-02T03:04:05Z', 'a', 'b', 'ok')`); err != nil {
			t.Fatal(err)
		}
		for _, change := range []string{`UPDATE audit_log SET actor = 'x'`, `DELETE FROM audit_log`} {
			if _, err := db.Exec(t.Context(), d.Writer, change); err == nil {
				t.Errorf("%s was allowed", change)
			}
		}
	})
}
