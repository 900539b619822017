package feeschedules

import (
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		for name, find := range map[string]func() error{
			"rate codes": func() error { _, err := rateCodesOf(t.Context(), q, "7", "DPWC", "1", 10); return err },
			"one code":   func() error { _, err := rateCodesOfProvider(t.Context(), q, "7", "x"); return err },
			"files":      func() error { _, err := finished(t.Context(), q, 1, 10); return err },
			"stale":      func() error { _, err := stale(t.Context(), q, db.At(time.Now())); return err },
			"allowances": func() error { return allowances(t.Context(), q, "x", func(Allowance) error { return nil }) },
		} {
			if err := find(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
