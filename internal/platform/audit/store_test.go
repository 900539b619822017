package audit

import (
	"database/sql"
	"testing"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, nil, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		if _, err := about(t.Context(), tx, "zoe", []string{"edit", "end"}, 2); err != nil {
			t.Error(err)
		}
	})
}
