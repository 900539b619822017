package tries

import (
	"context"

	"wcpp/internal/platform/db"
)

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

func forget(ctx context.Context, q db.Queryer, key []byte) error {
	_, err := db.Exec(ctx, q, `DELETE FROM tries WHERE key_hash = $1`, key)
	return err
}

func forgetOld(ctx context.Context, q db.Queryer, before db.Instant) error {
	_, err := db.Exec(ctx, q, `DELETE FROM tries WHERE since < $1`, before)
	return err
}
