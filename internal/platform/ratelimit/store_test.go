package ratelimit

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
	dbtest.CheckPlans(t, nil, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		assert.NoError(t, errors.Join(
			dbtest.Err(count(ctx, tx, []byte("x"), 1, now, now)),
			takeBack(ctx, tx, []byte("x")),
			forget(ctx, tx, []byte("x")),
			dbtest.Err(forgetOld(ctx, tx, now)),
		))
	})
}
