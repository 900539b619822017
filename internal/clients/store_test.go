package clients

import (
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		for name, find := range map[string]func() error{
			"states":   func() error { _, err := statesOf(t.Context(), q, "7", "2026-01-01"); return err },
			"products": func() error { _, err := productsOf(t.Context(), q, "WC", "7", "OH", "1", "2026-01-01"); return err },
			"part": func() error {
				_, err := takesPart(t.Context(), q, "WC", "7", "OH", "PPO", "1", "2026-01-01")
				return err
			},
			"clients": func() error { _, err := clientsOf(t.Context(), q, "WC", "7", "OH", "PPO", "1", 10); return err },
			"details": func() error { _, err := clientsOfProvider(t.Context(), q, "7", "1", "2026-01-01", 10); return err },
		} {
			if err := find(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
