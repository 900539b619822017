package feeds

import "wcpp/internal/platform/settings"

// Settings are how long is known what files brought.
type Settings struct {
	FeedQualityDays int `env:"WCPP_FEED_QUALITY_DAYS" default:"400" help:"Days for which is kept what share of bills, payments and codes that came was as it should be."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.FeedQualityDays >= qualityDays, "WCPP_FEED_QUALITY_DAYS", "must be 90 or more: the screen shows as many")
}
