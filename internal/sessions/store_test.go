package sessions

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, dbtest.Scans{
		"deleteOver": "once a minute: it looks for the oldest of two kinds, and few are kept",
	}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, hash, now := t.Context(), []byte("x"), db.At(time.Now())
		if _, err := byHash(ctx, tx, hash); !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
		_, err := setMirrored(ctx, tx, hash, 1)
		_, deleted := deleteSession(ctx, tx, hash)
		if err := errors.Join(err, deleted, touch(ctx, tx, hash, now), deleteOf(ctx, tx, 1), deleteOthers(ctx, tx, 1, hash), deleteOver(ctx, tx, now, now)); err != nil {
			t.Error(err)
		}
	})
}
