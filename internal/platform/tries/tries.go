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
	"wcpp/internal/platform/module"
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
	_, err := db.Exec(ctx, q, `DELETE FROM tries WHERE key_hash = $1`, hashOf(what, key))
	return err
}

// Module is what the counter brings to the program.
func (c *Counter) Module() module.Module { return module.Module{Tidy: c.Tidy} }

// Tidy forgets old tries. It is safe to repeat.
func (c *Counter) Tidy(ctx context.Context) error {
	_, err := db.Exec(ctx, c.db.Writer, `DELETE FROM tries WHERE since < $1`, db.At(c.now().Add(-Within)))
	return err
}

// count answers how many tries there were since the cutoff, this one included.
func count(ctx context.Context, q db.Queryer, key []byte, now, cutoff db.Instant) (int, error) {
	var n int
	err := db.Get(ctx, q, &n, `
		INSERT INTO tries (key_hash, tries, since) VALUES ($1, 1, $2)
		ON CONFLICT (key_hash) DO UPDATE SET
			tries = CASE WHEN tries.since < $3 THEN 1 ELSE tries.tries + 1 END,
			since = CASE WHEN tries.since < $3 THEN excluded.since ELSE tries.since END
		RETURNING tries`, key, now, cutoff)
	return n, err
}
