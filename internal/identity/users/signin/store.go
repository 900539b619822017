package signin

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// attempts are a name's failed attempts from all sources.
type attempts struct {
	Failures     int // consecutive
	LastFailedAt db.Instant
	DayFailures  int // since DayBegan, from unknown sources
	DayBegan     db.Instant
}

// fromSource are a name's failed attempts from one source.
type fromSource struct {
	Failures     int
	LastFailedAt db.Instant
	LockedUntil  db.Instant
}

// lockAttempts returns and locks a name's attempts until the transaction ends.
func lockAttempts(ctx context.Context, tx *sql.Tx, dialect db.Dialect, key string) (attempts, error) {
	query := `SELECT failures, last_failed_at, day_failures, day_began FROM sign_in_attempts WHERE name_key = $1` + dialect.ForUpdate
	var a attempts
	err := db.Get(ctx, tx, &a, query, key)
	if errors.Is(err, db.ErrNotFound) {
		// Inserting or updating the row first serializes concurrent attempts. It also locks a row that
		// another attempt inserted meanwhile, which a reset could delete otherwise.
		if _, err := db.Exec(ctx, tx, `
			INSERT INTO sign_in_attempts (name_key, failures, last_failed_at) VALUES ($1, 0, '1970-01-01T00:00:00Z')
			ON CONFLICT (name_key) DO UPDATE SET failures = sign_in_attempts.failures`, key); err != nil {
			return a, err
		}
		err = db.Get(ctx, tx, &a, query, key)
	}
	return a, err
}

func saveAttempts(ctx context.Context, tx *sql.Tx, key string, a attempts) error {
	return db.Run(ctx, tx, `
		UPDATE sign_in_attempts SET failures = $2, last_failed_at = $3, day_failures = $4, day_began = $5 WHERE name_key = $1`,
		key, a.Failures, a.LastFailedAt, a.DayFailures, a.DayBegan)
}

func lockSource(ctx context.Context, tx *sql.Tx, key, source string) (fromSource, error) {
	var f fromSource
	err := db.Get(ctx, tx, &f, `
		SELECT failures, last_failed_at, locked_until FROM sign_in_sources WHERE name_key = $1 AND source = $2`, key, source)
	if errors.Is(err, db.ErrNotFound) {
		return fromSource{}, nil
	}
	return f, err
}

// lastSource returns the source of a name's last failed attempt.
func lastSource(ctx context.Context, q db.Queryer, key string) (FailedAttempts, error) {
	return db.One[FailedAttempts](ctx, q, `
		SELECT a.failures, a.last_failed_at,
			coalesce((SELECT s.source FROM sign_in_sources s WHERE s.name_key = $1 ORDER BY s.last_failed_at DESC LIMIT 1), '') AS source
		FROM sign_in_attempts a WHERE a.name_key = $1`, key)
}

func saveSource(ctx context.Context, tx *sql.Tx, key, source string, f fromSource) error {
	return db.Run(ctx, tx, `
		INSERT INTO sign_in_sources (name_key, source, failures, last_failed_at, locked_until) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (name_key, source) DO UPDATE SET
			failures = excluded.failures, last_failed_at = excluded.last_failed_at, locked_until = excluded.locked_until`,
		key, source, f.Failures, f.LastFailedAt, f.LockedUntil)
}

func forgetSource(ctx context.Context, tx *sql.Tx, key, source string) error {
	return db.Run(ctx, tx, `DELETE FROM sign_in_sources WHERE name_key = $1 AND source = $2`, key, source)
}

// deleteAttempts deletes all attempts by a name.
func deleteAttempts(ctx context.Context, tx *sql.Tx, key string) error {
	if _, err := db.Exec(ctx, tx, `DELETE FROM sign_in_sources WHERE name_key = $1`, key); err != nil {
		return err
	}
	return db.Run(ctx, tx, `DELETE FROM sign_in_attempts WHERE name_key = $1`, key)
}

// deleteSources and deleteNames each delete one batch: attempts by source, and names below a
// number of consecutive failures.
func deleteSources(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM sign_in_sources WHERE (name_key, source) IN (SELECT name_key, source FROM sign_in_sources WHERE last_failed_at < $1
			LIMIT $2)`, before, db.BatchSize)
}

func deleteNames(ctx context.Context, tx *sql.Tx, before db.Instant, fewer int) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM sign_in_attempts WHERE name_key IN (SELECT name_key FROM sign_in_attempts WHERE last_failed_at < $1 AND failures < $2
			LIMIT $3)`, before, fewer, db.BatchSize)
}

// isKnownDevice reports whether the user has signed in from the device.
func isKnownDevice(ctx context.Context, q db.Queryer, nameKey string, device []byte) (bool, error) {
	return db.One[bool](ctx, q, `
		SELECT EXISTS (SELECT 1 FROM sign_in_devices d JOIN users u ON u.id = d.user_id WHERE u.user_name_key = $1 AND d.device_hash = $2)`,
		nameKey, device)
}

// hasDevices reports whether the user has any known device.
func hasDevices(ctx context.Context, tx *sql.Tx, userID int64) (bool, error) {
	return db.One[bool](ctx, tx, `SELECT EXISTS (SELECT 1 FROM sign_in_devices WHERE user_id = $1)`, userID)
}

// saveDevice records a sign-in from the device, and reports whether the device is new to the
// user.
func saveDevice(ctx context.Context, tx *sql.Tx, userID int64, device []byte, at db.Instant) (added bool, err error) {
	n, err := db.Exec(ctx, tx, `
		INSERT INTO sign_in_devices (user_id, device_hash, first_at, last_at) VALUES ($1, $2, $3, $3)
		ON CONFLICT (user_id, device_hash) DO NOTHING`, userID, device, at)
	if err != nil || n > 0 {
		return n > 0, err
	}
	_, err = db.Exec(ctx, tx, `UPDATE sign_in_devices SET last_at = $3 WHERE user_id = $1 AND device_hash = $2`, userID, device, at)
	return false, err
}

// notice is an email about a sign-in.
type notice struct {
	UserID  int64 `db:"user_id"`
	Kind    string
	At      db.Instant
	Browser string
	Source  string
}

func insertNotice(ctx context.Context, tx *sql.Tx, n notice) (int64, error) {
	return db.One[int64](ctx, tx, `
		INSERT INTO sign_in_notices (user_id, kind, at, browser, source) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
		n.UserID, n.Kind, n.At, n.Browser, n.Source)
}

func noticeByID(ctx context.Context, q db.Queryer, id int64) (notice, error) {
	return db.One[notice](ctx, q, `SELECT user_id, kind, at, browser, source FROM sign_in_notices WHERE id = $1`, id)
}

// noticedSince reports whether the user got a notice of the kind after a timestamp.
func noticedSince(ctx context.Context, tx *sql.Tx, userID int64, kind string, since db.Instant) (bool, error) {
	return db.One[bool](ctx, tx, `SELECT EXISTS (SELECT 1 FROM sign_in_notices WHERE user_id = $1 AND kind = $2
		AND at > $3)`, userID, kind, since)
}

func deleteOldNotices(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM sign_in_notices
		WHERE id IN (SELECT id FROM sign_in_notices WHERE at < $1 LIMIT $2)`, before, db.BatchSize)
}

func forgetDevices(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return db.Run(ctx, tx, `DELETE FROM sign_in_devices WHERE user_id = $1`, g.ID())
}

func forgetOldDevices(ctx context.Context, tx *sql.Tx, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM sign_in_devices WHERE (user_id, device_hash) IN (SELECT user_id, device_hash FROM sign_in_devices WHERE last_at < $1
			LIMIT $2)`, before, db.BatchSize)
}
