package claims

import (
	"database/sql"
	"errors"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"lockUnnamed": "an index that only holds what has no key of a name yet, from its begin",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		if _, err := byNumber(ctx, tx, "7", "1"); !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
		for _, wildcard := range []bool{false, true} {
			q := Search{FirstName: "Zo", LastName: "Brien", BirthDate: "1970-01-02", DateOfInjury: "2025-03-04", Wildcard: wildcard}
			if _, err := byClaimant(ctx, tx, q, 10); err != nil {
				t.Error(err)
			}
		}
		if _, err := listByNumber(ctx, tx, "7", 10); err != nil {
			t.Error(err)
		}
		if _, err := lockUnnamed(ctx, tx, d.Dialect); err != nil {
			t.Error(err)
		}
		if err := putNames(ctx, tx, []Claim{{ClaimNumber: "7"}}); err != nil {
			t.Error(err)
		}
		if err := save(ctx, tx, Claim{ClaimNumber: "7"}); err != nil {
			t.Error(err)
		}
	})
}
