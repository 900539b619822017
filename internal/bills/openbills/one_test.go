package openbills

import (
	"testing"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// A bill's page shows the group's work as the list does.
func TestWorkOnOneBill(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(ours, "A", "P", "2026-04-01"), bill(theirs, "B", "P", "2026-04-02"))
		o.change(t, ours, "a")
		a := o.all(t, three, Filter{}, 50)[0]
		work := func(who access.Actor) OpenBillWork {
			t.Helper()
			w, assignee, changed, err := o.Work(t.Context(), who, a.Page)
			if err != nil || who.Mirrored == nil && changed != a.Changed {
				t.Errorf("%v, changed %d", err, changed)
			}
			return toOpenBillWork(w, assignee)
		}
		if w := work(three); w.Version != 0 || w.Marked != MarkedOpen || w.AssignedTo != nil {
			t.Errorf("before any: %+v", w)
		}
		o.set(t, three, Change{AssignTo: ref("user4"), FollowUpOn: ref(today), Marked: ref(MarkedDone)}, a)
		if w := work(four); w.Version != 1 || w.Marked != MarkedDone || w.FollowUpOn != today || w.AssignedTo.UserName != "user4" {
			t.Errorf("%+v", w)
		}
		// The group's work is nobody else's.
		for name, who := range map[string]access.Actor{"other group": six, "mirroring": clerk} {
			if _, _, _, err := o.Work(t.Context(), who, a.Page); err != nil && !problem.Is(err, problem.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if w := work(clerk); w.Version != 0 || w.AssignedTo != nil {
			t.Errorf("mirroring: %+v", w)
		}
		// A later change ends Done, and a day ends Snoozed.
		o.change(t, ours, "a")
		a = o.all(t, three, Filter{}, 50)[0]
		if w := work(three); w.Marked != MarkedOpen {
			t.Errorf("after a change: %+v", w)
		}
		if out := o.set(t, three, Change{FollowUpOn: ref(today)}, a); out[0].Work.State != stateOpen {
			t.Errorf("a follow-up after a change: %+v", out)
		}
		if out := o.set(t, three, Change{FollowUpOn: ref(today)}, a); out[0].Outcome != Stale || out[0].Work.State != stateOpen {
			t.Errorf("another one: %+v", out)
		}
		a = o.all(t, three, Filter{}, 50)[0]
		o.set(t, three, Change{Marked: ref(Snoozed), Until: today.AddDays(1)}, a)
		if w := work(three); w.Marked != Snoozed || w.Until != today.AddDays(1) {
			t.Errorf("snoozed: %+v", w)
		}
		o.now = o.now.AddDate(0, 0, 1)
		if w := work(three); w.Marked != MarkedOpen || w.Until != "" {
			t.Errorf("a day later: %+v", w)
		}
		a = o.all(t, three, Filter{}, 50)[0]
		if out := o.set(t, three, Change{FollowUpOn: ref(date.Date(""))}, a); out[0].Work.State != stateOpen ||
			out[0].Work.ParkedUntil != "" {
			t.Errorf("a follow-up a day later: %+v", out)
		}
		// User 4 doesn't have the other TIN.
		if _, _, _, err := o.Work(t.Context(), four, theirs+"/b"); !problem.Is(err, problem.NotFound) {
			t.Errorf("out of scope: %v", err)
		}
	})
}
