package users

import (
	"context"
	"database/sql"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/text"
)

// userColumns map an account to its columns.
var userColumns = append(db.Fields[User]("id"),
	db.Computed("user_name_key", func(u *User) any { return text.Key(u.UserName) }),
	db.Computed("first_name_key", func(u *User) any { return text.Key(u.FirstName) }),
	db.Computed("last_name_key", func(u *User) any { return text.Key(u.LastName) }),
	db.Computed("first_name_letters", func(u *User) any { return u.name().First }),
	db.Computed("last_name_letters", func(u *User) any { return u.name().Last }),
	db.Computed("name_words", func(u *User) any { return names.ListPrefixes(u.LastName, u.FirstName) }),
	db.Computed("email_key", func(u *User) any { return text.Key(u.Email) }),
)

var userTable = db.NewTable("users", userColumns...)

// change is an account to write, with the author and time of the change.
type change struct {
	User
	At db.Instant
	By string
}

var changeTable = db.NewTable("users", append(
	db.Within(func(c *change) *User { return &c.User }, userColumns),
	db.Computed("created_by", func(c *change) any { return c.By }),
	db.Col("updated_at", func(c *change) *db.Instant { return &c.At }),
	db.Col("updated_by", func(c *change) *string { return &c.By }),
)...)

// Columns to write: all for a new account, the editable ones for a profile, and also the group
// for an imported account.
var (
	profileColumns = []string{
		"id", "first_name", "middle_name", "last_name", "first_name_key", "last_name_key", "first_name_letters", "last_name_letters",
		"name_words", "email", "email_key", "phone", "employee_id",
		"affiliation_cd", "affiliation_desc", "job_title", "company_name", "company_url", "updated_at", "updated_by",
	}
	newTable     = changeTable.Without("id", "last_login_at", "sso_issuer", "sso_subject", "sso_bound_at")
	profileTable = changeTable.Only(profileColumns...)
	feedTable    = changeTable.Only(append(profileColumns, "type_cd", "group_id", "group_ended")...)
	namesTable   = userTable.Only("id", "first_name", "last_name")
	lettersTable = userTable.Only("id", "first_name_letters", "last_name_letters", "name_words")
	draftTable   = changeTable.Only(append(profileColumns, "type_cd", "status_cd", "group_id", "group_ended", "draft", "manager_id")...)
)

func (u *User) name() names.Name { return names.Of(u.LastName, u.FirstName) }

// lockUnnamed returns and locks one batch of older accounts without name keys. A partial index
// covers exactly these accounts.
func lockUnnamed(ctx context.Context, tx *sql.Tx, d db.Dialect) ([]User, error) {
	return namesTable.Select(ctx, tx, `WHERE name_words = '' ORDER BY first_name_key LIMIT $1`+d.ForUpdate, db.StepRows)
}

// putNames writes the name keys of accounts.
func putNames(ctx context.Context, tx *sql.Tx, list []User) error {
	return lettersTable.UpdateAll(ctx, tx, list...)
}

func byID(ctx context.Context, q db.Queryer, id int64) (User, error) {
	return userTable.Get(ctx, q, `WHERE id = $1`, id)
}

func byNameKey(ctx context.Context, q db.Queryer, key string) (User, error) {
	return userTable.Get(ctx, q, `WHERE user_name_key = $1`, key)
}

func bySubject(ctx context.Context, q db.Queryer, issuer, subject string) (User, error) {
	return userTable.Get(ctx, q, `WHERE sso_issuer = $1 AND sso_subject = $2 AND sso_subject <> ''`, issuer, subject)
}

func bindSubject(ctx context.Context, tx *sql.Tx, g access.UserGrant, issuer, subject string, now db.Instant) error {
	return db.Run(ctx, tx, `
		UPDATE users SET sso_issuer = $2, sso_subject = $3, sso_bound_at = $4 WHERE id = $1`, g.ID(), issuer, subject, now)
}

func unbindSubject(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return db.Run(ctx, tx, `UPDATE users SET sso_issuer = '', sso_subject = '', sso_bound_at = NULL WHERE id = $1`, g.ID())
}

// freeSubject unbinds a subject from an ended account.
func freeSubject(ctx context.Context, tx *sql.Tx, issuer, subject string) error {
	return db.Run(ctx, tx, `
		UPDATE users SET sso_issuer = '', sso_subject = '', sso_bound_at = NULL
		WHERE sso_issuer = $1 AND sso_subject = $2 AND sso_subject <> '' AND status_cd = 'TERM'`, issuer, subject)
}

func lockActive(ctx context.Context, tx *sql.Tx, name string, until, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE users SET status_cd = 'LOCK', locked_until = CASE WHEN locked_until > $2 THEN locked_until ELSE $2 END, updated_at = $3,
			updated_by = 'sign-in'
		WHERE user_name_key = $1 AND (status_cd = 'ACTIV' OR status_cd = 'LOCK' AND locked_until IS NOT NULL)`, text.Key(name), until, now)
}

func unlockExpired(ctx context.Context, q db.Queryer, now db.Instant) error {
	return db.Run(ctx, q, `
		UPDATE users SET status_cd = 'ACTIV', locked_until = NULL, updated_at = $1, updated_by = 'sign-in'
		WHERE status_cd = 'LOCK' AND locked_until <= $1`, now)
}

func deactivateUnused(ctx context.Context, q db.Queryer, before, now db.Instant) error {
	return db.Run(ctx, q, `
		UPDATE users SET status_cd = 'DISABL', updated_at = $2, updated_by = 'sign-in'
		WHERE status_cd = 'ACTIV' AND coalesce(last_login_at, created_at) < $1 AND coalesce(password_set_at, created_at) < $1`, before, now)
}

func noteSignIn(ctx context.Context, tx *sql.Tx, g access.UserGrant, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE users SET last_login_at = $2, status_cd = CASE WHEN locked_until > $2 THEN 'LOCK' ELSE 'ACTIV' END,
			locked_until = CASE WHEN locked_until > $2 THEN locked_until END
		WHERE id = $1 AND NOT group_ended AND (status_cd = 'ACTIV' OR status_cd = 'LOCK' AND locked_until IS NOT NULL)`, g.ID(), now)
}

// insertGroup stores a new group. Without an ID, it gets the next free one.
func insertGroup(ctx context.Context, tx *sql.Tx, g Group, now db.Instant, by string) (int64, error) {
	if g.ID != 0 {
		_, err := db.Exec(ctx, tx, `
			INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES ($1, $2, $3, $4, $5, $6)`,
			g.ID, g.Name, text.Key(g.Name), g.Kind, now, by)
		return g.ID, err
	}
	// Imported groups have their own ids. Use the next free one, so that the two never collide.
	err := db.Get(ctx, tx, &g.ID, `
		INSERT INTO groups (id, name, name_key, kind, created_at, created_by)
		VALUES ((SELECT coalesce(max(id), 1000) + 1 FROM groups), $1, $2, $3, $4, $5) RETURNING id`,
		g.Name, text.Key(g.Name), g.Kind, now, by)
	return g.ID, err
}

const groupColumns = `id, name, kind, status_cd, named_by`

func groupByID(ctx context.Context, q db.Queryer, id int64) (Group, error) {
	return db.One[Group](ctx, q, `SELECT `+groupColumns+` FROM groups WHERE id = $1`, id)
}

func groupsAmong(ctx context.Context, q db.Queryer, ids []int64) ([]Group, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return db.List[Group](ctx, q, `SELECT `+groupColumns+` FROM groups WHERE id IN (`+db.In(1, len(ids))+`) ORDER BY id`, db.Args(ids)...)
}

func updateGroup(ctx context.Context, tx *sql.Tx, grant access.GroupGrant, g Group) error {
	return db.Run(ctx, tx, `UPDATE groups SET name = $2, name_key = $3, kind = $4 WHERE id = $1`,
		grant.ID(), g.Name, text.Key(g.Name), g.Kind)
}

// nameGroup stores the name that network staff set for a group.
func nameGroup(ctx context.Context, tx *sql.Tx, grant access.GroupGrant, name string) error {
	return db.Run(ctx, tx, `UPDATE groups SET name = $2, name_key = $3, named_by = $4
		WHERE id = $1`, grant.ID(), name, text.Key(name), grant.By())
}

func setGroupStatus(ctx context.Context, tx *sql.Tx, grant access.GroupGrant, status GroupStatus) error {
	if _, err := db.Exec(ctx, tx, `UPDATE groups SET status_cd = $2 WHERE id = $1`, grant.ID(), status); err != nil {
		return err
	}
	return db.Run(ctx, tx, `UPDATE users SET group_ended = $2 WHERE group_id = $1`, grant.ID(), status == GroupInactive)
}

func insertUser(ctx context.Context, tx *sql.Tx, u User, group access.GroupGrant, now db.Instant, by string) (int64, error) {
	u.GroupID, u.CreatedAt = group.ID(), now
	return newTable.Add(ctx, tx, change{u, now, by}, "id")
}

// updateFromFeed changes what a feed can change: never the password, the status or the username.
func updateFromFeed(ctx context.Context, tx *sql.Tx, g access.UserGrant, u User, group access.GroupGrant, now db.Instant) error {
	u.ID, u.GroupID = g.ID(), group.ID()
	_, err := feedTable.Update(ctx, tx, change{u, now, g.By()})
	return err
}

func byEmailKey(ctx context.Context, q db.Queryer, key string) (User, error) {
	return userTable.Get(ctx, q, `WHERE email_key = $1 AND status_cd <> 'TERM'`, key)
}

func lockUser(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (User, error) {
	return userTable.Get(ctx, tx, `WHERE id = $1`+dialect.ForUpdate, id)
}

func lockByNameKey(ctx context.Context, tx *sql.Tx, dialect db.Dialect, key string) (User, error) {
	return userTable.Get(ctx, tx, `WHERE user_name_key = $1`+dialect.ForUpdate, key)
}

func lockByEmailKey(ctx context.Context, tx *sql.Tx, dialect db.Dialect, key string) (User, error) {
	return userTable.Get(ctx, tx, `WHERE email_key = $1 AND status_cd <> 'TERM'`+dialect.ForUpdate, key)
}

func setPassword(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash string, now db.Instant) error {
	return db.Run(ctx, tx, `
		UPDATE users SET password_hash = $2, password_set_at = $3, status_cd = 'ACTIV', locked_until = NULL, updated_at = $3,
			updated_by = $4
		WHERE id = $1`, g.ID(), hash, now, g.By())
}

func suspend(ctx context.Context, tx *sql.Tx, g access.UserGrant, now db.Instant) error {
	return db.Run(ctx, tx, `
		UPDATE users SET status_cd = 'INACT', locked_until = NULL, updated_at = $2, updated_by = $3 WHERE id = $1`, g.ID(), now, g.By())
}

func updateProfile(ctx context.Context, tx *sql.Tx, g access.UserGrant, u User, now db.Instant) error {
	u.ID = g.ID()
	_, err := profileTable.Update(ctx, tx, change{u, now, g.By()})
	return err
}

func setMissingPasswords(ctx context.Context, q db.Queryer, hash string) error {
	return db.Run(ctx, q, `UPDATE users SET password_hash = $1 WHERE password_hash = '' AND status_cd NOT IN ('NEW', 'DRAFT')`, hash)
}

func lockGroup(ctx context.Context, tx *sql.Tx, dialect db.Dialect, id int64) (Group, error) {
	return db.One[Group](ctx, tx, `SELECT `+groupColumns+` FROM groups WHERE id = $1`+dialect.ForUpdate, id)
}

// lockStaff locks the accounts of internal staff, which lack a group row to lock, always in the
// same order.
func lockStaff(ctx context.Context, tx *sql.Tx, dialect db.Dialect) error {
	var ids []int64
	return db.Select(ctx, tx, &ids, `
		SELECT id FROM users WHERE type_cd IN ('IRAD', 'ISAD')
		AND status_cd IN ('ACTIV', 'INACT', 'LOCK', 'DISABL') ORDER BY id`+dialect.ForUpdate)
}

func setType(ctx context.Context, tx *sql.Tx, g access.UserGrant, typ access.Type, now db.Instant) error {
	return db.Run(ctx, tx, `UPDATE users SET type_cd = $2, updated_at = $3, updated_by = $4 WHERE id = $1`, g.ID(), typ, now, g.By())
}

func terminate(ctx context.Context, tx *sql.Tx, g access.UserGrant, managerID int64, now db.Instant) error {
	return db.Run(ctx, tx, `
		UPDATE users SET status_cd = 'TERM', password_hash = '', locked_until = NULL, updated_at = $2, updated_by = $3, manager_id = $4
		WHERE id = $1`, g.ID(), now, g.By(), managerID)
}

func listAdmins(ctx context.Context, tx *sql.Tx, groupID int64) ([]User, error) {
	return userTable.Select(ctx, tx, `
		WHERE group_id = $1 AND type_cd IN ('PRAD', 'NNUS', 'ROAD')
		AND status_cd IN ('ACTIV', 'INACT', 'LOCK', 'DISABL') AND NOT group_ended ORDER BY id LIMIT 100`, groupID)
}

// listWorkers lists a group's active and locked users who see bills.
func listWorkers(ctx context.Context, q db.Queryer, groupID int64) ([]User, error) {
	return userTable.Select(ctx, q, `
		WHERE group_id = $1 AND type_cd IN ('PRUS', 'PRAD', 'NNUS') AND status_cd IN ('ACTIV', 'LOCK') AND NOT group_ended
		ORDER BY first_name_key, last_name_key, id LIMIT 1000`, groupID)
}

// updateDraft replaces a draft, or completes it.
func updateDraft(ctx context.Context, tx *sql.Tx, g access.UserGrant, u User, group access.GroupGrant, now db.Instant) error {
	u.ID, u.GroupID = g.ID(), group.ID()
	_, err := draftTable.Update(ctx, tx, change{u, now, g.By()})
	return err
}

// ListGroupIDs returns the groups of the users with these folded names.
func ListGroupIDs(ctx context.Context, q db.Queryer, nameKeys []string) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT DISTINCT group_id FROM users
			WHERE user_name_key IN (`+db.In(1, len(nameKeys))+`) AND group_id IS NOT NULL`, db.Args(nameKeys)...)
}

// emailChange is a pending change of an account's address.
type emailChange struct {
	UserID    int64 `db:"user_id"`
	Email     string
	ExpiresAt db.Instant
}

func insertEmailChange(ctx context.Context, tx *sql.Tx, g access.UserGrant, email string, now db.Instant) (int64, error) {
	return db.One[int64](ctx, tx, `
		INSERT INTO email_changes (user_id, email, asked_at, asked_by) VALUES ($1, $2, $3, $4) RETURNING id`, g.ID(), email, now, g.By())
}

func mintEmailChange(ctx context.Context, tx *sql.Tx, id int64, hash []byte, expires db.Instant) error {
	return db.Run(ctx, tx, `UPDATE email_changes SET token_hash = $2, expires_at = $3 WHERE id = $1`, id, hash, expires)
}

const emailChangeColumns = `user_id, email, expires_at`

func emailChangeByID(ctx context.Context, q db.Queryer, id int64) (emailChange, error) {
	return db.One[emailChange](ctx, q, `SELECT `+emailChangeColumns+` FROM email_changes WHERE id = $1`, id)
}

func getEmailChange(ctx context.Context, q db.Queryer, userID int64) (emailChange, error) {
	return db.One[emailChange](ctx, q, `SELECT `+emailChangeColumns+` FROM email_changes WHERE user_id = $1`, userID)
}

func emailChangeByToken(ctx context.Context, q db.Queryer, hash []byte) (emailChange, error) {
	return db.One[emailChange](ctx, q, `SELECT `+emailChangeColumns+` FROM email_changes WHERE token_hash = $1`, hash)
}

func deleteEmailChange(ctx context.Context, tx *sql.Tx, g access.UserGrant) error {
	return db.Run(ctx, tx, `DELETE FROM email_changes WHERE user_id = $1`, g.ID())
}

// useEmailChange deletes the change that a link confirms. It returns 0 if the link was replaced or used.
func useEmailChange(ctx context.Context, tx *sql.Tx, g access.UserGrant, hash []byte) (int64, error) {
	return db.Exec(ctx, tx, `DELETE FROM email_changes WHERE token_hash = $2 AND user_id = $1`, g.ID(), hash)
}
