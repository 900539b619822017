package intake

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, nil, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		run, err := beginRun(ctx, tx, nil, "837", "a.edi", "x", 3, now)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(
			dbtest.Err(findRun(ctx, tx, "837", "x")),
			dbtest.Err(beginRun(ctx, tx, run, "837", "a.edi", "x", 3, now)),
			moveRun(ctx, tx, run.ID, 0, 3),
			countRun(ctx, tx, *run),
			finishRun(ctx, tx, run.ID, now),
			failRun(ctx, tx, run.ID),
			setKept(ctx, tx, run.ID, true),
			dbtest.Err(keptBefore(ctx, tx, now)),
			dbtest.Err(lastOfKinds(ctx, tx)),
			dbtest.Err(firstOfKind(ctx, tx, "837")),
			dbtest.Err(FilesOf(ctx, tx, []string{"x"})),
		); err != nil {
			t.Error(err)
		}
	})
}
