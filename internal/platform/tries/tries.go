// Package tries counts how often something is tried by a name, an address or
// the like, shared by all instances, and refuses what is too often. What is
// tried is kept as a hash.
package tries

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Within is the time in which tries are counted together.
const Within = 15 * time.Minute

// Counter counts tries.
type Counter struct {
	db  *db.DB
	now func() time.Time
}

// New makes a counter.
func New(d *db.DB, now func() time.Time) *Counter { return &Counter{db: d, now: now} }

func hashOf(what, key string) []byte {
	h := sha256.Sum256([]byte(what + " " + text.Key(key)))
	return h[:]
}

// Allow counts one try and refuses it when there were more than most within a
// quarter of an hour.
func (c *Counter) Allow(ctx context.Context, what, key string, most int) error {
	now := c.now()
	n, err := count(ctx, c.db.Writer, hashOf(what, key), db.At(now), db.At(now.Add(-Within)))
	if err == nil && n > most {
		err = problem.Say(problem.TooMany, fmt.Sprintf("Too many tries. Please wait %d minutes and try again.", int(Within.Minutes())))
	}
	return err
}

// Forget forgets the tries after a success.
func (c *Counter) Forget(ctx context.Context, q db.Queryer, what, key string) error {
	return forget(ctx, q, hashOf(what, key))
}

// Tidy forgets old tries. It is safe to repeat.
func (c *Counter) Tidy(ctx context.Context) error {
	return forgetOld(ctx, c.db.Writer, db.At(c.now().Add(-Within)))
}
