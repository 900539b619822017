package ratelimit

import (
	"strconv"
	"testing"
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

// A flood of keys neither fills the memory nor frees the key that goes on trying.
func TestLimiterRemembersSoManyKeys(t *testing.T) {
	l := NewLimiter(1, 1)
	l.Allow("a")
	for n := range 3 * maxKeys {
		if !l.Allow(strconv.Itoa(n)) {
			t.Fatalf("the first call of key %d is refused", n)
		}
		if n%1000 == 0 && l.Allow("a") {
			t.Fatalf("forgotten after %d other keys", n)
		}
	}
	if n := l.keys.Len(); n != maxKeys {
		t.Errorf("%d keys remembered, want %d", n, maxKeys)
	}
}
