package cluster

import (
	"context"

	"wcpp/internal/platform/db"
)

func note(ctx context.Context, q db.Queryer, i Instance) error {
	return db.Run(ctx, q, `
		INSERT INTO instances (id, version, started_at, seen_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`, i.ID, i.Version, i.StartedAt, i.SeenAt)
}

func all(ctx context.Context, q db.Queryer) ([]Instance, error) {
	return db.List[Instance](ctx, q, `SELECT id, version, started_at, seen_at FROM instances ORDER BY seen_at DESC LIMIT 1000`)
}

func since(ctx context.Context, q db.Queryer, at db.Instant) ([]Instance, error) {
	return db.List[Instance](ctx, q, `SELECT id, version, started_at, seen_at FROM instances WHERE seen_at >= $1 ORDER BY started_at, id
		LIMIT 100`, at)
}

func forget(ctx context.Context, q db.Queryer, id string) error {
	return db.Run(ctx, q, `DELETE FROM instances WHERE id = $1`, id)
}

func forgetAll(ctx context.Context, q db.Queryer) error {
	return db.Run(ctx, q, `DELETE FROM instances`)
}

func forgetBefore(ctx context.Context, q db.Queryer, before db.Instant) error {
	return db.Run(ctx, q, `DELETE FROM instances WHERE seen_at < $1`, before)
}
