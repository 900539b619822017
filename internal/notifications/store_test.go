package notifications

import (
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// The list of administrators is not among these: it walks along the newest
// rows, as many as its limit.
func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		p := newPeople(t, d, 1)
		n := p.made(p.notification("1"))
		for name, find := range map[string]func() error{
			"by id":      func() error { _, err := byID(t.Context(), q, n.ID); return err },
			"made since": func() error { _, err := madeSince(t.Context(), q, "x", db.At(time.Now())); return err },
			"due":        func() error { _, err := due(t.Context(), q, "2026-03-02"); return err },
			"copies":     func() error { _, err := copiesOf(t.Context(), q, 1, 10); return err },
			"state":      func() error { _, err := stateOf(t.Context(), q, 1); return err },
		} {
			if err := find(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
