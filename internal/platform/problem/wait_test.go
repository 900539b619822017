package problem

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestInWords(t *testing.T) {
	for wait, want := range map[time.Duration]string{
		0: "a minute", time.Second: "a minute", time.Minute: "a minute", time.Minute + 1: "2 minutes",
		30 * time.Minute: "30 minutes", 2 * time.Hour: "120 minutes", 2*time.Hour + 1: "3 hours", 24 * time.Hour: "24 hours",
	} {
		assert.Equal(t, want, FormatWait(wait), wait)
	}
}
