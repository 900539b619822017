package feeschedules

import "wcpp/internal/platform/settings"

// Settings configure how long requested fee schedules are stored.
type Settings struct {
	FeeScheduleKeepDays int `env:"WCPP_FEE_SCHEDULE_KEEP_DAYS" default:"400" help:"Fee schedule retention, in days; at least 30."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Days(s.FeeScheduleKeepDays, 30, "WCPP_FEE_SCHEDULE_KEEP_DAYS")
}
