package sso

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
		"DeleteCodes":      "codes are gone after a minute: there are never many",
		"deleteOldLogouts": "logout tokens are gone after minutes: there are never many",
	}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		if _, err := findCode(t.Context(), tx, []byte("x")); !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
		if err := errors.Join(dbtest.Err(takeCode(t.Context(), tx, []byte("x"))),
			dbtest.Err(deleteOldCodes(t.Context(), tx, db.At(time.Now()))), DeleteCodes(t.Context(), tx, 1),
			dbtest.Err(insertLogout(t.Context(), tx, []byte("x"), db.At(time.Now()))),
			deleteOldLogouts(t.Context(), tx, db.At(time.Now()))); err != nil {
			t.Error(err)
		}
	})
}
