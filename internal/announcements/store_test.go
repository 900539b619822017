package announcements

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"list": "it walks along the latest, as many as the screen shows",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		assert.ErrorIs(t, dbtest.Err(lock(ctx, tx, d.Dialect, 1)), db.ErrNotFound)
		assert.NoError(t, errors.Join(
			dbtest.Err(after(ctx, tx, now)), dbtest.Err(list(ctx, tx, 10)),
			dbtest.Err(insert(ctx, tx, Announcement{Kind: Info, StartsAt: now, EndsAt: now, CreatedAt: now})), endAt(ctx, tx, 1, now),
			remove(ctx, tx, 1),
		))
	})
}
