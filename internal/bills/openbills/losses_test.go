package openbills

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// A user who loses a TIN loses its bills, only in their group. The group's administrators see it
// until they dismiss it or assign the bills again.
func TestAssignmentsEndWithTheTIN(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(theirs, "A", "P", "2026-04-01"), bill(theirs, "B", "P", "2026-04-02"), bill(theirs, "C", "P", "2026-04-03"),
			bill(ours, "D", "P", "2026-04-04"))
		o.set(t, three, Change{AssignTo: ref("user3")}, o.all(t, three, Filter{}, 50)...)
		o.set(t, five, Change{AssignTo: ref("user5")}, o.all(t, five, Filter{}, 50)...)
		o.set(t, three, Change{Marked: ref(MarkedDone)}, o.all(t, three, Filter{}, 50)[2])
		identitytest.SetTINs(t, d.Writer, three.Person, ours)
		assignments := NewAssignments(platform.Kit{Audit: o.audit, Clock: o.Service.now, Zone: time.UTC}, o.scopes)
		recheck := func(group, user int64) {
			t.Helper()
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				return assignments.RemoveLostAssignments(t.Context(), tx, group, user, "boss")
			}))
		}
		recheck(7, 3)
		recheck(7, 3)
		recheck(8, 0)
		losses, err := o.Losses(t.Context(), lead)
		if err != nil || len(losses) != 1 || losses[0].Name != "User 3" || losses[0].FTIN != theirs || losses[0].Bills != 2 {
			t.Fatalf("%+v, %v", losses, err)
		}
		loss := Filter{Lost: losses[0].ID}
		if got := fmt.Sprint(o.list(t, lead, loss), "|", o.list(t, five, loss), "|", o.list(t, lead, Filter{Assigned: "user3"}), "|",
			o.list(t, five, Filter{Mine: true})); got != "A B||D|A B C" {
			t.Error(got)
		}
		for _, a := range []struct {
			name string
			got  func() ([]ReportedLoss, error)
		}{
			{"another group", func() ([]ReportedLoss, error) { return o.Losses(t.Context(), five) }},
			{"whoever mirrors", func() ([]ReportedLoss, error) { return o.Losses(t.Context(), clerk) }},
		} {
			if got, err := a.got(); err != nil || len(got) > 0 {
				t.Errorf("%s got %+v, %v", a.name, got, err)
			}
		}
		first := o.all(t, lead, loss, 50)[0]
		assert.Equal(t, "boss", first.Work.UpdatedBy)
		o.set(t, lead, Change{AssignTo: ref("user10")}, first)
		if losses, err := o.Losses(t.Context(), lead); err != nil || losses[0].Bills != 1 {
			t.Errorf("%+v, %v", losses, err)
		}
		if err := o.DismissLoss(t.Context(), five, losses[0].ID); !problem.Is(err, problem.NotFound) {
			t.Errorf("another group's: %v", err)
		}
		assert.NoError(t, o.DismissLoss(t.Context(), lead, losses[0].ID))
		if losses, err := o.Losses(t.Context(), lead); err != nil || len(losses) > 0 {
			t.Errorf("got %+v, %v after dismissing", losses, err)
		}
		// This one isn't dismissed, so it expires.
		identitytest.SetTINs(t, d.Writer, five.Person)
		recheck(8, 0)
		identitytest.SetTINs(t, d.Writer, five.Person, theirs)
		if losses, err := o.Losses(t.Context(), five); err != nil || len(losses) != 1 {
			t.Errorf("%+v, %v", losses, err)
		}
		o.now = o.now.Add(lossKept + time.Second)
		assert.NoError(t, o.Cleanup(t.Context()))
		if losses, err := o.Losses(t.Context(), five); err != nil || len(losses) > 0 {
			t.Errorf("%+v, %v", losses, err)
		}
	})
}

// Losses whose bills are assigned again don't displace older ones.
func TestOlderLossesStay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		var bills []facts.Bill
		var lost []string
		for i := range maxLosses + 5 {
			lost = append(lost, fmt.Sprintf("5000000%02d", i))
			bills = append(bills, bill(lost[i], "A", "P", "2026-04-01"))
		}
		o.add(t, bills...)
		identitytest.SetTINs(t, d.Writer, lead.Person, append(lost, ours)...)
		identitytest.SetTINs(t, d.Writer, three.Person, append(lost, ours)...)
		o.set(t, lead, Change{AssignTo: ref("user3")}, o.all(t, lead, Filter{}, 50)...)
		identitytest.SetTINs(t, d.Writer, three.Person, ours)
		assignments := NewAssignments(platform.Kit{Audit: o.audit, Clock: o.Service.now, Zone: time.UTC}, o.scopes)
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			return assignments.RemoveLostAssignments(t.Context(), tx, 7, 3, "boss")
		}))
		losses, err := o.Losses(t.Context(), lead)
		require.NoError(t, err)
		require.Len(t, losses, maxLosses)
		for _, l := range losses {
			o.set(t, lead, Change{AssignTo: ref("user10")}, o.all(t, lead, Filter{Lost: l.ID}, 50)...)
		}
		if losses, err = o.Losses(t.Context(), lead); err != nil || len(losses) != 5 {
			t.Errorf("%+v, %v", losses, err)
		}
	})
}
