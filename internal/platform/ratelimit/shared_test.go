package ratelimit

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

func TestShared(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		s := NewShared(d, func() time.Time { return now })
		var allowed atomic.Int32
		var wait sync.WaitGroup
		for range 12 {
			wait.Go(func() {
				switch err := s.Allow(t.Context(), "reset", " Zoe ", 5); {
				case err == nil:
					allowed.Add(1)
				case !problem.Is(err, problem.TooMany):
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if allowed.Load() != 5 {
			t.Errorf("%d of 12 at the same time were allowed", allowed.Load())
		}
		if s.Allow(t.Context(), "reset", "zoe", 5) == nil {
			t.Error("another spelling of the name is another name")
		}
		if err := s.Allow(t.Context(), "forgot", "zoe", 5); err != nil {
			t.Errorf("another action: %v", err)
		}
		now = now.Add(Window + time.Second)
		if err := s.Allow(t.Context(), "reset", "zoe", 1); err != nil {
			t.Errorf("a quarter of an hour later: %v", err)
		}
		if err := s.Reset(t.Context(), d.Writer, "reset", "zoe"); err != nil {
			t.Fatal(err)
		}
		if err := s.Allow(t.Context(), "reset", "zoe", 1); err != nil {
			t.Errorf("after a success: %v", err)
		}
		now = now.Add(2 * Window)
		for range 2 { // safe to repeat
			if err := s.Tidy(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var n int
		if err := db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM tries`); err != nil || n != 0 {
			t.Errorf("%d kept, %v", n, err)
		}
	})
}
