package ratelimit

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLimiterForgetsNobodyTooEarly(t *testing.T) {
	l := NewLimiter(60, 3)
	allowed := 0
	for range 10 {
		if l.Allow("a") {
			allowed++
		}
	}
	if allowed != 3 || !l.Allow("b") {
		t.Errorf("%d of ten at once, another key refused", allowed)
	}
}

// A flood of keys neither fills the memory nor resets a key that continues to try.
func TestLimiterRemembersSoManyKeys(t *testing.T) {
	l := NewLimiter(1, 1)
	l.Allow("a")
	for n := range 3 * maxKeys {
		require.Truef(t, l.Allow(strconv.Itoa(n)), "the first call of key %d is refused", n)
		if n%1000 == 0 && l.Allow("a") {
			t.Fatalf("forgotten after %d other keys", n)
		}
	}
	assert.Equal(t, maxKeys, l.keys.Len())
}

// A request costs the same after a million keys as after ten thousand. Rounds of both alternate
// in one run and compare medians, so that other load affects both.
func TestLimiterCostsTheSameAfterAMillionKeys(t *testing.T) {
	limiterOf := func(keys int) *Limiter {
		l := NewLimiter(60, 3)
		for n := range keys {
			l.Allow(strconv.Itoa(n))
		}
		return l
	}
	const rounds, calls = 21, 4000
	few, many := limiterOf(10_000), limiterOf(1_000_000)
	// Half of them are new, and half are from the previous round.
	names := make([]string, (rounds+1)*calls/2)
	for n := range names {
		names[n] = "new " + strconv.Itoa(n)
	}
	round := func(l *Limiter, n int) time.Duration {
		began := time.Now()
		for _, name := range names[n*calls/2 : n*calls/2+calls] {
			l.Allow(name)
		}
		return time.Since(began)
	}
	var after, before []time.Duration
	for n := range rounds {
		before, after = append(before, round(few, n)), append(after, round(many, n))
	}
	slices.Sort(before)
	slices.Sort(after)
	if small, large := before[rounds/2], after[rounds/2]; large > 3*small {
		t.Errorf("%v for %d calls after a million keys, %v after ten thousand", large, calls, small)
	}
}

func TestLimiterSaysHowLongToWait(t *testing.T) {
	l := Hourly(2)
	for n, want := range []bool{true, true, false} {
		require.Equalf(t, want, l.Allow("a"), "call %d", n)
	}
	for range 3 { // Wait uses nothing up
		if wait := l.Wait("a"); wait <= 29*time.Minute || wait > 30*time.Minute {
			t.Errorf("wait %v", wait)
		}
	}
	assert.Equal(t, time.Minute, NewLimiter(120, 1).Wait("b"))
}
