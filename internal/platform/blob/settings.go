package blob

import "wcpp/internal/platform/settings"

// Settings are where files are kept.
type Settings struct {
	BlobURL string `name:"blob-url" env:"WCPP_BLOB_URL" placeholder:"URL" help:"Where files are kept: s3://bucket?region=... (and endpoint=... for what is compatible), or file:///directory. Default: the data directory."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) { p.Storage(s.BlobURL, "WCPP_BLOB_URL") }
