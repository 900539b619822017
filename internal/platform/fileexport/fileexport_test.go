package fileexport

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// export is a request in remittance_exports.
type export struct {
	Row[int64]
	Ready              int
	Remittances, Shown []int `db:",json"`
	StorageKey         string
}

var exportRows = NewTable("remittance_exports", Codes, func(e *export) *Row[int64] { return &e.Row })

type fixture struct {
	*Exports[export, int64]
	t     *testing.T
	now   time.Time
	ended []string // statuses
}

func open(t *testing.T, d *db.DB) *fixture {
	files, err := blob.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	f := &fixture{t: t, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	f.Exports = &Exports[export, int64]{Table: exportRows, DB: d, Files: files, Now: func() time.Time { return f.now },
		Job: Job{"make-file", "exportId"}, Key: func(int64) string { return "exports/x/" }, Gone: "It's gone.", Claims: true,
		Busy:  river.JobSnooze(time.Minute),
		Ended: func(_ context.Context, e export) { f.ended = append(f.ended, e.Status) }}
	return f
}

// request stores a request of user 1.
func (f *fixture) request() int64 {
	f.t.Helper()
	e := export{Row: f.NewRow(1)}
	require.NoError(f.t, f.DB.Tx(f.t.Context(), func(tx *sql.Tx) error { return f.Request(f.t.Context(), tx, &e) }))
	return e.ID
}

func (f *fixture) work(id int64, attempt int, create func(context.Context, *export) error) error {
	return f.Work(f.t.Context(), &rivertype.JobRow{Attempt: attempt, MaxAttempts: 3}, id, create)
}

func (f *fixture) check(id int64, status string) {
	f.t.Helper()
	e, err := f.FindOwn(f.t.Context(), f.DB.Reader, 1, id)
	if err != nil || e.Status != status || e.DoneAt.IsZero() != (status == f.Waiting) {
		f.t.Errorf("%+v, %v, want %s", e, err, status)
	}
}

func TestWork(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		broken := errors.New("broken")
		fails := func(context.Context, *export) error { return broken }
		works := func(context.Context, *export) error { return nil }

		id := f.request()
		assert.ErrorIs(t, f.work(id, 1, fails), broken)
		f.check(id, f.Waiting)
		assert.ErrorIs(t, f.work(id, 3, fails), broken)
		f.check(id, f.Failed)
		assert.NoError(t, f.work(id, 3, works))
		f.check(id, f.Failed) // finished requests stay unchanged

		id = f.request()
		assert.Error(t, f.work(id, 1, func(context.Context, *export) error { return problem.New(problem.Forbidden) }), "no error")
		f.check(id, f.Failed) // refused work isn't retried

		id = f.request()
		var later *river.JobSnoozeError
		assert.NoError(t, f.work(id, 1, func(context.Context, *export) error {
			if err := f.work(id, 1, works); !errors.As(err, &later) {
				t.Errorf("two jobs create one file: %v", err)
			}
			return nil
		}))
		f.check(id, f.Done)
		if got := len(f.ended); got != 3 || f.ended[2] != f.Done {
			t.Errorf("%q", f.ended)
		}
	})
}

// A job of a deleted request stops and leaves no files.
func TestDeletedDuringWork(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		id := f.request()
		err := f.work(id, 1, func(ctx context.Context, e *export) error {
			e.Ready++
			assert.NoError(t, f.SaveProgress(ctx, e))
			assert.NoError(t, errors.Join(f.Delete(ctx, d.Writer, id), f.Write(ctx, id, PartName(0), "x")))
			return f.SaveProgress(ctx, e)
		})
		for file, err := range f.Files.List(t.Context(), "exports/") {
			t.Errorf("%s is left, %v", file.Key, err)
		}
		if err != nil || f.ended != nil {
			t.Error(err, f.ended)
		}
	})
}

// A request fails once its job is gone, because it was killed in its last attempt or deleted.
func TestFailAbandoned(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		exec := func(statement string) {
			t.Helper()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement)))
		}
		sweep := func() {
			t.Helper()
			require.NoError(t, f.FailAbandoned(t.Context()))
		}
		id, other := f.request(), f.request()
		exec(fmt.Sprintf(`INSERT INTO river_job (kind, args, state, max_attempts, attempt) VALUES
			('make-file', '{"exportId": %d}', 'running', 5, 5), ('make-file', '{"exportId": %d}', 'retryable', 5, 4)`, id, other))
		sweep()
		f.check(id, f.Waiting)
		exec(`UPDATE river_job SET state = 'discarded', finalized_at = CURRENT_TIMESTAMP WHERE state = 'running'`)
		sweep()
		f.check(id, f.Failed)
		f.check(other, f.Waiting)
		exec(`DELETE FROM river_job`)
		sweep()
		sweep()
		f.check(other, f.Failed)
		assert.Len(t, f.ended, 2)
	})
}

func TestRemoveBefore(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		id := f.request()
		_, err := f.FindOwn(t.Context(), d.Reader, 2, id)
		if !problem.Is(err, problem.NotFound) || problem.From(err).Message != f.Gone {
			t.Errorf("another user's: %v", err)
		}
		for _, and := range []string{"", " AND status = 'DONE'"} {
			require.NoError(t, f.RemoveBefore(t.Context(), f.now.Add(time.Minute*time.Duration(len(and))), and))
			f.check(id, f.Waiting)
		}
		require.NoError(t, f.RemoveBefore(t.Context(), f.now.Add(time.Minute), ""))
		if _, err := f.FindOwn(t.Context(), d.Reader, 1, id); !problem.Is(err, problem.NotFound) {
			t.Errorf("expired: %v", err)
		}
	})
}
