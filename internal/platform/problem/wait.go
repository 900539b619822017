package problem

import (
	"fmt"
	"math"
	"time"
)

// TooManyAttempts returns an error for too many attempts, with the time until the next one.
func TooManyAttempts(wait time.Duration) *Error {
	return RetryLater(wait, "Too many attempts. Wait "+FormatWait(wait)+" and try again.")
}

// FormatWait returns a wait time in words, rounded up.
func FormatWait(wait time.Duration) string {
	switch minutes := math.Ceil(wait.Minutes()); {
	case minutes <= 1:
		return "a minute"
	case minutes <= 120:
		return fmt.Sprintf("%.0f minutes", minutes)
	default:
		return fmt.Sprintf("%.0f hours", math.Ceil(minutes/60))
	}
}
