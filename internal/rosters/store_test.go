package rosters

import (
	"database/sql"
	"errors"
	"testing"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"allSources":      "sources are few, and all of them are shown",
		"putSourceGroup":  "SQLite looks for uploads without their group only where foreign keys are broken",
		"waitingRosters":  "what waits is counted, up to a bound",
		"toUpdate":        "the index holds only the rosters that wait, and all of them are taken",
		"receivedPage":    "rosters are sent by hand, and the desk searches all of them",
		"allSourceGroups": "the groups of sources are few, and all of them are shown",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now, group := t.Context(), db.At(time.Now()), access.System("test").Group(1)
		for name, err := range map[string]error{
			"a provider group": dbtest.Err(findSourceGroup(ctx, tx, 1, 2, "x")),
			"a source to lock": dbtest.Err(lockSource(ctx, tx, d.Dialect, 1)),
			"a file":           dbtest.Err(getFile(ctx, tx, 1, 1)),
			"a check":          dbtest.Err(checkByID(ctx, tx, "x")),
			"the same file":    dbtest.Err(lastSent(ctx, tx, 1, "x")),
		} {
			if !errors.Is(err, db.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := errors.Join(
			dbtest.Err(db.Exec(ctx, tx, `
				INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES (1, 'A', 'a', 'ROSTER', $1, 'test')`, now)),
			dbtest.Err(putSource(ctx, tx, Source{SourceID: 1})),
			dbtest.Err(putSourceGroup(ctx, tx, SourceGroup{SourceGroupID: 1, SourceID: 1})),
			dbtest.Err(allSources(ctx, tx)),
			dbtest.Err(uploadsBefore(ctx, tx, now)),
			dbtest.Err(removeChanges(ctx, tx, 1)),
			removeUpload(ctx, tx, 1),
			dbtest.Err(checksAmong(ctx, tx, []string{"x", "y"})),
			dbtest.Err(allSourceGroups(ctx, tx)),
			dbtest.Err(sourcesByID(ctx, tx, []int64{1, 2})),
			dbtest.Err(hasSource(ctx, tx, 1, 2)),
			dbtest.Err(listSources(ctx, tx, 1)),
			dbtest.Err(listSourceGroups(ctx, tx, 1)),
			deleteGroupSource(ctx, tx, group, 1),
			dbtest.Err(groupsWithSource(ctx, tx, 1)),
			dbtest.Err(groupsWithSourceGroup(ctx, tx, "g1", 1)),
			dbtest.Err(sourcesOfGroups(ctx, tx, []int64{1, 2})),
			dbtest.Err(insertUpload(ctx, tx, UploadLog{GroupID: 1, SourceID: 1, SourceGroupID: 1, UpdateType: "full", UploadedAt: now})),
			dbtest.Err(brokenUploads(ctx, tx, now)),
			deleteUpload(ctx, tx, 2),
			dbtest.Err(finishUpload(ctx, tx, 1)),
			dbtest.Err(listUploads(ctx, tx, 1, 10)), dbtest.Err(storedBy(ctx, tx, 1)),
			dbtest.Err(ignoreCount(uploadPage(ctx, tx, d.Dialect, 1, paging.Table{
				PageSize: 10, Sort: &paging.Sort{ID: "date"}, Filters: map[string]string{"date": "1/2", "files": "x"},
			}))),
			putProviders(ctx, tx, 1, map[string]int64{"1234567893": 7}),
			noteChanges(ctx, tx, 1, 2, changes{"1234567893": Added}),
			putChanges(ctx, tx, 1, changes{"1234567893": Added}),
			dbtest.Err(ignoreCount(changePage(ctx, tx, d.Dialect, 1,
				paging.Table{PageSize: 10, Filters: map[string]string{"change": "add"}}))),
			dbtest.Err(ignoreCount(receivedPage(ctx, tx, d.Dialect, paging.Table{
				PageSize: 10, Sort: &paging.Sort{ID: "state"}, Filters: map[string]string{"sender": "a", "state": "new"},
			}))),
			dbtest.Err(receivedByID(ctx, tx, 1)),
			dbtest.Err(handle(ctx, tx, 1, Step{From: New, To: Taken}, "isad", now)),
			dbtest.Err(waitingRosters(ctx, tx)),
			dbtest.Err(askUpdate(ctx, tx, 1, 1)),
			dbtest.Err(toUpdate(ctx, tx)),
			dbtest.Err(noteUpdate(ctx, tx, 1, Update{}, Update{DirectoryState: Updated})),
			dbtest.Err(toHand(ctx, tx, 0, 10)),
			dbtest.Err(noteHanded(ctx, tx, 1, now)),
			dbtest.Err(listProviders(ctx, tx, 1)),
			deleteProviders(ctx, tx, 1, []string{"1234567893"}),
			dbtest.Err(oldChecks(ctx, tx, now)),
			dbtest.Err(checksBeyond(ctx, tx, 1, 40)),
			deleteCheck(ctx, tx, "x"),
		); err != nil {
			t.Error(err)
		}
	})
}

func ignoreCount[A, B any](list A, _ B, err error) (A, error) { return list, err }
