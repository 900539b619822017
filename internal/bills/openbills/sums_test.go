package openbills

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Totals are cached for up to a minute, and only while the bills don't change. The group's work
// shows immediately.
func TestSumsAreKeptUntilABillChanges(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(ours, "A", billstate.Priced, "2026-04-01"), bill(ours, "B", billstate.Priced, "2026-04-02"))
		summary := func(want, late int) {
			t.Helper()
			sum, err := o.Summary(t.Context(), three, Filter{})
			if err != nil || sum.All.Bills != want || sum.PayerLate.Bills != late {
				t.Errorf("%d bills, %d late, %v; want %d and %d", sum.All.Bills, sum.PayerLate.Bills, err, want, late)
			}
		}
		summary(2, 0)
		for _, statement := range []string{`UPDATE bills
			SET next_due = '2026-05-01'`, `INSERT INTO due_recounts (ftin, recounts) VALUES ('111111111', 1)`} {
			require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), statement)))
		}
		summary(2, 2)
		o.set(t, three, Change{Marked: ref(MarkedDone)}, o.all(t, three, Filter{}, 50)[0])
		summary(1, 1)
		o.change(t, ours, "a")
		summary(2, 2)
		o.add(t, bill(ours, "C", billstate.Priced, "2026-04-01"))
		summary(2, 2)
		o.now = o.now.Add(time.Minute)
		summary(3, 2)
	})
}
