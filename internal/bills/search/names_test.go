package search

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// movedBetween adds the name keys to all bills after the first statement of a search.
type movedBetween struct {
	db.Queryer
	move func()
}

func (m *movedBetween) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	rows, err := m.Queryer.QueryContext(ctx, query, args...)
	if m.move != nil {
		m.move()
		m.move = nil
	}
	return rows, err
}

// A bill that gets its name key during a search is found exactly once.
func TestNamesThatMoveDuringASearch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		billtest.TakePatients(t, d, [2]string{"NUNEZ", "JOSE"}, [2]string{"NUNEZ", "JOSE"})
		byName := by(Query{ClaimantLastName: "Nunez", ClaimantFirstName: "Jose", ClaimantDateOfBirth: "1980-05-06",
			BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"})
		made := billtest.MakeBill(func(b *record.Detailed) { b.PatientLastName, b.PatientFirstName = "NUNEZ", "JOSE" }).Bill
		for name, find := range map[string]func(q db.Queryer) ([]record.Bill, error){
			"search": func(q db.Queryer) ([]record.Bill, error) {
				return search(t.Context(), q, access.NewScope([]string{ours}), ours, byName)
			},
			"candidates": func(q db.Queryer) ([]record.Bill, error) { return store.FindCandidates(t.Context(), q, made, 30) },
		} {
			require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE bills SET patient_name_key = ''`)))
			found, err := find(&movedBetween{d.Reader, func() {
				assert.NoError(t, billtest.NewLedger(d, time.Now).MigrateOldBills(t.Context(), nil))
			}})
			slices.SortFunc(found, func(a, b record.Bill) int { return strings.Compare(a.Key(), b.Key()) })
			if err != nil || billtest.ListNumbers(found) != "N0 N1" {
				t.Errorf("%s: %q, %v", name, billtest.ListNumbers(found), err)
			}
		}
	})
}

// Name keys don't change a bill: importing the same file again changes nothing.
func TestNamesChangeNoFact(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		names := [][2]string{{"NU\u00d1EZ", "JOS\u00c9"}, {"O'Brien", "Pat"}, {"Smith Jr", "John"}}
		billtest.TakePatients(t, d, names...)
		told := func() string {
			var facts, changes []int
			var paid []sql.NullInt64
			for into, query := range map[any]string{
				&facts: `SELECT count(*)
					FROM submissions`, &changes: `SELECT count(*) FROM bill_changes`, &paid: `SELECT sum(paid_amount) FROM bills`,
			} {
				require.NoError(t, db.Select(t.Context(), d.Writer, into, query))
			}
			return fmt.Sprint(facts, changes, paid)
		}
		before := told()
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `UPDATE bills SET patient_name_key = ''`)))
		require.NoError(t, billtest.NewLedger(d, time.Now).MigrateOldBills(t.Context(), nil))
		billtest.TakePatients(t, d, names...)
		assert.Equal(t, before, told())
	})
}
