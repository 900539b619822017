package sessions

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
)

type session struct {
	TokenHash        []byte
	CreatedAt        db.Instant
	LastActiveAt     db.Instant
	UserID           int64 `db:"user_id"`
	UserName         string
	TypeCd           access.Type
	StatusCd         string
	GroupID          int64 `db:"group_id"`
	MirroredID       int64 `db:"mirrored_id"`
	MirroredUserName string
	MirroredTypeCd   access.Type
	MirroredStatusCd string
	MirroredGroupID  int64 `db:"mirrored_group_id"`
}

// status is an account's as its open sessions see it: failed attempts lock the
// sign-in, or any stranger could end the work of whoever is signed in.
func status(user string) string {
	return `CASE WHEN ` + user + `.status_cd = 'LOCK' AND ` + user + `.locked_until IS NOT NULL THEN 'ACTIV' ELSE ` + user + `.status_cd END`
}

var findSession = `
	SELECT s.token_hash, s.created_at, s.last_active_at,
	       u.id AS user_id, u.user_name, u.type_cd, ` + status(`u`) + ` AS status_cd, coalesce(u.group_id, 0) AS group_id,
	       coalesce(m.id, 0) AS mirrored_id, coalesce(m.user_name, '') AS mirrored_user_name,
	       coalesce(m.type_cd, '') AS mirrored_type_cd, coalesce(` + status(`m`) + `, '') AS mirrored_status_cd,
	       coalesce(m.group_id, 0) AS mirrored_group_id
	FROM sessions s
	JOIN users u ON u.id = s.user_id
	LEFT JOIN users m ON m.id = s.mirrored_user_id
	WHERE s.token_hash = $1`

func byHash(ctx context.Context, q db.Queryer, hash []byte) (session, error) {
	var s session
	err := db.Get(ctx, q, &s, findSession, hash)
	return s, err
}

func insertSession(ctx context.Context, q db.Queryer, hash []byte, userID int64, now db.Instant, idToken string) error {
	_, err := db.Exec(ctx, q, `
		INSERT INTO sessions (token_hash, user_id, created_at, last_active_at, id_token) VALUES ($1, $2, $3, $3, $4)`,
		hash, userID, now, idToken)
	return err
}

func touch(ctx context.Context, q db.Queryer, hash []byte, now db.Instant) error {
	_, err := db.Exec(ctx, q, `UPDATE sessions SET last_active_at = $2 WHERE token_hash = $1`, hash, now)
	return err
}

func setMirrored(ctx context.Context, q db.Queryer, hash []byte, userID int64) (int64, error) {
	return db.Exec(ctx, q, `UPDATE sessions SET mirrored_user_id = nullif(cast($2 AS bigint), 0) WHERE token_hash = $1`, hash, userID)
}

// deleteSession answers the provider's identity token that the session kept.
func deleteSession(ctx context.Context, q db.Queryer, hash []byte) (string, error) {
	var idToken string
	err := db.Get(ctx, q, &idToken, `DELETE FROM sessions WHERE token_hash = $1 RETURNING id_token`, hash)
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	return idToken, err
}

func deleteOf(ctx context.Context, tx *sql.Tx, user access.UserGrant) error {
	if _, err := db.Exec(ctx, tx, `DELETE FROM sessions WHERE user_id = $1`, user.ID()); err != nil {
		return err
	}
	_, err := db.Exec(ctx, tx, `UPDATE sessions SET mirrored_user_id = NULL WHERE mirrored_user_id = $1`, user.ID())
	return err
}

func deleteOthers(ctx context.Context, tx *sql.Tx, user access.UserGrant, keep []byte) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2`, user.ID(), keep)
	return err
}

func deleteOver(ctx context.Context, q db.Queryer, idleSince, createdBefore db.Instant) error {
	_, err := db.Exec(ctx, q, `DELETE FROM sessions WHERE last_active_at < $1 OR created_at < $2`, idleSince, createdBefore)
	return err
}

// giveSalt answers the user's salt, and puts the new one where there is none or
// nobody was active since the instant.
func giveSalt(ctx context.Context, q db.Queryer, userID int64, fresh []byte, now, since db.Instant) ([]byte, error) {
	var salt []byte
	err := db.Get(ctx, q, &salt, `
		INSERT INTO form_keys (user_id, salt, active_at) VALUES ($1, $2, $3)
		ON CONFLICT (user_id) DO UPDATE
		SET salt = CASE WHEN form_keys.active_at < $4 THEN excluded.salt ELSE form_keys.salt END, active_at = excluded.active_at
		RETURNING salt`, userID, fresh, now, since)
	return salt, err
}

func prolongSalt(ctx context.Context, q db.Queryer, userID int64, now, since db.Instant) error {
	_, err := db.Exec(ctx, q, `UPDATE form_keys SET active_at = $2 WHERE user_id = $1 AND active_at >= $3`, userID, now, since)
	return err
}

func deleteSalt(ctx context.Context, q db.Queryer, userID int64) error {
	_, err := db.Exec(ctx, q, `DELETE FROM form_keys WHERE user_id = $1`, userID)
	return err
}

func deleteOldSalts(ctx context.Context, q db.Queryer, before db.Instant) error {
	_, err := db.Exec(ctx, q, `DELETE FROM form_keys WHERE active_at < $1`, before)
	return err
}
