package facts

import "wcpp/internal/platform/db"

// The kinds of papers.
const (
	ImagePaper = "image"
	EORPaper   = "eor"
	SheetPaper = "pricing-sheet"
)

// Paper is a document of a bill supplied by the network, not rendered from data.
type Paper struct {
	FTIN       string
	Bill       string `db:"bill_control_number_key"` // key of its number
	Kind       string
	SHA256     string // of its content
	MediaType  string
	Size       int64      // bytes
	Archive    string     // SHA-256 of the last file that brought it
	ImportedAt db.Instant `db:"taken_at"`
}

// FindLatestPaper returns the paper of a kind that was imported last.
func FindLatestPaper(papers []Paper, kind string) (shown Paper, is bool) {
	for _, p := range papers {
		if p.Kind == kind && (!is || shown.ImportedAt.Before(p.ImportedAt.Time)) {
			shown, is = p, true
		}
	}
	return shown, is
}
