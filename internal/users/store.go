package users

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

const userColumns = `id, user_name, first_name, middle_name, last_name, email, phone, type_cd, status_cd, employee_id,
	coalesce(group_id, 0) AS group_id, affiliation_cd, affiliation_desc, job_title, company_name, company_url,
	password_hash, locked_until, last_login_at, created_at, draft, sso_issuer, sso_subject`

func byID(ctx context.Context, q db.Queryer, id int64) (User, error) {
	var u User
	err := db.Get(ctx, q, &u, `SELECT `+userColumns+` FROM users WHERE id = $1`, id)
	return u, err
}

func byNameKey(ctx context.Context, q db.Queryer, key string) (User, error) {
	var u User
	err := db.Get(ctx, q, &u, `SELECT `+userColumns+` FROM users WHERE user_name_key = $1`, key)
	return u, err
}

func bySubject(ctx context.Context, q db.Queryer, issuer, subject string) (User, error) {
	var u User
	err := db.Get(ctx, q, &u, `SELECT `+userColumns+` FROM users WHERE sso_issuer = $1 AND sso_subject = $2 AND sso_subject <> ''`, issuer, subject)
	return u, err
}

func bindSubject(ctx context.Context, q db.Queryer, id int64, issuer, subject string) (int64, error) {
	n, err := db.Exec(ctx, q, `
		UPDATE users SET sso_issuer = $2, sso_subject = $3 WHERE id = $1 AND sso_subject = ''`, id, issuer, subject)
	if db.IsUnique(err) {
		return 0, nil
	}
	return n, err
}

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
		// Taking the row first makes tries at the same time wait for each other.
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

func lockActive(ctx context.Context, tx *sql.Tx, key string, until, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE users SET status_cd = 'LOCK', locked_until = $2, updated_at = $3, updated_by = 'sign-in'
		WHERE user_name_key = $1 AND status_cd = 'ACTIV'`, key, until, now)
}

func unlockExpired(ctx context.Context, q db.Queryer, now db.Instant) error {
	_, err := db.Exec(ctx, q, `
		UPDATE users SET status_cd = 'ACTIV', locked_until = NULL, updated_at = $1, updated_by = 'sign-in'
		WHERE status_cd = 'LOCK' AND locked_until <= $1`, now)
	return err
}

func deactivateUnused(ctx context.Context, q db.Queryer, before, now db.Instant) error {
	_, err := db.Exec(ctx, q, `
		UPDATE users SET status_cd = 'DISABL', updated_at = $2, updated_by = 'sign-in'
		WHERE status_cd = 'ACTIV' AND coalesce(last_login_at, created_at) < $1 AND coalesce(password_set_at, created_at) < $1`, before, now)
	return err
}

func noteSignIn(ctx context.Context, tx *sql.Tx, id int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE users SET last_login_at = $2, status_cd = 'ACTIV', locked_until = NULL
		WHERE id = $1 AND (status_cd = 'ACTIV' OR status_cd = 'LOCK' AND locked_until <= $2)`, id, now)
}

func insertGroup(ctx context.Context, tx *sql.Tx, id int64, name, kind string, now db.Instant, by string) (int64, error) {
	if id != 0 {
		_, err := db.Exec(ctx, tx, `
			INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES ($1, $2, $3, $4, $5, $6)`,
			id, name, text.Key(name), kind, now, by)
		return id, err
	}
	// Groups that come in by feed bring their own ids; the next free one is
	// taken so that the two never meet.
	err := db.Get(ctx, tx, &id, `
		INSERT INTO groups (id, name, name_key, kind, created_at, created_by)
		VALUES ((SELECT coalesce(max(id), 1000) + 1 FROM groups), $1, $2, $3, $4, $5) RETURNING id`,
		name, text.Key(name), kind, now, by)
	return id, err
}

func groupByID(ctx context.Context, q db.Queryer, id int64) (Group, error) {
	var g Group
	err := db.Get(ctx, q, &g, `SELECT id, name, kind FROM groups WHERE id = $1`, id)
	return g, err
}

func updateGroup(ctx context.Context, tx *sql.Tx, g Group) error {
	_, err := db.Exec(ctx, tx, `UPDATE groups SET name = $2, name_key = $3, kind = $4 WHERE id = $1`,
		g.ID, g.Name, text.Key(g.Name), g.Kind)
	return err
}

func insertUser(ctx context.Context, tx *sql.Tx, u User, now db.Instant, by string) (int64, error) {
	var id int64
	err := db.Get(ctx, tx, &id, `
		INSERT INTO users (user_name, user_name_key, first_name, middle_name, last_name, first_name_key, last_name_key,
		                   email, email_key, phone, type_cd, status_cd, employee_id, group_id, affiliation_cd,
		                   affiliation_desc, job_title, company_name, company_url, password_hash, locked_until,
		                   created_at, created_by, updated_at, updated_by, draft)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, nullif(cast($14 AS bigint), 0), $15, $16, $17, $18, $19, $20, $21, $22, $23, $22, $23, $24)
		RETURNING id`,
		u.UserName, text.Key(u.UserName), u.FirstName, u.MiddleName, u.LastName, text.Key(u.FirstName), text.Key(u.LastName),
		u.Email, text.Key(u.Email), u.Phone, u.TypeCd, u.StatusCd, u.EmployeeID, u.GroupID, u.AffiliationCd,
		u.AffiliationDesc, u.JobTitle, u.CompanyName, u.CompanyURL, u.PasswordHash, u.LockedUntil, now, by, u.Draft)
	return id, err
}

// updateFromFeed changes what a feed may change: never the password, the
// state of sign-in or the user name.
func updateFromFeed(ctx context.Context, tx *sql.Tx, u User, now db.Instant) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET first_name = $2, middle_name = $3, last_name = $4, first_name_key = $5, last_name_key = $6,
		       email = $7, email_key = $8, phone = $9, type_cd = $10, employee_id = $11, group_id = nullif(cast($12 AS bigint), 0),
		       affiliation_cd = $13, affiliation_desc = $14, job_title = $15, company_name = $16, company_url = $17,
		       updated_at = $18, updated_by = 'feed'
		WHERE id = $1`,
		u.ID, u.FirstName, u.MiddleName, u.LastName, text.Key(u.FirstName), text.Key(u.LastName), u.Email, text.Key(u.Email),
		u.Phone, u.TypeCd, u.EmployeeID, u.GroupID, u.AffiliationCd, u.AffiliationDesc, u.JobTitle, u.CompanyName,
		u.CompanyURL, now)
	return err
}

func byEmailKey(ctx context.Context, q db.Queryer, key string) (User, error) {
	var u User
	err := db.Get(ctx, q, &u, `SELECT `+userColumns+` FROM users WHERE email_key = $1 AND status_cd <> 'TERM'`, key)
	return u, err
}

func lockedByID(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (User, error) {
	var u User
	err := db.Get(ctx, tx, &u, `SELECT `+userColumns+` FROM users WHERE id = $1`+dialect.ForUpdate, id)
	return u, err
}

func setPassword(ctx context.Context, tx *sql.Tx, id int64, hash string, now db.Instant, by string) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET password_hash = $2, password_set_at = $3, status_cd = 'ACTIV', locked_until = NULL, updated_at = $3, updated_by = $4
		WHERE id = $1`, id, hash, now, by)
	return err
}

func suspend(ctx context.Context, tx *sql.Tx, id int64, now db.Instant, by string) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET status_cd = 'INACT', locked_until = NULL, updated_at = $2, updated_by = $3 WHERE id = $1`, id, now, by)
	return err
}

func updateProfile(ctx context.Context, tx *sql.Tx, u User, now db.Instant, by string) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET first_name = $2, middle_name = $3, last_name = $4, first_name_key = $5, last_name_key = $6,
		       email = $7, email_key = $8, phone = $9, employee_id = $10, affiliation_cd = $11, affiliation_desc = $12,
		       job_title = $13, company_name = $14, company_url = $15, updated_at = $16, updated_by = $17
		WHERE id = $1`,
		u.ID, u.FirstName, u.MiddleName, u.LastName, text.Key(u.FirstName), text.Key(u.LastName), u.Email, text.Key(u.Email), u.Phone,
		u.EmployeeID, u.AffiliationCd, u.AffiliationDesc, u.JobTitle, u.CompanyName, u.CompanyURL, now, by)
	return err
}

func setMissingPasswords(ctx context.Context, q db.Queryer, hash string) error {
	_, err := db.Exec(ctx, q, `UPDATE users SET password_hash = $1 WHERE password_hash = '' AND status_cd NOT IN ('NEW', 'DRAFT')`, hash)
	return err
}

func lockGroup(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (Group, error) {
	var g Group
	err := db.Get(ctx, tx, &g, `SELECT id, name, kind FROM groups WHERE id = $1`+dialect.ForUpdate, id)
	if errors.Is(err, db.ErrNotFound) {
		return Group{}, nil
	}
	return g, err
}

func setType(ctx context.Context, tx *sql.Tx, id int64, typ access.Type, now db.Instant, by string) error {
	_, err := db.Exec(ctx, tx, `UPDATE users SET type_cd = $2, updated_at = $3, updated_by = $4 WHERE id = $1`, id, typ, now, by)
	return err
}

func terminate(ctx context.Context, tx *sql.Tx, id int64, now db.Instant, by string) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET status_cd = 'TERM', password_hash = '', locked_until = NULL, sso_issuer = '', sso_subject = '',
		       updated_at = $2, updated_by = $3
		WHERE id = $1`, id, now, by)
	return err
}

// otherAdmins counts the registered administrators beside one: of a group, or
// of the portal for types without a group.
func otherAdmins(ctx context.Context, tx *sql.Tx, groupID int64, typ access.Type, beside int64) (int, error) {
	var n int
	if groupID == 0 {
		err := db.Get(ctx, tx, &n, `
			SELECT count(*) FROM users WHERE type_cd = $1 AND id <> $2 AND status_cd IN ('ACTIV', 'INACT', 'LOCK', 'DISABL')`, typ, beside)
		return n, err
	}
	err := db.Get(ctx, tx, &n, `
		SELECT count(*) FROM users WHERE group_id = $1 AND type_cd = $2 AND id <> $3 AND status_cd IN ('ACTIV', 'INACT', 'LOCK', 'DISABL')`,
		groupID, typ, beside)
	return n, err
}

func adminsOf(ctx context.Context, tx *sql.Tx, groupID int64) ([]User, error) {
	var list []User
	err := db.Select(ctx, tx, &list, `
		SELECT `+userColumns+` FROM users WHERE group_id = $1 AND type_cd IN ('PRAD', 'NNUS', 'ROAD')
		AND status_cd IN ('ACTIV', 'INACT', 'LOCK', 'DISABL') ORDER BY id LIMIT 100`, groupID)
	return list, err
}

func usersOfGroup(ctx context.Context, q db.Queryer, groupID int64, limit int) ([]User, error) {
	var list []User
	err := db.Select(ctx, q, &list, `
		SELECT `+userColumns+` FROM users WHERE group_id = $1 ORDER BY first_name_key, id LIMIT $2`, groupID, limit)
	return list, err
}

// The searches. An empty type stands for all.

func usersByNamePrefix(ctx context.Context, q db.Queryer, prefix string, typ access.Type, limit int) ([]User, error) {
	var list []User
	err := db.Select(ctx, q, &list, `
		SELECT `+userColumns+` FROM users WHERE user_name_key >= $1 AND user_name_key < $2 AND ($3 = '' OR type_cd = $3)
		ORDER BY user_name_key LIMIT $4`, prefix, prefix+"\U0010FFFF", string(typ), limit)
	return list, err
}

func usersByEmail(ctx context.Context, q db.Queryer, key string, typ access.Type, limit int) ([]User, error) {
	var list []User
	err := db.Select(ctx, q, &list, `
		SELECT `+userColumns+` FROM users WHERE email_key = $1 AND ($2 = '' OR type_cd = $2) ORDER BY user_name_key LIMIT $3`,
		key, string(typ), limit)
	return list, err
}

// usersByEmailPart reads the whole table: a part of an address has no index
// that both databases know. The answer is bounded.
func usersByEmailPart(ctx context.Context, q db.Queryer, part string, typ access.Type, limit int) ([]User, error) {
	var list []User
	err := db.Select(ctx, q, &list, `
		SELECT `+userColumns+` FROM users WHERE email_key LIKE $1 ESCAPE '\' AND ($2 = '' OR type_cd = $2)
		ORDER BY user_name_key LIMIT $3`, "%"+likeText(part)+"%", string(typ), limit)
	return list, err
}

// likeText is a text in which LIKE finds no wildcards.
func likeText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
}

// usersHolding finds who has a TIN: everyone in the groups that have it, but of
// provider users only those to whom it was given.
func usersHolding(ctx context.Context, q db.Queryer, groups, holders []int64, typ access.Type, limit int) ([]User, error) {
	if len(groups) == 0 {
		return nil, nil
	}
	if len(holders) == 0 {
		holders = []int64{0}
	}
	args := []any{string(typ), limit}
	args = appendIDs(args, groups)
	args = appendIDs(args, holders)
	var list []User
	err := db.Select(ctx, q, &list, `
		SELECT `+userColumns+` FROM users
		WHERE ((group_id IN (`+db.In(3, len(groups))+`) AND type_cd <> 'PRUS') OR id IN (`+db.In(3+len(groups), len(holders))+`)) AND ($1 = '' OR type_cd = $1)
		ORDER BY user_name_key LIMIT $2`, args...)
	return list, err
}

func appendIDs(args []any, ids []int64) []any {
	for _, id := range ids {
		args = append(args, id)
	}
	return args
}

func usersInGroup(ctx context.Context, q db.Queryer, groupID int64, typ access.Type, limit int) ([]User, error) {
	var list []User
	err := db.Select(ctx, q, &list, `
		SELECT `+userColumns+` FROM users WHERE group_id = $1 AND ($2 = '' OR type_cd = $2) ORDER BY user_name_key LIMIT $3`,
		groupID, string(typ), limit)
	return list, err
}

func usersByIDs(ctx context.Context, q db.Queryer, ids []int64, typ access.Type, limit int) ([]User, error) {
	args := appendIDs([]any{string(typ), limit}, ids)
	var list []User
	err := db.Select(ctx, q, &list, `
		SELECT `+userColumns+` FROM users WHERE id IN (`+db.In(3, len(ids))+`) AND ($1 = '' OR type_cd = $1) ORDER BY user_name_key LIMIT $2`, args...)
	return list, err
}

func usersByNames(ctx context.Context, q db.Queryer, keys []string, typ access.Type, limit int) ([]User, error) {
	args := []any{string(typ), limit}
	for _, key := range keys {
		args = append(args, key)
	}
	var list []User
	err := db.Select(ctx, q, &list, `
		SELECT `+userColumns+` FROM users WHERE user_name_key IN (`+db.In(3, len(keys))+`) AND ($1 = '' OR type_cd = $1) ORDER BY user_name_key LIMIT $2`, args...)
	return list, err
}

func usersByStatus(ctx context.Context, q db.Queryer, status Status, typ access.Type, limit int) ([]User, error) {
	var list []User
	err := db.Select(ctx, q, &list, `
		SELECT `+userColumns+` FROM users WHERE status_cd = $1 AND ($2 = '' OR type_cd = $2) ORDER BY user_name_key LIMIT $3`,
		string(status), string(typ), limit)
	return list, err
}

// updateDraft stores a draft anew, or what was completed of it.
func updateDraft(ctx context.Context, tx *sql.Tx, u User, now db.Instant, by string) error {
	if err := updateProfile(ctx, tx, u, now, by); err != nil {
		return err
	}
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET type_cd = $2, status_cd = $3, group_id = nullif(cast($4 AS bigint), 0), draft = $5 WHERE id = $1`,
		u.ID, u.TypeCd, u.StatusCd, u.GroupID, u.Draft)
	return err
}

// The searches for groups.

const groupColumns = `g.id, g.name, g.kind, g.status_cd, g.created_at`

func groupsByIDs(ctx context.Context, q db.Queryer, ids []int64) ([]FoundGroup, error) {
	var list []FoundGroup
	err := db.Select(ctx, q, &list, `
		SELECT `+groupColumns+` FROM groups g WHERE g.id IN (`+db.In(1, len(ids))+`) ORDER BY g.id`, appendIDs(nil, ids)...)
	return list, err
}

func groupsByUserName(ctx context.Context, q db.Queryer, prefix string, limit int) ([]FoundGroup, error) {
	var list []FoundGroup
	err := db.Select(ctx, q, &list, `
		SELECT `+groupColumns+` FROM groups g
		WHERE g.id IN (SELECT group_id FROM users WHERE user_name_key >= $1 AND user_name_key < $2) ORDER BY g.id LIMIT $3`,
		prefix, prefix+"\U0010FFFF", limit)
	return list, err
}

func groupsByEmail(ctx context.Context, q db.Queryer, key string, limit int) ([]FoundGroup, error) {
	var list []FoundGroup
	err := db.Select(ctx, q, &list, `
		SELECT `+groupColumns+` FROM groups g WHERE g.id IN (SELECT group_id FROM users WHERE email_key = $1) ORDER BY g.id LIMIT $2`, key, limit)
	return list, err
}

// groupsByEmailDomain reads all users, as usersByEmailPart does, for the same
// reason.
func groupsByEmailDomain(ctx context.Context, q db.Queryer, domain string, limit int) ([]FoundGroup, error) {
	var list []FoundGroup
	err := db.Select(ctx, q, &list, `
		SELECT `+groupColumns+` FROM groups g
		WHERE g.id IN (SELECT group_id FROM users WHERE email_key LIKE $1 ESCAPE '\') ORDER BY g.id LIMIT $2`, "%@"+likeText(domain), limit)
	return list, err
}

func count(ctx context.Context, q db.Queryer) (n int, err error) {
	err = db.Get(ctx, q, &n, `SELECT count(*) FROM users`)
	return n, err
}
