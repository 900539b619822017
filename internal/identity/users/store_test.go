package users

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"lockUnnamed":         "an index that only holds what has no letters of a name yet, from its begin",
		"listStaff":           "PostgreSQL reads the accounts without a group (IS NULL), which the plan shows as unbounded",
		"insertGroup":         "the highest id is at the end of its index",
		"setMissingPasswords": "once, when a demonstration is set up",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		user, group := access.System("test").User(1), access.System("test").Group(7)
		for name, err := range map[string]error{
			"by id":         dbtest.Err(byID(ctx, tx, 1)),
			"by name":       dbtest.Err(byNameKey(ctx, tx, "x")),
			"by subject":    dbtest.Err(bySubject(ctx, tx, "x", "y")),
			"by e-mail":     dbtest.Err(byEmailKey(ctx, tx, "x")),
			"name to lock":  dbtest.Err(lockByNameKey(ctx, tx, d.Dialect, "x")),
			"mail to lock":  dbtest.Err(lockByEmailKey(ctx, tx, d.Dialect, "x")),
			"to lock":       dbtest.Err(lockUser(ctx, tx, d.Dialect, 1)),
			"group":         dbtest.Err(groupByID(ctx, tx, 7)),
			"new e-mail":    dbtest.Err(emailChangeByID(ctx, tx, 1)),
			"of a user":     dbtest.Err(getEmailChange(ctx, tx, 1)),
			"of a link":     dbtest.Err(emailChangeByToken(ctx, tx, []byte("x"))),
			"to share":      dbtest.Err(shareUser(ctx, tx, d.Dialect, 1)),
			"group to lock": dbtest.Err(lockGroup(ctx, tx, d.Dialect, 7)),
		} {
			assert.ErrorIs(t, err, db.ErrNotFound, name)
		}
		assert.NoError(t, errors.Join(
			lockStaff(ctx, tx, d.Dialect),
			dbtest.Err(lockUnnamed(ctx, tx, d.Dialect)),
			putNames(ctx, tx, []User{{ID: 1}}),
			dbtest.Err(groupsAmong(ctx, tx, []int64{7, 8})),
			dbtest.Err(listWorkers(ctx, tx, 7)),
			dbtest.Err(listStaff(ctx, tx)),
			setStaffRole(ctx, tx, user, access.Cases, now),
			bindSubject(ctx, tx, user, "x", "y", now),
			unbindSubject(ctx, tx, user),
			freeSubject(ctx, tx, "x", "y"),
			dbtest.Err(lockActive(ctx, tx, "x", now, now)),
			unlockExpired(ctx, tx, now),
			deactivateUnused(ctx, tx, now, now),
			dbtest.Err(noteSignIn(ctx, tx, user, now)),
			dbtest.Err(insertGroup(ctx, tx, Group{Name: "x", Kind: ProviderGroup}, now, "test")),
			nameGroup(ctx, tx, group, "x"),
			setGroupStatus(ctx, tx, group, GroupInactive),
			updateGroup(ctx, tx, group, Group{Kind: ProviderGroup}),
			updateFromFeed(ctx, tx, user, User{}, group, now),
			setPassword(ctx, tx, user, "x", now),
			suspend(ctx, tx, user, now),
			updateProfile(ctx, tx, user, User{}, now),
			setMissingPasswords(ctx, tx, "x"),
			mintEmailChange(ctx, tx, 1, []byte("x"), now),
			deleteEmailChange(ctx, tx, user),
			dbtest.Err(useEmailChange(ctx, tx, user, []byte("x"))),
			setType(ctx, tx, user, access.PRUS, now),
			terminate(ctx, tx, user, 2, now),
			dbtest.Err(listAdmins(ctx, tx, 7)),
			dbtest.Err(ListGroupIDs(ctx, tx, []string{"x", "y"})),
			updateDraft(ctx, tx, user, User{}, group, now),
		))
	})
}
