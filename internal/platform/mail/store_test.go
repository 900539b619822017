package mail

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, nil, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		if _, err := lastTo(ctx, tx, "a@example.com"); !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
		if _, err := mailByID(ctx, tx, 1); !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
		_, err := reviveMail(ctx, tx, 1)
		_, failed := failedMails(ctx, tx)
		_, failedTo := failedTo(ctx, tx, []string{"a@example.com", "b@example.com"}, 10)
		if err := errors.Join(err, failed, failedTo, noteMail(ctx, tx, 1, "sent", "", now), deleteOldMails(ctx, tx, now)); err != nil {
			t.Error(err)
		}
	})
}
