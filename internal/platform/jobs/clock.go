package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

const (
	clockEvery = time.Second
	// jumpedBy is how far the clock must go back to count as a jump.
	jumpedBy = 5 * time.Second
	// mostAhead is longer than any job is scheduled ahead, except for retries.
	mostAhead = time.Minute
)

// followClock notices when the machine's clock goes back, until the context ends. While it was
// ahead, jobs and periods were scheduled by it.
func (r *Runner) followClock(ctx context.Context, now func() time.Time, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	began := time.Now()
	ahead := func() time.Duration { return now().Round(0).Sub(began.Round(0)) - time.Since(began) }
	last := ahead()
	repaired := true
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		at := ahead()
		if last-at > jumpedBy {
			slog.WarnContext(ctx, "the clock went back; rescheduling jobs", "by", last-at)
			r.client.PeriodicJobs().Clear()
			r.client.PeriodicJobs().AddMany(r.periodic)
			repaired = false
		}
		if last = at; !repaired {
			repaired = r.reschedule(ctx, now()) == nil
		}
	}
}

// reschedule makes the jobs available that a clock ahead of now has scheduled.
func (r *Runner) reschedule(ctx context.Context, now time.Time) error {
	states := []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStateScheduled, rivertype.JobStateRetryable}
	for after := int64(0); ; {
		found, err := r.client.JobList(ctx, river.NewJobListParams().States(states...).
			Where("id > @after", river.NamedArgs{"after": after}).OrderBy(river.JobListOrderByID, river.SortOrderAsc).First(1000))
		if err != nil || len(found.Jobs) == 0 {
			return err
		}
		for _, j := range found.Jobs {
			after = j.ID
			wasAhead := j.Attempt == 0 && j.ScheduledAt.After(now.Add(mostAhead)) || j.AttemptedAt != nil && j.AttemptedAt.After(now)
			if !wasAhead {
				continue
			}
			if _, err := r.client.JobRetry(ctx, j.ID); err != nil && !errors.Is(err, river.ErrNotFound) {
				return err
			}
		}
	}
}
