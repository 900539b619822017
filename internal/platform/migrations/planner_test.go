package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

func TestPlannerKnowsWhatPagesCost(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	d.Writer.SetMaxIdleConns(0) // each statement uses a new connection
	is := func(want string) {
		t.Helper()
		require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
		var cost string
		require.NoError(t, db.Get(t.Context(), d.Writer, &cost, `SHOW random_page_cost`))
		require.Equal(t, want, cost)
	}
	is("1.1")
	require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(),
		`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 2', current_database()); END $$`)))
	is("2") // an administrator's setting remains
}
