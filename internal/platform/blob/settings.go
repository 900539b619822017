package blob

import "wcpp/internal/platform/settings"

// Settings are where files are kept.
type Settings struct {
	BlobURL    string `name:"blob-url" env:"WCPP_BLOB_URL" placeholder:"URL" help:"Where files are kept: s3://bucket?region=... (and endpoint=... for what is compatible), or file:///directory. Default: the data directory."`
	GroupFiles int    `env:"WCPP_GROUP_FILES" default:"200" help:"Files of each kind (lists exported, tables looked up) that a group can have stored at once."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Storage(s.BlobURL, "WCPP_BLOB_URL")
	p.Require(s.GroupFiles >= 1, "WCPP_GROUP_FILES", "must be at least 1")
}
