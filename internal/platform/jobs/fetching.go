package jobs

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river/rivertype"
)

// stalledAfter is how long a queue with idle workers can go without a fetch. River fetches twice a
// second, and gives up a fetch after some seconds.
const stalledAfter = 30 * time.Second

// fetching records when the jobs of each queue were last fetched.
type fetching struct {
	mu      sync.Mutex
	last    map[string]time.Time // empty until the runner starts
	working map[string]int
}

func newFetching() *fetching {
	return &fetching{last: map[string]time.Time{}, working: map[string]int{}}
}

// begin counts as a fetch of each queue.
func (f *fetching) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for queue := range queues {
		f.last[queue] = time.Now()
	}
}

// note records a successful fetch. River calls it for each of its metrics.
func (f *fetching) note(_ context.Context, p *rivertype.HookMetricEmitParams) {
	if fetch, is := p.Metric.(*rivertype.JobGetAvailableCountMetric); is {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.last[fetch.Queue] = time.Now()
	}
}

// work counts a running job until done is called.
func (f *fetching) work(queue string) (done func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.working[queue]++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.working[queue]--
		f.last[queue] = time.Now() // its worker is idle again
	}
}

func (f *fetching) stalled() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, queue := range slices.Sorted(maps.Keys(f.last)) {
		if f.working[queue] < queues[queue].MaxWorkers && time.Since(f.last[queue]) > stalledAfter {
			return queue
		}
	}
	return ""
}
