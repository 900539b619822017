package signin

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/db"
)

type attempts struct {
	Failures     int
	LastFailedAt db.Instant
	LockedUntil  db.Instant
}

func attemptsOf(ctx context.Context, tx *sql.Tx, dialect db.Dialect, key string) (attempts, error) {
	var a attempts
	err := db.Get(ctx, tx, &a, `
		SELECT failures, last_failed_at, locked_until FROM sign_in_attempts WHERE name_key = $1`+dialect.ForUpdate, key)
	if errors.Is(err, db.ErrNotFound) {
		// Taking the row first makes attempts at the same time wait for each other.
		if _, err := db.Exec(ctx, tx, `
			INSERT INTO sign_in_attempts (name_key, failures, last_failed_at) VALUES ($1, 0, '1970-01-01T00:00:00Z')
			ON CONFLICT (name_key) DO NOTHING`, key); err != nil {
			return a, err
		}
		err = db.Get(ctx, tx, &a, `
			SELECT failures, last_failed_at, locked_until FROM sign_in_attempts WHERE name_key = $1`+dialect.ForUpdate, key)
		return a, err
	}
	return a, err
}

func saveAttempts(ctx context.Context, tx *sql.Tx, key string, failures int, at, lockedUntil db.Instant) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE sign_in_attempts SET failures = $2, last_failed_at = $3, locked_until = $4 WHERE name_key = $1`,
		key, failures, at, lockedUntil)
	return err
}

func forgetAttempts(ctx context.Context, tx *sql.Tx, key string) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM sign_in_attempts WHERE name_key = $1`, key)
	return err
}

func forgetOldAttempts(ctx context.Context, q db.Queryer, before db.Instant) error {
	_, err := db.Exec(ctx, q, `DELETE FROM sign_in_attempts WHERE last_failed_at < $1`, before)
	return err
}
