package ledger

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

// showDuplicates lists the checks of all TINs by number and payer, and whether each counts.
func showDuplicates(t *testing.T, d *db.DB) string {
	t.Helper()
	list, err := store.Remittances.Select(t.Context(), d.Writer, "")
	require.NoError(t, err)
	var lines []string
	for _, r := range list {
		lines = append(lines, strings.TrimSpace(fmt.Sprint(r.TraceNumber, " ", r.Payer, " ", r.Duplicate)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// withoutTRN03 is a set as a clearinghouse repeats it.
func withoutTRN03(w written, at int) written {
	w.noTRN03, w.at = true, paidAt(at, w.check).at
	return w
}

// A check that arrives through two channels is counted once, whichever file is first. A possible
// duplicate isn't counted.
func TestTwins(t *testing.T) {
	first := paidAt(3, "K1", payment80(nil))
	other := func(p *claimPaid) { p.account, p.number, p.paid, p.day = "A2", "I8", 10, "20260106" }
	both := paidAt(3, "K1", payment80(nil), payment80(other))
	corrected := paidAt(5, "K1", payment80(func(p *claimPaid) { p.paid = 85 }), payment80(other))
	for _, test := range []struct {
		name         string
		files        [][]written
		bills, twins string
	}{
		{"without TRN03", [][]written{{first}, {withoutTRN03(first, 4)}}, "1 A1 1 0 F 80 K1", "K1 999999999; K1 steady mutual SAME"},
		{"three times", [][]written{{first}, {withoutTRN03(first, 4)}, {func() written {
			w := withoutTRN03(first, 5)
			w.teller = "STEADY"
			return w
		}()}},
			"1 A1 1 0 F 80 K1", "K1 999999999; K1 steady POSSIBLE; K1 steady mutual SAME"},
		{"corrected", [][]written{{both}, {withoutTRN03(both, 4)}, {corrected}, {withoutTRN03(corrected, 6)}},
			"1 A1 1 0 F 85 K1; 1 I8 1 0 F 10 K1", "K1 999999999; K1 steady mutual SAME"},
		{"of another payer's name", [][]written{{first}, {func() written { w := withoutTRN03(first, 4); w.teller = "HAND"; return w }()}},
			"1 A1 1 0 F 80 K1", "K1 999999999; K1 hand POSSIBLE"},
		{"with one claim more", [][]written{{first}, {withoutTRN03(paidAt(3, "K1", payment80(nil), payment80(other)), 4)}},
			"1 A1 1 0 F 80 K1; 1 I8 1 1 U -", "K1 999999999; K1 steady mutual POSSIBLE"},
		{"with a denial more", [][]written{{first}, {withoutTRN03(paidAt(3, "K1", payment80(nil), payment80(func(p *claimPaid) {
			other(p)
			p.paid, p.reason = 0, "50"
		})), 4)}},
			"1 A1 1 0 F 80 K1; 1 I8 1 4 U 0 K1", "K1 999999999; K1 steady mutual SAME"},
		{"with another amount of the claim", [][]written{{first},
			{withoutTRN03(paidAt(3, "K1", payment80(func(p *claimPaid) { p.paid = 85 })), 4)}}, "1 A1 1 0 F 165 K1",
			"K1 999999999; K1 steady mutual"},
		{"of other claims", [][]written{{first}, {withoutTRN03(paidAt(3, "K1", payment80(other)), 4)}},
			"1 A1 1 0 F 80 K1; 1 I8 1 0 F 10 K1", "K1 999999999; K1 steady mutual"},
		{"of no money", [][]written{{paidAt(3, "K1", payment80(func(p *claimPaid) { p.paid, p.reason = 0, "50" }))},
			{withoutTRN03(paidAt(3, "K1", payment80(func(p *claimPaid) { p.paid, p.reason = 0, "50" })), 4)}},
			"1 A1 1 4 D 0 K1", "K1 999999999; K1 steady mutual"},
		{"a number used again for another visit", [][]written{{first},
			{withoutTRN03(paidAt(3, "K1", payment80(func(p *claimPaid) { p.day, p.number = "20260112", "I7" })), 4)}},
			"1 A1 1 0 F 80 K1; 1 I7 1 0 F 80 K1", "K1 999999999; K1 steady mutual"},
		{"with zeros before the number", [][]written{{paidAt(3, "K1", payment80(nil))}, {func() written {
			w := withoutTRN03(first, 4)
			w.zeros = "00"
			return w
		}()}},
			"1 A1 1 0 F 80 K1", "00K1 steady mutual SAME; K1 999999999"},
		{"of another date", [][]written{{first}, {func() written { w := withoutTRN03(first, 4); w.paidOn = "20260307"; return w }()}},
			"1 A1 1 0 F 80 K1", "K1 999999999; K1 steady mutual POSSIBLE"},
		{"of a month later", [][]written{{first}, {func() written { w := withoutTRN03(first, 4); w.paidOn = "20260403"; return w }()}},
			"1 A1 1 0 F 160 K1", "K1 999999999; K1 steady mutual"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				paths := writeFiles(t, append(slices.Clone(test.files), []written{claimsAt(1, visit(nil))})...)
				for _, order := range listOrders(rand.New(rand.NewPCG(1, 1)), paths, 24) {
					for range 2 {
						require.NoError(t, imports(t.Context(), d, order, ingest.Options{Again: true}))
						if got := showBills(t, d); got != test.bills {
							t.Errorf("order %v: bills\ngot  %s\nwant %s", order, got, test.bills)
						}
						if got := showDuplicates(t, d); got != test.twins {
							t.Errorf("order %v: checks\ngot  %s\nwant %s", order, got, test.twins)
						}
					}
					empty(t, d)
				}
			})
		})
	}
}

// Staff decide about a possible duplicate and undo the decision.
func TestTwinsAreDecided(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := newLedger(d, time.Now)
		other := func(p *claimPaid) { p.account, p.number, p.paid, p.day = "A2", "I8", 10, "20260106" }
		set := withoutTRN03(paidAt(3, "K1", payment80(nil), payment80(other)), 4)
		paths := writeFiles(t, []written{claimsAt(1, visit(nil))}, []written{paidAt(3, "K1", payment80(nil))}, []written{set})
		require.NoError(t, imports(t.Context(), d, paths, ingest.Options{}))
		const undecided, asTwo, asSame = "1 A1 1 0 F 80 K1; 1 I8 1 1 U -", "1 A1 1 0 F 160 K1; 1 I8 1 0 F 10 K1",
			"1 A1 1 0 F 80 K1; 1 I8 1 0 F 10 K1"
		shows := func(want string) {
			t.Helper()
			assert.Equal(t, want, showBills(t, d))
		}
		shows(undecided)
		var possible []DuplicatePair
		read := func(tx *sql.Tx) (err error) {
			possible, err = ListPossibleDuplicates(t.Context(), tx, 9)
			return err
		}
		if err := d.Read(t.Context(), read); err != nil || len(possible) != 1 || possible[0].Counts.Payer != "999999999" {
			t.Fatalf("%v %+v", err, possible)
		}
		id := possible[0].Check.Remittance
		for _, same := range []bool{false, true} {
			var made facts.Decision
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) (err error) {
				made, _, err = l.Decide(t.Context(), tx, "111111111", id, same, "isad")
				return err
			}))
			shows(map[bool]string{false: asTwo, true: asSame}[same])
			if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
				_, _, err := l.Decide(t.Context(), tx, "111111111", id, same, "isad")
				return err
			}); err == nil {
				t.Error("decided twice")
			}
			require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
				_, err := l.UndoDecision(t.Context(), tx, made.ID, "isad")
				return err
			}))
			shows(undecided)
		}
	})
}
