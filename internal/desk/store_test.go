package desk

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{"viewedBetween": "what was found is grouped"}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		require.NoError(t, dbtest.Err(db.Exec(ctx, tx, `INSERT INTO users (id, user_name, user_name_key, first_name, last_name,
			first_name_key, last_name_key, email, email_key, type_cd, status_cd, created_at, created_by, updated_at, updated_by)
			VALUES (3, 'x', 'x', 'X', 'Y', 'x', 'y', 'x@example.com', 'x@example.com', 'ISAD', 'ACTIV', $1, '', $1, '')`, now)))
		assert.NoError(t, errors.Join(dbtest.Err(add(ctx, tx, Session{UserID: 3, Reason: Call, At: now})),
			dbtest.Err(current(ctx, tx, 3, db.At(now.Add(-time.Hour)))), endAll(ctx, tx, 3, now),
			countOpening(ctx, tx, 1), dbtest.Err(viewedBetween(ctx, tx, now, now)), dbtest.Err(deleteSessions(ctx, tx, now))))
	})
}
