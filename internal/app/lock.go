package app

import (
	"context"
	"log/slog"
)

// sharedFilesWarning warns about files that only one of several instances can access.
type sharedFilesWarning struct{ together int }

// beatsTogether is the number of consecutive heartbeats that must include another instance. A
// killed instance appears to be running for a while.
const beatsTogether = 5

// check gets the number of running instances. It logs one warning if files are in a data
// directory, because each instance stores some that the others can't find.
func (a *sharedFilesWarning) check(ctx context.Context, log *slog.Logger, blobURL string, living int) {
	if blobURL != "" || living < 2 {
		a.together = 0
		return
	}
	if a.together++; a.together == beatsTogether {
		log.WarnContext(ctx, "other instances use this database, but files are stored in a local data directory, so instances can't "+
			"find each other's files; set shared storage with WCPP_BLOB_URL", "instances", living)
	}
}
