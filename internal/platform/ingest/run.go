package ingest

import (
	"context"
	"time"
)

// Run describes the current import to an import function.
type Run struct {
	File      string // file name
	SHA256    string // of the content
	StartedAt time.Time
	Position  int64 // number of records before the current ones
	// Quiet means to send no notifications. It is set for the first file of a kind, and for
	// repeated imports.
	Quiet bool
	// Again means a repeated import. Its records replace the stored ones.
	Again bool
}

type runKey struct{}

type running struct {
	Run
	tally
}

// tally has the counts of one attempt at a batch.
type tally struct {
	counts   map[string]int64
	measures map[string]share
}

// share is the number of good records among the counted ones.
type share struct{ counted, good int64 }

// CurrentRun returns the current run, or a zero Run outside of imports.
func CurrentRun(ctx context.Context) Run {
	if r, is := ctx.Value(runKey{}).(*running); is {
		return r.Run
	}
	return Run{}
}

// Count adds to a count in the run's report.
func Count(ctx context.Context, what string, n int64) {
	if r, is := ctx.Value(runKey{}).(*running); is && n != 0 {
		r.counts[what] += n
	}
}

// Measure adds to a quality measure of the file: of counted records, good are good. The feed
// names the measures (Measuring).
func Measure(ctx context.Context, what string, counted, good int64) {
	if r, is := ctx.Value(runKey{}).(*running); is && counted != 0 {
		m := r.measures[what]
		r.measures[what] = share{m.counted + counted, m.good + good}
	}
}

func withRun(ctx context.Context, r Run) context.Context {
	return context.WithValue(ctx, runKey{}, &running{Run: r})
}

// atPosition returns the context of one attempt at a batch, and its counts.
func atPosition(ctx context.Context, position int64) (context.Context, tally) {
	r := &running{CurrentRun(ctx), tally{map[string]int64{}, map[string]share{}}}
	r.Position = position
	return context.WithValue(ctx, runKey{}, r), r.tally
}
