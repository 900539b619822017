package mfa

import (
	"context"
	"database/sql"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

var factorTable = db.NewTable("factors", db.Fields[Factor]("id")...)

var newTable = factorTable.Without("id")

func listFactors(ctx context.Context, q db.Queryer, userID int64) ([]Factor, error) {
	return factorTable.Select(ctx, q, `WHERE user_id = $1 ORDER BY id`, userID)
}

// getOwner returns the owner of a credential.
func getOwner(ctx context.Context, q db.Queryer, credentialID []byte) (int64, error) {
	return db.One[int64](ctx, q, `SELECT user_id FROM factors WHERE credential_id = $1`, credentialID)
}

func hasFactor(ctx context.Context, q db.Queryer, userID int64) (bool, error) {
	return db.One[bool](ctx, q, `SELECT EXISTS (SELECT 1 FROM factors WHERE user_id = $1)`, userID)
}

// listHolders returns the users who have set up a factor.
func listHolders(ctx context.Context, q db.Queryer, userIDs []int64) ([]int64, error) {
	var list []int64
	if len(userIDs) == 0 {
		return nil, nil
	}
	err := db.Select(ctx, q, &list, `SELECT DISTINCT user_id FROM factors
		WHERE user_id IN (`+db.In(1, len(userIDs))+`)`, db.Args(userIDs)...)
	return list, err
}

func insertFactor(ctx context.Context, tx *sql.Tx, g access.UserGrant, f Factor) (int64, error) {
	f.UserID = g.ID()
	return newTable.Add(ctx, tx, f, "id")
}

// useAdded returns 0 if the factor was removed or used.
func useAdded(ctx context.Context, q db.Queryer, userID, id int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, q, `UPDATE factors SET used_at = $3 WHERE id = $1 AND user_id = $2 AND used_at IS NULL`, id, userID, now)
}

// takeStep records the use of an app's code. It returns 0 if this step or a later one was
// already used.
func takeStep(ctx context.Context, q db.Queryer, id, step int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, q, `UPDATE factors SET last_step = $2, used_at = $3 WHERE id = $1 AND last_step < $2`, id, step, now)
}

func notePasskey(ctx context.Context, q db.Queryer, id int64, sealed string, now db.Instant) error {
	return db.Run(ctx, q, `UPDATE factors SET sealed = $2, used_at = $3 WHERE id = $1`, id, sealed, now)
}

func deleteFactor(ctx context.Context, tx *sql.Tx, g access.UserGrant, id int64) error {
	return db.Run(ctx, tx, `DELETE FROM factors WHERE id = $1 AND user_id = $2`, id, g.ID())
}

// deleteFactors returns the number of deleted factors.
func deleteFactors(ctx context.Context, tx *sql.Tx, g access.UserGrant) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM factors WHERE user_id = $1`, g.ID())
}

func countCodes(ctx context.Context, q db.Queryer, userID int64) (int, error) {
	return db.One[int](ctx, q, `SELECT count(*) FROM recovery_codes WHERE user_id = $1`, userID)
}

func insertCodes(ctx context.Context, tx *sql.Tx, g access.UserGrant, hashes [][]byte) error {
	for _, hash := range hashes {
		if _, err := db.Exec(ctx, tx, `INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)`, g.ID(), hash); err != nil {
			return err
		}
	}
	return nil
}

func deleteCodes(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return db.Run(ctx, tx, `DELETE FROM recovery_codes WHERE user_id = $1`, g.ID())
}

// takeCode returns 0 if there is no such code, or it was used.
func takeCode(ctx context.Context, tx *sql.Tx, userID int64, hash []byte) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2`, userID, hash)
}
