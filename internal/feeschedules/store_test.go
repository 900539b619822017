package feeschedules

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		for name, err := range map[string]error{
			"the same request": dbtest.Err(recent(ctx, tx, Request{UserID: 1}, now)),
			"a request":        dbtest.Err(requestByID(ctx, tx, 1)),
		} {
			if !errors.Is(err, db.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := errors.Join(
			dbtest.Err(listRateCodes(ctx, tx, "7", "DPWC", "1", 10)),
			dbtest.Err(ignoreCount(rateCodePage(ctx, tx, d.Dialect, paging.Table{
				PageSize: 10, Sort: &paging.Sort{ID: "code"}, Filters: map[string]string{"address": "main"},
			}, selectRateCodes("7", "DPWC", "1")))),
			dbtest.Err(rateCodesOfProvider(ctx, tx, "7", "x")),
			dbtest.Err(finished(ctx, tx, 1, 10)),
			dbtest.Err(countFinished(ctx, tx, 1)),
			dbtest.Err(listRequests(ctx, tx, []int64{1, 2}, 10)),
			dbtest.Err(listFailed(ctx, tx, 1, 10)),
			dbtest.Err(hideRepeated(ctx, tx, Request{UserID: 1}, now)),
			dbtest.Err(dismiss(ctx, tx, 1, now)),
			noteViewed(ctx, tx, 1, now),
			noteAllViewed(ctx, tx, 1, now),
			dbtest.Err(claim(ctx, tx, 1, now, now)),
			release(ctx, tx, 1),
			finish(ctx, tx, Request{ID: 1, Status: done}, now),
			dbtest.Err(stale(ctx, tx, now)),
			dbtest.Err(finishedBefore(ctx, tx, now)),
			removeRequest(ctx, tx, 1),
			allowances(ctx, tx, "x", func(Allowance) error { return nil }),
			dbtest.Err(putRateCode(ctx, tx, RateCode{ProviderID: "7", LineOfBusiness: "DPWC"})),
			dbtest.Err(putAllowance(ctx, tx, Allowance{NationalRateCode: "x", EffectiveDate: "2026-01-01"})),
		); err != nil {
			t.Error(err)
		}
	})
}

func ignoreCount(list []RateCode, _ int, err error) ([]RateCode, error) { return list, err }
