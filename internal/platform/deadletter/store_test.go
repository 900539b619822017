package deadletter

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
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		assert.NoError(t, errors.Join(
			begin(ctx, tx, now),
			dbtest.Err(lockWatch(ctx, tx, d.Dialect)),
			saveWatch(ctx, tx, watch{CountedUntil: now, MailedUntil: now}),
			dbtest.Err(countJobs(ctx, tx, now, now)),
			dbtest.Err(countEmails(ctx, tx, now, now, "x")),
		))
	})
}
