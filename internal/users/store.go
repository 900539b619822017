package users

import (
	"context"
	"database/sql"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// Columns are those of a User, for the queries of the packages that stand on
// this one.
const Columns = `id, user_name, first_name, middle_name, last_name, email, phone, type_cd, status_cd, employee_id,
	coalesce(group_id, 0) AS group_id, affiliation_cd, affiliation_desc, job_title, company_name, company_url,
	password_hash, locked_until, last_login_at, created_at, draft, sso_issuer, sso_subject`

func byID(ctx context.Context, q db.Queryer, id int64) (User, error) {
	var u User
	err := db.Get(ctx, q, &u, `SELECT `+Columns+` FROM users WHERE id = $1`, id)
	return u, err
}

func byNameKey(ctx context.Context, q db.Queryer, key string) (User, error) {
	var u User
	err := db.Get(ctx, q, &u, `SELECT `+Columns+` FROM users WHERE user_name_key = $1`, key)
	return u, err
}

func bySubject(ctx context.Context, q db.Queryer, issuer, subject string) (User, error) {
	var u User
	err := db.Get(ctx, q, &u, `SELECT `+Columns+` FROM users WHERE sso_issuer = $1 AND sso_subject = $2 AND sso_subject <> ''`, issuer, subject)
	return u, err
}

func bindSubject(ctx context.Context, q db.Queryer, g access.UserGrant, issuer, subject string) (int64, error) {
	n, err := db.Exec(ctx, q, `
		UPDATE users SET sso_issuer = $2, sso_subject = $3 WHERE id = $1 AND sso_subject = ''`, g.ID(), issuer, subject)
	if db.IsUnique(err) {
		return 0, nil
	}
	return n, err
}

func lockActive(ctx context.Context, tx *sql.Tx, name string, until, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE users SET status_cd = 'LOCK', locked_until = $2, updated_at = $3, updated_by = 'sign-in'
		WHERE user_name_key = $1 AND status_cd = 'ACTIV'`, text.Key(name), until, now)
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

func noteSignIn(ctx context.Context, tx *sql.Tx, g access.UserGrant, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE users SET last_login_at = $2, status_cd = 'ACTIV', locked_until = NULL
		WHERE id = $1 AND (status_cd = 'ACTIV' OR status_cd = 'LOCK' AND locked_until <= $2)`, g.ID(), now)
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

func updateGroup(ctx context.Context, tx *sql.Tx, grant access.GroupGrant, g Group) error {
	_, err := db.Exec(ctx, tx, `UPDATE groups SET name = $2, name_key = $3, kind = $4 WHERE id = $1`,
		grant.ID(), g.Name, text.Key(g.Name), g.Kind)
	return err
}

func insertUser(ctx context.Context, tx *sql.Tx, u User, group access.GroupGrant, now db.Instant, by string) (int64, error) {
	var id int64
	err := db.Get(ctx, tx, &id, `
		INSERT INTO users (user_name, user_name_key, first_name, middle_name, last_name, first_name_key, last_name_key,
		                   email, email_key, phone, type_cd, status_cd, employee_id, group_id, affiliation_cd,
		                   affiliation_desc, job_title, company_name, company_url, password_hash, locked_until,
		                   created_at, created_by, updated_at, updated_by, draft)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, nullif(cast($14 AS bigint), 0), $15, $16, $17, $18, $19, $20, $21, $22, $23, $22, $23, $24)
		RETURNING id`,
		u.UserName, text.Key(u.UserName), u.FirstName, u.MiddleName, u.LastName, text.Key(u.FirstName), text.Key(u.LastName),
		u.Email, text.Key(u.Email), u.Phone, u.TypeCd, u.StatusCd, u.EmployeeID, group.ID(), u.AffiliationCd,
		u.AffiliationDesc, u.JobTitle, u.CompanyName, u.CompanyURL, u.PasswordHash, u.LockedUntil, now, by, u.Draft)
	return id, err
}

// updateFromFeed changes what a feed may change: never the password, the
// state of sign-in or the user name.
func updateFromFeed(ctx context.Context, tx *sql.Tx, g access.UserGrant, u User, group access.GroupGrant, now db.Instant) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET first_name = $2, middle_name = $3, last_name = $4, first_name_key = $5, last_name_key = $6,
		       email = $7, email_key = $8, phone = $9, type_cd = $10, employee_id = $11, group_id = nullif(cast($12 AS bigint), 0),
		       affiliation_cd = $13, affiliation_desc = $14, job_title = $15, company_name = $16, company_url = $17,
		       updated_at = $18, updated_by = $19
		WHERE id = $1`,
		g.ID(), u.FirstName, u.MiddleName, u.LastName, text.Key(u.FirstName), text.Key(u.LastName), u.Email, text.Key(u.Email),
		u.Phone, u.TypeCd, u.EmployeeID, group.ID(), u.AffiliationCd, u.AffiliationDesc, u.JobTitle, u.CompanyName,
		u.CompanyURL, now, g.By())
	return err
}

func byEmailKey(ctx context.Context, q db.Queryer, key string) (User, error) {
	var u User
	err := db.Get(ctx, q, &u, `SELECT `+Columns+` FROM users WHERE email_key = $1 AND status_cd <> 'TERM'`, key)
	return u, err
}

func lockUser(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (User, error) {
	var u User
	err := db.Get(ctx, tx, &u, `SELECT `+Columns+` FROM users WHERE id = $1`+dialect.ForUpdate, id)
	return u, err
}

func setPassword(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string, now db.Instant) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET password_hash = $2, password_set_at = $3, status_cd = 'ACTIV', locked_until = NULL, updated_at = $3, updated_by = $4
		WHERE id = $1`, g.ID(), hash, now, g.By())
	return err
}

func suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant, now db.Instant) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET status_cd = 'INACT', locked_until = NULL, updated_at = $2, updated_by = $3 WHERE id = $1`, g.ID(), now, g.By())
	return err
}

func updateProfile(ctx context.Context, tx *sql.Tx, g access.UserGrant, u User, now db.Instant) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET first_name = $2, middle_name = $3, last_name = $4, first_name_key = $5, last_name_key = $6,
		       email = $7, email_key = $8, phone = $9, employee_id = $10, affiliation_cd = $11, affiliation_desc = $12,
		       job_title = $13, company_name = $14, company_url = $15, updated_at = $16, updated_by = $17
		WHERE id = $1`,
		g.ID(), u.FirstName, u.MiddleName, u.LastName, text.Key(u.FirstName), text.Key(u.LastName), u.Email, text.Key(u.Email), u.Phone,
		u.EmployeeID, u.AffiliationCd, u.AffiliationDesc, u.JobTitle, u.CompanyName, u.CompanyURL, now, g.By())
	return err
}

func setMissingPasswords(ctx context.Context, q db.Queryer, hash string) error {
	_, err := db.Exec(ctx, q, `UPDATE users SET password_hash = $1 WHERE password_hash = '' AND status_cd NOT IN ('NEW', 'DRAFT')`, hash)
	return err
}

func lockGroup(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (Group, error) {
	var g Group
	err := db.Get(ctx, tx, &g, `SELECT id, name, kind FROM groups WHERE id = $1`+dialect.ForUpdate, id)
	return g, err
}

func setType(ctx context.Context, tx *sql.Tx, g access.UserGrant, typ access.Type, now db.Instant) error {
	_, err := db.Exec(ctx, tx, `UPDATE users SET type_cd = $2, updated_at = $3, updated_by = $4 WHERE id = $1`, g.ID(), typ, now, g.By())
	return err
}

func terminate(ctx context.Context, tx *sql.Tx, g access.UserGrant, now db.Instant) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET status_cd = 'TERM', password_hash = '', locked_until = NULL, sso_issuer = '', sso_subject = '',
		       updated_at = $2, updated_by = $3
		WHERE id = $1`, g.ID(), now, g.By())
	return err
}

func adminsOf(ctx context.Context, tx *sql.Tx, groupID int64) ([]User, error) {
	var list []User
	err := db.Select(ctx, tx, &list, `
		SELECT `+Columns+` FROM users WHERE group_id = $1 AND type_cd IN ('PRAD', 'NNUS', 'ROAD')
		AND status_cd IN ('ACTIV', 'INACT', 'LOCK', 'DISABL') ORDER BY id LIMIT 100`, groupID)
	return list, err
}

// updateDraft stores a draft anew, or what was completed of it.
func updateDraft(ctx context.Context, tx *sql.Tx, g access.UserGrant, u User, group access.GroupGrant, now db.Instant) error {
	if err := updateProfile(ctx, tx, g, u, now); err != nil {
		return err
	}
	_, err := db.Exec(ctx, tx, `
		UPDATE users SET type_cd = $2, status_cd = $3, group_id = nullif(cast($4 AS bigint), 0), draft = $5 WHERE id = $1`,
		g.ID(), u.TypeCd, u.StatusCd, group.ID(), u.Draft)
	return err
}

func count(ctx context.Context, q db.Queryer) (n int, err error) {
	err = db.Get(ctx, q, &n, `SELECT count(*) FROM users`)
	return n, err
}
