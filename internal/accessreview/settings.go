package accessreview

import (
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/settings"
)

// Settings configure how overdue reviews are handled.
type Settings struct {
	ReviewEndDays  int `env:"WCPP_REVIEW_END_DAYS" default:"0" help:"Days from due date until unconfirmed users lose access (0: never)."`
	ReviewKeepDays int `env:"WCPP_REVIEW_KEEP_DAYS" default:"2190" help:"Access review retention, in days; at least 2190."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Days(s.ReviewEndDays, 0, "WCPP_REVIEW_END_DAYS")
	p.Days(s.ReviewKeepDays, audit.LeastKept, "WCPP_REVIEW_KEEP_DAYS")
}
