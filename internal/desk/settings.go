package desk

import (
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/settings"
)

// Settings configure how long support sessions are stored.
type Settings struct {
	DeskKeepDays int `env:"WCPP_DESK_KEEP_DAYS" default:"2190" help:"Staff access reason retention, in days; at least 2190."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Days(s.DeskKeepDays, audit.LeastKept, "WCPP_DESK_KEEP_DAYS")
}
