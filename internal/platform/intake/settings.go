package intake

import "wcpp/internal/platform/settings"

// Retention is how long files are kept.
type Retention struct {
	FeedKeepDays int `name:"feed-keep-days" env:"WCPP_FEED_KEEP_DAYS" default:"2555" help:"Days for which X12 files and tables are kept as they came, with WCPP_BLOB_URL; 0: not at all."`
}

// Check notes what is wrong with the settings.
func (r Retention) Check(p *settings.Problems) {
	p.Require(r.FeedKeepDays >= 0, "WCPP_FEED_KEEP_DAYS", "is a number of days, or 0")
}

// Settings name the watched folder and what is taken of it.
type Settings struct {
	Retention
	FeedURL      string `name:"feed-url" env:"WCPP_FEED_URL" placeholder:"URL" help:"Folder whose files are imported as they come: s3://bucket?... or file:///directory. Default: none is watched."`
	FeedTakeTest bool   `name:"feed-take-test" env:"WCPP_FEED_TAKE_TEST" help:"Take X12 files of the watched folder that say they are a test (ISA15 T)."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	s.Retention.Check(p)
	p.Storage(s.FeedURL, "WCPP_FEED_URL")
}
