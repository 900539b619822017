package jobs

import (
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"
)

// A queue is stalled if it has idle workers and its jobs aren't fetched.
func TestStalled(t *testing.T) {
	f := newFetching()
	if f.stalled() != "" {
		t.Error("stalled before the start")
	}
	f.begin()
	f.last[Slow] = time.Now().Add(-time.Hour)
	f.last[Mail] = time.Now().Add(-time.Hour)
	done := f.work(Slow)
	if got := f.stalled(); got != Mail {
		t.Errorf("%q", got)
	}
	f.note(t.Context(), &rivertype.HookMetricEmitParams{Metric: &rivertype.JobGetAvailableCountMetric{Queue: Mail}})
	if got := f.stalled(); got != "" {
		t.Errorf("%q, whose only worker is busy", got)
	}
	if done(); f.stalled() != "" {
		t.Error("stalled right after a job")
	}
}
