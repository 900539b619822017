package rosters

import (
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// All sources and all their groups are read whole: they are few.
func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		for name, find := range map[string]func() error{
			"sources by id":            func() error { _, err := sourcesByID(t.Context(), q, []int64{1, 2}); return err },
			"sources of a group":       func() error { _, err := sourcesOf(t.Context(), q, 1); return err },
			"source groups of a group": func() error { _, err := sourceGroupsOf(t.Context(), q, 1); return err },
			"groups with a source":     func() error { _, err := groupsWithSource(t.Context(), q, 1); return err },
			"groups with a source group": func() error {
				_, err := groupsWithSourceGroup(t.Context(), q, 1)
				return err
			},
			"provider group":    func() error { _, err := sourceGroupOf(t.Context(), q, 1, 2, "x"); return ignore(err) },
			"uploads":           func() error { _, err := uploadsOf(t.Context(), q, 1, 10); return err },
			"broken uploads":    func() error { _, err := brokenUploads(t.Context(), q, db.At(time.Now())); return err },
			"file":              func() error { _, err := fileOf(t.Context(), q, 1, 1); return ignore(err) },
			"last roster":       func() error { _, err := rosterOf(t.Context(), q, 1); return err },
			"check":             func() error { _, err := checkByID(t.Context(), q, "x"); return ignore(err) },
			"old checks":        func() error { _, err := oldChecks(t.Context(), q, db.At(time.Now())); return err },
			"sources of groups": func() error { _, err := sourcesOfGroups(t.Context(), q, []int64{1, 2}); return err },
		} {
			if err := find(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func ignore(err error) error {
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	return err
}
