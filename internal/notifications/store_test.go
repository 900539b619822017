package notifications

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"list":      "it walks along the newest, as many as it shows",
		"announced": "it walks along the newest, as many as the list shows",
		"drafts":    "what waits is counted, up to a bound",
		"sentTo":    "what was found and cut is put in order",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		for name, err := range map[string]error{
			"a notification":         dbtest.Err(byID(ctx, tx, 1)),
			"one to send":            dbtest.Err(markSent(ctx, tx, 1, "2026-03-02", now, "test")),
			"a notification to lock": lock(ctx, tx, d.Dialect, 1),
			"a user to lock":         lockUser(ctx, tx, d.Dialect, 1),
		} {
			assert.ErrorIs(t, err, db.ErrNotFound, name)
		}
		assert.NoError(t, errors.Join(
			dbtest.Err(list(ctx, tx, 10)),
			dbtest.Err(madeSince(ctx, tx, "x", now)),
			update(ctx, tx, Notification{ID: 1}),
			dbtest.Err(addRecipients(ctx, tx, 1, []int64{1, 2})),
			dropRecipients(ctx, tx, 1),
			dbtest.Err(due(ctx, tx, "2026-03-02")),
			noteSentTo(ctx, tx, 1, 2),
			dbtest.Err(insertCopies(ctx, tx, 1, now)),
			dbtest.Err(announced(ctx, tx, 10)),
			dbtest.Err(groupsAmong(ctx, tx, []int64{1, 2})),
			dbtest.Err(tinsAmong(ctx, tx, []string{"111111111"})),
			dbtest.Err(usersAmong(ctx, tx, []int64{1, 2})),
			dropCopies(ctx, tx, 1),
			dbtest.Err(sentBefore(ctx, tx, "2026-03-02")),
			dbtest.Err(removeCopies(ctx, tx, 1, "2026-01-01")),
			dbtest.Err(removeRecipients(ctx, tx, 1, "2026-01-01")),
			dbtest.Err(removeSent(ctx, tx, 1)),
			dbtest.Err(listCopies(ctx, tx, 1, 10)),
			dbtest.Err(sentTo(ctx, tx, []int64{1, 2}, 10)),
			dbtest.Err(drafts(ctx, tx)),
			dbtest.Err(getState(ctx, tx, 1)),
			dbtest.Err(markViewed(ctx, tx, 1, 0, now)),
			dbtest.Err(markViewed(ctx, tx, 1, 2, now)),
			remove(ctx, tx, 1),
		))
		for _, a := range []Audience{
			{}, {Types: []string{"PRUS"}}, {Groups: []int64{1}, Excluded: []int64{2}}, {TINs: []string{"111111111"}},
			{States: []string{"TX"}, Statuses: []string{"ACTIV"}},
		} {
			assert.NoError(t, errors.Join(dbtest.Err(insertCopiesFor(ctx, tx, a, 1, now)), dbtest.Err(countSize(ctx, tx, a))), a)
		}
	})
}
