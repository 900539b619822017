package paging

import (
	"context"

	"wcpp/internal/platform/db"
)

// Backlog is how much waits for somebody, and since when.
type Backlog struct {
	Count int        // at most Bound + 1, which stands for more
	Since db.Instant // of the oldest; zero where nothing waits
}

// Bound is how far what waits is counted.
const Bound = 1000

// Waiting counts the rows of a query that answers from when each waits, as since, the
// oldest first.
func Waiting(ctx context.Context, q db.Queryer, query string, args ...any) (Backlog, error) {
	var b Backlog
	err := db.Get(ctx, q, &b, `SELECT count(*) AS count, min(since) AS since FROM (`+query+` LIMIT 1001) t`, args...)
	return b, err
}
