package ratelimit

import (
	"time"

	"github.com/jellydator/ttlcache/v3"
	"golang.org/x/time/rate"
)

// maxKeys bounds what a Limiter remembers. Who has more addresses than that
// is not held by limits on single ones either.
const maxKeys = 10_000

// Limiter limits calls within one instance, each key on its own. It remembers
// the keys used last, so a call costs the same however many there are.
type Limiter struct {
	rate  rate.Limit
	burst int
	keys  *ttlcache.Cache[string, *rate.Limiter]
}

// NewLimiter allows burst calls at once and perMinute in the long run.
func NewLimiter(perMinute float64, burst int) *Limiter {
	return &Limiter{
		rate: rate.Limit(perMinute / 60), burst: burst,
		keys: ttlcache.New(ttlcache.WithCapacity[string, *rate.Limiter](maxKeys)),
	}
}

// Hourly allows so many calls at once and in each hour of the long run.
func Hourly(calls int) *Limiter { return NewLimiter(float64(calls)/60, calls) }

// Wait returns how long a key that was refused waits, at least a minute.
func (l *Limiter) Wait(key string) time.Duration {
	next := l.of(key).Reserve()
	defer next.Cancel()
	return max(next.Delay(), time.Minute)
}

func (l *Limiter) of(key string) *rate.Limiter {
	item, _ := l.keys.GetOrSetFunc(key, func() *rate.Limiter { return rate.NewLimiter(l.rate, l.burst) })
	return item.Value()
}

// Allow tells whether the key may go on now.
func (l *Limiter) Allow(key string) bool { return l.of(key).Allow() }
