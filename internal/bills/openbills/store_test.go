package openbills

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/mappingtest"
)

const (
	ours   = "111111111"
	theirs = "222222222"
)

func TestPlans(t *testing.T) {
	dbtest.CheckPlans(t, dbtest.Scans{
		"getDataVersion": "one row of each TIN",
		"listTeam":       "the group's work on open bills, found by index, is numbered and then read",
		"readPart":       "the part of the list that one TIN gives is read whole, and has a limit",
	}, func(t *testing.T, d *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		scope := access.NewScope([]string{ours, theirs})
		who := requester{group: 7, me: 3, scope: scope, today: "2026-05-04", week: now}
		amount := int64(100)
		some := Filter{Marked: MarkedOpen, FollowUps: true, Noted: true, Unassigned: true, Due: DueWeek, Reason: "45", Payer: "x",
			Provider: "y", From: "2026-01-01", To: "2026-02-01", AmountFrom: &amount, AmountTo: &amount,
			States: []string{billstate.NameDenied}}
		recent := Filter{Marked: MarkedOpen, Mine: true, Lost: 1, AgeFrom: new(int), AgeTo: new(int), Answered: "last7", ShortFrom: &amount}
		called := Filter{Marked: MarkedOpen, CallOutcome: "denied", Called: CalledLast7, ToCall: true}
		view, export, loss := View{ID: "v", OwnerID: 3, Group: 7, UpdatedAt: now},
			Export{Row: fileexport.Row[string]{ID: "e", UserID: 3, Status: "waiting", CreatedAt: now}},
			Loss{Group: 7, UserID: 3, FTIN: ours, At: now}
		people(t, tx)
		assert.NoError(t, errors.Join(
			dbtest.Err(page(ctx, tx, who, Filter{Marked: MarkedOpen}, Place{}, 3)),
			dbtest.Err(page(ctx, tx, who, Filter{Marked: MarkedDone}, Place{Since: "2026-01-01", FTIN: ours, Bill: "x"}, 3)),
			dbtest.Err(page(ctx, tx, who, Filter{Marked: Snoozed, Assigned: "x"}, Place{}, 3)),
			dbtest.Err(page(ctx, tx, who, some, Place{}, 3)),
			dbtest.Err(page(ctx, tx, who, Filter{Marked: MarkedOpen, Order: NewestFirst}, Place{}, 3)),
			planOrders(ctx, tx, who),
			dbtest.Err(page(ctx, tx, who, Filter{Marked: MarkedOpen, Bills: []string{"x"},
				bills: []billID{{ours, "x"}, {theirs, "y"}}}, Place{}, 3)),
			dbtest.Err(page(ctx, tx, who, recent, Place{}, 3)),
			dbtest.Err(page(ctx, tx, who, called, Place{}, 3)), dbtest.Err(tallyWork(ctx, tx, scope.TINs(), who, called, false)),
			dbtest.Err(counts(ctx, tx, who, []Filter{called})),
			dbtest.Err(counts(ctx, tx, who, []Filter{some, recent, {Marked: MarkedDone, TINs: []string{ours}}})),
			dbtest.Err(listPayers(ctx, tx, scope, 5)),
			dbtest.Err(listTeam(ctx, tx, who, scope.TINs())), dbtest.Err(listDone(ctx, tx, who, scope.TINs())),
			dbtest.Err(countLost(ctx, tx, who, scope.TINs())),
			dbtest.Err(page(ctx, tx, who, Filter{Marked: MarkedOpen, Unassigned: true, untouched: true}, Place{}, 1)),
			dbtest.Err(page(ctx, tx, who, Filter{Marked: MarkedOpen, Due: DuePassed, Reason: "co-45"}, Place{}, 3)),
			dbtest.Err(tallyBills(ctx, tx, scope.TINs(), who, Filter{Marked: MarkedOpen})),
			dbtest.Err(tallyBills(ctx, tx, scope.TINs(), who, some)),
			dbtest.Err(tallyWork(ctx, tx, scope.TINs(), who, Filter{Marked: MarkedOpen}, true)),
			dbtest.Err(tallyWork(ctx, tx, scope.TINs(), who, some, false)),
			dbtest.Err(getDataVersion(ctx, tx, scope.TINs())),
			lockGroup(ctx, tx, d.Dialect, 7),
			dbtest.Err(lockWork(ctx, tx, 7, ours, "x", now)), dbtest.Err(getWork(ctx, tx, 7, ours, "x")),
			putWork(ctx, tx, Work{Group: 7, FTIN: ours, Bill: "x", State: stateOpen, UpdatedAt: now}),
			dbtest.Err(lastChange(ctx, tx, ours, "x")),
			dbtest.Err(lockWorks(ctx, tx, [][]any{{ours, "x"}}, d.Dialect.ForUpdate)),
			dbtest.Err(lockNotes(ctx, tx, [][]any{{ours, "x"}}, d.Dialect.ForUpdate)),
			putWorks(ctx, tx, []Work{{Group: 7, FTIN: ours, Bill: "x", State: stateOpen, UpdatedAt: now}}),
			removeWork(ctx, tx, Work{Group: 7, FTIN: ours, Bill: "x"}),
			dbtest.Err(listNotes(ctx, tx, 7, ours, "x")),
			dbtest.Err(addNote(ctx, tx, Note{Group: 7, FTIN: ours, Bill: "x", AuthorID: 3, At: now})),
			putNote(ctx, tx, Note{ID: 1, Group: 7, FTIN: ours, Bill: "x", AuthorID: 3, At: now}),
			addView(ctx, tx, view), putView(ctx, tx, view), dbtest.Err(listViews(ctx, tx, 7, 3)), removeView(ctx, tx, "v"),
			exportRows.Add(ctx, tx, &export), dbtest.Err(exportRows.Save(ctx, tx, export)), dbtest.Err(exportRows.Find(ctx, tx, "e")),
			dbtest.Err(exportRows.ListOwn(ctx, tx, 3, "")), dbtest.Err(exportRows.ListBefore(ctx, tx, now, "")),
			exportRows.Delete(ctx, tx, "e"),
			dbtest.Err(assignedIn(ctx, tx, 7, 0)), dbtest.Err(assignedIn(ctx, tx, 7, 3)), recordLoss(ctx, tx, loss, "x"),
			dbtest.Err(listLosses(ctx, tx, 7, 3)),
			dbtest.Err(removeLoss(ctx, tx, 7, 1)), dbtest.Err(removeLossesBefore(ctx, tx, now)),
		))
		if _, has, err := hasBill(ctx, tx, scope, billID{ours, "x"}, d.Dialect.ForUpdate); has || err != nil {
			t.Error(has, err)
		}
		assert.ErrorIs(t, dbtest.Err(lockNote(ctx, tx, 8, 1)), db.ErrNotFound)
	})
}

// planOrders reads the list from its start, and each part after a place.
func planOrders(ctx context.Context, tx *sql.Tx, who requester) error {
	var all error
	for _, order := range Orders {
		f := Filter{Marked: MarkedOpen, Order: order, TINs: []string{ours}}
		for _, due := range []date.Date{"2026-01-01", undated} {
			payer := map[bool]string{true: "", false: "x"}[due == undated]
			after := Place{Order: order, Due: due, Payer: payer, Charge: 5, Since: "2026-01-01", FTIN: ours, Bill: "x"}
			all = errors.Join(all, dbtest.Err(page(ctx, tx, who, f, after, 3)))
		}
		all = errors.Join(all, dbtest.Err(page(ctx, tx, who, f, Place{}, 3)))
	}
	return all
}

// The list reads only the columns of a bill that it shows.
func TestListReadsAllThatItShows(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		whole := mappingtest.Filled[facts.Bill]()
		whole.FTIN, whole.BillType, whole.BillStatus, whole.Source = ours, "I", facts.StatusPriced, facts.SourcePayment
		whole.OpenState, whole.BeginServiceDate = billstate.Short, "2026-01-05"
		require.NoError(t, store.Bills.Insert(t.Context(), d.Writer, whole))
		who := requester{group: 7, scope: access.NewScope([]string{ours})}
		found, err := page(t.Context(), d.Reader, who, Filter{Marked: MarkedOpen}, Place{}, 1)
		require.NoError(t, err)
		require.Len(t, found, 1)
		got := toOpenBill(Listed{listed: found[0]}, "2026-05-04")
		want := toOpenBill(Listed{listed: listed{Bill: whole, Work: found[0].Work}}, "2026-05-04")
		assert.Equal(t, want, got)
	})
}

// people creates three groups: 7 with users 3, 4 and 10, 8 with user 5, and 9 with user 6.
func people(t *testing.T, q db.Queryer) {
	t.Helper()
	for _, a := range []access.Actor{three, four, five, six, lead} {
		identitytest.Add(t, q, a.Person, "User "+strconv.FormatInt(a.Person.ID, 10))
	}
	for _, p := range []access.Person{lead.Person, three.Person} {
		identitytest.SetTINs(t, q, p, ours, theirs)
	}
	identitytest.SetTINs(t, q, four.Person, ours)
	identitytest.SetTINs(t, q, five.Person, theirs)
	identitytest.SetTINs(t, q, six.Person, theirs)
}

func TestRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people(t, d.Writer)
		work, note := mappingtest.Filled[Work](), mappingtest.Filled[Note]()
		view, export, loss := mappingtest.Filled[View](), mappingtest.Filled[Export](), mappingtest.Filled[Loss]()
		export.Filter.assignee, export.Filter.bills, export.Filter.untouched = 0, nil, false // not stored
		work.Group, work.AssignedTo, work.State = 7, 3, stateDone
		note.ID, note.Group, note.AuthorID = 1, 7, 3
		require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
			_, err := lockWork(t.Context(), tx, 7, work.FTIN, work.Bill, db.At(time.Now()))
			view.OwnerID, view.Group, export.UserID, export.Status, loss.ID, loss.Group, loss.UserID = 3, 7, 3, "waiting", 1, 7, 3
			return errors.Join(err, addView(t.Context(), tx, view), exportRows.Add(t.Context(), tx, &export),
				dbtest.Err(newLosses.Add(t.Context(), tx, loss, "id")), putWork(t.Context(), tx, work),
				dbtest.Err(addNote(t.Context(), tx, note)))
		}))
		mappingtest.CheckRow(t, d, "bill_work")
		mappingtest.CheckRow(t, d, "bill_notes")
		mappingtest.CheckRow(t, d, "saved_views")
		mappingtest.CheckRow(t, d, "open_bill_exports")
		mappingtest.CheckRow(t, d, "lost_assignments")
		if got, err := views.Get(t.Context(), d.Reader, ""); err != nil || got != view {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, view)
		}
		if got, err := exportRows.Get(t.Context(), d.Reader, ""); err != nil || !reflect.DeepEqual(got, export) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, export)
		}
		if got, err := losses.Get(t.Context(), d.Reader, ""); err != nil || got != loss {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, loss)
		}
		if got, err := works.Get(t.Context(), d.Reader, ""); err != nil || got != work {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, work)
		}
		if got, err := notes.Get(t.Context(), d.Reader, ""); err != nil || got != note {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, note)
		}
	})
}
