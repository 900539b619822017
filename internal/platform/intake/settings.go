package intake

import "wcpp/internal/platform/settings"

// Settings name the watched folder and what is taken of it.
type Settings struct {
	FeedURL      string `name:"feed-url" env:"WCPP_FEED_URL" placeholder:"URL" help:"Folder whose files are imported as they come: s3://bucket?... or file:///directory. Default: none is watched."`
	FeedTakeTest bool   `name:"feed-take-test" env:"WCPP_FEED_TAKE_TEST" help:"Take X12 files of the watched folder that say they are a test (ISA15 T)."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) { p.Storage(s.FeedURL, "WCPP_FEED_URL") }
