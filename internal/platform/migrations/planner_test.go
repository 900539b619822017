package migrations_test

import (
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

func TestPlannerKnowsWhatPagesCost(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	d.Writer.SetMaxIdleConns(0) // each statement uses a new connection
	is := func(want string) {
		t.Helper()
		if _, err := migrations.Up(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		var cost string
		if err := db.Get(t.Context(), d.Writer, &cost, `SHOW random_page_cost`); err != nil {
			t.Fatal(err)
		}
		if cost != want {
			t.Fatalf("a page costs %s, not %s", cost, want)
		}
	}
	is("1.1")
	if _, err := d.Writer.ExecContext(t.Context(),
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 2', current_database()); END $$`); err != nil {
		t.Fatal(err)
	}
	is("2") // an administrator's setting remains
}
