package tins

import (
	"database/sql"
	"errors"
	"testing"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, nil, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, system := t.Context(), access.System("test")
		if err := errors.Join(
			dbtest.Err(groupTINs(ctx, tx, 1)),
			dbtest.Err(userTINs(ctx, tx, 1)),
			dbtest.Err(groupHas(ctx, tx, 1, "123456789")),
			dbtest.Err(groupRecords(ctx, tx, 1, 10)),
			deleteGroupTIN(ctx, tx, system.Group(1), "123456789"),
			deleteUserTINs(ctx, tx, system.User(1)),
			dbtest.Err(groupsWith(ctx, tx, "123456789")),
			dbtest.Err(usersWith(ctx, tx, "123456789")),
			dbtest.Err(holdersIn(ctx, tx, 1, []string{"123456789", "123456780"}, 10)),
		); err != nil {
			t.Error(err)
		}
	})
}
