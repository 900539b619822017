package sso

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
		"DeleteCodes":      "codes are gone after a minute: there are never many",
		"deleteOldLogouts": "logout tokens are gone after minutes: there are never many",
	}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		assert.ErrorIs(t, dbtest.Err(findCode(t.Context(), tx, []byte("x"))), db.ErrNotFound)
		assert.NoError(t, errors.Join(dbtest.Err(takeCode(t.Context(), tx, []byte("x"))),
			dbtest.Err(deleteOldCodes(t.Context(), tx, db.At(time.Now()))), DeleteCodes(t.Context(), tx, 1),
			dbtest.Err(insertLogout(t.Context(), tx, []byte("x"), db.At(time.Now()))),
			deleteOldLogouts(t.Context(), tx, db.At(time.Now()))))
	})
}
