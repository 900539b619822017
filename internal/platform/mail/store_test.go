package mail

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
	dbtest.CheckPlans(t, dbtest.Scans{"countFailed": "what waits is counted, up to a bound"}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		if _, err := lastTo(ctx, tx, "a@example.com"); !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
		if _, err := mailByID(ctx, tx, 1); !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
		_, err := reviveMail(ctx, tx, 1)
		_, failed := failedMails(ctx, tx)
		_, _, pageErr := failedPage(ctx, tx, d.Dialect, paging.Table{PageSize: 10, Sort: &paging.Sort{ID: "to"},
			Filters: map[string]string{"error": "full"}})
		_, failedTo := failedTo(ctx, tx, []string{"a@example.com", "b@example.com"}, 10)
		if err := errors.Join(dbtest.Err(countFailed(ctx, tx)), pageErr, dbtest.Err(endMail(ctx, tx, 1)), err, failed, failedTo,
			noteMail(ctx, tx, 1, "sent", "", now), dbtest.Err(deleteOldMails(ctx, tx, now)), failAbandoned(ctx, tx, now)); err != nil {
			t.Error(err)
		}
	})
}
