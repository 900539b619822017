package administration

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/users"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, dbtest.Scans{
		"usersByEmailPart":    "no index both databases know finds a part of an address; the answer is bounded",
		"groupsByEmailDomain": "no index both databases know finds a part of an address; the answer is bounded",
	}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx := t.Context()
		if err := errors.Join(
			dbtest.Err(otherAdmins(ctx, tx, 0, access.IRAD, 7)),
			dbtest.Err(otherAdmins(ctx, tx, 1, access.PRAD, 7)),
			none(usersOfGroup(ctx, tx, 1, 10)),
			none(usersByNamePrefix(ctx, tx, "abc", access.PRUS, 10)),
			none(usersByEmail(ctx, tx, "a@b.c", "", 10)),
			none(usersByEmailPart(ctx, tx, "b.c", "", 10)),
			none(usersHolding(ctx, tx, []int64{1, 2}, []int64{3}, "", 10)),
			none(usersInGroup(ctx, tx, 1, access.PRUS, 10)),
			none(usersByIDs(ctx, tx, []int64{1, 2}, "", 10)),
			none(usersByNames(ctx, tx, []string{"a", "b"}, "", 10)),
			none(usersByStatus(ctx, tx, users.Active, "", 10)),
			none(groupsByIDs(ctx, tx, []int64{1, 2})),
			none(groupsByUserName(ctx, tx, "abc", 10)),
			none(groupsByEmail(ctx, tx, "a@b.c", 10)),
			none(groupsByEmailDomain(ctx, tx, "b.c", 10)),
		); err != nil {
			t.Error(err)
		}
	})
}

// none fails for an answer with rows.
func none[T any](list []T, err error) error {
	if err == nil && len(list) != 0 {
		err = fmt.Errorf("%d found on an empty database", len(list))
	}
	return err
}
