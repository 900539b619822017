package ratelimit

import (
	"context"
	"database/sql"
	"time"

	"wcpp/internal/platform/db"
)

// counted is the number of attempts, and the start of the count.
type counted struct {
	Attempts int
	Since    db.Instant
}

// maxClockSkew is how far the clocks of instances can be apart. A count that starts later is of a clock
// that was wrong.
const maxClockSkew = time.Minute

// count adds n attempts and returns their number since the cutoff.
func count(ctx context.Context, q db.Queryer, keyHash []byte, n int, now, cutoff db.Instant) (counted, error) {
	return db.One[counted](ctx, q, `
		INSERT INTO rate_limits (key_hash, attempts, since) VALUES ($1, $4, $2)
		ON CONFLICT (key_hash) DO UPDATE SET
			attempts = CASE WHEN rate_limits.since < $3 OR rate_limits.since > $5 THEN excluded.attempts
				ELSE rate_limits.attempts + excluded.attempts END,
			since = CASE WHEN rate_limits.since < $3 OR rate_limits.since > $5 THEN excluded.since ELSE rate_limits.since END
		RETURNING attempts, since`, keyHash, now, cutoff, n, db.At(now.Add(maxClockSkew)))
}

func takeBack(ctx context.Context, q db.Queryer, key []byte) error {
	return db.Run(ctx, q, `UPDATE rate_limits SET attempts = attempts - 1 WHERE key_hash = $1 AND attempts > 0`, key)
}

func forget(ctx context.Context, q db.Queryer, key []byte) error {
	return db.Run(ctx, q, `DELETE FROM rate_limits WHERE key_hash = $1`, key)
}

func forgetOld(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM rate_limits
		WHERE key_hash IN (SELECT key_hash FROM rate_limits WHERE since < $1 LIMIT $2)`, before, db.BatchSize)
}
