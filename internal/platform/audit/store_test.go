package audit

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
		"insert":          "the greatest id is at the end of its index",
		"closeOpen":       "the greatest id is at the end of its index",
		"nextClosed":      "the greatest id is at the end of its index",
		"lastHead":        "the greatest id is at the end of its index",
		"countOutside":    "the greatest id is at the end of its index",
		"prunedUntil":     "the greatest id is at the end of its index",
		"unprunedHeads":   "the greatest id is at the end of its index",
		"countFound":      "it counts no more rows than its limit",
		"deleteStrayKeys": "a command of the operator's, now and then",
	}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		_, noSegment := nextClosed(ctx, tx, 1)
		_, notPruned := prunedSegment(ctx, tx, 1)
		_, noEntry := foundByID(ctx, tx, 7)
		_, noFirst := first(ctx, tx, "x", "y")
		_, noneRemoved := prunedUntil(ctx, tx)
		for _, err := range []error{noFirst, noneRemoved, noSegment, notPruned, noEntry, checkKey(ctx, tx, "x", Place{At: now, ID: 7})} {
			assert.ErrorIs(t, err, db.ErrNotFound)
		}
		for _, f := range []Filter{
			{}, {Operation: "x"}, {Subject: "zoe"}, {Person: "ada", Operation: "x"}, {Group: 7},
			{Group: 7, Person: "ada", Subject: "111111111 B-1", Operation: "x", From: now.Time, To: now.Time},
		} {
			c := newCondition(f, Place{At: now, ID: 9})
			assert.NoError(t, errors.Join(dbtest.Err(found(ctx, tx, c, 0, 10)), dbtest.Err(countFound(ctx, tx, c, 0, 10))))
		}
		assert.NoError(t, errors.Join(
			dbtest.Err(listAbout(ctx, tx, "about zoe", []string{"edit", "end"}, 2)),
			insert(ctx, tx, row{Entry: Entry{At: now, Operation: "x"}, Answered: "[]", Keys: "[]"}),
			closeOpen(ctx, tx),
			dbtest.Err(listEntries(ctx, tx, 1, 0, 10)),
			dbtest.Err(lastHead(ctx, tx)),
			dbtest.Err(headsAfter(ctx, tx, 0, 10)),
			insertHead(ctx, tx, head{Segment: 1, SealedAt: now, Previous: []byte{}, Content: []byte{}, Head: []byte{},
				Signature: []byte{}}),
			dbtest.Err(countAfter(ctx, tx, 1)),
			dbtest.Err(countOutside(ctx, tx)),
			dbtest.Err(unprunedHeads(ctx, tx, 0, 10)),
			insertPruned(ctx, tx, pruned{Segment: 1, PrunedAt: now, Signature: []byte{}}),
			deleteEntries(ctx, tx, 1),
			deleteStrayKeys(ctx, tx, now),
		))
	})
}
