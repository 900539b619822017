package bulklookup

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/mappingtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		j := Job{Row: fileexport.Row[string]{ID: "x", UserID: addUser(t, tx), Status: fileexport.Words.Waiting, CreatedAt: now}}
		assert.NoError(t, errors.Join(
			jobRows.Add(ctx, tx, &j),
			dbtest.Err(jobRows.Update(ctx, tx, j)),
			dbtest.Err(jobRows.Save(ctx, tx, j)),
			dbtest.Err(jobRows.Find(ctx, tx, "x")),
			dbtest.Err(jobRows.ListOwn(ctx, tx, 1, "")),
			dbtest.Err(jobRows.ListBefore(ctx, tx, now, "")),
			dbtest.Err(jobRows.ListKnown(ctx, tx, []string{"x", "y"})),
			jobRows.Delete(ctx, tx, "x"),
		))
	})
}

// addUser creates a user for jobs.
func addUser(t *testing.T, q db.Queryer) (id int64) {
	t.Helper()
	identitytest.Add(t, q, (&office{userID: 3}).actor().Person, "Ada Hand")
	return 3
}

// A job is stored and read with all fields.
func TestJobsAreWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		j := mappingtest.Filled[Job]()
		j.UserID, j.Status = addUser(t, d.Writer), fileexport.Words.Waiting
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return jobRows.Add(t.Context(), tx, &j) }))
		got, err := jobRows.Find(t.Context(), d.Reader, j.ID)
		if empty := mappingtest.ListEmpty(got); err != nil || empty != nil {
			t.Errorf("%v, without %v", err, empty)
		}
	})
}
