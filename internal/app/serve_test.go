package app

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/module"
)

// A ready portal names everything that is failing.
func TestReadinessNamesAllFailures(t *testing.T) {
	for _, c := range []struct{ storing, queue, want string }{
		{"", "", "ok"},
		{"The disk is full.", "", "ok, but file storage is failing: The disk is full."},
		{"", "default", "ok, but background jobs aren't being fetched: queue default"},
		{"The disk is full.", "default",
			"ok, but file storage is failing: The disk is full.; background jobs aren't being fetched: queue default"},
	} {
		assert.Equal(t, c.want, describeReadiness(c.storing, c.queue))
	}
}

// Modules that wait for storage leave time for the cleanups after them.
func TestHangingCleanupsLeaveTimeForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := module.Module{Cleanup: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
		left := time.Duration(0)
		last := module.Module{Cleanup: func(ctx context.Context) error {
			if end, has := ctx.Deadline(); has && ctx.Err() == nil {
				left = time.Until(end)
			}
			return nil
		}}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
		defer cancel()
		err := runCleanups(ctx, []module.Module{hangs, {}, hangs, hangs, last})
		if !errors.Is(err, context.DeadlineExceeded) || left < 10*time.Second {
			t.Errorf("%v, %s left", err, left)
		}
	})
}
