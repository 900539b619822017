// Package jobs runs background work with River on either database: enqueued in
// the transaction that caused it, done at least once, so each job is safe to
// run twice.
package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/tracing"
)

// Queue takes jobs: what areas need of the Runner to have work done later.
type Queue interface {
	// Insert puts a job into the caller's transaction: both happen or neither.
	Insert(ctx context.Context, tx *sql.Tx, args river.JobArgs) error
}

// Runner takes jobs and works on them.
type Runner struct {
	db       *db.DB
	client   *river.Client[*sql.Tx]
	workers  *river.Workers
	observer func(kind string, err error)
	ends     context.Context // ends as soon as the runner is to stop
	end      context.CancelFunc
}

// endsKey is that of a runner's ends in the contexts of its jobs.
type endsKey struct{}

// Observe has fn called whenever a job ends, before Start. One that is to go on later
// has not failed.
func (r *Runner) Observe(fn func(kind string, err error)) { r.observer = fn }

func driver(d *db.DB) riverdriver.Driver[*sql.Tx] {
	if d.Dialect.Name == "postgres" {
		return riverdatabasesql.New(d.Writer)
	}
	return riversqlite.New(d.Writer)
}

// The queues beside the default one. What hangs there, because what it waits for
// hangs or it takes long, keeps none of the others waiting.
const (
	Mail  = "mail"  // waits for the mail relay
	Feeds = "feeds" // takes files of feeds
	Slow  = "slow"  // takes long
)

var queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 4}, Mail: {MaxWorkers: 4}, Feeds: {MaxWorkers: 2}, Slow: {MaxWorkers: 1}}

// jobTimeout ends a job that hangs.
const jobTimeout = 4 * time.Minute

// New makes the runner of an instance. It takes jobs of the kinds that Work and Every
// name, and works on them after Start. Jobs that were given up are kept for so many days.
func New(d *db.DB, instance string, keepDays int, log *slog.Logger) (*Runner, error) {
	workers := river.NewWorkers()
	client, err := river.NewClient(driver(d), &river.Config{
		ID:                          instance,
		Logger:                      quiet(log),
		Queues:                      queues,
		Workers:                     workers,
		RescueStuckJobsAfter:        5 * time.Minute,
		JobTimeout:                  jobTimeout,
		DiscardedJobRetentionPeriod: time.Duration(keepDays) * 24 * time.Hour,
		FetchPollInterval:           500 * time.Millisecond, // people wait for mails and files
		ErrorHandler:                unknown{},
	})
	if err != nil {
		return nil, err
	}
	ends, end := context.WithCancel(context.Background())
	return &Runner{db: d, client: client, workers: workers, ends: ends, end: end}, nil
}

// unknown ends jobs that come by themselves and of whose kind nothing is done here any
// more, as a setting took it away: they would be tried for days, and then be given up.
// Where their kind is there again they come again.
type unknown struct{}

// waitForOthers is how often such a job is tried, some minutes: an instance of another
// version may know it.
const waitForOthers = 5

// HandleError is called when a job has failed.
func (unknown) HandleError(_ context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	var of *river.UnknownJobKindError
	if !errors.As(err, &of) || job.Attempt < waitForOthers || !comesByItself(job) {
		return nil
	}
	return &river.ErrorHandlerResult{SetCancelled: true}
}

// HandlePanic leaves what River does.
func (unknown) HandlePanic(context.Context, *rivertype.JobRow, any, string) *river.ErrorHandlerResult {
	return nil
}

// comesByItself tells the jobs of Every, by River's own note.
func comesByItself(job *rivertype.JobRow) bool {
	var noted struct {
		Periodic bool `json:"periodic"`
	}
	return json.Unmarshal(job.Metadata, &noted) == nil && noted.Periodic
}

// Work names what does the jobs of a kind. It must be safe to do twice. Before
// Start, and once for each kind: else the program stops.
func Work[T river.JobArgs](r *Runner, do func(context.Context, *river.Job[T]) error) {
	river.AddWorker(r.workers, river.WorkFunc(func(ctx context.Context, job *river.Job[T]) error {
		ctx, end := tracing.Job(context.WithValue(ctx, endsKey{}, r.ends), job.Kind)
		err := do(ctx, job)
		failure := err
		if later := (*river.JobSnoozeError)(nil); errors.As(err, &later) {
			failure = nil
		}
		end(failure)
		if r.observer != nil {
			r.observer(job.Kind, failure)
		}
		return err
	}))
}

// Every names a job that comes by itself: at the start and in each period once,
// however many instances there are. With other arguments it is another job.
func Every[T river.JobArgs](r *Runner, period time.Duration, args T, do func(context.Context, *river.Job[T]) error) {
	Work(r, do)
	r.client.PeriodicJobs().Add(river.NewPeriodicJob(
		river.PeriodicInterval(period),
		func() (river.JobArgs, *river.InsertOpts) {
			return args, &river.InsertOpts{UniqueOpts: river.UniqueOpts{ByPeriod: period, ByArgs: true}}
		},
		&river.PeriodicJobOpts{RunOnStart: true},
	))
}

// atOnce is how long one part of a long job takes at most.
const atOnce = jobTimeout * 3 / 4

// InParts makes a job of what may take longer than a job may run, and may stop at
// any moment: it is stopped in time, and its next part follows at once. It is stopped
// with the runner too, which does not wait for it.
func InParts[T river.JobArgs](do func(context.Context, *river.Job[T]) error) func(context.Context, *river.Job[T]) error {
	return inParts(atOnce, do)
}

func inParts[T river.JobArgs](limit time.Duration, do func(context.Context, *river.Job[T]) error) func(context.Context, *river.Job[T]) error {
	return func(ctx context.Context, job *river.Job[T]) error {
		part, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		if ends, is := ctx.Value(endsKey{}).(context.Context); is {
			defer context.AfterFunc(ends, cancel)()
		}
		err := do(part, job)
		if err != nil && part.Err() != nil && ctx.Err() == nil {
			return river.JobSnooze(0)
		}
		return err
	}
}

// quiet keeps River's own talk to warnings.
func quiet(log *slog.Logger) *slog.Logger {
	return slog.New(levelFloor{log.Handler(), slog.LevelWarn})
}

type levelFloor struct {
	slog.Handler
	floor slog.Level
}

func (l levelFloor) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= l.floor && l.Handler.Enabled(ctx, level)
}

func (l levelFloor) WithAttrs(a []slog.Attr) slog.Handler {
	return levelFloor{l.Handler.WithAttrs(a), l.floor}
}
func (l levelFloor) WithGroup(n string) slog.Handler {
	return levelFloor{l.Handler.WithGroup(n), l.floor}
}

// Start begins to work.
func (r *Runner) Start(ctx context.Context) error { return r.client.Start(ctx) }

// Stop lets running jobs finish until the context ends, then hands them back.
func (r *Runner) Stop(ctx context.Context) error {
	r.end()
	if err := r.client.Stop(ctx); err != nil {
		hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return r.client.StopAndCancel(hard)
	}
	return nil
}

// Insert puts a job into the caller's transaction: both happen or neither.
func (r *Runner) Insert(ctx context.Context, tx *sql.Tx, args river.JobArgs) error {
	_, err := r.client.InsertTx(ctx, tx, args, nil)
	return err
}

// Abandoned is how long something may be worked on until a job takes it that finds it
// under way: a minute, or at once where the attempt before this one has ended.
func Abandoned(job *rivertype.JobRow) time.Duration {
	if job.Attempt > 1 {
		return 0
	}
	return abandoned
}

const abandoned = time.Minute

// Free has the jobs done again that instances which do not live were working on. One
// that was tried often enough is left: it may be what ended them.
func (r *Runner) Free(ctx context.Context, living []string) error {
	found, err := r.client.JobList(ctx, river.NewJobListParams().States(rivertype.JobStateRunning).First(1000))
	if err != nil {
		return err
	}
	for _, j := range found.Jobs {
		if n := len(j.AttemptedBy); n == 0 || slices.Contains(living, j.AttemptedBy[n-1]) || j.Attempt >= j.MaxAttempts {
			continue
		}
		if err := free(ctx, r.db.Writer, j.ID, j.Attempt); err != nil {
			return err
		}
	}
	return nil
}

// free has a job done again unless another attempt has begun.
func free(ctx context.Context, q db.Queryer, id int64, attempt int) error {
	_, err := db.Exec(ctx, q, `UPDATE river_job SET state = 'available' WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt)
	return err
}

// Migrate brings River's own tables up or down and tells how many steps ran.
func Migrate(ctx context.Context, d *db.DB, direction rivermigrate.Direction, opts *rivermigrate.MigrateOpts) (int, error) {
	m, err := rivermigrate.New(driver(d), nil)
	if err != nil {
		return 0, err
	}
	res, err := m.Migrate(ctx, direction, opts)
	if err != nil {
		return 0, err
	}
	return len(res.Versions), nil
}
