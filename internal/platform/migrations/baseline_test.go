package migrations_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

// A database that the files before the baseline migrated has a record of each of them.
func TestBaseline(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			d := dbtest.Open(t, kind)
			exec := func(statement string, args ...any) {
				t.Helper()
				require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement, args...)))
			}
			if ran, err := migrations.Up(t.Context(), d); err != nil || ran == 0 {
				t.Fatalf("an empty database: %d steps, %v", ran, err)
			}
			all := tables(t, d)
			for version := 1; version < migrations.Baseline; version++ {
				exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, TRUE)`, version)
			}
			exec(`INSERT INTO secrets (name, value, created_at) VALUES ('kept', '', '2026-01-02T03:04:05Z')`)
			if ran, err := migrations.Up(t.Context(), d); err != nil || ran != 0 {
				t.Errorf("a database at the baseline: %d steps, %v", ran, err)
			}
			exec(`INSERT INTO earlier_payments (ftin, trace_number, patient_control_number, patient_control_number_key,
				payer_control_number, payer_control_number_key, occurrence, claim_status, charge, paid)
				VALUES ('1', '', '', '', '', '', 1, '1', 1, 1)`)
			if _, err := migrations.Up(t.Context(), d); err == nil || !strings.Contains(err.Error(), migrations.UpgradeFirst) {
				t.Errorf("a database with rows that a job has to update: %v", err)
			}
			exec(`DELETE FROM earlier_payments`)
			var applied []int64
			require.NoError(t, db.Select(t.Context(), d.Writer, &applied, `SELECT version_id FROM goose_db_version WHERE version_id >= $1
				ORDER BY version_id`, migrations.Baseline))
			exec(`DELETE FROM goose_db_version WHERE version_id >= $1`, migrations.Baseline)
			_, up := migrations.Up(t.Context(), d)
			for what, err := range map[string]error{"up": up, "down": migrations.DownTo(t.Context(), d, 0)} {
				if err == nil || !strings.Contains(err.Error(), "(version 68)") || !strings.Contains(err.Error(), migrations.UpgradeFirst) {
					t.Errorf("%s from an older database: %v", what, err)
				}
			}
			var kept int
			if err := db.Get(t.Context(), d.Writer, &kept, `SELECT count(*) FROM secrets WHERE name = 'kept'`); err != nil || kept != 1 ||
				tables(t, d) != all {
				t.Errorf("%d rows and %d of %d tables are left, %v", kept, tables(t, d), all, err)
			}
			for _, version := range applied {
				exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, TRUE)`, version)
			}
			assert.Error(t, migrations.DownTo(t.Context(), d, migrations.Baseline-1), "went back before the baseline")
			if err := migrations.DownTo(t.Context(), d, 0); err != nil || tables(t, d) != 0 {
				t.Errorf("%d tables are left, %v", tables(t, d), err)
			}
		})
	}
}

// An older program neither serves nor changes tables that a newer one migrated.
func TestNewerDatabase(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		all := tables(t, d)
		newer := `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, TRUE)`
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, newer)))
		_, up := migrations.Up(t.Context(), d)
		for what, err := range map[string]error{
			"up": up, "back": migrations.DownTo(t.Context(), d, migrations.Baseline), "down": migrations.DownTo(t.Context(), d, 0),
		} {
			if err == nil || !strings.Contains(err.Error(), "(version 999)") || !strings.Contains(err.Error(), migrations.RunNewer) {
				t.Errorf("%s: %v", what, err)
			}
		}
		assert.Equal(t, all, tables(t, d))
	})
}
