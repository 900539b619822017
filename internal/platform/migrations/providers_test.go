package migrations_test

import (
	"slices"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

// Migration 94 finds out which of the providers that migration 90 marked come from a table: those with a TIN that
// no roster added.
func TestRegisteredProviders(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := migrations.DownTo(t.Context(), d, 89); err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{
			`INSERT INTO providers (provider_id, provider_type, name_key) VALUES ('10000000', 'P', 'without a TIN'),
				('10000001', 'P', 'by a file'), ('10000002', 'P', 'by a roster'), ('10000003', 'P', 'by both'),
				('10000004', 'P', 'by another one''s roster'), ('7', 'P', 'by a table')`,
			`INSERT INTO provider_offices (provider_id, office_id, name, is_primary, accepts_wc)
				SELECT provider_id, 'NPPES', 'Pier', true, false FROM providers`,
			`INSERT INTO provider_tins (provider_id, ftin) VALUES ('10000001', '111111111'), ('10000002', '111111111'),
				('10000003', '111111111'), ('10000003', '222222222'), ('10000004', '222222222')`,
			`INSERT INTO provider_listings (source_group_id, provider_id, ftin, office_id, upload_id, brought_tin)
				VALUES (1, '10000001', '111111111', 'A', 1, false), (1, '10000002', '111111111', 'A', 1, true),
					(1, '10000003', '111111111', 'A', 1, true), (1, '10000004', '111111111', 'A', 1, true)`,
		} {
			exec(t, d, query)
		}
		if _, err := migrations.Up(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		var found []string
		err := db.Select(t.Context(), d.Reader, &found, `SELECT name_key FROM providers WHERE registered ORDER BY provider_id`)
		if err != nil || !slices.Equal(found, []string{"without a TIN", "by a roster"}) {
			t.Errorf("%q, %v", found, err)
		}
	})
}

// Migration 94 keeps only stated flags of offices. Files without the flag stored the same as a no.
func TestStatedFlagsOfOffices(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := migrations.DownTo(t.Context(), d, 89); err != nil {
			t.Fatal(err)
		}
		exec(t, d, `INSERT INTO providers (provider_id, provider_type, name_key) VALUES ('7', 'P', 'hand')`)
		exec(t, d, `INSERT INTO provider_offices (provider_id, office_id, name, is_primary, accepts_wc)
			VALUES ('7', 'A', 'Annex', true, true), ('7', 'B', 'Pier', false, false), ('7', 'NPPES', 'Pier', true, false)`)
		if _, err := migrations.Up(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		var found []string
		if err := db.Select(t.Context(), d.Reader, &found, `SELECT office_id FROM provider_offices WHERE accepts_wc_known`); err != nil ||
			!slices.Equal(found, []string{"A"}) {
			t.Errorf("%q, %v", found, err)
		}
	})
}
