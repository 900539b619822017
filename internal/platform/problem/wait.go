package problem

import (
	"fmt"
	"math"
	"time"
)

// TooSoon returns an error for too many attempts, with the time until the next one.
func TooSoon(wait time.Duration) *Error {
	return Later(wait, "Too many attempts. Wait "+InWords(wait)+" and try again.")
}

// InWords returns a wait time in words, rounded up.
func InWords(wait time.Duration) string {
	switch minutes := math.Ceil(wait.Minutes()); {
	case minutes <= 1:
		return "a minute"
	case minutes <= 120:
		return fmt.Sprintf("%.0f minutes", minutes)
	default:
		return fmt.Sprintf("%.0f hours", math.Ceil(minutes/60))
	}
}
