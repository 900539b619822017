// Package jobs runs background work with River on either database. Jobs are added in the
// transaction that caused them and run at least once, so each job must be safe to run twice.
package jobs

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
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

// Queue adds jobs. Domains use it instead of Runner.
type Queue interface {
	// Insert adds a job in the caller's transaction, so that either both are committed or neither is.
	Insert(ctx context.Context, tx *sql.Tx, args river.JobArgs) error
}

// Runner accepts jobs and runs them.
type Runner struct {
	db       *db.DB
	client   *river.Client[*sql.Tx]
	workers  *river.Workers
	kinds    []Kind
	observer func(kind string, err error)
	ends     context.Context // canceled as soon as the runner stops
	end      context.CancelFunc

	fetching *fetching
	periodic []*river.PeriodicJob
	periods  map[string]time.Duration // up to retriedWithin, by kind

	mu   sync.Mutex
	runs map[int64]time.Time // jobs that run here, or did until that time; zero: still running
}

// endsKey is the context key of a runner's ends in its jobs.
type endsKey struct{}

// Observe sets a function that is called after each job. Call it before Start. A job that
// continues later hasn't failed.
func (r *Runner) Observe(fn func(kind string, err error)) { r.observer = fn }

func driver(d *db.DB) riverdriver.Driver[*sql.Tx] {
	if d.Dialect.Name == "postgres" {
		return riverdatabasesql.New(d.Writer)
	}
	return riversqlite.New(d.Writer)
}

// Additional queues. A job that hangs or takes long delays only its own queue.
const (
	Mail    = "mail"    // waits for the mail relay
	Feeds   = "feeds"   // imports files
	Slow    = "slow"    // takes long
	Storage = "storage" // periodic jobs that wait for storage, with a worker for each of its 5 kinds
)

var queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 4}, Mail: {MaxWorkers: 4}, Feeds: {MaxWorkers: 2},
	Slow: {MaxWorkers: 1}, Storage: {MaxWorkers: 5}}

// jobTimeout cancels a job that hangs.
const jobTimeout = 4 * time.Minute

// New returns the runner of an instance. It accepts jobs of the kinds that Work and Every
// register, and runs them after Start.
func New(d *db.DB, instance string, cfg Settings, log *slog.Logger) (*Runner, error) {
	workers, fetching, periods := river.NewWorkers(), newFetching(), map[string]time.Duration{}
	every := cmp.Or(cfg.FetchEvery, 500*time.Millisecond) // users wait for emails and files
	client, err := river.NewClient(driver(d), &river.Config{
		ID:                          instance,
		Logger:                      limitLog(log),
		Queues:                      queues,
		Workers:                     workers,
		RescueStuckJobsAfter:        5 * time.Minute,
		JobTimeout:                  jobTimeout,
		DiscardedJobRetentionPeriod: time.Duration(cfg.JobKeepDays) * 24 * time.Hour,
		FetchPollInterval:           every,
		FetchCooldown:               min(every, river.FetchCooldownDefault),
		PollOnly:                    true, // on SQLite, River would poll for notifications through the only writer
		ErrorHandler:                errorHandler{log, periods},
		Plugins:                     []rivertype.Plugin{river.HookMetricEmitFunc(fetching.note)},
	})
	if err != nil {
		return nil, err
	}
	ends, end := context.WithCancel(context.Background())
	return &Runner{db: d, client: client, workers: workers, ends: ends, end: end, fetching: fetching,
		periods: periods, runs: map[int64]time.Time{}}, nil
}

// errorHandler logs failures, which River logs only as information. It cancels periodic jobs of a
// kind that a setting disabled. Otherwise, they would be retried for days and then fail. If the kind
// is enabled again, they run again. It also cancels jobs whose next run comes before the retry.
// Otherwise, their retries would add up while a system is down.
type errorHandler struct {
	log     *slog.Logger
	periods map[string]time.Duration
}

// waitForOthers is how often such a job is attempted, over some minutes, because an instance of
// another version may run it.
const waitForOthers = 5

// HandleError handles a failed job.
func (h errorHandler) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	level, message, isReplaced := slog.LevelWarn, "job failed; retrying", h.isReplaced(job)
	switch {
	case isReplaced:
		message = "job failed; its next run replaces it"
	case job.Attempt >= job.MaxAttempts:
		level, message = slog.LevelError, "job failed"
	}
	h.log.Log(ctx, level, message, "job", job.ID, "kind", job.Kind, "error", err)
	var of *river.UnknownJobKindError
	isDisabled := errors.As(err, &of) && job.Attempt >= waitForOthers && isPeriodic(job)
	return &river.ErrorHandlerResult{SetCancelled: isDisabled || isReplaced}
}

// HandlePanic treats a panic, which River logs, like another failure.
func (h errorHandler) HandlePanic(_ context.Context, job *rivertype.JobRow, _ any, _ string) *river.ErrorHandlerResult {
	return &river.ErrorHandlerResult{SetCancelled: h.isReplaced(job)}
}

// isReplaced reports whether a failed job's next run comes before its retry.
func (h errorHandler) isReplaced(job *rivertype.JobRow) bool {
	period, is := h.periods[job.Kind]
	return is && isPeriodic(job) && time.Until(new(river.DefaultClientRetryPolicy).NextRetry(job)) > period
}

// isPeriodic reports whether Every added the job, by River's metadata.
func isPeriodic(job *rivertype.JobRow) bool {
	var noted struct {
		Periodic bool `json:"periodic"`
	}
	return json.Unmarshal(job.Metadata, &noted) == nil && noted.Periodic
}

// Work registers the function for a kind of job. It must be safe to run twice. Call Work before
// Start, and once for each kind. Otherwise, it panics.
func Work[T river.JobArgs](r *Runner, do func(context.Context, *river.Job[T]) error) {
	work(r, 0, do)
}

// WorkPrepared registers a function like Work and InParts together. Each of its parts begins with a
// preparation that can take long and ends with a call of Prepared.
func WorkPrepared[T river.JobArgs](r *Runner, do func(context.Context, *river.Job[T]) error) {
	work(r, preparedTimeout, inParts(atOnce, true, do))
}

func work[T river.JobArgs](r *Runner, timeout time.Duration, do func(context.Context, *river.Job[T]) error) {
	var args T
	r.kinds = append(r.kinds, Kind(args.Kind()))
	river.AddWorker(r.workers, &worker[T]{timeout: timeout, do: func(ctx context.Context, job *river.Job[T]) error {
		r.track(job.ID, time.Time{})
		defer func() { r.track(job.ID, time.Now()) }()
		defer r.fetching.work(job.Queue)()
		ctx = db.WithConfirmedCommits(context.WithValue(ctx, endsKey{}, r.ends))
		ctx, end := tracing.StartJob(ctx, job.Kind)
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
	}})
}

// worker runs the jobs of a kind.
type worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	timeout time.Duration // 0: jobTimeout
	do      func(context.Context, *river.Job[T]) error
}

// Work runs a job.
func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error { return w.do(ctx, job) }

// Timeout returns when a job counts as hanging.
func (w *worker[T]) Timeout(*river.Job[T]) time.Duration { return w.timeout }

// Kinds returns the kinds of job that Work and Every registered.
func (r *Runner) Kinds() []Kind { return r.kinds }

// retriedWithin is the longest period of a job whose retries end with its next run.
const retriedWithin = time.Hour

// Every registers a periodic job. It runs at startup and once in each period, with any number of
// instances, but not while it still runs on this instance. With other arguments, it is another job.
func Every[T river.JobArgs](r *Runner, period time.Duration, args T, do func(context.Context, *river.Job[T]) error) {
	Work(r, skipRunning(do))
	if period <= retriedWithin {
		r.periods[args.Kind()] = period
	}
	r.periodic = append(r.periodic, river.NewPeriodicJob(
		river.PeriodicInterval(period),
		func() (river.JobArgs, *river.InsertOpts) {
			return args, &river.InsertOpts{UniqueOpts: river.UniqueOpts{ByPeriod: period, ByArgs: true}}
		},
		&river.PeriodicJobOpts{RunOnStart: true},
	))
}

// skipRunning adapts the function of a periodic job so that it runs once at a time. Otherwise, one that hangs
// would fill its queue.
func skipRunning[T river.JobArgs](do func(context.Context, *river.Job[T]) error) func(context.Context, *river.Job[T]) error {
	var running sync.Map // by arguments
	return func(ctx context.Context, job *river.Job[T]) error {
		if !isPeriodic(job.JobRow) {
			return do(ctx, job)
		}
		args := string(job.EncodedArgs)
		if _, runs := running.LoadOrStore(args, true); runs {
			return nil
		}
		defer running.Delete(args)
		return do(ctx, job)
	}
}

// atOnce is the maximum time for one part of a long job.
const atOnce = jobTimeout * 3 / 4

// preparedTimeout cancels a job of WorkPrepared that hangs.
const preparedTimeout = 4 * time.Hour

// InParts adapts a function that can take longer than a job and can stop at any time. It is
// stopped in time, and the next part follows right away. It is also stopped with the runner,
// which doesn't wait for it.
func InParts[T river.JobArgs](do func(context.Context, *river.Job[T]) error) func(context.Context, *river.Job[T]) error {
	return inParts(atOnce, false, do)
}

func inParts[T river.JobArgs](
	limit time.Duration, prepares bool, do func(context.Context, *river.Job[T]) error,
) func(context.Context, *river.Job[T]) error {
	return func(ctx context.Context, job *river.Job[T]) error {
		part, cancel := context.WithCancel(ctx)
		defer cancel()
		if ends, is := ctx.Value(endsKey{}).(context.Context); is {
			defer context.AfterFunc(ends, cancel)()
		}
		if prepares {
			began := time.Now()
			part = OnPrepared(part, func() { time.AfterFunc(max(limit, time.Since(began)), cancel) })
		} else {
			defer time.AfterFunc(limit, cancel).Stop()
		}
		err := do(part, job)
		if err != nil && part.Err() != nil && ctx.Err() == nil {
			return river.JobSnooze(0)
		}
		return err
	}
}

type preparedKey struct{}

// OnPrepared returns a context in which the first call of Prepared calls a function.
func OnPrepared(ctx context.Context, call func()) context.Context {
	return context.WithValue(ctx, preparedKey{}, sync.OnceFunc(call))
}

// Prepared ends the preparation of a part of a job. The part then ends after the time that the
// preparation took, or after the usual time if that's longer. Without such a part, it does nothing.
func Prepared(ctx context.Context) {
	if call, is := ctx.Value(preparedKey{}).(func()); is {
		call()
	}
}

// limitLog limits River's own log to warnings.
func limitLog(log *slog.Logger) *slog.Logger {
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

// Start starts to run jobs.
func (r *Runner) Start(ctx context.Context) error {
	r.client.PeriodicJobs().AddMany(r.periodic)
	go r.followClock(r.ends, time.Now, clockEvery)
	r.fetching.begin()
	return r.client.Start(ctx)
}

// Stalled returns a queue whose jobs haven't been fetched for some time, or an empty string. A queue
// whose workers are all busy isn't stalled.
func (r *Runner) Stalled() string { return r.fetching.stalled() }

// Stop waits for running jobs until the context ends. Then it returns them to the queue.
func (r *Runner) Stop(ctx context.Context) error {
	r.end()
	if err := r.client.Stop(ctx); err != nil {
		hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return r.client.StopAndCancel(hard)
	}
	return nil
}

// Insert adds a job in the caller's transaction, so that either both are committed or neither is.
func (r *Runner) Insert(ctx context.Context, tx *sql.Tx, args river.JobArgs) error {
	_, err := r.client.InsertTx(ctx, tx, args, nil)
	return err
}

// StaleAfter returns how old started work must be before a job takes it over. This is a minute,
// or zero if the previous attempt has ended.
func StaleAfter(job *rivertype.JobRow) time.Duration {
	if job.Attempt > 1 {
		return 0
	}
	return abandoned
}

const abandoned = time.Minute

// Limits after which a job that is stored as running but isn't is requeued.
const (
	// lostAfter is how long a job can take from the database to its function.
	lostAfter = 15 * time.Second
	// storedWithin is how long a result can take from the function to the database.
	storedWithin = time.Minute
)

// track notes that a job runs here, or when it ended.
func (r *Runner) track(id int64, ended time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs[id] = ended
	for id, at := range r.runs {
		if !at.IsZero() && time.Since(at) > storedWithin {
			delete(r.runs, id)
		}
	}
}

// isLost reports whether this instance doesn't run a job that is stored as its own: a connection
// was cut after the database assigned the job, or before it stored the job's result.
func (r *Runner) isLost(j *rivertype.JobRow) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	ended, is := r.runs[j.ID]
	if is {
		return !ended.IsZero() && time.Since(ended) > storedWithin
	}
	return j.AttemptedAt != nil && time.Since(*j.AttemptedAt) > lostAfter
}

// orphaned is the failure of a job whose instance ended during its last attempt.
const orphaned = "instance ended during the last attempt"

// EndOrphans requeues the jobs of instances that are no longer alive, and lost ones of this instance.
// Jobs of others without attempts left are discarded, because they may have crashed the instance.
func (r *Runner) EndOrphans(ctx context.Context, living []string) error {
	found, err := r.client.JobList(ctx, river.NewJobListParams().States(rivertype.JobStateRunning).First(1000))
	if err != nil {
		return err
	}
	for _, j := range found.Jobs {
		n := len(j.AttemptedBy)
		if n == 0 {
			continue
		}
		end, by := r.requeue, j.AttemptedBy[n-1]
		switch {
		case slices.Contains(living, by):
			if by != r.client.ID() || !r.isLost(j) {
				continue
			}
		case j.Attempt >= j.MaxAttempts:
			end = r.discard
		}
		if err := end(ctx, j); err != nil {
			return err
		}
	}
	return nil
}

// requeue requeues a job unless another attempt has started.
func (r *Runner) requeue(ctx context.Context, j *rivertype.JobRow) error {
	return db.Run(ctx, r.db.Writer, `UPDATE river_job SET state = 'available' WHERE id = $1 AND attempt = $2 AND state = 'running'`,
		j.ID, j.Attempt)
}

// discard ends a running job as failed, like River's rescuer.
func (r *Runner) discard(ctx context.Context, j *rivertype.JobRow) error {
	now := time.Now().UTC()
	failure, err := json.Marshal(rivertype.AttemptError{At: now, Attempt: j.Attempt, Error: orphaned})
	if err != nil {
		return err
	}
	_, err = driver(r.db).GetExecutor().JobRescueMany(ctx, &riverdriver.JobRescueManyParams{
		ID: []int64{j.ID}, Error: [][]byte{failure}, FinalizedAt: []*time.Time{&now}, ScheduledAt: []time.Time{j.ScheduledAt},
		State: []string{string(rivertype.JobStateDiscarded)}, StuckHorizon: now,
	})
	return err
}

// Migrate migrates River's own tables up or down and returns the number of steps.
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

// NeedsMigration reports whether River's own tables are missing or older than the program.
func NeedsMigration(ctx context.Context, d *db.DB) (bool, error) {
	m, err := rivermigrate.New(driver(d), nil)
	if err != nil {
		return false, err
	}
	res, err := m.Validate(ctx, nil)
	if err != nil {
		return false, err
	}
	return !res.OK, nil
}
