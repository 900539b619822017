package bulklookup

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		j := Job{ID: "x", UserID: addUser(t, tx), Status: waiting, CreatedAt: now}
		if err := errors.Join(
			addJob(ctx, tx, j),
			dbtest.Err(putJob(ctx, tx, j)),
			dbtest.Err(jobByID(ctx, tx, "x")),
			dbtest.Err(listJobs(ctx, tx, 1)),
			dbtest.Err(jobsBefore(ctx, tx, now)),
			dbtest.Err(jobsAmong(ctx, tx, []string{"x", "y"})),
			removeJob(ctx, tx, "x"),
		); err != nil {
			t.Error(err)
		}
	})
}

// addUser creates a user for jobs.
func addUser(t *testing.T, q db.Queryer) (id int64) {
	t.Helper()
	if err := db.Get(t.Context(), q, &id, `
		INSERT INTO users (user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key, type_cd,
			status_cd, created_at, created_by, updated_at, updated_by)
		VALUES ('ada', 'ada', 'Ada', 'Hand', 'ada', 'hand', 'a@x', 'a@x', 'PRUS', 'ACTIV', $1, '', $1, '')
			RETURNING id`, db.At(time.Now())); err != nil {
		t.Fatal(err)
	}
	return id
}

// A job is stored and read with all fields.
func TestJobsAreWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		j := mappingtest.Filled[Job]()
		j.UserID, j.Status = addUser(t, d.Writer), waiting
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error { return addJob(t.Context(), tx, j) }); err != nil {
			t.Fatal(err)
		}
		got, err := jobByID(t.Context(), d.Reader, j.ID)
		if empty := mappingtest.ListEmpty(got); err != nil || empty != nil {
			t.Errorf("%v, without %v", err, empty)
		}
	})
}
