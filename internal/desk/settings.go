package desk

import "wcpp/internal/platform/settings"

// Settings configure how long support sessions are stored.
type Settings struct {
	DeskKeepDays int `env:"WCPP_DESK_KEEP_DAYS" default:"2190" help:"Staff access reason retention, in days; at least 400."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.AtLeast(s.DeskKeepDays, 400, "WCPP_DESK_KEEP_DAYS")
}
