// Package jobs runs background work with River on either database: enqueued in
// the transaction that caused it, done at least once, so each job is safe to
// run twice.
package jobs

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"wcpp/internal/platform/db"
)

// Runner takes jobs and works on them.
type Runner struct {
	client *river.Client[*sql.Tx]
}

func driver(d *db.DB) riverdriver.Driver[*sql.Tx] {
	if d.Dialect.Name == "postgres" {
		return riverdatabasesql.New(d.Writer)
	}
	return riversqlite.New(d.Writer)
}

// Periodic is a job that comes by itself.
type Periodic struct {
	Every time.Duration
	Args  river.JobArgs
}

// New makes a runner for the workers. It takes jobs at once and works on them
// after Start.
func New(d *db.DB, log *slog.Logger, workers *river.Workers, periodic []Periodic) (*Runner, error) {
	cfg := &river.Config{
		Logger:               quiet(log),
		Queues:               map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 4}},
		Workers:              workers,
		RescueStuckJobsAfter: 5 * time.Minute,
		JobTimeout:           4 * time.Minute,
		FetchPollInterval:    500 * time.Millisecond, // people wait for mails and files
	}
	for _, p := range periodic {
		cfg.PeriodicJobs = append(cfg.PeriodicJobs, river.NewPeriodicJob(
			river.PeriodicInterval(p.Every),
			func() (river.JobArgs, *river.InsertOpts) {
				return p.Args, &river.InsertOpts{UniqueOpts: river.UniqueOpts{ByPeriod: p.Every}}
			},
			&river.PeriodicJobOpts{RunOnStart: true},
		))
	}
	client, err := river.NewClient(driver(d), cfg)
	if err != nil {
		return nil, err
	}
	return &Runner{client: client}, nil
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
	if err := r.client.Stop(ctx); err != nil {
		hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return r.client.StopAndCancel(hard)
	}
	return nil
}

// Insert enqueues a job in the caller's transaction.
func (r *Runner) Insert(ctx context.Context, tx *sql.Tx, args river.JobArgs) error {
	_, err := r.client.InsertTx(ctx, tx, args, nil)
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
