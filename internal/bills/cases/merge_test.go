package cases

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

func (o *desk) mustMerge(t *testing.T, from, into Case) {
	t.Helper()
	require.NoError(t, dbtest.Err(o.Merge(t.Context(), isad, Seen{Number: from.Number}, into.Number)))
}

// A request that was repeated after merges returns its question, and stores nothing.
func TestRepeatedAfterMerges(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ctx := t.Context()
		q := question("second", ours+"/a")
		q.Body = "The second question."
		first, second, third := o.ask(t, three, question("first", ours+"/a")), o.ask(t, three, q), o.ask(t, three, question("3", ours+"/a"))
		reply, note := written("More."), written("Internal.")
		for range 2 {
			require.NoError(t, dbtest.Err(o.Reply(ctx, three, first.Number, reply)))
			require.NoError(t, dbtest.Err(o.AddNote(ctx, isad, Seen{Number: first.Number}, note)))
		}
		for _, merge := range [][2]Case{{first, second}, {second, third}} {
			o.mustMerge(t, merge[0], merge[1])
			if c, err := o.Submit(ctx, three, q); err != nil || c.Number != second.Number {
				t.Errorf("the question was asked again: %+v, %v", c, err)
			}
			assert.NoError(t, dbtest.Err(o.Reply(ctx, three, first.Number, reply)))
			assert.NoError(t, dbtest.Err(o.AddNote(ctx, isad, Seen{first.Number, 1}, note)))
		}
	})
}

// Readers get the request keys of their own entries, which show that a text was stored although its response was lost.
func TestKeysOfOwnEntries(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		c := o.ask(t, three, question("k", ours+"/a"))
		reply, answer := written("More."), written("By contract.")
		require.NoError(t, dbtest.Err(o.Reply(t.Context(), three, c.Number, reply)))
		require.NoError(t, dbtest.Err(o.AnswerCase(t.Context(), isad, Seen{Number: c.Number}, answer)))
		for a, want := range map[*access.Actor]string{&three: reply.RequestKey, &isad: answer.RequestKey, &four: ""} {
			thread, err := o.OpenAtDesk(t.Context(), c.Number)
			require.NoError(t, err)
			out, err := o.toThread(access.WithActor(t.Context(), *a), thread)
			got := ""
			for _, e := range out.Entries {
				got += e.RequestKey
			}
			if err != nil || got != want {
				t.Errorf("%s: %q, want %q; %v", a.Person.UserName, got, want, err)
			}
		}
	})
}

// A question that staff wait for is open again when one that the network owes an answer is merged
// into it. The earlier promise counts.
func TestMergeKeepsPromise(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		ctx := t.Context()
		early := o.ask(t, three, question("early", ours+"/a"))
		o.now = o.now.Add(2 * time.Hour)
		late := o.ask(t, three, question("late", ours+"/a"))
		o.mustMerge(t, early, late)
		if got, err := o.ReadOwn(ctx, three, late.Number); err != nil || !got.DueAt.Equal(early.DueAt.Time) {
			t.Errorf("due at %v, want %v, %v", got.DueAt, early.DueAt, err)
		}
		require.NoError(t, dbtest.Err(o.AskOffice(ctx, isad, Seen{Number: late.Number}, written("Which line?"))))
		again := o.ask(t, three, question("again", ours+"/a"))
		o.mustMerge(t, again, late)
		got, err := o.ReadOwn(ctx, three, late.Number)
		if err != nil || got.State != Open || got.DueAt.IsZero() || got.DueAt.After(again.DueAt.Time) {
			t.Errorf("%s, due at %v, %v", got.State, got.DueAt, err)
		}
		waiting := o.ask(t, three, question("waiting", ours+"/a"))
		require.NoError(t, dbtest.Err(o.AskOffice(ctx, isad, Seen{Number: waiting.Number}, written("Which line?"))))
		o.mustMerge(t, waiting, late)
		if after, err := o.ReadOwn(ctx, three, late.Number); err != nil || !after.DueAt.Equal(got.DueAt.Time) {
			t.Errorf("due at %v, want %v, %v", after.DueAt, got.DueAt, err)
		}
	})
}

// A question stays about its payment if it's merged. If the other one is about another payment, the thread names it.
func TestMergeKeepsPayments(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		for remittance, number := range map[string]string{"r1": "T1", "r2": "T 2"} {
			require.NoError(t, store.Remittances.Insert(t.Context(), d.Writer, facts.Remittance{FTIN: ours, Remittance: remittance,
				TraceNumber: number, FirstSeenAt: db.At(o.now)}))
		}
		about := func(key string, remittance string) Case {
			return o.ask(t, four, Question{RequestKey: key, Topic: TopicPayment, Body: "?", Remittance: ours + "/" + remittance})
		}
		first, same, other := about("1", "r1"), about("2", "r1"), about("3", "r2")
		into := o.ask(t, three, question("into", ours+"/a"))
		want := []string{first.Number, same.Number, other.Number + " about payment T 2"}
		for i, c := range []Case{first, same, other} {
			o.mustMerge(t, c, into)
			thread, err := o.OpenAtDesk(t.Context(), into.Number)
			if err != nil || thread.TraceNumber != "T1" || thread.Entries[len(thread.Entries)-1].Body != want[i] {
				t.Errorf("%s, %+v, want %q; %v", thread.TraceNumber, thread.Entries, want[i], err)
			}
		}
		require.NoError(t, dbtest.Err(o.happen(t.Context(), eventAnswer, o.get(t, into))))
		assert.Equal(t, "user3 answer, user4 answer", o.post(t))
	})
}

// A call isn't added to a question that was merged or closed while the call waited for it.
func TestCallAboutChangedQuestion(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, o *desk, tx *sql.Tx, c, other Case) error{
		"merged": func(t *testing.T, o *desk, tx *sql.Tx, c, other Case) error {
			_, err := o.changeIn(t.Context(), tx, Seen{Number: c.Number}, eventMerge, anyCase, func(tx *sql.Tx, c *Case) error {
				return o.mergeInto(t.Context(), tx, Case{}, c, other.Number)
			})
			return err
		},
		"withdrawn": func(t *testing.T, o *desk, tx *sql.Tx, c, _ Case) error {
			_, err := o.changeIn(t.Context(), tx, Seen{Number: c.Number}, eventWithdraw, anyCase, func(tx *sql.Tx, c *Case) error {
				return putCase(t.Context(), tx, *c)
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := db.Open(t.Context(), dbtest.MigratedURL(t, "postgres")) // SQLite has one writer
			require.NoError(t, err)
			t.Cleanup(func() { _ = d.Close() })
			o := newDesk(t, d)
			other, c := o.ask(t, three, question("other", ours+"/b")), o.ask(t, three, question("about", ours+"/a"))
			result := make(chan error, 1)
			var l Logged
			err = d.Tx(t.Context(), func(tx *sql.Tx) error {
				if err := change(t, o, tx, c, other); err != nil {
					return err
				}
				go func() {
					var err error
					l, err = o.LogCall(t.Context(), isad, Call{"call", []string{ours + "/a"}, 7})
					result <- err
				}()
				dbtest.AwaitWaiting(t, d)
				return nil
			})
			require.NoError(t, err)
			select {
			case err = <-result:
			case <-time.After(time.Minute):
				t.Fatal("the call isn't stored")
			}
			if err != nil || l.Case.Number == c.Number || name == "merged" != (l.Case.Number == other.Number) {
				t.Errorf("the call is in %+v, %v", l.Case, err)
			}
		})
	}
}

// Staff who lost the role can't merge.
func TestMergeWithoutRole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		o := newDesk(t, d)
		o.addStaff(t)
		identitytest.SetStaffRole(t, d.Writer, clerk.Person.ID, access.NoRole)
		c, into := o.ask(t, three, question("a")), o.ask(t, three, question("b"))
		if _, err := o.Merge(t.Context(), clerk, Seen{c.Number, 1}, into.Number); !problem.Is(err, problem.Forbidden) {
			t.Errorf("%v", err)
		}
	})
}
