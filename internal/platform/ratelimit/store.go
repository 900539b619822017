package ratelimit

import (
	"context"

	"wcpp/internal/platform/db"
)

// count adds an attempt and answers how many there were since the cutoff.
func count(ctx context.Context, q db.Queryer, keyHash []byte, now, cutoff db.Instant) (int, error) {
	var attempts int
	err := db.Get(ctx, q, &attempts, `
		INSERT INTO tries (key_hash, tries, since) VALUES ($1, 1, $2)
		ON CONFLICT (key_hash) DO UPDATE SET
			tries = CASE WHEN tries.since < $3 THEN 1 ELSE tries.tries + 1 END,
			since = CASE WHEN tries.since < $3 THEN excluded.since ELSE tries.since END
		RETURNING tries`, keyHash, now, cutoff)
	return attempts, err
}

// takeBack subtracts an attempt.
func takeBack(ctx context.Context, q db.Queryer, key []byte) error {
	_, err := db.Exec(ctx, q, `UPDATE tries SET tries = tries - 1 WHERE key_hash = $1 AND tries > 0`, key)
	return err
}

func forget(ctx context.Context, q db.Queryer, key []byte) error {
	_, err := db.Exec(ctx, q, `DELETE FROM tries WHERE key_hash = $1`, key)
	return err
}

func forgetOld(ctx context.Context, q db.Queryer, before db.Instant) error {
	_, err := db.Exec(ctx, q, `DELETE FROM tries WHERE since < $1`, before)
	return err
}
