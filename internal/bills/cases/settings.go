package cases

import (
	"time"

	"wcpp/internal/platform/settings"
)

// Settings configure questions.
type Settings struct {
	CaseHours string `env:"WCPP_CASE_HOURS" default:"mon-fri 8-20" placeholder:"DAYS HOURS" help:"Network's business hours."`
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) {
	_, err := ParseHours(s.CaseHours, time.UTC)
	p.Require(err == nil, "WCPP_CASE_HOURS", "must be such as mon-fri 8-20")
}
