package tries

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

func TestAllow(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		c := New(d, func() time.Time { return now })
		var let atomic.Int32
		var wait sync.WaitGroup
		for range 12 {
			wait.Go(func() {
				switch err := c.Allow(t.Context(), "reset", " Zoe ", 5); {
				case err == nil:
					let.Add(1)
				case !problem.Is(err, problem.TooMany):
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if let.Load() != 5 {
			t.Errorf("%d of 12 at the same time were let in", let.Load())
		}
		if c.Allow(t.Context(), "reset", "zoe", 5) == nil {
			t.Error("another spelling of the name is another name")
		}
		if err := c.Allow(t.Context(), "forgot", "zoe", 5); err != nil {
			t.Errorf("another thing to try: %v", err)
		}
		now = now.Add(Within + time.Second)
		if err := c.Allow(t.Context(), "reset", "zoe", 1); err != nil {
			t.Errorf("a quarter of an hour later: %v", err)
		}
		if err := c.Forget(t.Context(), d.Writer, "reset", "zoe"); err != nil {
			t.Fatal(err)
		}
		if err := c.Allow(t.Context(), "reset", "zoe", 1); err != nil {
			t.Errorf("after a success: %v", err)
		}
		now = now.Add(2 * Within)
		for range 2 { // safe to repeat
			if err := c.Tidy(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		var n int
		if err := db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM tries`); err != nil || n != 0 {
			t.Errorf("%d kept, %v", n, err)
		}
	})
}
