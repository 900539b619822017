package app

import (
	"context"
	"log/slog"
)

// alone warns of files that only one of several instances sees.
type alone struct{ together int }

// beatsTogether is how often in a row another instance must have been heard of: one that
// was killed seems to live for a while.
const beatsTogether = 5

// heard is called with how many instances live. Where files are kept in a data directory
// that is told once: each instance keeps some, and finds none of the others'.
func (a *alone) heard(ctx context.Context, log *slog.Logger, blobURL string, living int) {
	if blobURL != "" || living < 2 {
		a.together = 0
		return
	}
	if a.together++; a.together == beatsTogether {
		log.WarnContext(ctx, "other instances use this database, but files are stored in a local data directory, so instances can't find each other's files; set shared storage with WCPP_BLOB_URL", "instances", living)
	}
}
