package accessreview

import "wcpp/internal/platform/settings"

// Settings are what comes of reviews that nobody finishes.
type Settings struct {
	ReviewEndDays int `env:"WCPP_REVIEW_END_DAYS" default:"0" help:"Days after a review's due date when unconfirmed provider users lose access (0: never)."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.ReviewEndDays >= 0, "WCPP_REVIEW_END_DAYS", "must be 0 or more")
}
