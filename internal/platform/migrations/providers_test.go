package migrations_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

// Migration 94 finds out which of the providers that migration 90 marked come from a table: those whose ID
// other files use.
func TestRegisteredProviders(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, migrations.DownTo(t.Context(), d, 89))
		for _, query := range []string{
			`INSERT INTO providers (provider_id, provider_type, name_key) VALUES ('10000000', 'P', 'without data'),
				('10000001', 'P', 'with a TIN'), ('10000002', 'P', 'with rates'), ('10000003', 'P', 'with a product'),
				('10000004', 'P', 'excluded'), ('7', 'P', 'by a table')`,
			`INSERT INTO provider_offices (provider_id, office_id, name, is_primary, accepts_wc)
				SELECT provider_id, 'NPPES', 'Pier', true, false FROM providers`,
			`INSERT INTO provider_tins (provider_id, ftin) VALUES ('10000001', '111111111')`,
			`INSERT INTO rate_codes (provider_id, line_of_business, ftin, national_rate_code, zip, location_name, location_address,
				location_details) VALUES ('10000002', 'DPWC', '111111111', 'OH01', '', '', '', '')`,
			`INSERT INTO provider_products (provider_id, line_of_business, state, ftin, product_code, effective_date, end_date)
				VALUES ('10000003', 'DPWC', 'OH', '', 'PPO', '2026-01-01', '9999-12-31')`,
			`INSERT INTO client_exclusions (client_id, provider_id, ftin, effective_date, end_date)
				VALUES ('C', '10000004', '', '2026-01-01', '9999-12-31')`,
		} {
			exec(t, d, query)
		}
		require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
		var found []string
		err := db.Select(t.Context(), d.Reader, &found, `SELECT name_key FROM providers WHERE registered ORDER BY provider_id`)
		if err != nil || !slices.Equal(found, []string{"without data", "with a TIN"}) {
			t.Errorf("%q, %v", found, err)
		}
	})
}
