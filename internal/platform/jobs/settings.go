package jobs

import (
	"time"

	"wcpp/internal/platform/settings"
)

// Settings configure background jobs.
type Settings struct {
	JobKeepDays int `env:"WCPP_JOB_KEEP_DAYS" default:"7" help:"Failed job retention, in days."`
	// FetchEvery is how often jobs are fetched; 0: twice a second. Only the simulation sets it.
	FetchEvery time.Duration
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) { p.Days(s.JobKeepDays, 1, "WCPP_JOB_KEEP_DAYS") }
