package claims

import (
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestQueriesUseIndexes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, wildcard := range []bool{false, true} {
			q := Search{FirstName: "Zo", LastName: "Brien", BirthDate: "1970-01-02", DateOfInjury: "2025-03-04", Wildcard: wildcard}
			if _, err := byClaimant(t.Context(), dbtest.Explaining(t, d), q, 10); err != nil {
				t.Error(err)
			}
		}
	})
}
