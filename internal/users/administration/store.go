package administration

import (
	"context"
	"database/sql"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/users"
)

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

func usersOfGroup(ctx context.Context, q db.Queryer, groupID int64, limit int) ([]users.User, error) {
	return users.Select(ctx, q, `WHERE group_id = $1 ORDER BY first_name_key, id LIMIT $2`, groupID, limit)
}

// The searches. An empty type stands for all.

func usersByNamePrefix(ctx context.Context, q db.Queryer, prefix string, typ access.Type, limit int) ([]users.User, error) {
	return users.Select(ctx, q, `WHERE user_name_key >= $1 AND user_name_key < $2 AND ($3 = '' OR type_cd = $3)
		ORDER BY user_name_key LIMIT $4`, prefix, prefix+"\U0010FFFF", string(typ), limit)
}

func usersByEmail(ctx context.Context, q db.Queryer, key string, typ access.Type, limit int) ([]users.User, error) {
	return users.Select(ctx, q, `WHERE email_key = $1 AND ($2 = '' OR type_cd = $2) ORDER BY user_name_key LIMIT $3`,
		key, string(typ), limit)
}

// usersByEmailPart reads the whole table: a part of an address has no index
// that both databases know. The answer is bounded.
func usersByEmailPart(ctx context.Context, q db.Queryer, part string, typ access.Type, limit int) ([]users.User, error) {
	return users.Select(ctx, q, `WHERE email_key LIKE $1 ESCAPE '\' AND ($2 = '' OR type_cd = $2)
		ORDER BY user_name_key LIMIT $3`, "%"+likeText(part)+"%", string(typ), limit)
}

// likeText is a text in which LIKE finds no wildcards.
func likeText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
}

// usersHolding finds who has a TIN: everyone in the groups that have it, but of
// provider users only those to whom it was given.
func usersHolding(ctx context.Context, q db.Queryer, groups, holders []int64, typ access.Type, limit int) ([]users.User, error) {
	if len(groups) == 0 {
		return nil, nil
	}
	if len(holders) == 0 {
		holders = []int64{0}
	}
	args := []any{string(typ), limit}
	args = appendIDs(args, groups)
	args = appendIDs(args, holders)
	return users.Select(ctx, q, `WHERE ((group_id IN (`+db.In(3, len(groups))+`) AND type_cd <> 'PRUS') OR id IN (`+db.In(3+len(groups), len(holders))+`)) AND ($1 = '' OR type_cd = $1)
		ORDER BY user_name_key LIMIT $2`, args...)
}

func appendIDs(args []any, ids []int64) []any {
	for _, id := range ids {
		args = append(args, id)
	}
	return args
}

func usersInGroup(ctx context.Context, q db.Queryer, groupID int64, typ access.Type, limit int) ([]users.User, error) {
	return users.Select(ctx, q, `WHERE group_id = $1 AND ($2 = '' OR type_cd = $2) ORDER BY user_name_key LIMIT $3`,
		groupID, string(typ), limit)
}

func usersByIDs(ctx context.Context, q db.Queryer, ids []int64, typ access.Type, limit int) ([]users.User, error) {
	args := appendIDs([]any{string(typ), limit}, ids)
	return users.Select(ctx, q, `WHERE id IN (`+db.In(3, len(ids))+`) AND ($1 = '' OR type_cd = $1) ORDER BY user_name_key LIMIT $2`, args...)
}

func usersByNames(ctx context.Context, q db.Queryer, keys []string, typ access.Type, limit int) ([]users.User, error) {
	args := []any{string(typ), limit}
	for _, key := range keys {
		args = append(args, key)
	}
	return users.Select(ctx, q, `WHERE user_name_key IN (`+db.In(3, len(keys))+`) AND ($1 = '' OR type_cd = $1) ORDER BY user_name_key LIMIT $2`, args...)
}

func usersByStatus(ctx context.Context, q db.Queryer, status users.Status, typ access.Type, limit int) ([]users.User, error) {
	return users.Select(ctx, q, `WHERE status_cd = $1 AND ($2 = '' OR type_cd = $2) ORDER BY user_name_key LIMIT $3`,
		string(status), string(typ), limit)
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
