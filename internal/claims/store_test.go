package claims

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"lockUnnamed": "an index that only holds what has no key of a name yet, from its begin",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		assert.ErrorIs(t, dbtest.Err(byNumber(ctx, tx, "7", "1")), db.ErrNotFound)
		for _, wildcard := range []bool{false, true} {
			q := Search{FirstName: "Zo", LastName: "Brien", BirthDate: "1970-01-02", DateOfInjury: "2025-03-04", Wildcard: wildcard}
			assert.NoError(t, dbtest.Err(byClaimant(ctx, tx, q, 10)))
		}
		assert.NoError(t, dbtest.Err(listByNumber(ctx, tx, "7", 10)))
		assert.NoError(t, dbtest.Err(lockUnnamed(ctx, tx, d.Dialect)))
		assert.NoError(t, putNames(ctx, tx, []Claim{{ClaimNumber: "7"}}))
		assert.NoError(t, save(ctx, tx, Claim{ClaimNumber: "7"}))
	})
}
