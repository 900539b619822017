package money

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCents(t *testing.T) {
	if OrNone(nil) != nil || Cents(nil) != nil {
		t.Error("what is unknown became an amount")
	}
	for amount, want := range map[float64]int64{0: 0, 0.29: 29, 1.005: 100, 1234.56: 123456, -553: -55300, -0.01: -1, 0.1 + 0.2: 30} {
		n := Cents(&amount)
		if *n != want {
			t.Errorf("%v: %d cents, want %d", amount, *n, want)
		}
		assert.Equal(t, want, *Cents(OrNone(n)))
	}
}
