package tins

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{"undecidedSince": "what waits is counted, up to a bound"}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, system, now := t.Context(), access.System("test"), db.At(time.Now())
		group := system.Group(1)
		for name, err := range map[string]error{
			"a shared TIN": dbtest.Err(lockShared(ctx, tx, d.Dialect, "x", 1)),
			"a group":      dbtest.Err(groupOfSharing(ctx, tx, "x")),
			"a user":       dbtest.Err(listTINs(ctx, tx, 1)),
		} {
			assert.ErrorIs(t, err, db.ErrNotFound, name)
		}
		table := paging.Table{PageSize: 10, Sort: &paging.Sort{ID: "added"}, Filters: map[string]string{"ftin": "1", "status": "use"}}
		require.NoError(t, dbtest.Err(db.Exec(ctx, tx, `
			INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES (1, 'A', 'a', 'PROVIDER', $1, 'test')`,
			now)))
		id, err := upsertSharing(ctx, tx, group, sharingRequest{FTIN: "123456789", DecidedAgainst: true, At: now})
		assert.NoError(t, errors.Join(err,
			dbtest.Err(insertGroupTIN(ctx, tx, group, "123456789", now)),
			dbtest.Err(revokeSharing(ctx, tx, group, "123456789", now)),
			dbtest.Err(insertHolder(ctx, tx, id, 1)),
			dbtest.Err(lockShared(ctx, tx, d.Dialect, id, 1)),
			dbtest.Err(groupTINs(ctx, tx, 1)),
			dbtest.Err(userTINs(ctx, tx, 1)),
			dbtest.Err(usersTINs(ctx, tx, []int64{1, 2})),
			dbtest.Err(groupHas(ctx, tx, 1, "123456789")),
			dbtest.Err(groupRecords(ctx, tx, 1, 10)),
			deleteGroupTIN(ctx, tx, system.Group(1), "123456789"),
			dbtest.Err(formerTINs(ctx, tx, 1)),
			giveUserTINs(ctx, tx, 1, system.User(1), []string{"123456789", "123456780"}, now),
			takeUserTINs(ctx, tx, system.User(1), []string{"123456789", "123456780"}),
			deleteUserTINs(ctx, tx, system.User(1)),
			dbtest.Err(groupsWith(ctx, tx, "123456789")),
			dbtest.Err(usersWith(ctx, tx, "123456789")),
			dbtest.Err(otherHolders(ctx, tx, "123456789", 1)),
			dbtest.Err(otherOffices(ctx, tx, "123456789", 1, 10)),
			dbtest.Err(getSharing(ctx, tx, 1, "123456789")),
			useSharing(ctx, tx, 1, "123456789"),
			dbtest.Err(endSharing(ctx, tx, group, "123456789", SharingInUse)),
			dbtest.Err(listPending(ctx, tx, 1, 10)),
			dbtest.Err(ignoreCount(sharedPage(ctx, tx, d.Dialect, 1, table))),
			insertObjection(ctx, tx, "x", group, "reason", now),
			disputeSharing(ctx, tx, "x"),
			dbtest.Err(ignoreCount(sharingPage(ctx, tx, d.Dialect, undecided, table))),
			withHolders(ctx, tx, []Sharing{{ID: "x"}, {ID: "y"}}),
			dbtest.Err(undecidedSince(ctx, tx)),
			dbtest.Err(countSharings(ctx, tx, undecided)),
			dbtest.Err(holdersOfSharing(ctx, tx, "x")),
			dbtest.Err(decideObjections(ctx, tx, "x", ObjectionUpheld)),
			decideSharing(ctx, tx, "x", group, SharingTaken, now),
			nameSharing(ctx, tx, "x", group, true),
			dbtest.Err(holdersIn(ctx, tx, 1, []string{"123456789", "123456780"}, 10)),
		))
	})
}

// ignoreCount drops the total of a page.
func ignoreCount[T any](list []T, _ int, err error) ([]T, error) { return list, err }
