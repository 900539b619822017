package openbills

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// formatTeam formats each share: who, dollars, bills, the oldest with its days, and those done this week.
func (o *office) formatTeam(t *testing.T, a access.Actor) string {
	t.Helper()
	team, err := o.Team(t.Context(), a)
	require.NoError(t, err)
	var list []string
	for _, m := range team {
		former := map[bool]string{true: "-"}[m.Former]
		list = append(list, fmt.Sprintf("%s%s %d/%d %s:%d %d", m.UserName, former, m.Charges/100, m.Bills, m.Oldest.Number, m.Oldest.Days,
			m.DoneThisWeek))
	}
	return strings.Join(list, ", ")
}

// Each group that shares TINs sees its own assignees, and unassigned bills last.
func TestTeam(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.now = o.now.AddDate(0, 0, -9)
		o.add(t, bill(ours, "A", "P", "2026-04-01"), bill(ours, "B", "P", "2026-04-02"), bill(theirs, "C", "D", "2026-04-03"),
			bill(theirs, "D", "S", "2026-03-04"), bill(ours, "E", "P", "2026-02-05"), bill(ours, "F", billstate.Settled, "2026-01-01"))
		o.set(t, three, Change{AssignTo: ref("user4")}, o.all(t, three, Filter{TINs: []string{ours}}, 50)[1]) // A
		o.now = o.now.AddDate(0, 0, 7)                                                                        // Saturday
		one := func(a access.Actor, number string) Listed {
			t.Helper()
			for _, marked := range []string{MarkedOpen, MarkedDone} {
				for _, l := range o.all(t, a, Filter{Marked: marked}, 50) {
					if l.BillControlNumber == number {
						return l
					}
				}
			}
			t.Fatalf("no bill %s", number)
			return Listed{}
		}
		o.set(t, three, Change{AssignTo: ref("user3"), Marked: ref(MarkedDone)}, one(three, "B"))
		o.set(t, three, Change{AssignTo: ref("user3"), Note: "called"}, one(three, "C"))
		o.set(t, five, Change{AssignTo: ref("user5")}, one(five, "C"), one(five, "D"))
		o.now = o.now.AddDate(0, 0, 2) // Monday
		o.set(t, three, Change{FollowUpOn: ref(today)}, one(three, "E"))
		check := func(a access.Actor, want string) {
			t.Helper()
			assert.Equal(t, want, o.formatTeam(t, a), a.Person.UserName)
		}
		check(lead, "user3 100/1 C:2 0, user4 100/1 A:9 0,  200/2 D:61 0")
		check(five, "user5 200/2 C:2 0,  0/0 :0 0")
		check(six, " 200/2 D:61 0")
		check(clerk, "")

		// Marking as done counts from Monday, while the bill stays done.
		o.set(t, three, Change{Marked: ref(MarkedDone)}, one(three, "C"), one(three, "D"))
		check(lead, "user4 100/1 A:9 0, user3 0/0 :0 1,  100/1 E:0 1")
		o.change(t, theirs, "c")
		check(lead, "user3 100/1 C:0 0, user4 100/1 A:9 0,  100/1 E:0 1")
		o.set(t, three, Change{Marked: ref(MarkedDone)}, one(three, "C"))
		o.now = o.now.AddDate(0, 0, 7)
		check(lead, "user4 100/1 A:16 0,  100/1 E:7 0")

		// A user who left is listed with their bills, and the list still has them.
		identitytest.SetStatus(t, d.Writer, four.Person.ID, users.Terminated)
		check(lead, "user4- 100/1 A:16 0,  100/1 E:7 0")
		assert.Equal(t, "A", o.list(t, lead, Filter{Assigned: "user4"}))
		if _, _, err := o.Page(t.Context(), five, Filter{Assigned: "user4"}, Place{}, 0, 10); err == nil {
			t.Error("another group lists the user's bills")
		}
	})
}

// A note counts as work on a bill, without making the version stale.
func TestNotesCountAsWork(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.now = o.now.AddDate(0, 0, -9)
		o.add(t, bill(ours, "A", "P", "2026-04-01"), bill(ours, "B", "P", "2026-04-02"))
		list := o.all(t, lead, Filter{}, 50)
		o.set(t, lead, Change{AssignTo: ref("user3")}, list...)
		o.now = o.now.AddDate(0, 0, 7)
		assigned := o.all(t, lead, Filter{}, 50)[0]
		require.NoError(t, o.AddNote(t.Context(), four, list[0].Page, "called"))
		if got := o.formatTeam(t, lead); !strings.HasPrefix(got, "user3 200/2 B:7 0") {
			t.Error(got)
		}
		if out := o.set(t, lead, Change{FollowUpOn: ref(today)}, assigned); out[0].Outcome != Saved {
			t.Errorf("%+v", out)
		}
	})
}

// Every figure counts what the list with the same filter has.
func TestTeamIsThatOfTheList(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		var bills []facts.Bill
		for i := range 60 {
			b := bill([]string{ours, theirs}[i%2], fmt.Sprintf("B%02d", i), []billstate.State{"P", "D", "S", "N", "F"}[i%5], "2026-04-01")
			b.BillCharges = int64(1000 + i)
			bills = append(bills, b)
		}
		o.add(t, bills...)
		for i, l := range o.all(t, lead, Filter{}, 50) {
			switch c := (Change{}); i % 4 {
			case 0:
				c.AssignTo = ref("user3")
				o.set(t, lead, c, l)
			case 1:
				c.AssignTo, c.Marked = ref("user10"), ref(MarkedDone)
				o.set(t, lead, c, l)
			case 2:
				c.Marked, c.Until = ref(Snoozed), today.AddDays(3)
				o.set(t, lead, c, l)
			}
		}
		team, err := o.Team(t.Context(), lead)
		require.NoError(t, err)
		require.Len(t, team, 3)
		for _, m := range team {
			open := Filter{Assigned: m.UserName, Unassigned: m.UserName == ""}
			done := open
			done.Marked, done.DoneThisWeek = MarkedDone, true
			var charges int64
			list := o.all(t, lead, open, 50)
			for _, l := range list {
				charges += l.BillCharges
			}
			if len(list) != m.Bills || charges != m.Charges {
				t.Errorf("%q: %d bills of %d, the list has %d of %d", m.UserName, m.Bills, m.Charges, len(list), charges)
			}
			assert.Equalf(t, m.DoneThisWeek, len(o.all(t, lead, done, 50)), "%q: %d done, the list has", m.UserName, m.DoneThisWeek)
			sum, err := o.Summary(t.Context(), lead, done)
			if err != nil || sum.All.Bills != m.DoneThisWeek {
				t.Errorf("%q: %d done, the totals have %d, %v", m.UserName, m.DoneThisWeek, sum.All.Bills, err)
			}
		}
	})
}

func TestStartOfWeek(t *testing.T) {
	zone := time.FixedZone("EST", -5*60*60)
	for day, want := range map[int]string{3: "2026-04-27", 4: "2026-05-04", 10: "2026-05-04"} {
		got := startOfWeek(time.Date(2026, 5, day, 0, 30, 0, 0, zone))
		assert.Equalf(t, want+" 05:00 UTC", got.Format("2006-01-02 15:04 UTC"), "May %d: %s", day, got)
	}
}
