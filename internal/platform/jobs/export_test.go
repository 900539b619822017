package jobs

import (
	"context"
	"database/sql"
	"time"

	"github.com/riverqueue/river"
)

// FollowClock is followClock for tests.
func (r *Runner) FollowClock(ctx context.Context, now func() time.Time, every time.Duration) {
	r.followClock(ctx, now, every)
}

// InsertAt adds a job that runs at a time.
func (r *Runner) InsertAt(ctx context.Context, tx *sql.Tx, args river.JobArgs, at time.Time) error {
	_, err := r.client.InsertTx(ctx, tx, args, &river.InsertOpts{ScheduledAt: at})
	return err
}
