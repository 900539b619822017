package sso

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

type storedCode struct {
	UserID      int64 `db:"user_id"`
	BrowserHash []byte
	ExpiresAt   db.Instant
}

func insertCode(ctx context.Context, q db.Queryer, hash []byte, userID int64, browser []byte, expires db.Instant) error {
	return db.Run(ctx, q, `
		INSERT INTO sso_codes (code_hash, user_id, browser_hash, expires_at) VALUES ($1, $2, $3, $4)`,
		hash, userID, browser, expires)
}

func findCode(ctx context.Context, q db.Queryer, hash []byte) (storedCode, error) {
	return db.One[storedCode](ctx, q, `SELECT user_id, browser_hash, expires_at FROM sso_codes WHERE code_hash = $1`, hash)
}

// takeCode returns 0 for a code that was already used.
func takeCode(ctx context.Context, q db.Queryer, hash []byte) (int64, error) {
	return db.Exec(ctx, q, `DELETE FROM sso_codes WHERE code_hash = $1`, hash)
}

func deleteOldCodes(ctx context.Context, tx *sql.Tx, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM sso_codes
		WHERE code_hash IN (SELECT code_hash FROM sso_codes WHERE expires_at < $1 LIMIT $2)`, now, db.BatchSize)
}

// DeleteCodes deletes a user's codes of the sign-in form that could still open a session.
func DeleteCodes(ctx context.Context, tx *sql.Tx, userID int64) error {
	return db.Run(ctx, tx, `DELETE FROM sso_codes WHERE user_id = $1`, userID)
}

// insertLogout returns 0 for a logout token that was already used.
func insertLogout(ctx context.Context, tx *sql.Tx, jti []byte, expires db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `INSERT INTO sso_logouts (jti_hash, expires_at) VALUES ($1, $2)
		ON CONFLICT (jti_hash) DO NOTHING`, jti, expires)
}

func deleteOldLogouts(ctx context.Context, q db.Queryer, now db.Instant) error {
	return db.Run(ctx, q, `DELETE FROM sso_logouts WHERE expires_at < $1`, now)
}
