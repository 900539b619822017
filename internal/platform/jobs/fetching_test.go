package jobs

import (
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
)

// A queue is stalled if it has idle workers and its jobs aren't fetched.
func TestStalled(t *testing.T) {
	f := newFetching()
	assert.Empty(t, f.stalled(), "stalled before the start")
	f.begin()
	f.last[Slow] = time.Now().Add(-time.Hour)
	f.last[Mail] = time.Now().Add(-time.Hour)
	done := f.work(Slow)
	assert.Equal(t, Mail, f.stalled())
	f.note(t.Context(), &rivertype.HookMetricEmitParams{Metric: &rivertype.JobGetAvailableCountMetric{Queue: Mail}})
	assert.Empty(t, f.stalled())
	if done(); f.stalled() != "" {
		t.Error("stalled right after a job")
	}
}
