package intake

import (
	"context"
	"time"
)

// Run is what a taker may know of the run that hands it rows.
type Run struct {
	StartedAt time.Time
	SHA256    string // of the file
	// Quiet: what it brings is announced to nobody, as with the first file of a
	// kind and with one taken again.
	Quiet bool
}

type runKey struct{}

type running struct {
	Run
	counts map[string]int64
}

// RunOf is the run under way; none where rows are taken outside of one.
func RunOf(ctx context.Context) Run {
	if r, is := ctx.Value(runKey{}).(*running); is {
		return r.Run
	}
	return Run{}
}

// Count adds to what the run's report tells of what was concluded from rows.
func Count(ctx context.Context, what string, n int64) {
	if r, is := ctx.Value(runKey{}).(*running); is && n != 0 {
		r.counts[what] += n
	}
}

func withRun(ctx context.Context, r Run) (context.Context, map[string]int64) {
	counts := map[string]int64{}
	return context.WithValue(ctx, runKey{}, &running{r, counts}), counts
}
