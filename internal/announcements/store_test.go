package announcements

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"list": "it walks along the latest, as many as the screen shows",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		if _, err := lock(ctx, tx, d.Dialect, 1); !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
		if err := errors.Join(
			dbtest.Err(after(ctx, tx, now)), dbtest.Err(list(ctx, tx, 10)),
			dbtest.Err(insert(ctx, tx, Announcement{Kind: Info, StartsAt: now, EndsAt: now, CreatedAt: now})), endAt(ctx, tx, 1, now),
			remove(ctx, tx, 1),
		); err != nil {
			t.Error(err)
		}
	})
}
