package ingest

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, nil, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		file := ImportedFile{Kind: "837", SHA256: "x", Name: "a.edi"}
		run, err := beginRun(ctx, tx, nil, file, 3, now)
		require.NoError(t, err)
		assert.NoError(t, errors.Join(
			dbtest.Err(findRun(ctx, tx, "837", "x")),
			dbtest.Err(beginRun(ctx, tx, run, file, 3, now)),
			moveRun(ctx, tx, run.ID, 0, 3),
			countRun(ctx, tx, *run),
			finishRun(ctx, tx, run.ID, now),
			failRun(ctx, tx, run.ID),
			setKept(ctx, tx, run.ID, true),
			dbtest.Err(listStoredBefore(ctx, tx, now)),
			dbtest.Err(lastOfKinds(ctx, tx)),
			dbtest.Err(firstOfKind(ctx, tx, "837")),
			dbtest.Err(FindFiles(ctx, tx, []string{"x"})),
			dbtest.Err(addFile(ctx, tx, Arrival{Via: Desk, Status: Done, SHA256: "x", BeganAt: now, TouchedAt: now})),
			dbtest.Err(lastOfSource(ctx, tx, 1)), forgetSource(ctx, tx, 1),
			dbtest.Err(filesBefore(ctx, tx, now)), touchFile(ctx, tx, 1, Progress{}, now),
			problemTable.Insert(ctx, tx, fileProblem{1, 1, Problem{Severity: SeverityError}}),
			dbtest.Err(problemsOfFile(ctx, tx, 1)),
			dbtest.Err(problemsOfBatches(ctx, tx, 1)),
			addMeasure(ctx, tx, "2026-03-02", 1, "lines", share{5, 4}),
			dbtest.Err(measuredOn(ctx, tx, "2026-03-02")), dbtest.Err(firstMeasured(ctx, tx, "2026-01-01")),
			dbtest.Err(forgetMeasuresBefore(ctx, tx, "2026-03-02")), dbtest.Err(selectStored(ctx, tx, []string{"x", "y"})),
			dbtest.Err(SumImported(ctx, tx, []string{"837", "bills"}, now, now)),
			dbtest.Err(forgetRuns(ctx, tx, "x", db.At(time.Now()))),
			addMeasures(ctx, tx, "2026-03-02", 1, map[string]share{"lines": {5, 4}}),
		))
		_, err = openFile(ctx, tx, "837", "x", false)
		if _, missing := fileByID(ctx, tx, 9); !errors.Is(err, db.ErrNotFound) || !errors.Is(missing, db.ErrNotFound) {
			t.Error(err, missing)
		}
		for _, of := range []ArrivalFilter{{}, {SourceID: 1}, {ProblemsOnly: true}} {
			of.Since = now.Time
			if _, _, err := arrivals(ctx, tx, d.Dialect, of, paging.Table{PageSize: 10}); err != nil {
				t.Error(err)
			}
		}
		if list, n, err := filesMeasured(ctx, tx, "2026-03-02", "lines", "", 0); err != nil || n != 1 || len(list) != 1 ||
			list[0].Counted != 10 || list[0].Good != 8 {
			t.Error(err, n, list)
		}
		if list, n, err := filesMeasured(ctx, tx, "2026-03-02", "lines", "x12", 3); err != nil || n != 0 || len(list) != 0 {
			t.Error(err, n, list)
		}
		err = errors.Join(forgetProblems(ctx, tx, 1, 0, batchProblems), forgetMeasures(ctx, tx, 1), forgetFile(ctx, tx, 1))
		assert.NoError(t, err)
	})
}

func TestListFilesWithProblems(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), db.At(time.Now())
		want := map[string]bool{}
		err := d.Tx(ctx, func(tx *sql.Tx) error {
			for _, status := range []FileStatus{Waiting, Running, Done, Same, Refused, Checked, Failed} {
				for _, rejected := range []int64{0, 2} {
					f := Arrival{Name: fmt.Sprint(status, rejected), Via: Desk, Status: status, BeganAt: now, TouchedAt: now}
					f.Rejected = rejected
					want[f.Name] = rejected > 0 || status == Waiting || status == Running || status == Refused || status == Failed
					if _, err := addFile(ctx, tx, f); err != nil {
						return err
					}
				}
			}
			return nil
		})
		require.NoError(t, err)
		of := ArrivalFilter{Since: time.Unix(0, 0), ProblemsOnly: true}
		list, count, err := arrivals(ctx, d.Reader, d.Dialect, of, paging.Table{PageSize: 100})
		if err != nil || count != 11 || len(list) != count {
			t.Fatal(count, len(list), err)
		}
		for _, f := range list {
			assert.Truef(t, want[f.Name], "%s has no problem", f.Name)
		}
	})
}

// A source's content counts from its first arrival. A re-import of a rejected file is one.
func TestLastOfSource(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, first := t.Context(), time.Now()
		if err := d.Tx(ctx, func(tx *sql.Tx) error {
			if _, err := db.Exec(ctx, tx, `
				INSERT INTO feed_sources (id, name, name_key, kind, pattern, expected_cron, grace_minutes, owner_mail, expected_from)
				VALUES (1, 'A', 'a', 'x12', '*', '', 0, '', $1)`, db.At(first)); err != nil {
				return err
			}
			for n, f := range []struct {
				Arrival
				last int // the number of the last arrival that counts
			}{
				{Arrival{SHA256: "a", Status: Done}, 0},
				{Arrival{SHA256: "b", Status: Refused}, 0},
				{Arrival{SHA256: "a", Status: Done, Again: true}, 0},
				{Arrival{SHA256: "b", Status: Refused, Again: true}, 0},
				{Arrival{SHA256: "b", Status: Done, Again: true}, 4},
				{Arrival{SHA256: "b", Status: Waiting, Again: true}, 4},
				{Arrival{Kind: "npi", SHA256: "a", Status: Done, Again: true}, 6},
				{Arrival{SHA256: "a", Status: Same}, 7},
			} {
				f.SourceID, f.Via, f.BeganAt = 1, Desk, db.At(first.Add(time.Duration(n)*time.Hour))
				f.TouchedAt = f.BeganAt
				if _, err := addFile(ctx, tx, f.Arrival); err != nil {
					return err
				}
				want := db.At(first.Add(time.Duration(f.last) * time.Hour))
				if at, err := lastOfSource(ctx, tx, 1); err != nil || !at.Equal(want.Time) {
					t.Errorf("file %d: %s and not %s, %v", n, at, want, err)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestMappingsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, want := t.Context(), mappingtest.Filled[Arrival]()
		want.ID, want.SourceID, want.Via, want.Status = 1, 0, Desk, Refused
		problem := fileProblem{1, 2, mappingtest.Filled[Problem]()}
		require.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error {
			return errors.Join(dbtest.Err(addFile(ctx, tx, want)), problemTable.Insert(ctx, tx, problem))
		}))
		mappingtest.CheckRow(t, d, "feed_files", "source_id")
		mappingtest.CheckRow(t, d, "feed_problems")
		if f, err := fileByID(ctx, d.Reader, 1); err != nil || f != want {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, f, want)
		}
		if list, err := problemsOfFile(ctx, d.Reader, 1); err != nil || len(list) != 1 || list[0] != problem {
			t.Errorf("%v %+v", err, list)
		}
	})
}
