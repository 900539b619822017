package jobs

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
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
			err := inParts(10*time.Millisecond, false, test.do)(test.ctx, nil)
			var snooze *river.JobSnoozeError
			if errors.As(err, &snooze) != test.snoozes || !test.snoozes && !errors.Is(err, test.is) {
				t.Error(err)
			}
		})
	}
}

// A job that runs at least every hour isn't retried after its next run. All others are.
func TestRetriesEndWithTheNextRun(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	r := &Runner{workers: river.NewWorkers(), periods: map[string]time.Duration{}}
	Every(r, time.Minute, args{}, nil)
	h := errorHandler{log, r.periods}
	for _, c := range []struct {
		kind, metadata string
		failures       int // before this one
		ends           bool
	}{
		{"test", `{"periodic": true}`, 0, false},
		{"test", `{"periodic": true}`, 1, false}, // the next attempt is after 16 seconds
		{"test", `{"periodic": true}`, 2, true},  // after 81 seconds
		{"test", `{}`, 2, false},
		{"daily", `{"periodic": true}`, 2, false},
	} {
		job := &rivertype.JobRow{Kind: c.kind, Metadata: []byte(c.metadata), Attempt: c.failures + 1, MaxAttempts: 25,
			Errors: make([]rivertype.AttemptError, c.failures)}
		for what, got := range map[string]*river.ErrorHandlerResult{
			"failed": h.HandleError(t.Context(), job, errors.New("storage is down")), "panicked": h.HandlePanic(t.Context(), job, nil, ""),
		} {
			if ends := got != nil && got.SetCancelled; ends != c.ends {
				t.Errorf("%s %v: ends %v", what, c, ends)
			}
		}
	}
}

// A part with a preparation isn't stopped before it is prepared, and then has as long as the
// preparation took.
func TestPreparationDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var prepared, took time.Duration
		began := time.Now()
		err := inParts(time.Minute, true, func(ctx context.Context, _ *river.Job[args]) error {
			time.Sleep(time.Hour)
			prepared = time.Since(began)
			for ctx.Err() == nil {
				Prepared(ctx)
				time.Sleep(time.Second)
			}
			took = time.Since(began)
			return ctx.Err()
		})(t.Context(), nil)
		var snooze *river.JobSnoozeError
		if !errors.As(err, &snooze) || prepared != time.Hour || took < 2*time.Hour || took > 2*time.Hour+time.Minute {
			t.Errorf("prepared after %s, stopped after %s: %v", prepared, took, err)
		}
	})
}
