package signin

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		if err := errors.Join(
			dbtest.Err(attemptsOf(ctx, tx, d.Dialect, "zoe")),
			saveAttempts(ctx, tx, "zoe", 1, now, now),
			forgetAttempts(ctx, tx, "zoe"),
			forgetOldAttempts(ctx, tx, now),
		); err != nil {
			t.Error(err)
		}
	})
}
