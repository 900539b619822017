package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

func TestDifferences(t *testing.T) {
	made := facts.Bill{PatientFirstName: "Bob", PatientLastName: "O'Brien", PatientControlNumber: "A1", BeginServiceDate: "2026-01-05",
		BillCharges: 100}
	for want, of := range map[string]func(*facts.Bill){
		"[]":                         func(b *facts.Bill) { b.PatientFirstName, b.PatientLastName = "B", "OBRIEN JR" },
		"[{FIRST_NAME Bob Robert}]":  func(b *facts.Bill) { b.PatientFirstName = "Robert" },
		"[{LAST_NAME O'Brien Hand}]": func(b *facts.Bill) { b.PatientLastName = "Hand" },
		"[{ACCOUNT A1 A2} {DAY 2026-01-05 2026-01-06} {CHARGE 100 90}]": func(b *facts.Bill) {
			b.PatientControlNumber, b.BeginServiceDate, b.BillCharges = "A2", "2026-01-06", 90
		},
	} {
		sent := made
		sent.PatientBirthDate = "1980-01-01" // a payment has none
		of(&sent)
		assert.Equal(t, want, fmt.Sprint(matching.FindDifferences(made, sent)))
	}
}

// showAllBills lists the bills in short form.
func showAllBills(t *testing.T, d *db.DB) string {
	t.Helper()
	list, err := store.Bills.Select(t.Context(), d.Writer, "ORDER BY bill_control_number_key")
	require.NoError(t, err)
	var shown []string
	for _, b := range list {
		shown = append(shown, b.BillControlNumber+" "+b.Source+" "+b.BillStatus)
	}
	return strings.Join(shown, ", ")
}

// Data of other domains about the bill that another one joins is read after its users' changes.
func TestJoinWaitsForChanges(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		var wasSaved bool
		l := New(Deps{Kit: platform.Kit{DB: d, Clock: time.Now}, Keyed: []batch.Keyed{{
			Follow: func(ctx context.Context, tx *sql.Tx, f batch.KeyChanges) error {
				assert.True(t, f.Moves[0].Joins, f)
				return db.Get(ctx, tx, &wasSaved, `
					SELECT count(*) > 0 FROM bills WHERE bill_control_number_key = 'n1' AND first_seen_at = $1`,
					db.At(time.Unix(0, 0)))
			},
		}}}, Settings{})
		all := []fact{sent("1", 100, name("Robert", "O'Brien"), own("N1")), paid(80, "K1", name("Bob", "O'Brien"), icn("I1"))}
		require.NoError(t, takeFile(ctx, l, rand.New(rand.NewPCG(1, 1)), all))
		tin := all[0].(facts.Submission).Reported.FTIN
		wait := dbtest.Interleave(t, d, func(ctx context.Context, tx *sql.Tx) {
			assert.NoError(t, dbtest.Err(store.FindNumber(ctx, tx, tin, "n1", d.Dialect.ForUpdate)))
			assert.NoError(t, dbtest.Err(db.Exec(ctx, tx, `UPDATE bills SET first_seen_at = $1 WHERE bill_control_number_key = 'n1'`,
				db.At(time.Unix(0, 0)))))
		})
		require.NoError(t, d.Tx(ctx, func(tx *sql.Tx) error {
			_, err := l.Join(ctx, tx, tin, "i1", "n1", "casey")
			return err
		}))
		wait()
		assert.True(t, wasSaved)
	})
}

// A payment with another claimant name is matched to its bill, and the match is undone. Anything
// else is rejected.
func TestJoin(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, now := t.Context(), time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
		l := newLedger(d, func() time.Time { return now })
		all := []fact{
			sent("1", 100, name("Robert", "O'Brien"), own("N1")), paid(80, "K1", name("Bob", "O'Brien"), icn("I1")),
			sent("1", 100, name("Robert", "O'Brien"), own("N2"), account("A9"), on("2026-02-07")),
			paid(70, "K2", name("Zoe", "Hand"), icn("I2"), account("A8")),
		}
		require.NoError(t, takeFile(ctx, l, rand.New(rand.NewPCG(1, 1)), all))
		const apart = "I1 payment 0, I2 payment 0, N1 bill 1, N2 bill 1"
		require.Equal(t, apart, showAllBills(t, d))
		tin := all[0].(facts.Submission).Reported.FTIN
		join := func(made, sent string) (j facts.Join, err error) {
			err = d.Tx(ctx, func(tx *sql.Tx) error {
				j, err = l.Join(ctx, tx, tin, made, sent, "casey")
				return err
			})
			return j, err
		}
		for _, test := range []struct {
			made, sent string
			want       error
		}{
			{"n2", "n1", batch.ErrNotUnmatched}, {"i1", "i2", batch.ErrNotSent}, {"i1", "gone", db.ErrNotFound},
			{"gone", "n1", batch.ErrNotUnmatched},
			{"i2", "n2", batch.ErrDiffersMore},
		} {
			assert.ErrorIsf(t, dbtest.Err(join(test.made, test.sent)), test.want, "%s to %s", test.made, test.sent)
		}
		unmatched := func() string {
			list, err := store.ListUnmatched(ctx, d.Reader, store.Unmatched{Paid: 1 << 40}, false, 9)
			require.NoError(t, err)
			var numbers []string
			for _, b := range list {
				numbers = append(numbers, b.BillControlNumber)
			}
			return strings.Join(numbers, " ")
		}
		made, err := store.SelectByNumbers(ctx, d.Reader, tin, []string{"i1"})
		if err != nil || len(made) != 1 || unmatched() != "I1 I2" {
			t.Fatal(made, err, unmatched())
		}
		if found, err := store.FindCandidates(ctx, d.Reader, made[0], 7); err != nil || len(found) != 1 ||
			found[0].BillControlNumber != "N1" {
			t.Errorf("%+v %v", found, err)
		}
		before := dump(t, d)
		now = now.Add(time.Hour)
		j, err := join("i1", "n1")
		if err != nil || j.Difference != matching.DiffersFirstName || showAllBills(t, d) != "I2 payment 0, N1 bill 0, N2 bill 1" ||
			unmatched() != "I2" {
			t.Fatal(j, err, showAllBills(t, d))
		}
		assert.Empty(t, showUnplaced(t, d))
		now = now.Add(time.Hour)
		undo := func(payment string) error {
			return d.Tx(ctx, func(tx *sql.Tx) error { return dbtest.Err(l.Undo(ctx, tx, tin, payment, "sam")) })
		}
		if err := undo(j.Payment); err != nil || showAllBills(t, d) != apart || dump(t, d) != before {
			t.Errorf("%v %s\n%s", err, showAllBills(t, d), difference(before, dump(t, d)))
		}
		again, err := store.SelectByNumbers(ctx, d.Reader, tin, []string{"i1"})
		if err != nil || len(again) != 1 || again[0].FirstSeenAt != made[0].FirstSeenAt {
			t.Errorf("%+v %v", again, err)
		}
		assert.ErrorIs(t, undo(j.Payment), batch.ErrNoJoin)
		if list, err := store.ListJoins(ctx, d.Reader, 9); err != nil || len(list) != 1 || list[0].By != "casey" ||
			list[0].UndoneBy != "sam" {
			t.Errorf("%+v %v", list, err)
		}
		// A dismissed payment isn't listed until the dismissal is undone.
		if err := d.Tx(ctx, func(tx *sql.Tx) error { return dbtest.Err(l.Dismiss(ctx, tx, tin, "i1", "casey")) }); err != nil ||
			unmatched() != "I2" {
			t.Error(err, unmatched())
		}
		if err := undo(made[0].Fact); err != nil || unmatched() != "I1 I2" || showAllBills(t, d) != apart {
			t.Error(err, unmatched())
		}
	})
}

// Joins and files in any order give the same bills. Undone joins change nothing.
func TestJoinsAndUndo(t *testing.T) {
	t.Parallel()
	chosen := *seed
	if chosen == 0 {
		chosen = uint64(time.Now().UnixNano())
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		joinedSome := false
		l := newLedger(d, func() time.Time { return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC) })
		const together = 10
		// Some seeds lack a payment that a join can move. Then more seeds follow.
		enough := (*rounds + 1) / 4
		for from := 0; from < enough || !joinedSome && from < 20*enough; from += together {
			s := chosen + uint64(from)
			r := rand.New(rand.NewPCG(s, 11))
			var all []fact
			for n := range together {
				all = append(all, inventFacts(r, from+n)...)
			}
			empty(t, d)
			clearJoins(t, d)
			take := func() {
				files := cut(r, all, 1+r.IntN(4))
				r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
				for _, file := range files {
					require.NoErrorf(t, takeFile(ctx, l, r, file), "seed %d", s)
				}
			}
			take()
			before := dump(t, d)

			// Matches any payment with a bill of its own to any bill of its TIN, which is more
			// than staff can do.
			list, err := store.Bills.Select(ctx, d.Writer, "ORDER BY ftin, bill_control_number_key")
			require.NoError(t, err)
			var made []facts.Join
			for _, b := range list {
				candidates := slices.DeleteFunc(slices.Clone(list), func(o facts.Bill) bool {
					return o.FTIN != b.FTIN || o.Source != facts.SourceBill
				})
				if b.Source != facts.SourcePayment || len(candidates) == 0 || r.IntN(3) == 0 {
					continue
				}
				made = append(made, facts.Join{FTIN: b.FTIN, Payment: b.Fact, Submission: candidates[r.IntN(len(candidates))].Fact,
					MadeAt: b.FirstSeenAt, At: db.At(l.needs.Now())})
			}
			r.Shuffle(len(made), func(i, j int) { made[i], made[j] = made[j], made[i] })
			for _, j := range made {
				require.NoErrorf(t, l.joinAnyhow(ctx, j), "seed %d", s)
			}
			joined := dump(t, d)
			joinedSome = joinedSome || joined != before
			for _, lost := range []string{showExplained(t, d), showUnplaced(t, d)} {
				require.Emptyf(t, lost, "seed %d, joined", s)
			}
			empty(t, d) // the joins remain and precede the files
			take()
			if got := dump(t, d); got != joined {
				t.Fatalf("seed %d: the order of joins and files changed what came of them\n%s", s, difference(joined, got))
			}
			r.Shuffle(len(made), func(i, j int) { made[i], made[j] = made[j], made[i] })
			for _, j := range made {
				if err := d.Tx(ctx, func(tx *sql.Tx) error { return dbtest.Err(l.Undo(ctx, tx, j.FTIN, j.Payment, "")) }); err != nil {
					t.Fatalf("seed %d: %v", s, err)
				}
			}
			if got := dump(t, d); got != before {
				t.Fatalf("seed %d: what is undone left\n%s", s, difference(before, got))
			}
			for _, lost := range []string{showExplained(t, d), showUnplaced(t, d)} {
				require.Emptyf(t, lost, "seed %d, undone", s)
			}
		}
		assert.True(t, joinedSome, "no join changed anything")
	})
	t.Logf("seed %d", chosen)
}

func clearJoins(t *testing.T, d *db.DB) {
	t.Helper()
	require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), "DELETE FROM payment_joins")))
}

// joinAnyhow also stores joins that staff can't make.
func (l *Ledger) joinAnyhow(ctx context.Context, j facts.Join) error {
	return l.needs.DB.Tx(ctx, func(tx *sql.Tx) error {
		w, err := batch.Begin(ctx, l.needs, tx, map[string]bool{j.FTIN: true})
		if err != nil {
			return err
		}
		if err := w.AddJoin(ctx, &j); err != nil {
			return err
		}
		return w.DeriveJoined(ctx, j)
	})
}
