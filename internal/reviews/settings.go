package reviews

import "wcpp/internal/platform/settings"

// Settings are what comes of reviews that nobody finishes.
type Settings struct {
	ReviewEndDays int `env:"WCPP_REVIEW_END_DAYS" default:"0" help:"Days after the last one of an access review at which provider users whom nobody confirmed lose their access. 0: none ever does by itself."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.ReviewEndDays >= 0, "WCPP_REVIEW_END_DAYS", "must not be below 0")
}
