package ratelimit

import (
	"time"

	"github.com/jellydator/ttlcache/v3"
	"golang.org/x/time/rate"
)

// maxKeys is the maximum number of stored keys. Limits per address don't stop a client with more
// addresses anyway.
const maxKeys = 10_000

// Limiter limits requests per key within one instance. It stores the most recently used keys, so
// a request costs the same with any number of keys.
type Limiter struct {
	rate  rate.Limit
	burst int
	keys  *ttlcache.Cache[string, *rate.Limiter]
}

// NewLimiter allows bursts of the given size, and perMinute requests in the long run.
func NewLimiter(perMinute float64, burst int) *Limiter {
	return &Limiter{
		rate: rate.Limit(perMinute / 60), burst: burst,
		keys: ttlcache.New(ttlcache.WithCapacity[string, *rate.Limiter](maxKeys)),
	}
}

// Hourly allows bursts of the given number of requests, and as many per hour in the long run.
func Hourly(calls int) *Limiter { return NewLimiter(float64(calls)/60, calls) }

// Wait returns how long a refused key must wait, at least a minute.
func (l *Limiter) Wait(key string) time.Duration {
	next := l.getLimiter(key).Reserve()
	defer next.Cancel()
	return max(next.Delay(), time.Minute)
}

func (l *Limiter) getLimiter(key string) *rate.Limiter {
	item, _ := l.keys.GetOrSetFunc(key, func() *rate.Limiter { return rate.NewLimiter(l.rate, l.burst) })
	return item.Value()
}

// Allow reports whether the key has a request left, and uses it.
func (l *Limiter) Allow(key string) bool { return l.getLimiter(key).Allow() }
