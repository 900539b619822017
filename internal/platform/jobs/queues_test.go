package jobs_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/jobs"
)

type letter struct{ N int }

func (letter) Kind() string                 { return "letter" }
func (letter) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: jobs.Mail} }

type quick struct{}

func (quick) Kind() string { return "quick" }

// works starts the runner of an instance with a job that hangs until it is stopped, and one that
// doesn't.
func works(t *testing.T, d *db.DB, instance string, hung, done chan<- int) (*jobs.Runner, func()) {
	t.Helper()
	r, err := jobs.New(d, instance, jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	jobs.Work(r, func(ctx context.Context, job *river.Job[letter]) error {
		hung <- job.Args.N
		<-ctx.Done()
		return ctx.Err()
	})
	jobs.Work(r, func(_ context.Context, job *river.Job[quick]) error {
		done <- job.Attempt
		return nil
	})
	require.NoError(t, r.Start(t.Context()))
	return r, func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		_ = r.Stop(now) // cancels the hanging job
	}
}

func put(t *testing.T, d *db.DB, r *jobs.Runner, args ...river.JobArgs) {
	t.Helper()
	require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
		var failed []error
		for _, a := range args {
			failed = append(failed, r.Insert(t.Context(), tx, a))
		}
		return errors.Join(failed...)
	}))
}

func within(t *testing.T, what string, c <-chan int) int {
	t.Helper()
	select {
	case n := <-c:
		return n
	case <-time.After(time.Minute):
		t.Fatalf("waited a minute for: %s", what)
		return 0
	}
}

// An unresponsive mail relay delays only emails.
func TestQueuesWaitApart(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		hung, done := make(chan int, 100), make(chan int, 1)
		r, stop := works(t, d, "a", hung, done)
		defer stop()
		for n := range 40 {
			put(t, d, r, letter{n})
		}
		within(t, "a mail that hangs", hung)
		put(t, d, r, quick{})
		within(t, "the other job", done)
	})
}

// A job in parts doesn't block an instance's shutdown, and the next instance continues it.
func TestPartsEndWithTheInstance(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r, err := jobs.New(d, "a", jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		begun := make(chan int, 1)
		jobs.Work(r, jobs.InParts(func(ctx context.Context, _ *river.Job[quick]) error {
			begun <- 0
			<-ctx.Done()
			return ctx.Err()
		}))
		require.NoError(t, r.Start(t.Context()))
		put(t, d, r, quick{})
		within(t, "the first part", begun)
		grace, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := r.Stop(grace); err != nil || grace.Err() != nil {
			t.Errorf("stopped: %v, waited to the end: %v", err, grace.Err())
		}
		var left []struct {
			State   string
			Attempt int
		}
		require.NoError(t, db.Select(t.Context(), d.Reader, &left, `SELECT state, attempt FROM river_job`))
		if len(left) != 1 || left[0].State != "available" || left[0].Attempt != 0 {
			t.Errorf("left %+v", left)
		}
	})
}

// Another instance runs the jobs of an instance that ended, but not those of a live one.
func TestFree(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		hung, done := make(chan int, 100), make(chan int, 1)
		r, stop := works(t, d, "a", hung, done)
		defer stop()
		put(t, d, r, letter{0}, letter{1}, letter{2})
		for range 3 {
			within(t, "a job that hangs", hung)
		}
		exec := func(statement string) {
			t.Helper()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement)))
		}
		states := func() (list []string) {
			t.Helper()
			require.NoError(t, db.Select(t.Context(), d.Writer, &list, `SELECT state FROM river_job ORDER BY id`))
			return list
		}
		exec(`UPDATE river_job SET attempt = max_attempts WHERE id = (SELECT max(id) FROM river_job)`) // it may have crashed the program
		exec(
			`UPDATE river_job SET queue = 'elsewhere'`) // this instance doesn't run them again
		if err := r.EndOrphans(t.Context(), []string{"b", "a"}); err != nil ||
			!slices.Equal(states(), []string{"running", "running", "running"}) {
			t.Errorf("%v, %v", states(), err)
		}
		if err := r.EndOrphans(t.Context(), []string{"b"}); err != nil ||
			!slices.Equal(states(), []string{"available", "available", "discarded"}) {
			t.Errorf("%v, %v", states(), err)
		}
	})
}

// A connection can be cut after the database assigned a job. The instance then requeues it,
// although it's alive itself.
func TestJobWithoutItsInstance(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		hung, done := make(chan int, 100), make(chan int, 1)
		r, stop := works(t, d, "a", hung, done)
		defer stop()
		put(t, d, r, letter{7})
		within(t, "a job that hangs", hung)
		exec := func(statement string, args ...any) {
			t.Helper()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement, args...)))
		}
		by := map[string]string{"sqlite": `jsonb('["a"]')`, "postgres": `'{a}'`}[d.Dialect.Name]
		lost := `INSERT INTO river_job (kind, args, queue, max_attempts, attempt, state, attempted_by, attempted_at)
			VALUES ('quick', '{}', 'default', 1, 1, 'running', ` + by + `, $1)`
		exec(lost, time.Now().UTC().Add(-time.Second))
		exec(`UPDATE river_job SET attempted_at = $1 WHERE kind = 'letter'`, time.Now().UTC().Add(-time.Hour))
		require.NoError(t, r.EndOrphans(t.Context(), []string{"a"}))
		var running int
		err := db.Get(t.Context(), d.Writer, &running, `SELECT count(*) FROM river_job WHERE state = 'running'`)
		assert.NoError(t, err)
		assert.Equal(t, 2, running)
		exec(lost, time.Now().UTC().Add(-time.Minute))
		require.NoError(t, r.EndOrphans(t.Context(), []string{"a"}))
		within(t, "the lost job", done)
	})
}

type gone struct{}

func (gone) Kind() string { return "gone" }

// A periodic job of a removed kind is canceled without a failure. A job that was added
// explicitly is retried.
func TestWhatComesByItselfEndsWithItsKind(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r, err := jobs.New(d, "a", jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		ran := make(chan int, 1)
		jobs.Every(r, time.Hour, gone{}, func(context.Context, *river.Job[gone]) error { ran <- 0; return nil })
		require.NoError(t, r.Start(t.Context()))
		within(t, "it comes by itself", ran)
		require.NoError(t, r.Stop(t.Context()))
		exec := func(statement string) {
			t.Helper()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement)))
		}
		var noted string
		require.NoError(t, db.Get(t.Context(), d.Reader, &noted, `SELECT metadata FROM river_job`))
		// It is due now, for the fifth attempt, next to an explicitly added job of the kind.
		exec(`UPDATE river_job SET state = 'available', finalized_at = NULL, attempt = 4, unique_key = NULL, unique_states = NULL`)
		_, stop := works(t, d, "b", make(chan int, 1), make(chan int, 1))
		defer stop()
		put(t, d, r, gone{})
		states := func() (list []string) {
			t.Helper()
			require.NoError(t, db.Select(t.Context(), d.Writer, &list, `SELECT state FROM river_job WHERE attempt > 0 ORDER BY id`))
			return list
		}
		for end := time.Now().Add(time.Minute); !slices.Equal(states(),
			[]string{"cancelled", "retryable"}); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%v, the first is %s", states(), noted)
			}
		}
	})
}

// A periodic job that hangs doesn't fill its queue: further runs end without work.
func TestRunsOfAPeriodicJobDoNotPileUp(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r, err := jobs.New(d, "a", jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		ran, release := make(chan int, 100), make(chan int)
		jobs.Every(r, time.Second, gone{}, func(context.Context, *river.Job[gone]) error {
			ran <- 0
			<-release
			return nil
		})
		require.NoError(t, r.Start(t.Context()))
		within(t, "the first run", ran)
		completed := 0
		for end := time.Now().Add(time.Minute); completed < 3; time.Sleep(20 * time.Millisecond) {
			if len(ran) > 0 || time.Now().After(end) {
				t.Errorf("%d other runs, %d completed", len(ran), completed)
				break
			}
			require.NoError(t, db.Get(t.Context(), d.Reader, &completed, `SELECT count(*) FROM river_job WHERE state = 'completed'`))
		}
		close(release)
		within(t, "a run after it", ran)
		require.NoError(t, r.Stop(t.Context()))
	})
}

type versioned struct {
	Version int `json:"version"`
}

func (versioned) Kind() string { return "versioned" }

// A periodic job runs once in its period, but right away with other arguments. So a newer
// version of the program doesn't wait for the next period.
func TestOtherArgumentsComeAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ran := make(chan int, 3)
		start := func(version int) {
			t.Helper()
			r, err := jobs.New(d, "a", jobs.Settings{JobKeepDays: 7}, slog.New(slog.DiscardHandler))
			require.NoError(t, err)
			jobs.Every(r, 24*365*time.Hour, versioned{version}, func(_ context.Context, job *river.Job[versioned]) error {
				ran <- job.Args.Version
				return nil
			})
			require.NoError(t, r.Start(t.Context()))
			defer func() {
				require.NoError(t, r.Stop(t.Context()))
			}()
			var known int
			for end := time.Now().Add(time.Minute); known == 0; time.Sleep(20 * time.Millisecond) {
				require.Falsef(t, time.Now().After(end), "version %d did not come", version)
				require.NoError(t, db.Get(t.Context(), d.Writer, &known, `SELECT count(*) FROM river_job WHERE state = 'completed'
					AND CAST(args AS TEXT) LIKE $1`, fmt.Sprintf(`%%%d%%`, version)))
			}
		}
		start(1)
		start(2)
		start(2)
		start(1)
		assert.Len(t, ran, 2)
	})
}

// A job that an earlier version of River stored runs with its arguments after the migration.
func TestJobsOfAnEarlierVersionRun(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if _, err := jobs.Migrate(t.Context(), d, rivermigrate.DirectionDown, &rivermigrate.MigrateOpts{TargetVersion: 6}); err != nil {
			t.Fatal(err)
		}
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer,
			`INSERT INTO river_job (kind, args, queue, max_attempts) VALUES ('letter', '{"N": 7}', 'mail', 3)`)))
		if ran, err := jobs.Migrate(t.Context(), d, rivermigrate.DirectionUp, nil); err != nil || ran == 0 {
			t.Fatalf("%d steps, %v", ran, err)
		}
		hung := make(chan int, 1)
		_, stop := works(t, d, "a", hung, make(chan int, 1))
		defer stop()
		assert.Equal(t, 7, within(t, "the stored job", hung))
	})
}

type failing struct{}

func (failing) Kind() string { return "failing" }

// The log has a failed job's reason, even though River logs it only as information.
func TestFailuresAreLogged(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var log bytes.Buffer
		r, err := jobs.New(d, "a", jobs.Settings{JobKeepDays: 7}, slog.New(slog.NewTextHandler(&log, nil)))
		require.NoError(t, err)
		ran := make(chan int, 1)
		jobs.Work(r, func(context.Context, *river.Job[failing]) error {
			ran <- 0
			return errors.New("no paper")
		})
		require.NoError(t, r.Start(t.Context()))
		put(t, d, r, failing{})
		within(t, "the job", ran)
		require.NoError(t, r.Stop(t.Context()))
		if want := `level=WARN msg="job failed; retrying" job=1 kind=failing error="no paper"`; !strings.Contains(log.String(), want) {
			t.Errorf("log has no %s:\n%s", want, &log)
		}
	})
}
