package ingest

import (
	"context"
	"time"
)

// Run is what a taker may know of the run that hands it rows.
type Run struct {
	File      string // its name
	SHA256    string // of its content
	StartedAt time.Time
	Position  int64 // records of the file before those at hand
	// Quiet: what it brings is announced to nobody, as with the first file of a
	// kind and with one taken again.
	Quiet bool
	// Again: the file is taken once more, so that what is kept of its records now
	// replaces what was kept before.
	Again bool
}

type runKey struct{}

type running struct {
	Run
	tally
}

// tally is what takers tell of one attempt at a batch.
type tally struct {
	counts   map[string]int64
	measures map[string]share
}

// share is how many of what was counted are as they should be.
type share struct{ counted, good int64 }

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

// Measure adds to what is counted of the quality of the rows that a file brought: of
// counted records so many are good. What it is stands in the feed (Measuring).
func Measure(ctx context.Context, what string, counted, good int64) {
	if r, is := ctx.Value(runKey{}).(*running); is && counted != 0 {
		m := r.measures[what]
		r.measures[what] = share{m.counted + counted, m.good + good}
	}
}

func withRun(ctx context.Context, r Run) context.Context {
	return context.WithValue(ctx, runKey{}, &running{Run: r})
}

// atPosition is the context of one attempt at a batch, and what it counts.
func atPosition(ctx context.Context, position int64) (context.Context, tally) {
	r := &running{RunOf(ctx), tally{map[string]int64{}, map[string]share{}}}
	r.Position = position
	return context.WithValue(ctx, runKey{}, r), r.tally
}
