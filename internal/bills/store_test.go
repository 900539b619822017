package bills

import (
	"database/sql"
	"errors"
	"testing"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, scope := t.Context(), access.ScopeOf([]string{ours})
		for name, err := range map[string]error{
			"a bill":                    dbtest.Err(byKey(ctx, tx, scope, ours, "x")),
			"a bill of a pricing sheet": dbtest.Err(pricingSheetByKey(ctx, tx, scope, "x")),
		} {
			if !errors.Is(err, db.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		window := Window{"2026-01-01", "2026-01-02"}
		for _, c := range []Criteria{ByClaim{"x", window}, ByClaimant{"a", "b", "1980-01-01", window}, ByBillControlNumber{"x"}, ByDocument{"x"}} {
			if _, err := search(ctx, tx, scope, ours, c); err != nil {
				t.Error(err)
			}
		}
		if err := errors.Join(
			dbtest.Err(sample(ctx, tx, scope, ours, 3)),
			dbtest.Err(hasBill(ctx, tx, ours, "")),
			dbtest.Err(hasBill(ctx, tx, ours, "x")),
		); err != nil {
			t.Error(err)
		}
	})
}
