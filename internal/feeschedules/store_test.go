package feeschedules

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		for name, err := range map[string]error{
			"the same request": dbtest.Err(recent(ctx, tx, Request{}, now)),
			"a request":        dbtest.Err(requests.Find(ctx, tx, 1)),
		} {
			assert.ErrorIs(t, err, db.ErrNotFound, name)
		}
		assert.NoError(t, errors.Join(
			dbtest.Err(listRateCodes(ctx, tx, "7", "DPWC", "1", 10)),
			dbtest.Err(ignoreCount(rateCodePage(ctx, tx, d.Dialect, paging.Table{
				PageSize: 10, Sort: &paging.Sort{ID: "code"}, Filters: map[string]string{"address": "main"},
			}, selectRateCodes("7", "DPWC", "1")))),
			dbtest.Err(rateCodesOfProvider(ctx, tx, "7", "x")),
			dbtest.Err(listDone(ctx, tx, 1, 10)),
			dbtest.Err(countDone(ctx, tx, 1)),
			dbtest.Err(listRequests(ctx, tx, []int64{1, 2}, 10)),
			dbtest.Err(listFailed(ctx, tx, 1, 10)),
			dbtest.Err(hideRepeated(ctx, tx, Request{}, now)),
			dbtest.Err(dismiss(ctx, tx, 1, now)),
			noteViewed(ctx, tx, 1, now),
			noteAllViewed(ctx, tx, 1, now),
			dbtest.Err(requests.Claim(ctx, tx, 1, now, now)),
			requests.Release(ctx, tx, 1),
			dbtest.Err(requests.Save(ctx, tx, Request{})),
			dbtest.Err(requests.ListBefore(ctx, tx, now, finished)),
			dbtest.Err(requests.ListAbandoned(ctx, tx, job, now)),
			requests.Delete(ctx, tx, 1),
			allowances(ctx, tx, "x", func(Allowance) error { return nil }),
			MoveProvider(ctx, tx, "8", "7"),
			dbtest.Err(putRateCode(ctx, tx, RateCode{ProviderID: "7", LineOfBusiness: "DPWC"})),
			dbtest.Err(putAllowance(ctx, tx, Allowance{NationalRateCode: "x", EffectiveDate: "2026-01-01"})),
		))
	})
}

func ignoreCount(list []RateCode, _ int, err error) ([]RateCode, error) { return list, err }

// Filters of locations match with any case and accents.
func TestFiltersOfLocations(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			_, err := ImportRateCode(t.Context(), tx, RateCode{ProviderID: "7", LineOfBusiness: "DPWC", FTIN: "1", NationalRateCode: "OH01",
				LocationName: "CLÍNICA MUÑOZ", LocationAddress: "12 CALLE PEÑA", LocationDetails: "Ágape"})
			return err
		}))
		for typed, column := range map[string]string{"muñoz": "location", "MUÑOZ": "location", "munoz": "location",
			"12 calle peña": "address", "ÁGAPE": "details"} {
			table := paging.Table{PageSize: 10, Filters: map[string]string{column: typed}}
			_, n, err := rateCodePage(t.Context(), d.Reader, d.Dialect, table, selectRateCodes("7", "DPWC", "1"))
			if err != nil || n != 1 {
				t.Errorf("%s: %d %v", typed, n, err)
			}
		}
	})
}
