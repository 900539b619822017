package worklist

import (
	"database/sql"
	"errors"
	"strconv"
	"testing"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/filltest"
)

const (
	ours   = "111111111"
	theirs = "222222222"
)

func TestPlans(t *testing.T) {
	dbtest.Plans(t, dbtest.Scans{
		"page": "the part of the list that one TIN gives is read whole, and has a limit",
	}, func(t *testing.T, _ *db.DB, tx *sql.Tx) {
		ctx, now := t.Context(), db.At(time.Now())
		scope := access.ScopeOf([]string{ours, theirs})
		who := asking{group: 7, me: 3, today: "2026-05-04"}
		amount := int64(100)
		some := Filter{Marked: MarkedOpen, FollowUps: true, Noted: true, Unassigned: true, Due: DueWeek, Reason: "45", Payer: "x", Provider: "y", From: "2026-01-01", To: "2026-02-01", AmountFrom: &amount, AmountTo: &amount, States: []string{Denied}}
		people(t, tx)
		if err := errors.Join(
			dbtest.Err(page(ctx, tx, scope, who, Filter{Marked: MarkedOpen}, Place{}, 3)),
			dbtest.Err(page(ctx, tx, scope, who, Filter{Marked: MarkedDone}, Place{"2026-01-01", ours, "x"}, 3)),
			dbtest.Err(page(ctx, tx, scope, who, Filter{Marked: Parked, Assigned: "x"}, Place{}, 3)),
			dbtest.Err(page(ctx, tx, scope, who, some, Place{}, 3)),
			dbtest.Err(page(ctx, tx, scope, who, Filter{Marked: MarkedOpen, Due: DuePassed, Reason: "co-45"}, Place{}, 3)),
			dbtest.Err(tallies(ctx, tx, scope, who, Filter{Marked: MarkedOpen})),
			dbtest.Err(tallies(ctx, tx, scope, who, some)),
			dbtest.Err(workOf(ctx, tx, 7, ours, "x", now)),
			putWork(ctx, tx, Work{Group: 7, FTIN: ours, Bill: "x", State: stateOpen, UpdatedAt: now}),
			dbtest.Err(lastChange(ctx, tx, ours, "x")),
			dbtest.Err(notesOf(ctx, tx, 7, ours, "x")),
			dbtest.Err(addNote(ctx, tx, Note{Group: 7, FTIN: ours, Bill: "x", AuthorID: 3, At: now})),
			putNote(ctx, tx, Note{ID: 1, Group: 7, FTIN: ours, Bill: "x", AuthorID: 3, At: now}),
		); err != nil {
			t.Error(err)
		}
		if _, has, err := hasBill(ctx, tx, scope, ours, "x"); has || err != nil {
			t.Error(has, err)
		}
		if _, err := noteOf(ctx, tx, 8, 1); !errors.Is(err, db.ErrNotFound) {
			t.Error(err)
		}
	})
}

// people are two groups, 7 with the users 3 and 4, and 8 with the user 5.
func people(t *testing.T, q db.Queryer) {
	t.Helper()
	now := db.At(time.Now())
	for _, group := range []int64{7, 8} {
		if _, err := q.ExecContext(t.Context(), `INSERT INTO groups (id, name, name_key, kind, created_at, created_by) VALUES ($1, 'x', 'x', 'PROVIDER', $2, 'x')`, group, now); err != nil {
			t.Fatal(err)
		}
	}
	for id, group := range map[int64]int64{3: 7, 4: 7, 5: 8} {
		name := "user" + strconv.FormatInt(id, 10)
		if _, err := q.ExecContext(t.Context(), `
			INSERT INTO users (id, group_id, user_name, user_name_key, first_name, last_name, first_name_key, last_name_key, email, email_key, type_cd, status_cd, created_at, created_by, updated_at, updated_by)
			VALUES ($1, $2, $3, $3, 'x', 'x', 'x', 'x', $3, $3, 'PRUS', 'ACTIV', $4, 'x', $4, 'x')`, id, group, name, now); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRowsCarryEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		people(t, d.Writer)
		work, note := filltest.Filled[Work](), filltest.Filled[Note]()
		work.Group, work.AssignedTo, work.State = 7, 3, stateDone
		note.ID, note.Group, note.AuthorID = 1, 7, 3
		if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
			_, err := workOf(t.Context(), tx, 7, work.FTIN, work.Bill, db.At(time.Now()))
			return errors.Join(err, putWork(t.Context(), tx, work), dbtest.Err(addNote(t.Context(), tx, note)))
		}); err != nil {
			t.Fatal(err)
		}
		filltest.Row(t, d, "bill_work")
		filltest.Row(t, d, "bill_notes")
		if got, err := works.Get(t.Context(), d.Reader, ""); err != nil || got != work {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, work)
		}
		if got, err := notes.Get(t.Context(), d.Reader, ""); err != nil || got != note {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, note)
		}
	})
}
