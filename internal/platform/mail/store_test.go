package mail

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{"countFailed": "what waits is counted, up to a bound"}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		assert.ErrorIs(t, dbtest.Err(lastTo(ctx, tx, "a@example.com")), db.ErrNotFound)
		assert.ErrorIs(t, dbtest.Err(mailByID(ctx, tx, 1)), db.ErrNotFound)
		_, err := reviveMail(ctx, tx, 1)
		_, failed := failedMails(ctx, tx)
		_, _, pageErr := failedPage(ctx, tx, d.Dialect, paging.Table{PageSize: 10, Sort: &paging.Sort{ID: "to"},
			Filters: map[string]string{"error": "full"}})
		_, failedTo := failedTo(ctx, tx, []string{"a@example.com", "b@example.com"}, 10)
		assert.NoError(t, errors.Join(dbtest.Err(countFailed(ctx, tx)), pageErr, dbtest.Err(endMail(ctx, tx, 1)), err, failed, failedTo,
			noteMail(ctx, tx, 1, "sent", "", now), dbtest.Err(deleteOldMails(ctx, tx, now)), failAbandoned(ctx, tx, now)))
	})
}
