package feeds

import "wcpp/internal/platform/settings"

// Settings are how long is known what files brought.
type Settings struct {
	FeedQualityDays int `env:"WCPP_FEED_QUALITY_DAYS" default:"400" help:"Days to keep data quality measures."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.FeedQualityDays >= qualityDays, "WCPP_FEED_QUALITY_DAYS", "must be at least 90, the number of days shown on the screen")
}
