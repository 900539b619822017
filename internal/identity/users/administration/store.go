package administration

import (
	"context"
	"database/sql"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/text"
)

// otherAdmins counts the other registered administrators: of a group, or of the portal for types
// without a group.
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

func usersOfGroup(ctx context.Context, q db.Queryer, groupID int64, limit int) ([]users.User, error) {
	return users.Select(ctx, q, `WHERE group_id = $1 ORDER BY first_name_key, id LIMIT $2`, groupID, limit)
}

// drafts counts the draft accounts.
func drafts(ctx context.Context, q db.Queryer) (paging.Backlog, error) {
	return paging.CountWaiting(ctx, q, `SELECT created_at AS since FROM users WHERE status_cd = 'DRAFT' ORDER BY created_at`)
}

func draftPage(ctx context.Context, q db.Queryer, d db.Dialect, t paging.Table) ([]users.User, int, error) {
	return users.Page(ctx, q, d, t, paging.Statement{From: `FROM users WHERE status_cd = 'DRAFT'`, Order: "created_at, id"})
}

func usersOfGroupPage(ctx context.Context, q db.Queryer, d db.Dialect, groupID int64, t paging.Table) ([]users.User, int, error) {
	return users.Page(ctx, q, d, t, paging.Statement{
		From: `FROM users WHERE group_id = $1`, Args: []any{groupID}, Order: "first_name_key, id",
	})
}

// criterion is the SQL condition of a user search, with its values.
type criterion struct {
	sql   string
	args  []any
	order string // rows to show first, before the order by username
}

// withType adds the account type. Empty means all.
func (c criterion) withType(typ access.Type) criterion {
	value := db.In(len(c.args)+1, 1)
	return criterion{"WHERE (" + c.sql + ") AND (" + value + " = '' OR type_cd = " + value + ")", append(c.args, string(typ)), c.order}
}

func usersFound(ctx context.Context, q db.Queryer, c criterion, limit int) ([]users.User, error) {
	return users.Select(ctx, q, c.sql+" ORDER BY "+c.order+"user_name_key LIMIT "+db.In(len(c.args)+1, 1), append(c.args, limit)...)
}

func usersFoundPage(ctx context.Context, q db.Queryer, d db.Dialect, c criterion, t paging.Table) ([]users.User, int, error) {
	return users.Page(ctx, q, d, t, paging.Statement{From: "FROM users " + c.sql, Args: c.args, Order: c.order + "user_name_key"})
}

// byUserNamePart scans the whole table, for the same reason as byEmailPart.
func byUserNamePart(part string) criterion {
	return criterion{sql: `user_name_key LIKE $1 ESCAPE '\'`, args: []any{db.ContainsPattern(part)}}
}

// byPerson finds people by name, ignoring everything but letters. The first word must be a
// prefix of the first or last name, and each other word a prefix of any word in either.
// Alternatively, all words together can be a prefix of the full name. Older accounts without
// name keys are found by the words as typed. Exact matches come first.
func byPerson(words []string) criterion {
	letters, suffix := names.SplitWords(strings.Join(words, " "))
	var c criterion
	value := func(v any) string {
		c.args = append(c.args, v)
		return db.In(len(c.args), 1)
	}
	between := func(column, from string) string {
		return column + " >= " + value(from) + " AND " + column + " < " + value(text.PrefixEnd(from))
	}
	named := ` AND name_words <> ''`
	if suffix != "" {
		named += ` AND (name_words LIKE ' %' OR name_words LIKE ` + value(suffix+" %") + `)`
	}
	begins := named
	for _, word := range letters[1:] {
		begins += ` AND name_words LIKE ` + value(db.ContainsPattern(" "+word)) + ` ESCAPE '\'`
	}
	spelled, old := "", ` AND name_words = ''`
	for _, word := range words {
		typed := value(strings.Trim(db.ContainsPattern(word), "%"))
		spelled += ` AND ' ' || first_name_key || ' ' || last_name_key || ' ' LIKE '% ' || ` + typed + ` || ' %' ESCAPE '\'`
		old += ` AND ' ' || first_name_key || ' ' || last_name_key LIKE '% ' || ` + typed + ` || '%' ESCAPE '\'`
	}
	var ways []string
	for _, column := range []string{"first_name_letters || last_name_letters", "last_name_letters || first_name_letters"} {
		ways = append(ways, between(column, strings.Join(letters, ""))+named)
		if len(letters) > 1 {
			ways = append(ways, between(column, letters[0])+begins)
		}
	}
	for _, column := range []string{"first_name_key", "last_name_key"} {
		ways = append(ways, between(column, words[0])+old)
	}
	c.sql = `id IN (SELECT id FROM users WHERE ` + strings.Join(ways, ` UNION ALL SELECT id FROM users WHERE `) + `)`
	c.order = `CASE WHEN ` + strings.TrimPrefix(spelled, " AND ") + ` THEN 0 ELSE 1 END, `
	return c
}

func byEmail(key string) criterion { return criterion{sql: `email_key = $1`, args: []any{key}} }

// byEmailPart scans the whole table, because both databases lack a common index for substrings.
// The number of results is limited.
func byEmailPart(part string) criterion {
	return criterion{sql: `email_key LIKE $1 ESCAPE '\'`, args: []any{db.ContainsPattern(part)}}
}

// byTIN finds the users with a TIN: everyone in the groups with it, but provider users only if
// it was assigned to them.
func byTIN(groups, holders []int64) criterion {
	if len(groups) == 0 {
		groups = []int64{0}
	}
	if len(holders) == 0 {
		holders = []int64{0}
	}
	return criterion{
		sql:  `(group_id IN (` + db.In(1, len(groups)) + `) AND type_cd <> 'PRUS') OR id IN (` + db.In(1+len(groups), len(holders)) + `)`,
		args: appendIDs(appendIDs(nil, groups), holders),
	}
}

func appendIDs(args []any, ids []int64) []any {
	args = append(args, db.Args(ids)...)
	return args
}

func byGroup(id int64) criterion { return criterion{sql: `group_id = $1`, args: []any{id}} }

func byIDs(ids []int64) criterion {
	return criterion{sql: `id IN (` + db.In(1, len(ids)) + `)`, args: appendIDs(nil, ids)}
}

// namesAmong returns those usernames that exist.
func namesAmong(ctx context.Context, q db.Queryer, keys []string) (map[string]bool, error) {
	c := byNames(keys, nil)
	var list []string
	err := db.Select(ctx, q, &list, `SELECT user_name_key FROM users WHERE `+c.sql, c.args...)
	had := make(map[string]bool, len(list))
	for _, key := range list {
		had[key] = true
	}
	return had, err
}

// byNames finds full usernames, and those with any of several prefixes.
func byNames(keys, beginnings []string) criterion {
	c := criterion{sql: `user_name_key IN (` + db.In(1, len(keys)) + `)`}
	for _, key := range keys {
		c.args = append(c.args, key)
	}
	if len(beginnings) == 0 {
		return c
	}
	ranges := make([]string, len(beginnings))
	for i, beginning := range beginnings {
		ranges[i] = "(" + db.In(len(c.args)+1, 2) + ")"
		c.args = append(c.args, beginning, text.PrefixEnd(beginning))
	}
	// Both databases support these column names of VALUES.
	c.sql += ` OR id IN (SELECT u.id FROM (VALUES ` + strings.Join(ranges, ", ") + `) AS begun
		JOIN users u ON u.user_name_key >= begun.column1 AND u.user_name_key < begun.column2)`
	return c
}

func byStatus(status users.Status) criterion {
	return criterion{sql: `status_cd = $1`, args: []any{string(status)}}
}

// Group searches.

const groupColumns = `g.id, g.name, g.kind, g.status_cd, g.named_by, g.created_at`

func groupsByIDs(ctx context.Context, q db.Queryer, ids []int64) ([]FoundGroup, error) {
	return db.List[FoundGroup](ctx, q, `
		SELECT `+groupColumns+` FROM groups g WHERE g.id IN (`+db.In(1, len(ids))+`) ORDER BY g.id`, appendIDs(nil, ids)...)
}

func groupsByUserName(ctx context.Context, q db.Queryer, prefix string, limit int) ([]FoundGroup, error) {
	return db.List[FoundGroup](ctx, q, `
		SELECT `+groupColumns+` FROM groups g
		WHERE g.id IN (SELECT group_id FROM users WHERE user_name_key >= $1 AND user_name_key < $2) ORDER BY g.id LIMIT $3`,
		prefix, text.PrefixEnd(prefix), limit)
}

func groupsByEmail(ctx context.Context, q db.Queryer, key string, limit int) ([]FoundGroup, error) {
	return db.List[FoundGroup](ctx, q, `
		SELECT `+groupColumns+` FROM groups g WHERE g.id IN (SELECT group_id FROM users WHERE email_key = $1) ORDER BY g.id LIMIT $2`,
		key, limit)
}

var groupPageColumns = paging.Columns{
	"id": paging.Number("g.id"), "name": paging.Text("g.name_key"), "created": paging.Day("g.created_at"),
	"type": paging.Words("g.kind", map[string]string{users.RosterGroup: "Roster Group", users.ProviderGroup: "Provider Group",
		users.NonNetworkGroup: "Non-Network Group"}),
	"status": paging.Words("g.status_cd", map[string]string{"ACTIV": "Active", "INACT": "Inactive", "LOCK": "Locked", "DISABL": "Disabled",
		"PEND": "Pending"}),
}

func groupsPage(ctx context.Context, q db.Queryer, d db.Dialect, t paging.Table) ([]FoundGroup, int, error) {
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: groupColumns, From: "FROM groups g WHERE true", Columns: groupPageColumns, Order: "g.name_key, g.id",
	}, paging.Rows[FoundGroup])
}

// countUse counts the accounts of a group.
func countUse(ctx context.Context, q db.Queryer, groupID int64) (GroupUse, error) {
	return db.One[GroupUse](ctx, q, `
		SELECT count(*) AS users, coalesce(sum(CASE WHEN status_cd IN ('ACTIV', 'LOCK') THEN 1 ELSE 0 END), 0) AS may_sign_in,
		       coalesce(sum(CASE WHEN status_cd = 'NEW' THEN 1 ELSE 0 END), 0) AS registering, 0 AS signed_in, 0 AS mailed
		FROM users WHERE group_id = $1 AND status_cd <> 'TERM'`, groupID)
}

// groupsByEmailDomain scans all users, for the same reason as byEmailPart.
func groupsByEmailDomain(ctx context.Context, q db.Queryer, domain string, limit int) ([]FoundGroup, error) {
	return db.List[FoundGroup](ctx, q, `
		SELECT `+groupColumns+` FROM groups g
		WHERE g.id IN (SELECT group_id FROM users WHERE email_key LIKE $1 ESCAPE '\') ORDER BY g.id LIMIT $2`,
		strings.TrimSuffix(db.ContainsPattern("@"+domain), "%"), limit)
}
