package health

import (
	"context"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/upstream"
)

// noteOutcome stores the later of this outcome and the one another instance stored.
func noteOutcome(ctx context.Context, q db.Queryer, o upstream.Outcome) error {
	ok, failed := db.Instant{}, db.Instant{}
	if !o.OKAt.IsZero() {
		ok = db.At(o.OKAt)
	}
	if !o.FailedAt.IsZero() {
		failed = db.At(o.FailedAt)
	}
	return db.Run(ctx, q, `
		INSERT INTO system_outcomes (system, ok_at, failed_at, failure) VALUES ($1, $2, $3, $4)
		ON CONFLICT (system) DO UPDATE
		SET ok_at = CASE WHEN system_outcomes.ok_at IS NULL OR excluded.ok_at > system_outcomes.ok_at
			THEN coalesce(excluded.ok_at, system_outcomes.ok_at) ELSE system_outcomes.ok_at END,
		    failure = CASE WHEN excluded.failed_at IS NULL OR system_outcomes.failed_at > excluded.failed_at THEN system_outcomes.failure
		    ELSE excluded.failure END,
		    failed_at = CASE WHEN excluded.failed_at IS NULL OR system_outcomes.failed_at > excluded.failed_at
		    THEN system_outcomes.failed_at ELSE excluded.failed_at END`,
		o.System, ok, failed, o.Failure)
}

type storedOutcome struct {
	System   string
	OKAt     db.Instant `db:"ok_at"`
	FailedAt db.Instant
	Failure  string
}

func outcomes(ctx context.Context, q db.Queryer) (map[string]storedOutcome, error) {
	var list []storedOutcome
	err := db.Select(ctx, q, &list, `SELECT system, ok_at, failed_at, failure FROM system_outcomes`)
	found := map[string]storedOutcome{}
	for _, n := range list {
		found[n.System] = n
	}
	return found, err
}
