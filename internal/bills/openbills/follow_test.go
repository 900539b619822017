package openbills

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// keptWork lists all groups' work on the bills that have numbers.
func (o *office) keptWork(t *testing.T) string {
	t.Helper()
	list, err := works.Select(t.Context(), o.db.Reader, `WHERE bill_control_number_key > ' ' ORDER BY bill_control_number_key, group_id`)
	require.NoError(t, err)
	var words []string
	for _, w := range list {
		notes, err := listNotes(t.Context(), o.db.Reader, w.Group, w.FTIN, w.Bill)
		require.NoError(t, err)
		word := fmt.Sprintf("%s %d %s to %d (%d)", w.Bill, w.Group, w.State, w.AssignedTo, w.Notes)
		for _, n := range notes {
			word += " " + n.Body
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

func (o *office) write(t *testing.T, group int64, key, state string, assignedTo int64, body string) {
	t.Helper()
	require.NoError(t, o.db.Tx(t.Context(), func(tx *sql.Tx) error {
		if _, err := addNote(t.Context(), tx, Note{Group: group, FTIN: ours, Bill: key, AuthorID: 3, At: db.At(o.now), Body: body}); err !=
			nil {
			return err
		}
		return putWorks(t.Context(), tx, []Work{{Group: group, FTIN: ours, Bill: key, State: state, AssignedTo: assignedTo, Notes: 1,
			Version: 1, UpdatedAt: db.At(o.now)}})
	}))
}

func (o *office) follows(t *testing.T, f batch.KeyChanges) {
	t.Helper()
	require.NoError(t, o.db.Tx(t.Context(), func(tx *sql.Tx) error { return Follows.Follow(t.Context(), tx, f) }))
}

func moves(from, to string) batch.Move {
	return batch.Move{FTIN: ours, From: from, To: to, Fact: from}
}

func joins(from, to string) batch.Move {
	return batch.Move{FTIN: ours, From: from, To: to, Fact: from, Joins: true}
}

func TestWorkFollowsBills(t *testing.T) {
	for name, test := range map[string]struct {
		steps []batch.KeyChanges
		want  string
	}{
		"another number": {[]batch.KeyChanges{{Moves: []batch.Move{moves("a", "x")}}},
			"b 7 PARKED to 4 (1) nb, b 8 OPEN to 5 (1) mb, x 7 DONE to 3 (1) na"},
		"each other's number": {[]batch.KeyChanges{{Moves: []batch.Move{moves("a", "b"), moves("b", "a")}}},
			"a 7 PARKED to 4 (1) nb, a 8 OPEN to 5 (1) mb, b 7 DONE to 3 (1) na"},
		"in a circle": {
			[]batch.KeyChanges{{Moves: []batch.Move{moves("a", "b"), moves("b", "c"), moves("c", "a")}}},
			"b 7 DONE to 3 (1) na, c 7 PARKED to 4 (1) nb, c 8 OPEN to 5 (1) mb",
		},
		"part of another": {[]batch.KeyChanges{{Moves: []batch.Move{joins("a", "b")}}},
			"b 7 PARKED to 4 (2) nb na, b 8 OPEN to 5 (1) mb"},
		"two at once into one that has another number": {
			[]batch.KeyChanges{{Moves: []batch.Move{moves("b", "x"), joins("a", "x"), joins("c", "x")}}},
			"x 7 PARKED to 4 (2) nb na, x 8 OPEN to 5 (1) mb",
		},
		"and back": {
			[]batch.KeyChanges{{Moves: []batch.Move{joins("a", "b")}},
				{Returns: []batch.Return{{FTIN: ours, From: []string{"b"}, To: "a", Facts: []string{"a"}}}}},
			"a 7 DONE to 3 (1) na, b 7 PARKED to 4 (1) nb, b 8 OPEN to 5 (1) mb",
		},
		"and back, from a bill about which the group did nothing": {
			[]batch.KeyChanges{{Moves: []batch.Move{joins("b", "c")}},
				{Returns: []batch.Return{{FTIN: ours, From: []string{"c"}, To: "x", Facts: []string{"b", "z"}}}}},
			"a 7 DONE to 3 (1) na, x 7 PARKED to 4 (1) nb, x 8 OPEN to 5 (1) mb",
		},
		"and back, after the bill had another number": {
			[]batch.KeyChanges{
				{Moves: []batch.Move{joins("a", "b")}}, {Moves: []batch.Move{moves("b", "x")}},
				{Returns: []batch.Return{{FTIN: ours, From: []string{"x"}, To: "a", Facts: []string{"a"}}}},
			},
			"a 7 DONE to 3 (1) na, x 7 PARKED to 4 (1) nb, x 8 OPEN to 5 (1) mb",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				o := newOffice(t, d)
				o.write(t, 7, "a", stateDone, 3, "na")
				o.write(t, 7, "b", stateSnoozed, 4, "nb")
				o.write(t, 8, "b", stateOpen, 5, "mb")
				for _, f := range test.steps {
					o.follows(t, f)
				}
				if got := o.keptWork(t); got != sortNotes(test.want) && sortNotes(got) != sortNotes(test.want) {
					t.Errorf("\ngot  %s\nwant %s", got, test.want)
				}
			})
		})
	}
}

// A save that runs while another bill joins or leaves stays.
func TestSavesDuringAJoin(t *testing.T) {
	back := batch.KeyChanges{Returns: []batch.Return{{FTIN: ours, From: []string{"b"}, To: "a", Facts: []string{"a"}}}}
	for name, test := range map[string]struct {
		before []batch.KeyChanges
		change batch.KeyChanges
		want   string
	}{
		"join":   {nil, batch.KeyChanges{Moves: []batch.Move{joins("a", "b")}}, "b 7 OPEN to 5 (2) edited na"},
		"return": {[]batch.KeyChanges{{Moves: []batch.Move{joins("a", "b")}}}, back, "a 7 DONE to 3 (1) edited, b 7 OPEN to 5 (0)"},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				o := newOffice(t, d)
				o.write(t, 7, "a", stateDone, 3, "na")
				if test.before == nil {
					o.write(t, 7, "b", stateSnoozed, 4, "nb")
				}
				for _, f := range test.before {
					o.follows(t, f)
				}
				wait := dbtest.Interleave(t, d, func(ctx context.Context, tx *sql.Tx) {
					w, err := lockWork(ctx, tx, 7, ours, "b", db.At(o.now))
					assert.NoError(t, err)
					w.State, w.AssignedTo, w.Version, w.DoneAt, w.DoneChange, w.ParkedUntil = stateOpen, 5, w.Version+1, db.Instant{}, 0, ""
					list, err := listNotes(ctx, tx, 7, ours, "b")
					if err == nil {
						list[0].Body = "edited"
						err = errors.Join(putWork(ctx, tx, w), putNote(ctx, tx, list[0]))
					}
					assert.NoError(t, err)
				})
				test.change.Lock = d.Dialect.ForUpdate
				o.follows(t, test.change)
				wait()
				assert.Equal(t, test.want, o.keptWork(t))
			})
		})
	}
}

func sortNotes(s string) string { return strings.ReplaceAll(s, "na nb", "nb na") }

func TestMergesWork(t *testing.T) {
	open := Work{State: stateOpen, Version: 2}
	done := func(change int64) Work { return Work{State: stateDone, DoneChange: change, Version: 2} }
	parked := func(until date.Date) Work { return Work{State: stateSnoozed, ParkedUntil: until, Version: 2} }
	followUp := func(on date.Date) Work { return Work{State: stateOpen, FollowUpOn: on, Version: 2} }
	to := func(user, lost int64) Work { return Work{State: stateOpen, AssignedTo: user, Lost: lost, Version: 2} }
	for name, test := range map[string]struct{ kept, joining, want Work }{
		"open and done":        {open, done(5), Work{State: stateOpen}},
		"done and open":        {done(5), open, Work{State: stateOpen}},
		"done twice":           {done(5), done(4), Work{State: stateDone, DoneChange: 4}},
		"parked twice":         {parked("2026-05-09"), parked("2026-05-08"), Work{State: stateSnoozed, ParkedUntil: "2026-05-08"}},
		"done and parked":      {done(5), parked("2026-05-08"), Work{State: stateSnoozed, ParkedUntil: "2026-05-08"}},
		"the earlier day":      {followUp("2026-05-09"), followUp("2026-05-08"), Work{State: stateOpen, FollowUpOn: "2026-05-08"}},
		"the only day":         {followUp(""), followUp("2026-05-08"), Work{State: stateOpen, FollowUpOn: "2026-05-08"}},
		"its own assignee":     {to(3, 0), to(4, 0), Work{State: stateOpen, AssignedTo: 3}},
		"the only assignee":    {to(0, 9), to(4, 0), Work{State: stateOpen, AssignedTo: 4}},
		"nobody, one was lost": {to(0, 0), to(0, 9), Work{State: stateOpen, Lost: 9}},
	} {
		test.want.Version = 3
		if got, _ := merge(test.kept, test.joining); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
	// A user who only wrote a note did nothing else.
	if got, _ := merge(Work{State: stateOpen, Notes: 1}, done(5)); got.State != stateDone || got.Notes != 1 || got.Version != 2 {
		t.Errorf("%+v", got)
	}
	if got, _ := merge(done(5), Work{State: stateOpen, Notes: 1}); got.State != stateDone || got.Notes != 1 || got.Version != 2 {
		t.Errorf("%+v", got)
	}
}
