package rosters

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
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
			"a source to lock": dbtest.Err(lockSource(ctx, tx, d.Dialect, 1)),
			"a file":           dbtest.Err(getFile(ctx, tx, 1, 1)),
			"a check":          dbtest.Err(checkByID(ctx, tx, "x")),
			"the same file":    dbtest.Err(lastSent(ctx, tx, 1, "x")),
		} {
			assert.ErrorIs(t, err, db.ErrNotFound, name)
		}
		assert.NoError(t, errors.Join(
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
			dbtest.Err(sourcesByID(ctx, tx, []int64{1, 2})), dbtest.Err(findSourceGroups(ctx, tx, 1, 2, "x")),
			dbtest.Err(isOwnIDTaken(ctx, tx, SourceGroup{SourceGroupID: 1, SourceID: 1, GroupID: "x"})),
			dbtest.Err(hasSource(ctx, tx, 1, 2)),
			dbtest.Err(listSources(ctx, tx, 1)),
			dbtest.Err(listSourceGroups(ctx, tx, 1)),
			dbtest.Err(deleteGroupSource(ctx, tx, group, 1)),
			dbtest.Err(groupsWithSource(ctx, tx, 1)),
			dbtest.Err(findOtherUse(ctx, tx, 1, 2)),
			dbtest.Err(groupsWithSourceGroup(ctx, tx, "g1", 1)),
			dbtest.Err(sourcesOfGroups(ctx, tx, []int64{1, 2})),
			dbtest.Err(insertUpload(ctx, tx, UploadLog{GroupID: 1, SourceID: 1, SourceGroupID: 1, UpdateType: "full", UploadedAt: now})),
			dbtest.Err(brokenUploads(ctx, tx, now)),
			deleteUpload(ctx, tx, 2),
			dbtest.Err(finishUpload(ctx, tx, 1)),
			dbtest.Err(listUploads(ctx, tx, 1, 10)), dbtest.Err(storedBy(ctx, tx, 1)),
			dbtest.Err(ignoreCount(uploadPage(ctx, tx, d.Dialect, 1, paging.Table{
				PageSize: 10, Sort: &paging.Sort{ID: "date"},
				Filters: map[string]string{"date": "1/2", "files": "x", "correction": "needed"},
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
			dbtest.Err(hasEarlierUpdate(ctx, tx, 1, 1)),
			cancelUpdate(ctx, tx, 1, New),
			dbtest.Err(waitingRosters(ctx, tx)),
			dbtest.Err(askUpdate(ctx, tx, 1, 1)),
			dbtest.Err(toUpdate(ctx, tx)),
			putReport(ctx, tx, 1, 1, "{}"),
			dbtest.Err(noteUpdate(ctx, tx, 1, Update{}, Update{DirectoryState: Updated})),
			dbtest.Err(toHand(ctx, tx, 0, 10)),
			dbtest.Err(noteHanded(ctx, tx, 1, now)),
			dbtest.Err(listProviders(ctx, tx, 1)),
			deleteProviders(ctx, tx, 1, []string{"1234567893"}),
			dbtest.Err(oldChecks(ctx, tx, now)),
			dbtest.Err(checksBeyond(ctx, tx, 1, 40)),
			deleteCheck(ctx, tx, "x"),
		))
	})
}

// addRosters stores a provider group with rosters, by id and handling, sent and handled on these days.
func addRosters(t *testing.T, d *db.DB, rosters map[int]Handling, sent, handled db.Instant) {
	t.Helper()
	execute := func(statement string, args ...any) {
		t.Helper()
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement, args...)))
	}
	execute(`INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES (1, 'G', 'g', 'ROSTER', $1, '')`, sent)
	execute(`INSERT INTO roster_sources (source_id, name, name_key) VALUES (1, 'S', 's')`)
	execute(`INSERT INTO roster_source_groups (source_group_id, source_id, group_id, name, name_key, is_admin)
		VALUES (1, 1, 'g', 'G', 'g', $1)`, false)
	for id, handling := range rosters {
		execute(`INSERT INTO roster_uploads (id, group_id, source_id, source_group_id, update_type, status, uploaded_at, uploaded_by,
			handling, handled_at) VALUES ($1, 1, 1, 1, 'full', 'DONE', $2, '', $3, $4)`, id, sent, handling, handled)
	}
}

// A source's own ID names one of its provider groups. If earlier files gave it to two, no roster is
// stored under either.
func TestOwnIDsOfProviderGroups(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), db.At(time.Now())
		addRosters(t, d, nil, now, now)
		var a access.Actor
		a.Person = access.Person{UserName: "road", GroupID: 1}
		s := &Service{db: d}
		store := func(g SourceGroup, want string) {
			t.Helper()
			require.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error {
				if _, err := insertGroupSource(ctx, tx, access.System("test").Group(1), 1, now); err != nil {
					return err
				}
				o, err := ImportSourceGroup(ctx, tx, g)
				if o.Reason() != want {
					t.Errorf("%+v: %q and not %q", g, o.Reason(), want)
				}
				return err
			}))
		}
		const taken = "group_id: another provider group of the source has it. " +
			"Import that group with another group_id first. A blank group_id is the source_group_id"
		store(SourceGroup{SourceGroupID: 5, SourceID: 1, GroupID: "7"}, "")
		store(SourceGroup{SourceGroupID: 5, SourceID: 1, GroupID: "7", Name: "A"}, "")
		store(SourceGroup{SourceGroupID: 7, SourceID: 1, GroupID: "7"}, taken)
		store(SourceGroup{SourceGroupID: 7, SourceID: 2, GroupID: "7"}, noSource.Reason())
		store(SourceGroup{SourceGroupID: 7, SourceID: 1, GroupID: "07"}, "")
		upload := Upload{SourceID: 1, GroupID: "7", RosterType: Full}
		if g, err := s.FindGroup(ctx, a, upload); err != nil || g.SourceGroupID != 5 {
			t.Errorf("%+v, %v", g, err)
		}
		require.NoError(t, dbtest.Err(db.Exec(ctx, d.Writer, `UPDATE roster_source_groups SET group_id = '7' WHERE source_group_id = 7`)))
		if _, err := s.FindGroup(ctx, a, upload); !problem.Is(err, problem.Conflict) {
			t.Errorf("two groups: %v", err)
		}
	})
}

// A returned roster needs a correction until the group sends it again. A partial one isn't replaced by
// a partial one that was sent before the return.
func TestRostersThatNeedACorrection(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		start := time.Now()
		day := func(n int) db.Instant { return db.At(start.AddDate(0, 0, n)) }
		addRosters(t, d, nil, day(0), day(0))
		execute := func(statement string, args ...any) {
			t.Helper()
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, statement, args...)))
		}
		execute(`INSERT INTO group_roster_sources (group_id, source_id, added_at, added_by) VALUES (1, 1, $1, '')`, day(0))
		for name, c := range map[string]struct {
			rosters []string // type, day, and the day of its return
			want    int      // number of the one that needs a correction; 0: none
		}{
			"no later roster":            {[]string{"full 1 2"}, 1},
			"of many":                    {[]string{"full 1 2", "delta 3 0", "delta 4 0", "delta 5 0"}, 1},
			"not returned":               {[]string{"full 1 0"}, 0},
			"a later full one":           {[]string{"full 1 3", "full 2 0"}, 0},
			"a later full one, returned": {[]string{"full 1 3", "full 2 4"}, 2},
			"partial, and a full one":    {[]string{"delta 1 3", "full 2 0"}, 0},
			"partial, before the return": {[]string{"delta 1 3", "delta 2 0"}, 1},
			"partial, after the return":  {[]string{"delta 1 2", "delta 3 0"}, 0},
			"both partial ones":          {[]string{"delta 1 2", "delta 3 4"}, 2},
		} {
			execute(`DELETE FROM roster_uploads`)
			for n, text := range c.rosters {
				var kind string
				var sent, returned int
				require.NoError(t, dbtest.Err(fmt.Sscan(text, &kind, &sent, &returned)))
				handling, handled := New, db.Instant{}
				if returned > 0 {
					handling, handled = Returned, day(returned)
				}
				execute(`INSERT INTO roster_uploads (id, group_id, source_id, source_group_id, update_type, status, uploaded_at,
					uploaded_by, handling, handled_at) VALUES ($1, 1, 1, 1, $2, 'DONE', $3, '', $4, $5)`, n+1, kind, day(sent), handling,
					handled)
			}
			list, count, err := uploadPage(t.Context(), d.Reader, d.Dialect, 1,
				paging.Table{PageSize: 10, Filters: map[string]string{"correction": "needed"}})
			if c.want == 0 && len(list) == 0 && err == nil {
				continue
			}
			if err != nil || count != 1 || len(list) != 1 || list[0].ID != int64(c.want) {
				t.Errorf("%s: %d %+v, %v", name, count, list, err)
			}
		}
	})
}

// A roster that was released or returned in the meantime doesn't update the directory.
func TestUpdateNeedsAClaimedRoster(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := db.At(time.Now())
		addRosters(t, d, map[int]Handling{1: New, 2: Returned, 3: Taken}, now, now)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			for id, want := range []int64{1: 0, 2: 0, 3: 1} {
				if n, err := askUpdate(t.Context(), tx, int64(id), 1); err != nil || n != want {
					t.Errorf("roster %d: %d, %v", id, n, err)
				}
			}
			return nil
		}))
	})
}

// Rosters of a provider group update the directory one after the other, and the refusal names the reason.
func TestOneRosterUpdatesTheDirectory(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := db.At(time.Now())
		addRosters(t, d, map[int]Handling{1: Taken, 2: Taken}, now, now)
		s := &Service{db: d}
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			if n, err := askUpdate(t.Context(), tx, 1, 1); err != nil || n != 1 {
				t.Errorf("update: %d, %v", n, err)
			}
			for id, want := range map[int64]string{1: "from this roster", 2: "from an earlier roster"} {
				if n, err := askUpdate(t.Context(), tx, id, 1); err != nil || n != 0 {
					t.Errorf("roster %d: %d, %v", id, n, err)
				}
				if err := explainNoUpdate(t.Context(), tx, id); !problem.Is(err, problem.Conflict) || !strings.Contains(err.Error(), want) {
					t.Errorf("roster %d: %v", id, err)
				}
			}
			if err := s.lockGroup(t.Context(), tx, 1); err != nil || d.Dialect.Name != "postgres" {
				return err // SQLite has one writer
			}
			return d.Tx(t.Context(), func(other *sql.Tx) error {
				free, err := d.TryLock(t.Context(), other, lockSpace, 1)
				assert.False(t, free, "another roster of the group can update in the meantime")
				return err
			})
		}); err != nil {
			t.Fatal(err)
		}
	})
}

// A roster that is updating the directory can't be released or returned. It can be done.
func TestUpdatingRosterStaysClaimed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := db.At(time.Now())
		addRosters(t, d, map[int]Handling{1: Taken}, now, now)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			if n, err := askUpdate(t.Context(), tx, 1, 1); err != nil || n != 1 {
				t.Errorf("update: %d, %v", n, err)
			}
			for _, to := range []Handling{New, Returned} {
				step := Step{From: Taken, To: to}
				if n, err := handle(t.Context(), tx, 1, step, "isad", now); err != nil || n != 0 {
					t.Errorf("%s: %d, %v", to, n, err)
				}
				err := explainUnhandled(t.Context(), tx, 1, step)
				if !problem.Is(err, problem.Conflict) || !strings.Contains(err.Error(), "being updated") {
					t.Errorf("%s: %v", to, err)
				}
			}
			if n, err := handle(t.Context(), tx, 1, Step{From: Taken, To: Done}, "isad", now); err != nil || n != 1 {
				t.Errorf("done: %d, %v", n, err)
			}
			return nil
		}))
	})
}

// Rosters are kept from the day when the network is done with them.
func TestOldRostersAreKeptFromTheirLastStep(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		sent := time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC)
		done := sent.AddDate(1, 0, 0)
		addRosters(t, d, map[int]Handling{1: Done, 2: Returned, 3: Taken}, db.At(sent), db.At(done))
		for day, want := range map[time.Time]int{done: 0, done.AddDate(0, 0, 1): 2} {
			if list, err := uploadsBefore(t.Context(), d.Reader, db.At(day)); err != nil || len(list) != want {
				t.Errorf("%s: %v, %v", day, list, err)
			}
		}
	})
}

// Two rosters of a provider group are compared one after the other.
func TestProvidersAreStoredByOneRoster(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := db.At(time.Now())
		addRosters(t, d, map[int]Handling{1: New}, now, now)
		s := &Service{db: d}
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			listed := map[string]tally{"1234567893": {digest: 1, listed: true}}
			if err := s.storeProviders(t.Context(), tx, 1, 1, Upload{RosterType: Full}, listed); err != nil {
				return err
			}
			if d.Dialect.Name != "postgres" {
				return nil // SQLite has one writer
			}
			return d.Tx(t.Context(), func(other *sql.Tx) error {
				free, err := d.TryLock(t.Context(), other, lockSpace, 1)
				assert.False(t, free, "another roster of the group can be stored in the meantime")
				return err
			})
		}); err != nil {
			t.Fatal(err)
		}
	})
}

func ignoreCount[A, B any](list A, _ B, err error) (A, error) { return list, err }
