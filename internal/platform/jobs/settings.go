package jobs

import "wcpp/internal/platform/settings"

// Settings configure background jobs.
type Settings struct {
	JobKeepDays int `env:"WCPP_JOB_KEEP_DAYS" default:"7" help:"Failed job retention, in days."`
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) { p.AtLeast(s.JobKeepDays, 1, "WCPP_JOB_KEEP_DAYS") }
