package blob

import "wcpp/internal/platform/settings"

// Settings configure file storage.
type Settings struct {
	BlobURL    string `env:"WCPP_BLOB_URL" placeholder:"URL" help:"s3://bucket?region=... or file:///directory (default: data directory)."`
	GroupFiles int    `env:"WCPP_GROUP_FILES" default:"200" help:"Maximum stored files of each kind (exports, bulk lookups) per group."`
}

// Check reports problems with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Storage(s.BlobURL, "WCPP_BLOB_URL")
	p.Require(s.GroupFiles >= 1, "WCPP_GROUP_FILES", "must be at least 1")
}
