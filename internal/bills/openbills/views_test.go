package openbills

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// toWire returns the filter that a view stores, without fixed dates.
func toWire(f Filter) OpenBillFilter {
	cents := func(c *int64) *float64 {
		if c == nil {
			return nil
		}
		return ref(float64(*c) / 100)
	}
	return OpenBillFilter{
		States: f.States, TINs: f.TINs, Payer: f.Payer, Provider: f.Provider, AmountFrom: cents(f.AmountFrom), AmountTo: cents(f.AmountTo),
		Assigned: f.Assigned, Unassigned: f.Unassigned,
		FollowUps: f.FollowUps, Noted: f.Noted, Due: f.Due, Reason: f.Reason, Marked: f.Marked, Mine: f.Mine, AgeFrom: f.AgeFrom,
		AgeTo: f.AgeTo, Answered: f.Answered, ShortFrom: cents(f.ShortFrom),
	}
}

func (o *office) keep(t *testing.T, a access.Actor, name string, shared bool, f OpenBillFilter) VisibleView {
	t.Helper()
	v, err := o.AddView(t.Context(), a, ViewChange{Name: name, Shared: shared, Pinned: true, Definition: ViewDefinition{Filter: f}})
	require.NoError(t, err)
	return v
}

func (o *office) visible(t *testing.T, a access.Actor) (list []string) {
	t.Helper()
	all, err := o.Views(t.Context(), a)
	require.NoError(t, err)
	for _, v := range all {
		list = append(list, v.Name)
	}
	return list
}

// For any definition and user, the count of a view equals its list.
func TestViewsCountWhatTheyList(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		random := rand.New(rand.NewPCG(3, 4))
		o.fill(t, random)
		for n := range MaxViews {
			f := randomFilter(random)
			if n%2 == 0 { // few conditions, so that there's something to count
				f = Filter{States: f.States, TINs: f.TINs, Answered: f.Answered, AgeTo: f.AgeTo, Due: f.Due}
			}
			o.keep(t, three, fmt.Sprint(n), true, toWire(f))
		}
		var counted int
		for _, a := range []access.Actor{three, four, lead} {
			views, err := o.Views(t.Context(), a)
			require.NoError(t, err)
			require.Len(t, views, MaxViews)
			counts, err := o.Counts(t.Context(), a)
			require.NoError(t, err)
			require.Equal(t, len(views), len(counts))
			for i, v := range views {
				if want := len(o.all(t, a, v.Definition.Filter.filter(), 50)); counts[i] != (SavedViewCount{v.ID, want}) {
					t.Errorf("%s of %s: %+v, want %d of %s", v.Name, a.Person.UserName, counts[i], want, v.StoredDefinition)
				}
				counted += counts[i].Bills
			}
		}
		assert.GreaterOrEqual(t, counted, 100)
	})
}

func TestViewsStayInTheirGroup(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(theirs, "A", "P", "2026-04-01"), bill(theirs, "B", "D", "2026-04-02"), bill(ours, "C", "D", "2026-04-03"))
		own := o.keep(t, three, "Own", false, OpenBillFilter{})
		shared := o.keep(t, three, "Shared", true, OpenBillFilter{States: []string{billstate.NameDenied}})
		o.keep(t, five, "Elsewhere", true, OpenBillFilter{})
		for who, want := range map[*access.Actor]string{&three: "[Own Shared]", &four: "[Shared]", &lead: "[Shared]", &five: "[Elsewhere]",
			&six: "[]", &clerk: "[]"} {
			if got := fmt.Sprint(o.visible(t, *who)); got != want {
				t.Errorf("%s sees %s, want %s", who.Person.UserName, got, want)
			}
		}
		// Each user counts the bills in their own scope.
		for who, want := range map[*access.Actor]int{&three: 2, &four: 1} {
			list, err := o.Counts(t.Context(), *who)
			at := slices.IndexFunc(list, func(c SavedViewCount) bool { return c.ID == shared.ID })
			if err != nil || at < 0 || list[at].Bills != want {
				t.Errorf("%s: %+v, %v", who.Person.UserName, list, err)
			}
		}
		as := func(v VisibleView, name string) ViewChange {
			return ViewChange{Version: v.Version, Name: name, Shared: v.Shared, Pinned: v.Pinned, Position: v.Position,
				Definition: v.Definition}
		}
		for name, c := range map[string]struct {
			err  error
			kind problem.Kind
		}{
			"a colleague's own":           {dbtest.Err(o.ChangeView(t.Context(), lead, own.ID, as(own, "x"))), problem.NotFound},
			"another group's":             {dbtest.Err(o.ChangeView(t.Context(), five, shared.ID, as(shared, "x"))), problem.NotFound},
			"another group's, to remove":  {o.RemoveView(t.Context(), six, shared.ID), problem.NotFound},
			"shared, by no administrator": {dbtest.Err(o.ChangeView(t.Context(), four, shared.ID, as(shared, "x"))), problem.Forbidden},
			"shared, to remove":           {o.RemoveView(t.Context(), four, shared.ID), problem.Forbidden},
		} {
			assert.Truef(t, problem.Is(c.err, c.kind), "%s: %v", name, c.err)
		}
		changed, err := o.ChangeView(t.Context(), lead, shared.ID, as(shared, "By the lead"))
		if err != nil || changed.Name != "By the lead" || changed.OwnerID != 3 || changed.Owner.FullName() != "User 3" ||
			changed.UpdatedBy != "user10" {
			t.Errorf("%+v, %v", changed, err)
		}
		// A user with an old version gets the current one.
		if now, err := o.ChangeView(t.Context(), three, shared.ID, as(shared, "Late")); !errors.Is(err, ErrStaleView) ||
			now.Name != "By the lead" {
			t.Errorf("%+v, %v", now, err)
		}
		if err := o.RemoveView(t.Context(), lead, shared.ID); err != nil || fmt.Sprint(o.visible(t, four)) != "[]" {
			t.Error(err, o.visible(t, four))
		}
	})
}

func TestViewsHaveAnOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		for _, name := range []string{"a", "b", "c", "d"} {
			o.keep(t, three, name, false, OpenBillFilter{})
		}
		all, err := o.Views(t.Context(), three)
		require.NoError(t, err)
		for _, c := range []struct {
			at   int
			want string
		}{{0, "[d a b c]"}, {2, "[a b d c]"}, {99, "[a b c d]"}, {-1, "[d a b c]"}} {
			change := ViewChange{Version: all[3].Version, Name: "d", Position: c.at}
			if all[3], err = o.ChangeView(t.Context(), three, all[3].ID, change); err != nil {
				t.Fatal(err)
			}
			assert.Equalf(t, c.want, fmt.Sprint(o.visible(t, three)), "at %d", c.at)
		}
	})
}

func TestRejectsInvalidViews(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.keep(t, three, "Denied", false, OpenBillFilter{})
		for name, c := range map[string]ViewChange{
			"no name":      {Name: " "},
			"a long name":  {Name: strings.Repeat("x", MaxName+1)},
			"the same":     {Name: "DENIED"},
			"a fixed day":  {Name: "x", Definition: ViewDefinition{Filter: OpenBillFilter{From: "2026-01-01"}}},
			"single bills": {Name: "x", Definition: ViewDefinition{Filter: OpenBillFilter{Bills: []string{"x"}}}},
			"a state":      {Name: "x", Definition: ViewDefinition{Filter: OpenBillFilter{States: []string{"x"}}}},
			"a column":     {Name: "x", Definition: ViewDefinition{Columns: []string{"x"}}},
			"an order":     {Name: "x", Definition: ViewDefinition{Order: "x"}},
			"days":         {Name: "x", Definition: ViewDefinition{Filter: OpenBillFilter{AgeFrom: ref(5), AgeTo: ref(4)}}},
		} {
			if _, err := o.AddView(t.Context(), three, c); !problem.Is(err, problem.Invalid) || len(problem.From(err).Fields) == 0 {
				t.Errorf("%s: %v", name, err)
			}
		}
		for name, f := range map[string]OpenBillFilter{"out of scope": {TINs: []string{"333333333"}},
			"another group's": {Assigned: "user5"}} {
			if _, err := o.AddView(t.Context(), three, ViewChange{Name: "x", Definition: ViewDefinition{Filter: f}}); !problem.Is(err,
				problem.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		// Existing TINs in a view stay, even if the user has lost them.
		lost := o.keep(t, three, "Of theirs", true, OpenBillFilter{TINs: []string{theirs}})
		identitytest.SetTINs(t, d.Writer, three.Person, ours)
		assert.NoError(t, dbtest.Err(o.ChangeView(t.Context(), three, lost.ID, ViewChange{Version: lost.Version, Name: "Anew", Shared: true,
			Definition: lost.Definition})))
		for n := 2; n < MaxViews; n++ {
			o.keep(t, three, fmt.Sprint(n), true, OpenBillFilter{})
		}
		if _, err := o.AddView(t.Context(), three, ViewChange{Name: "one more"}); !problem.Is(err, problem.Invalid) {
			t.Errorf("more than one may keep: %v", err)
		}
		for n := range MaxViews {
			o.keep(t, four, fmt.Sprint(n), true, OpenBillFilter{})
		}
		assert.NoError(t, dbtest.Err(o.AddView(t.Context(), lead, ViewChange{Name: "one more", Shared: true})))
		if _, err := o.AddView(t.Context(), lead, ViewChange{Name: "another", Shared: true}); !problem.Is(err, problem.Invalid) {
			t.Errorf("more than a group may share: %v", err)
		}
	})
}

// An administrator can't give a shared view the name of a private one of its owner.
func TestRenamesAreUniqueForTheOwner(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.keep(t, three, "Denied", false, OpenBillFilter{})
		shared := o.keep(t, three, "Ours", true, OpenBillFilter{})
		c := ViewChange{Version: shared.Version, Name: "denied", Shared: true}
		_, err := o.ChangeView(t.Context(), lead, shared.ID, c)
		if e := problem.From(err); e.Kind != problem.Invalid || len(e.Fields) != 1 || !strings.HasPrefix(e.Fields[0].Message, "Its owner") {
			t.Errorf("%+v", err)
		}
		c.Name = "Theirs"
		assert.NoError(t, dbtest.Err(o.ChangeView(t.Context(), lead, shared.ID, c)))
	})
}

// A definition from another program version is shown as far as this one knows it.
func TestUnknownPartsAreNamed(t *testing.T) {
	for _, test := range []struct{ stored, want string }{
		{
			`{"filter":{"states":["denied"],"weather":"wet","noted":true},"columns":["bill","weather","paid"],"order":"newest",` +
				`"compact":true}`,
			`{{[denied] [] noted} [bill paid] newest true} [filter weather column weather]`,
		},
		{`{"filter":{"states":["denied","lost"]},"order":"height"}`, `{{[] [] } [] oldest false} [filter states order height]`},
		{`{"filter":{"amountFrom":"much"},"tint":"red"}`, `{{[] [] } [] oldest false} [filter amountFrom]`},
		{`[]`, `{{[] [] } [] oldest false} [all of it]`},
	} {
		d, dropped := readDefinition(test.stored)
		noted := map[bool]string{true: "noted"}[d.Filter.Noted]
		order := map[bool]string{true: "oldest", false: d.Order}[d.Order == ""]
		if got := fmt.Sprintf("{{%v %v %s} %v %s %v} %v", d.Filter.States, d.Filter.TINs, noted, d.Columns, order, d.Compact,
			dropped); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.stored, got, test.want)
		}
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		v := o.keep(t, three, "Theirs", true, OpenBillFilter{Assigned: "user4"})
		for status, want := range map[users.Status]string{users.Inactive: "[]", users.Terminated: "[assigned to user4]"} {
			require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `UPDATE users SET status_cd = $1 WHERE id = 4`, status)))
			list, err := o.Views(t.Context(), three)
			if err != nil || fmt.Sprint(list[0].Dropped) != want {
				t.Errorf("%s: %+v, %v", status, list, err)
			}
		}
		kept, err := json.Marshal(ViewDefinition{Filter: OpenBillFilter{Assigned: "gone"}})
		require.NoError(t, err)
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), `UPDATE saved_views SET definition = $1
			WHERE id = $2`, string(kept), v.ID)))
		list, err := o.Views(t.Context(), three)
		if err != nil || fmt.Sprint(list[0].Dropped) != "[assigned to gone]" || list[0].Definition.Filter.Assigned != "" {
			t.Errorf("%+v, %v", list, err)
		}
	})
}

// The dates of views are relative to today.
func TestPeriodsMoveWithToday(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		b := bill(ours, "A", billstate.Denied, "2026-04-20")
		b.PaidDate = "2026-04-30"
		o.add(t, b)
		count := func(f OpenBillFilter) int { return len(o.all(t, three, f.filter(), 50)) }
		for _, c := range []struct {
			days int
			want string
		}{{-4, "1 0 1 0"}, {0, "0 1 1 0"}, {3, "0 1 0 1"}, {30, "0 0 0 1"}} {
			o.now = today.AddDays(c.days).Time()
			got := fmt.Sprint(count(OpenBillFilter{Answered: "thisMonth"}), count(OpenBillFilter{Answered: "lastMonth"}),
				count(OpenBillFilter{Answered: "last7"}), count(OpenBillFilter{AgeFrom: ref(15)}))
			assert.Equalf(t, c.want, got, "%d days on", c.days)
		}
	})
}

func TestShowsChosenBills(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		o.add(t, bill(ours, "A", "P", "2026-04-01"), bill(theirs, "B", "P", "2026-04-02"), bill(ours, "C", "P", "2026-04-03"),
			bill(ours, "F", "F", "2026-04-04"))
		f := Filter{Bills: []string{ours + "/c", theirs + "/b", ours + "/f", "nonsense"}}
		assert.Equal(t, "B C|C", o.list(t, three, f)+"|"+o.list(t, four, f))
		assert.Empty(t, o.list(t, three, Filter{Bills: []string{"nonsense"}}))
		if _, _, err := o.Page(t.Context(), three, Filter{Bills: make([]string, MaxChosen+1)}, Place{}, 0, 1); !problem.Is(err,
			problem.Invalid) {
			t.Error(err)
		}
	})
}

func TestPayersOfOpenBills(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newOffice(t, d)
		var list []facts.Bill
		for i, payer := range []string{"Beacon", "Harbor", "Beacon", "", "Closed"} {
			b := bill([]string{ours, theirs}[i%2], fmt.Sprint(i), "P", "2026-04-01")
			b.PayerName = payer
			if payer == "Closed" {
				b.OpenState = "F"
			}
			list = append(list, b)
		}
		o.add(t, list...)
		got, err := o.Payers(t.Context(), three)
		if err != nil || fmt.Sprint(got) != "[{Beacon 2} {Harbor 1}]" {
			t.Error(got, err)
		}
	})
}
