// Package identitytest adds accounts and their TINs to the database of a test.
package identitytest

import (
	"cmp"
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// Add adds an active account with a full name and TINs, and its group. It doesn't change an account
// or group that exists.
func Add(t testing.TB, q db.Queryer, p access.Person, name string, ftins ...string) {
	t.Helper()
	now := db.At(time.Now())
	first, last, _ := strings.Cut(name, " ")
	var group *int64
	if p.GroupID != 0 {
		group = &p.GroupID
		exec(t, q, `INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES ($1, 'x', 'x', $2, $3, 'test')
			ON CONFLICT (id) DO NOTHING`, p.GroupID, users.GroupKind(p.Type), now)
	}
	exec(t, q, `
		INSERT INTO users (id, group_id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key,
			type_cd, status_cd, created_at, created_by, updated_at, updated_by)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'ACTIV', $12, 'test', $12, 'test') ON CONFLICT (id) DO NOTHING`,
		p.ID, group, p.UserName, text.Key(p.UserName), first, last, text.Key(first), text.Key(last),
		p.UserName+"@example.com", text.Key(p.UserName+"@example.com"), cmp.Or(p.Type, access.PRUS), now)
	if p.Role != access.NoRole {
		SetStaffRole(t, q, p.ID, p.Role)
	}
	SetTINs(t, q, p, ftins...)
}

// SetTINs replaces the TINs of a user. Those of an administrator are the group's. A user's TINs are
// added to the group, which keeps its others.
func SetTINs(t testing.TB, q db.Queryer, p access.Person, ftins ...string) {
	t.Helper()
	if p.Type == access.PRUS {
		exec(t, q, `DELETE FROM user_tins WHERE user_id = $1`, p.ID)
	} else {
		exec(t, q, `DELETE FROM group_tins WHERE group_id = $1`, p.GroupID)
	}
	now := db.At(time.Now())
	for _, ftin := range ftins {
		exec(t, q, `INSERT INTO group_tins (group_id, ftin, added_at, updated_by) VALUES ($1, $2, $3, 'test')
			ON CONFLICT (group_id, ftin) DO NOTHING`, p.GroupID, ftin, now)
		if p.Type == access.PRUS {
			exec(t, q, `INSERT INTO user_tins (user_id, ftin, added_at, updated_by) VALUES ($1, $2, $3, 'test')`, p.ID, ftin, now)
		}
	}
}

// SetStatus sets the status of an account.
func SetStatus(t testing.TB, q db.Queryer, userID int64, status users.Status) {
	t.Helper()
	exec(t, q, `UPDATE users SET status_cd = $2 WHERE id = $1`, userID, status)
}

// Lock locks an account as failed attempts do.
func Lock(t testing.TB, q db.Queryer, userID int64) {
	t.Helper()
	exec(t, q, `UPDATE users SET status_cd = 'LOCK', locked_until = $2 WHERE id = $1`, userID, db.At(time.Now().Add(time.Hour)))
}

// SetStaffRole sets the staff role of an account.
func SetStaffRole(t testing.TB, q db.Queryer, userID int64, role access.Role) {
	t.Helper()
	exec(t, q, `UPDATE users SET staff_role = $2 WHERE id = $1`, userID, role)
}

// SetGroupStatus sets the status of a group, with its accounts.
func SetGroupStatus(t testing.TB, q db.Queryer, groupID int64, status users.GroupStatus) {
	t.Helper()
	exec(t, q, `UPDATE groups SET status_cd = $2 WHERE id = $1`, groupID, status)
	exec(t, q, `UPDATE users SET group_ended = $2 WHERE group_id = $1`, groupID, status == users.GroupInactive)
}

func exec(t testing.TB, q db.Queryer, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(t.Context(), q, query, args...); err != nil {
		t.Fatal(err)
	}
}

// NewUsers creates the service of accounts for a domain that only reads them.
func NewUsers(d *db.DB) *users.Service {
	return users.NewService(users.Deps{Kit: platform.Kit{DB: d, Clock: time.Now}, Links: None{}, Assignments: None{}, Cases: None{},
		TINs: None{}, Sessions: None{}}, access.Settings{Workspace: "on"})
}

// None stands for links, assignments, questions, TINs and sessions that don't exist.
type None struct{}

// InvalidateLinks does nothing.
func (None) InvalidateLinks(context.Context, *sql.Tx, access.UserGrant) error { return nil }

// RemoveLostAssignments does nothing.
func (None) RemoveLostAssignments(context.Context, *sql.Tx, int64, int64, string) error { return nil }

// ReleaseCases does nothing.
func (None) ReleaseCases(context.Context, *sql.Tx, access.UserGrant) error { return nil }

// RemoveTINs does nothing.
func (None) RemoveTINs(context.Context, *sql.Tx, access.UserGrant) error { return nil }

// EndAll does nothing.
func (None) EndAll(context.Context, *sql.Tx, access.UserGrant) error { return nil }

// EndMirrors does nothing.
func (None) EndMirrors(context.Context, *sql.Tx, access.UserGrant, string) error { return nil }
