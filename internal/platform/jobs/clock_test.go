package jobs_test

import (
	"context"
	"database/sql"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/jobs"
)

type daily struct{}

func (daily) Kind() string { return "daily" }

// Jobs that a clock scheduled too far ahead run as soon as it is right again, and periodic jobs
// are scheduled anew.
func TestClockGoesBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r, err := jobs.New(d, "a", jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		ran := make(chan string, 100)
		jobs.Work(r, func(_ context.Context, job *river.Job[quick]) error { ran <- job.Kind; return nil })
		jobs.Every(r, 24*time.Hour, daily{}, func(_ context.Context, job *river.Job[daily]) error { ran <- job.Kind; return nil })
		next := func(want string) {
			t.Helper()
			select {
			case kind := <-ran:
				require.Equal(t, want, kind)
			case <-time.After(time.Minute):
				t.Fatalf("%s didn't run", want)
			}
		}
		require.NoError(t, r.Start(t.Context()))
		defer r.Stop(context.Background()) //nolint:errcheck // nothing runs
		next("daily")
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			return r.InsertAt(t.Context(), tx, quick{}, time.Now().Add(time.Hour))
		}))
		var ahead atomic.Int64
		ahead.Store(int64(time.Hour))
		go r.FollowClock(t.Context(), func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }, time.Millisecond)
		time.Sleep(50 * time.Millisecond)
		ahead.Store(0)
		next("quick")
		if _, err := db.Exec(t.Context(), d.Writer, `DELETE FROM river_job`); err != nil { // the period's job
			t.Fatal(err)
		}
		ahead.Store(int64(time.Hour))
		time.Sleep(50 * time.Millisecond)
		ahead.Store(0)
		next("daily")
	})
}
