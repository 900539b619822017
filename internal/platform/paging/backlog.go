package paging

import (
	"context"

	"wcpp/internal/platform/db"
)

// Backlog is the number of waiting items and the oldest item's time.
type Backlog struct {
	Count int        // at most Bound + 1, which means more
	Since db.Instant // of the oldest; zero if there are none
}

// Bound is the highest exact count.
const Bound = 1000

// CountWaiting counts the rows of a query. The query returns the start of each row's wait as since,
// oldest first.
func CountWaiting(ctx context.Context, q db.Queryer, query string, args ...any) (Backlog, error) {
	return db.One[Backlog](ctx, q, `SELECT count(*) AS count, min(since) AS since FROM (`+query+` LIMIT 1001) t`, args...)
}
