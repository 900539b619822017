package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

// contractual explains the codes that start with CO.
type contractual struct{}

func (contractual) CountExplained(_ context.Context, _ *sql.Tx, list []facts.Payment) (codes, explained int64, err error) {
	for _, p := range list {
		words := strings.Fields(p.Detail.Reasons())
		codes += int64(len(words))
		explained += int64(len(slices.DeleteFunc(words, func(w string) bool { return !strings.HasPrefix(w, "CO") })))
	}
	return codes, explained, nil
}

// measuring imports files like the program does.
func measuring(d *db.DB) *ingest.Importer {
	now := func() time.Time { return time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC) }
	l := New(Deps{Kit: platform.Kit{DB: d, Clock: now}, Glossary: contractual{}}, Settings{})
	return ingest.New(ingest.Deps{DB: d, Clock: now}, ingest.Settings{}, l.Feeds()...)
}

// measured returns each measure of all files, as "good of counted".
func measured(t *testing.T, d *db.DB) map[Measure]string {
	t.Helper()
	list, err := measuring(d).MeasuredOn(t.Context(), d.Reader, "2026-04-01")
	require.NoError(t, err)
	got := map[Measure]string{}
	for _, m := range list {
		got[Measure(m.Measure)] = fmt.Sprintf("%d of %d", m.Good, m.Counted)
	}
	return got
}

func take(t *testing.T, d *db.DB, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if report, err := measuring(d).Import(t.Context(), "x12", path, ingest.Options{Again: true}); err != nil || report.Refused != nil ||
			report.Rejected > 0 {
			t.Fatal(err, report)
		}
	}
}

func TestMeasures(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		bill := func(account string, c claimSent) claimSent {
			c.kind, c.tin, c.account, c.frequency, c.charge, c.first, c.last, c.day = "P", "111111111", account, "1", 100, "ADA", "BROOK",
				"20260105"
			return c
		}
		pays := func(account, reason string) claimPaid {
			return claimPaid{tin: "111111111", account: account, status: "1", charge: 100, paid: 80, number: "I" + account, first: "ADA",
				last: "BROOK", day: "20260105", reason: reason}
		}
		paths := writeFiles(t,
			[]written{{claims: []claimSent{
				bill("A", claimSent{claim: "WC1", extra: []string{"DTP*050*D8*20260110"}}), bill("B", claimSent{npi: "1234567890"}),
				bill("C", claimSent{}),
			}, at: "20260201T0800"}},
			[]written{
				{check: "K1", paid: []claimPaid{pays("A", "45"), pays("D", "45")}, at: "20260202T0800"},
				{check: "K2", paid: []claimPaid{pays("B", "Q9")}, amount: "500", at: "20260202T0800"},
			},
			[]written{{claims: []claimSent{bill("D", claimSent{})}, at: "20260203T0800"}},
		)
		for _, step := range []struct {
			file string
			want map[Measure]string
		}{
			{paths[0], map[Measure]string{HasClaimNumber: "1 of 3", HasReceived: "1 of 3", HasLines: "3 of 3", HasValidNPI: "2 of 3"}},
			// Known records aren't counted again. A bill that arrives after its payment doesn't
			// change the measures of the payment's file.
			{paths[0], map[Measure]string{HasClaimNumber: "1 of 3", HasReceived: "1 of 3", HasLines: "3 of 3", HasValidNPI: "2 of 3"}},
			{paths[1], map[Measure]string{FindsBill: "2 of 3", AddsUp: "1 of 2", IsExplained: "3 of 3"}},
			{paths[2], map[Measure]string{HasClaimNumber: "1 of 4", HasReceived: "1 of 4", HasLines: "4 of 4", HasValidNPI: "3 of 4",
				FindsBill: "2 of 3"}},
		} {
			take(t, d, step.file)
			got := measured(t, d)
			for what, want := range step.want {
				assert.Equalf(t, want, got[what], "%s after %s", what, filepath.Base(step.file))
			}
		}
	})
}

// A table has neither lines nor received dates, which doesn't lower its quality.
func TestMeasuresOfATable(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		path := filepath.Join(t.TempDir(), "bills.csv")
		require.NoError(t, os.WriteFile(path,
			[]byte("tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges,claim_number,physician_npi\n"+
				"111111111,B1,Ada,Brook,2026-01-05,100,WC1,\n111111111,B2,Ada,Brook,2026-01-06,100,,1234567893\n"), 0o600))
		if report, err := measuring(d).Import(t.Context(), "bills", path, ingest.Options{}); err != nil || report.Imported != 2 {
			t.Fatal(err, report)
		}
		assert.Equal(t, "map[CLAIM_NUMBER:1 of 2 NPI:1 of 2]", fmt.Sprint(measured(t, d)))
	})
}

// recounted counts the same measures in the tables. For payees known by NPI, it uses the stored
// payee facts.
func recounted(t *testing.T, d *db.DB) map[Measure]string {
	t.Helper()
	sent, err := store.Submissions.Select(t.Context(), d.Reader, "")
	require.NoError(t, err)
	paid, err := store.Payments.Select(t.Context(), d.Reader, "WHERE payee_npi = ''")
	require.NoError(t, err)
	sets, err := store.RemittanceSets.Select(t.Context(), d.Reader, "")
	require.NoError(t, err)
	kept, err := store.PayeeFacts.Select(t.Context(), d.Reader, "")
	require.NoError(t, err)
	all, setsByFact := slices.Clone(paid), map[string]facts.RemittanceSet{}
	for _, s := range sets {
		setsByFact[s.Fact] = s
	}
	for _, f := range kept {
		if f.Body.Payment != nil {
			all = append(all, *f.Body.Payment)
		} else {
			setsByFact[f.Fact] = f.Body.Parts[0].Set
		}
	}
	balanced := 0
	for _, s := range setsByFact {
		if s.IsBalanced() {
			balanced++
		}
	}
	codes, explained, _ := contractual{}.CountExplained(t.Context(), nil, all)
	has := func(is func(facts.Submission) bool) string {
		good := slices.DeleteFunc(slices.Clone(sent), func(s facts.Submission) bool { return !is(s) })
		return fmt.Sprintf("%d of %d", len(good), len(sent))
	}
	return map[Measure]string{
		HasClaimNumber: has(func(s facts.Submission) bool { return s.Reported.ClaimNumber != "" }),
		HasLines:       has(func(s facts.Submission) bool { return len(s.Detail.Lines) > 0 }),
		HasValidNPI:    has(func(s facts.Submission) bool { return hasValidNPI(&s) }),
		AddsUp:         fmt.Sprintf("%d of %d", balanced, len(setsByFact)),
		IsExplained:    fmt.Sprintf("%d of %d", explained, codes),
		FindsBill:      fmt.Sprint(len(paid)),
	}
}

// The measures equal a recount of the tables for any order, distribution and repetition of
// files. Only the number of payments that found their bill depends on the order.
func TestMeasuresAreARecount(t *testing.T) {
	t.Parallel()
	chosen := *seed
	if chosen == 0 {
		chosen = uint64(time.Now().UnixNano())
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for round := range uint64(3) {
			s := chosen + round
			r := rand.New(rand.NewPCG(s, 11))
			sets := inventFiles(r, 12)
			for try := range 3 {
				emptyMeasured(t, d)
				paths := writeFiles(t, cutSets(r, sets, 1+r.IntN(min(5, len(sets))))...)
				take(t, d, append(paths, paths[r.IntN(len(paths))])...)
				got, want := measured(t, d), recounted(t, d)
				_, got[FindsBill], _ = strings.Cut(got[FindsBill], " of ")
				for what := range want {
					if want[what] != "0 of 0" && got[what] != want[what] {
						t.Errorf("seed %d, try %d: %s is %q, recounted %q", s, try, what, got[what], want[what])
					}
				}
			}
		}
	})
	t.Logf("seed %d", chosen)
}

func emptyMeasured(t *testing.T, d *db.DB) {
	t.Helper()
	empty(t, d)
	for _, table := range []string{"feed_measures", "feed_problems", "feed_files"} {
		require.NoError(t, dbtest.Err(d.Writer.ExecContext(t.Context(), "DELETE FROM "+table)))
	}
}
