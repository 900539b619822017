package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/riverqueue/river"
)

type args struct{}

func (args) Kind() string { return "test" }

// A part that runs out of time continues right away. A part that fails, or stops with the
// program, fails like any job.
func TestInParts(t *testing.T) {
	failed := errors.New("failed")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	waits := func(ctx context.Context, _ *river.Job[args]) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for _, test := range []struct {
		name    string
		ctx     context.Context
		do      func(context.Context, *river.Job[args]) error
		snoozes bool
		is      error
	}{
		{"out of time", t.Context(), waits, true, nil},
		{"stopped", stopped, waits, false, context.Canceled},
		{"failed", t.Context(), func(context.Context, *river.Job[args]) error { return failed }, false, failed},
		{"done", t.Context(), func(context.Context, *river.Job[args]) error { return nil }, false, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := inParts(10*time.Millisecond, test.do)(test.ctx, nil)
			var snooze *river.JobSnoozeError
			if errors.As(err, &snooze) != test.snoozes || !test.snoozes && !errors.Is(err, test.is) {
				t.Error(err)
			}
		})
	}
}
