package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

var (
	rounds = flag.Int("families", 200, "how many random families are taken in every order")
	seed   = flag.Uint64("seed", 0, "of the random families; 0 chooses one")
)

// fact is one fact as reported by a file.
type fact any

// newLedger creates a ledger without the parts that other domains provide.
func newLedger(d *db.DB, now func() time.Time) *Ledger {
	return New(Deps{Kit: platform.Kit{DB: d, Clock: now}}, Settings{})
}

// inventFacts makes the facts of a random bill group: submissions by offices, pricing by the
// network and payments by payers, in every combination seen in practice.
func inventFacts(r *rand.Rand, n int) []fact {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	chance := func(percent int) bool { return r.IntN(100) < percent }
	var all []fact
	tins := []string{"111111111"}
	if chance(10) {
		tins = append(tins, "222222222") // the same numbers under a second TIN
	}
	for _, tin := range tins {
		accountNumber := fmt.Sprintf("AC%d", n/2) // two groups may share an account
		in := func(s *facts.Submission, p *facts.Payment) { getReported(s, p).FTIN = tin }
		first, last := pick("Robert", "ROB", "R"), pick("O'Brien", "OBRIEN", "O'BRIEN JR")
		if chance(15) {
			first = "Bea"
		}
		day := date.New(2026, 1, 1+n%20)
		common := func(more ...option) []option {
			return append([]option{in, account(accountNumber), name(first, last), on(day), at(1 + r.IntN(9))}, more...)
		}
		network := fmt.Sprintf("N%d", n)
		charge := int64(100 + r.IntN(3)*50)
		add := func(f fact) { all = append(all, f) }
		original := pick("1", "1", "1", "2", "5")
		if chance(90) {
			add(sent(original, charge, common()...))
		}
		if chance(70) {
			add(sent(original, charge, common(own(network), priced(80))...))
		}
		if chance(20) {
			add(sent(original, charge, common(clearing(pick("D1", "D2")+network))...))
		}
		if chance(30) {
			more := []option{ref(pick(network, "I"+network, accountNumber, "nothing"))}
			if chance(40) {
				more = append(more, own(network+"R"), priced(110))
			}
			add(sent(pick("7", "8", "7", "Q"), charge+30, common(more...)...))
		}
		if chance(15) {
			add(sent("7", charge+40, common()...))
		}
		payments := r.IntN(5)
		var lastPaid *facts.Payment
		for range payments {
			check := "K" + fmt.Sprint(1+r.IntN(6))
			more := []option{charged(charge), icn(pick("I"+network, "I"+network, "J"+network, "", "I")), at(1 + r.IntN(9))}
			if chance(20) {
				more = append(more, own(network))
			}
			if chance(10) {
				more = append(more, on(""))
			}
			if chance(10) {
				more = append(more, charged(charge+30))
			}
			amount := int64([]int{80, 40, 90, 0, -80, -40, -30}[r.IntN(7)])
			if amount == 0 {
				more = append(more, status(pick("1", "4", "2", "22", "23")), reason("CO", pick("50", "18", "23")))
			} else {
				more = append(more, reason("CO", pick("45", "97", "129")))
			}
			p := paid(amount, check, common(more...)...).(facts.Payment)
			if lastPaid != nil && lastPaid.Slot == p.Slot && chance(50) {
				p.ToldWith = []string{lastPaid.Fact}
			}
			lastPaid = &p
			add(p)
			if chance(10) {
				again := p
				again.Occurrence = 2
				add(again)
			}
		}
	}
	return all
}

// cut divides facts into files and repeats some of them.
func cut(r *rand.Rand, all []fact, files int) [][]fact {
	list := make([][]fact, files)
	for _, f := range all {
		i := r.IntN(files)
		list[i] = append(list[i], f)
		if r.IntN(5) == 0 { // repeated
			i = r.IntN(files)
			list[i] = append(list[i], f)
		}
	}
	return list
}

// remitted wraps payments as records.
func remitted(list ...facts.Payment) []facts.Remitted {
	rows := make([]facts.Remitted, len(list))
	for i := range list {
		rows[i].Payment = &list[i]
	}
	return rows
}

func takeFile(ctx context.Context, l *Ledger, r *rand.Rand, file []fact) error {
	for len(file) > 0 {
		n := 1 + r.IntN(len(file))
		batch := file[:n]
		file = file[n:]
		var sent []facts.Submission
		var paid []facts.Payment
		for _, f := range batch {
			switch f := f.(type) {
			case facts.Submission:
				sent = append(sent, f)
			case facts.Payment:
				paid = append(paid, f)
			}
		}
		if err := l.needs.DB.Tx(ctx, func(tx *sql.Tx) error {
			_, err := l.ImportSubmissions(ctx, tx, sent)
			return err
		}); err != nil {
			return err
		}
		if err := l.needs.DB.Tx(ctx, func(tx *sql.Tx) error {
			_, err := l.ImportRemitted(ctx, tx, remitted(paid...))
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// dump returns everything that must not depend on the order.
func dump(t *testing.T, d *db.DB) string {
	t.Helper()
	var out strings.Builder
	write := func(kind string, rows []string) {
		slices.Sort(rows)
		for _, row := range rows {
			fmt.Fprintln(&out, kind, row)
		}
	}
	write("bill", dumpRows(t, d, store.Bills, func(b *facts.Bill) { b.FirstSeenAt = db.Instant{} }))
	write("submission", dumpRows(t, d, store.Submissions, nil))
	write("payment", dumpRows(t, d, store.Payments, nil))
	write("set", dumpRows(t, d, store.RemittanceSets, nil))
	write("adjustment", dumpRows(t, d, store.AdjustmentRows, nil))
	write("remittance", dumpRows(t, d, store.Remittances, func(r *facts.Remittance) { r.FirstSeenAt = db.Instant{} }))
	write("of payee", dumpRows(t, d, store.PayeeFacts, nil))
	return out.String()
}

// dumpRows returns the rows of a table as JSON, without what clear removes.
func dumpRows[T any](t *testing.T, d *db.DB, table *db.Table[T], clear func(*T)) []string {
	t.Helper()
	list, err := table.Select(t.Context(), d.Writer, "")
	require.NoError(t, err)
	rows := make([]string, len(list))
	for i := range list {
		if clear != nil {
			clear(&list[i])
		}
		text, err := json.Marshal(list[i])
		require.NoError(t, err)
		rows[i] = string(text)
	}
	return rows
}

func empty(t *testing.T, d *db.DB) {
	t.Helper()
	for _, table := range []string{"bills", "submissions", "payments", "bill_links", "bill_numbers", "bill_changes", "crowded_links",
		"feed_runs",
		"remittance_sets", "adjustments", "remittances", "payee_tins", "payee_facts", "payee_links", "payee_todo", "check_decisions"} {
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), "DELETE FROM "+table)))
	}
}

// Every order of files, repeated and concurrent, gives the same facts and the same bills.
func TestOrderChangesNothing(t *testing.T) {
	t.Parallel()
	chosen := *seed
	if chosen == 0 {
		chosen = uint64(time.Now().UnixNano())
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(d, func() time.Time { return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC) })
		const together = 10
		// X12 files bring as many; these arrive fact by fact.
		for from := 0; from < (*rounds+1)/2; from += together {
			s := chosen + uint64(from)
			r := rand.New(rand.NewPCG(s, 7))
			var all []fact
			for n := range together {
				all = append(all, inventFacts(r, from+n)...)
			}
			want := ""
			for try := range 4 {
				empty(t, d)
				files := cut(r, all, 1+r.IntN(6))
				r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
				if try > 0 {
					files = append(files, files[r.IntN(len(files))])
				}
				if try < 3 {
					for _, file := range files {
						require.NoErrorf(t, takeFile(t.Context(), l, r, file), "seed %d", s)
					}
				} else {
					sideBySide(t, l, files, s)
				}
				got := dump(t, d)
				if want == "" {
					want = got
				}
				if got != want {
					t.Fatalf("seed %d, try %d: the order changed what came of it\n%s", s, try, difference(want, got))
				}
				require.Emptyf(t, showExplained(t, d), "seed %d, try %d", s, try)
				require.Emptyf(t, showUnplaced(t, d), "seed %d, try %d", s, try)
			}
		}
	})
	t.Logf("seed %d", chosen)
}

func sideBySide(t *testing.T, l *Ledger, files [][]fact, s uint64) {
	t.Helper()
	var workers sync.WaitGroup
	failed := make(chan error, len(files))
	for i, file := range files {
		workers.Go(func() {
			failed <- takeFile(context.WithoutCancel(t.Context()), l, rand.New(rand.NewPCG(s, uint64(i))), file)
		})
	}
	workers.Wait()
	close(failed)
	for err := range failed {
		require.NoErrorf(t, err, "seed %d, side by side", s)
	}
}

// difference returns the lines that are only in one of two texts.
func difference(a, b string) string {
	in := func(s string) map[string]bool {
		set := map[string]bool{}
		for line := range strings.Lines(s) {
			set[line] = true
		}
		return set
	}
	x, y := in(a), in(b)
	var out []string
	for _, line := range slices.Sorted(maps.Keys(x)) {
		if !y[line] {
			out = append(out, "- "+line)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(y)) {
		if !x[line] {
			out = append(out, "+ "+line)
		}
	}
	return strings.Join(out, "")
}

// showUnplaced lists facts without the bill that they are placed in, and bills with a last change
// that differs from the state they show.
func showUnplaced(t *testing.T, d *db.DB) string {
	t.Helper()
	var rows []struct{ Number, Shown, Last string }
	require.NoError(t, db.Select(t.Context(), d.Writer, &rows, `
		SELECT b.bill_control_number AS number, b.bill_status AS shown, coalesce((SELECT c.bill_status FROM bill_changes c
			WHERE c.ftin = b.ftin AND c.bill_control_number_key = b.bill_control_number_key ORDER BY c.id DESC LIMIT 1), '') AS last
		FROM bills b`))
	for _, r := range rows {
		if r.Shown != r.Last {
			return fmt.Sprintf("bill %s shows %s, its last change %q", r.Number, r.Shown, r.Last)
		}
	}
	var lost []string
	require.NoError(t, db.Select(t.Context(), d.Writer, &lost, `
		SELECT s.fact FROM submissions s WHERE NOT EXISTS (SELECT 1 FROM bills b
			WHERE b.ftin = s.ftin AND b.bill_control_number_key = s.bill_control_number_key)
		UNION SELECT p.fact FROM payments p WHERE p.bill_control_number_key <> '' AND NOT EXISTS (SELECT 1 FROM bills b
			WHERE b.ftin = p.ftin AND b.bill_control_number_key = p.bill_control_number_key)`))
	if len(lost) > 0 {
		return fmt.Sprintf("facts without their bill: %v", lost)
	}
	return ""
}

func TestImportingAgainChangesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(d, time.Now)
		all := []facts.Submission{sent("1", 100).(facts.Submission), sent("1", 100, priced(90), own("N1"), at(2)).(facts.Submission)}
		for round, want := range []string{"[taken taken]", "[unchanged unchanged]"} {
			var out []ingest.Outcome
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) (err error) {
				out, err = l.ImportSubmissions(t.Context(), tx, all)
				return err
			}))
			assert.Equalf(t, want, fmt.Sprint(out), "round %d", round)
		}
	})
}

// Two files written at the same time can give different values for a fact. The same one counts
// in either order. The repricer's own received date counts over the file's.
func TestArrivalOrderOfValues(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(d, time.Now)
		words := func(state, physician string, on date.Date, basis string) (facts.Submission, facts.Payment) {
			s := sent("1", 100, func(s *facts.Submission, _ *facts.Payment) {
				s.Reported.StateOfJurisdiction, s.Reported.ReceivedOn, s.Reported.ReceivedBasis = state, on, basis
			}).(facts.Submission)
			return s, paid(80, "K1", func(_ *facts.Submission,
				p *facts.Payment) {
				p.Reported.PhysicianLastName = physician
			}).(facts.Payment)
		}
		s, p := words("PA", "Hand", "2026-02-01", facts.ReceivedWithFile)
		again, paidAgain := words("OH", "Foot", "2026-02-03", facts.ReceivedByRepricer)
		want := ""
		for _, order := range [][]fact{{s, p, again, paidAgain}, {again, paidAgain, s, p}} {
			empty(t, d)
			for _, f := range order {
				require.NoError(t, takeFile(t.Context(), l, rand.New(rand.NewPCG(1, 1)), []fact{f}))
			}
			got := dump(t, d)
			if want == "" {
				want = got
			}
			if got != want || !strings.Contains(got, `"ReceivedOn":"2026-02-03"`) {
				t.Errorf("the order chose\n%s", difference(want, got))
			}
		}
	})
}
