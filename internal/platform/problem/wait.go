package problem

import (
	"fmt"
	"math"
	"time"
)

// TooSoon refuses a caller that has tried too often, until so much time has passed.
func TooSoon(wait time.Duration) *Error {
	return Later(wait, "Too many attempts. Wait "+InWords(wait)+" and try again.")
}

// InWords returns a time to wait as people say it, rounded up.
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
