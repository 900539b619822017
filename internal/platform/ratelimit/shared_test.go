package ratelimit

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
				switch err := s.Allow(t.Context(), "reset", " Zoe ", 5, Quarter); {
				case err == nil:
					allowed.Add(1)
				case !problem.Is(err, problem.TooMany):
					t.Error(err)
				}
			})
		}
		wait.Wait()
		assert.Equal(t, int32(5), allowed.Load())
		assert.Error(t, s.Allow(t.Context(), "reset", "zoe", 5, Quarter), "another spelling of the name is another name")
		now = now.Add(4 * time.Minute)
		if e := problem.From(s.Allow(t.Context(), "reset", "zoe", 5, Quarter)); e.Kind != problem.TooMany || e.Wait != 11*time.Minute {
			t.Errorf("%v may be tried again in %v, eleven minutes before the quarter of an hour is over", e, e.Wait)
		}
		assert.NoError(t, s.Allow(t.Context(), "forgot", "zoe", 5, Quarter))
		now = now.Add(Quarter + time.Second)
		assert.NoError(t, s.Allow(t.Context(), "reset", "zoe", 1, Quarter))
		require.NoError(t, s.Reset(t.Context(), d.Writer, "reset", "zoe"))
		assert.NoError(t, s.Allow(t.Context(), "reset", "zoe", 1, Quarter))
		now = now.Add(Day + Hour)
		for range 2 { // safe to repeat
			require.NoError(t, s.Cleanup(t.Context()))
		}
		var n int
		if err := db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM rate_limits`); err != nil || n != 0 {
			t.Errorf("%d kept, %v", n, err)
		}
	})
}

// A key can have a limited number of others in its window, with any number of concurrent
// attempts by each.
func TestSharedOthers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		s := NewShared(d, func() time.Time { return now })
		ask := func(key, other string) bool {
			err := s.AllowOther(t.Context(), "mail", key, other, 3, Hour)
			if err != nil && !strings.HasPrefix(problem.From(err).Message, "Too many attempts. Wait ") {
				t.Error(err)
			}
			return err == nil
		}
		var allowed sync.Map
		var wait sync.WaitGroup
		for n := range 18 {
			wait.Go(func() {
				if other := string(rune('a' + n%6)); ask("office", other) {
					allowed.Store(other, true)
				}
			})
		}
		wait.Wait()
		known, refused := 0, 0
		for n := range 6 {
			other := string(rune('a' + n))
			_, was := allowed.Load(other)
			for range 2 { // a refused other isn't stored
				assert.Equalf(t, was, ask("office", " "+other), "%s: allowed %t before, now not so", other, was)
			}
			if was {
				known++
			} else {
				refused++
			}
		}
		assert.Equal(t, 3, known)
		assert.Equal(t, 3, refused)
		assert.True(t, ask("elsewhere", "z"), "another key is refused")
		now = now.Add(Quarter + time.Second)
		require.NoError(t, s.Cleanup(t.Context()))
		assert.False(t, ask("office", "z"), "an hour ends with a quarter")
		now = now.Add(Hour)
		assert.True(t, ask("office", "z"), "refused after an hour")
	})
}

// Many are counted together, all or none, for a whole day.
func TestSharedMany(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		began := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
		now := began
		s := NewShared(d, func() time.Time { return now })
		for _, c := range []struct {
			after time.Duration
			n     int
			fits  bool
		}{{0, 60, true}, {Hour, 41, false}, {Hour, 40, true}, {2 * Hour, 1, false}, {Day + time.Second, 100, true}} {
			now = began.Add(c.after)
			require.NoError(t, s.Cleanup(t.Context()))
			again, err := s.AllowMany(t.Context(), "lines", "office", c.n, 100, Day)
			if err != nil || again.IsZero() != c.fits || !c.fits && !again.Equal(began.Add(Day)) {
				t.Errorf("%d after %v: again at %v, %v", c.n, c.after, again, err)
			}
		}
	})
}
