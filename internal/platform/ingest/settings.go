package ingest

import "wcpp/internal/platform/settings"

// Retention configures how long files are stored.
type Retention struct {
	FeedKeepDays int `env:"WCPP_FEED_KEEP_DAYS" default:"2555" help:"Imported file retention, in days (0: not stored)."`
}

// Check reports problems with the settings.
func (r Retention) Check(p *settings.Problems) {
	p.Days(r.FeedKeepDays, 0, "WCPP_FEED_KEEP_DAYS")
}

// Settings configure imports and the watched folder.
type Settings struct {
	Retention
	FeedURL            string `env:"WCPP_FEED_URL" placeholder:"URL" help:"Watch folder for imports: s3://bucket?... or file:///directory."`
	FeedTakeTest       bool   `env:"WCPP_FEED_TAKE_TEST" help:"Import test files (ISA15 T) from the watch folder."`
	FeedFolderKeepDays int    `env:"WCPP_FEED_FOLDER_KEEP_DAYS" default:"2555" help:"Watch folder retention, in days (0: forever)."`
	FeedRunKeepDays    int    `env:"WCPP_FEED_RUN_KEEP_DAYS" default:"2555" help:"Retention of import hashes, in days; at least 400."`
	FeedReportKeepDays int    `env:"WCPP_FEED_REPORT_KEEP_DAYS" default:"400" help:"Import history retention, in days; at least 90."`
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) {
	s.Retention.Check(p)
	p.Storage(s.FeedURL, "WCPP_FEED_URL")
	p.Days(s.FeedFolderKeepDays, 0, "WCPP_FEED_FOLDER_KEEP_DAYS")
	p.Days(s.FeedRunKeepDays, 400, "WCPP_FEED_RUN_KEEP_DAYS")
	p.Days(s.FeedReportKeepDays, 90, "WCPP_FEED_REPORT_KEEP_DAYS")
}
