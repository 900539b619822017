package remittances

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/paging"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"listAnswers": "the bills of the days' payments, found by index, without repetitions",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		id := ID{FTIN: ours, Remittance: "x"}
		scope := access.NewScope([]string{ours, "222222222"})
		amount := int64(1)
		page := paging.Table{PageSize: 25}
		days := Criteria{From: "2026-01-01", To: "2026-01-31"}
		every := Criteria{From: "2026-01-01", To: "2026-01-31", Payer: "x", Amount: &amount, Method: "CHK", FTIN: ours, Reversals: true,
			Adjusted: true, NotPosted: true}
		assert.ErrorIs(t, dbtest.Err(traceNumber(ctx, tx, id)), db.ErrNotFound)
		e := Export{Row: fileexport.Row[int64]{UserID: 1, Status: fileexport.Codes.Waiting, CreatedAt: now}, Remittances: []ID{id}}
		searchBy := func(c Criteria, page paging.Table) error {
			statement, _ := c.statement(scope, 1)
			_, _, err := search(ctx, tx, d.Dialect, page, statement)
			return err
		}
		for name, err := range map[string]error{
			"days":       searchBy(days, page),
			"number":     searchBy(Criteria{Number: "4000-68"}, page),
			"zeros":      searchBy(Criteria{Number: "000"}, page),
			"every":      searchBy(every, page),
			"sorted":     searchBy(days, paging.Table{PageSize: 25, Sort: &paging.Sort{ID: "amount"}}),
			"window":     dbtest.Err(ListPaid(ctx, tx, scope, "2026-01-01", "2026-01-31", 10)),
			"shared":     dbtest.Err(LoadSharedAmounts(ctx, tx, []ID{id})),
			"listed":     dbtest.Err(LoadListed(ctx, tx, 1, []ID{id, id})),
			"days paid":  dbtest.Err(sumDays(ctx, tx, scope.TINs(), "2026-01-01", "2026-01-31")),
			"waits":      dbtest.Err(listWaits(ctx, tx, scope.TINs(), "2026-01-01", "2026-01-31")),
			"answers":    dbtest.Err(listAnswers(ctx, tx, scope.TINs(), "2026-01-01", "2026-01-31")),
			"pricings":   dbtest.Err(listPricings(ctx, tx, scope.TINs(), now, "2026-01-01")),
			"mark":       dbtest.Err(putMark(ctx, tx, 1, id, Mark{"jane", now, Content{}})),
			"marks":      dbtest.Err(getMarks(ctx, tx, 1, id)),
			"many marks": dbtest.Err(getMarks(ctx, tx, 1, id, id)),
			"no mark":    dbtest.Err(removeMark(ctx, tx, 1, id)),
			"export":     exportRows.Add(ctx, tx, &e),
			"claim":      dbtest.Err(exportRows.Claim(ctx, tx, 1, now, now)),
			"save":       dbtest.Err(exportRows.Save(ctx, tx, e)),
			"release":    exportRows.Release(ctx, tx, 1),
			"old":        dbtest.Err(exportRows.ListBefore(ctx, tx, now, "")),
			"remove":     exportRows.Delete(ctx, tx, 1),
		} {
			assert.NoError(t, err, name)
		}
		assert.ErrorIs(t, dbtest.Err(exportRows.Find(ctx, tx, 987)), db.ErrNotFound)
	})
}

// No user finds remittances of a TIN out of scope.
func TestSearchIsScoped(t *testing.T) {
	for _, c := range []Criteria{{Number: "x", FTIN: "333333333"}, {Number: "x"}} {
		scope := access.NewScope(nil)
		if c.FTIN != "" {
			scope = access.NewScope([]string{ours})
		}
		if statement, ok := c.statement(scope, 1); ok {
			t.Errorf("%+v: %+v", c, statement)
		}
	}
}

func TestExportRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := mappingtest.Filled[Export]()
		want.Status = fileexport.Codes.Done
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error { return exportRows.Add(t.Context(), tx, &want) }))
		mappingtest.CheckRow(t, d, "remittance_exports")
		got, err := exportRows.Find(t.Context(), d.Reader, want.ID)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
		}
	})
}
