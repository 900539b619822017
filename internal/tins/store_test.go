package tins

import (
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		for name, find := range map[string]func() error{
			"TINs of a group":      func() error { _, err := groupTINs(t.Context(), q, 1); return err },
			"TINs of a user":       func() error { _, err := userTINs(t.Context(), q, 1); return err },
			"records of a group":   func() error { _, err := groupRecords(t.Context(), q, 1, 10); return err },
			"groups that have one": func() error { _, err := groupsWith(t.Context(), q, "123456789"); return err },
			"users who have one":   func() error { _, err := usersWith(t.Context(), q, "123456789"); return err },
		} {
			if err := find(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
