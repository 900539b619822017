package feeds

import "wcpp/internal/platform/settings"

// Settings configure the retention of data quality totals.
type Settings struct {
	FeedQualityDays int `env:"WCPP_FEED_QUALITY_DAYS" default:"400" help:"Days to keep data quality measures."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Days(s.FeedQualityDays, qualityDays, "WCPP_FEED_QUALITY_DAYS")
}
