package directory

import (
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := dbtest.Explaining(t, d)
		if _, err := providersOf(t.Context(), q, "123456789", Lookup{Type: "P", LastName: "ho"}, 10); err != nil {
			t.Error(err)
		}
		for _, id := range []string{"", "700"} {
			if _, err := providerIDs(t.Context(), q, "123456789", id); err != nil {
				t.Error(err)
			}
		}
	})
}
