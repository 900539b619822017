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
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
)

// showRemittances lists the checks of all TINs in short form: first digit of the TIN, check,
// amount, paid, adjusted, bills, reversals, and whether it balances and one set covers it
// completely.
func showRemittances(t *testing.T, d *db.DB) string {
	t.Helper()
	list, err := store.Remittances.Select(t.Context(), d.Writer, "")
	require.NoError(t, err)
	var lines []string
	for _, r := range list {
		line := fmt.Sprint(r.FTIN[:1], " ", r.TraceNumber, " ")
		switch {
		case r.Amount != nil:
			line += fmt.Sprint(*r.Amount / 100)
		case r.Payees > 1:
			line += "shared"
		default:
			line += "assembled"
		}
		line += fmt.Sprintf(" = %d-%d, %d bills, %d back", r.Paid/100, r.Adjusted/100, r.Bills, r.Reversals)
		if r.Balanced {
			line += ", adds up"
		}
		if r.Length > 0 {
			line += ", as sent"
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// The files of each case can arrive in any order.
func TestRemittancesInEveryOrder(t *testing.T) {
	other := func(p *claimPaid) { p.account, p.number, p.day, p.paid = "A2", "I8", "20260106", 10 }
	back := func(p *claimPaid) { p.status, p.charge, p.paid = "22", -100, -80 }
	elsewhere := func(p *claimPaid) { p.tin, p.account, p.number, p.paid = "222222222", "B1", "I7", 70 }
	with := func(w written, change func(*written)) written { change(&w); return w }
	first, both := paidAt(3, "K1", payment80(nil)), paidAt(4, "K1", payment80(other), payment80(nil))
	for _, test := range []struct {
		name  string
		files [][]written
		want  string
	}{
		{"a check with an adjustment", [][]written{{with(both, func(w *written) { w.adjust = 20 })}},
			"1 K1 70 = 90-20, 2 bills, 0 back, adds up, as sent"},
		{"a superset sent again", [][]written{{first}, {both}}, "1 K1 90 = 90-0, 2 bills, 0 back, adds up, as sent"},
		{"a superset in the same file, of which both tell an adjustment",
			[][]written{{with(first, func(w *written) { w.adjust = 20 }), with(both, func(w *written) { w.adjust = 20 })}},
			"1 K1 70 = 90-20, 2 bills, 0 back, adds up, as sent"},
		{"a check in two parts", [][]written{{first}, {paidAt(4, "K1", payment80(other))}}, "1 K1 90 = 90-0, 2 bills, 0 back, adds up"},
		{"a check in two parts, each with the same adjustment", [][]written{{with(first, func(w *written) { w.adjust = 5 })},
			{with(paidAt(4, "K1", payment80(other)), func(w *written) { w.adjust = 5 })}},
			"1 K1 80 = 90-10, 2 bills, 0 back, adds up"},
		{"a check in two parts of one file, each with the same adjustment", [][]written{{with(first, func(w *written) { w.adjust = 5 }),
			with(paidAt(3, "K1", payment80(other)), func(w *written) { w.adjust = 5 })}},
			"1 K1 80 = 90-10, 2 bills, 0 back, adds up"},
		{"two sets with a payment in common, each with the same adjustment", [][]written{
			{with(both, func(w *written) { w.adjust = 5 })},
			{with(paidAt(5, "K1", payment80(nil), payment80(func(p *claimPaid) {
				p.account, p.number, p.day, p.paid = "A3", "I7", "20260107", 20
			})), func(w *written) { w.adjust, w.amount = 5, "25" })},
		}, "1 K1 110 = 110-5, 3 bills, 0 back"},
		{"an amount that does not add up", [][]written{{with(first, func(w *written) { w.amount = "92" })}},
			"1 K1 92 = 80-0, 1 bills, 0 back, as sent"},
		{"a reversal beside its correction", [][]written{{first}, {paidAt(4, "K2", payment80(back), payment80(func(p *claimPaid) {
			p.paid = 90
		}))}},
			"1 K1 80 = 80-0, 1 bills, 0 back, adds up, as sent; 1 K2 10 = 10-0, 1 bills, 1 back, adds up, as sent"},
		{"a check told anew with other amounts", [][]written{
			{with(first, func(w *written) {
				w.adjust = 5
			})}, {with(paidAt(4, "K1", payment80(func(p *claimPaid) { p.paid = 85 })), func(w *written) { w.adjust = 7 })},
		}, "1 K1 78 = 85-7, 1 bills, 0 back, adds up, as sent"},
		{"equal adjustments of one set, sent again", [][]written{
			{with(first, func(w *written) { w.plb, w.amount = "PLB*1*20261231*WO:X*5*WO:X*5", "70" })},
			{with(paidAt(6, "K1", payment80(nil)), func(w *written) { w.plb, w.amount = "PLB*1*20261231*WO:X*5", "75" })},
		}, "1 K1 70 = 80-10, 1 bills, 0 back, adds up, as sent"},
		{"a check of several payees, with an adjustment for one", [][]written{
			{with(paidAt(3, "K1", payment80(nil), payment80(elsewhere)), func(w *written) {
				w.plb, w.amount = "PLB*222222222*20261231*L6*-2", "152"
			})},
		}, "1 K1 shared = 80-0, 1 bills, 0 back, adds up; 2 K1 shared = 70--2, 1 bills, 0 back, adds up"},
		{"a check of several payees, with an adjustment for nobody", [][]written{
			{with(paidAt(3, "K1", payment80(nil), payment80(elsewhere)), func(w *written) { w.adjust = 3 })},
		}, "1 K1 shared = 80-0, 1 bills, 0 back, adds up; 2 K1 shared = 70-0, 1 bills, 0 back, adds up"},
		{"two patients under one number", [][]written{{paidAt(3, "K1", payment80(nil), payment80(func(p *claimPaid) {
			p.first, p.last = "EVE", "STRANGER"
		}))}},
			"1 K1 160 = 160-0, 2 bills, 0 back, adds up, as sent"},
		{"the same trace on another day", [][]written{{first}, {paidAt(4, "K2", payment80(nil))}, {paidAt(4, "k2", payment80(nil))}},
			"1 K1 80 = 80-0, 1 bills, 0 back, adds up, as sent; 1 K2 80 = 80-0, 1 bills, 0 back, adds up, as sent"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				paths := writeFiles(t, test.files...)
				for _, order := range listOrders(rand.New(rand.NewPCG(1, 1)), paths, 24) {
					for range 2 { // the second run changes nothing
						require.NoError(t, imports(t.Context(), d, order, ingest.Options{Again: true}))
						got := strings.ReplaceAll(showRemittances(t, d), "k2", "K2")
						assert.Equalf(t, test.want, got, "order %v\ngot  %s\n", order, got)
					}
					empty(t, d)
				}
			})
		})
	}
}

// Of two amounts written at the same time, the one in the balanced set counts.
func TestBalanceChoosesAmongRivals(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, right := range []int{80, 85} {
			var files [][]written
			for _, paid := range []int{80, 85} {
				set := paidAt(3, "K1", payment80(func(p *claimPaid) { p.paid = paid }))
				if paid != right {
					set.amount = "1000"
				}
				files = append(files, []written{set})
			}
			for _, order := range listOrders(nil, writeFiles(t, append(files, []written{claimsAt(1, visit(nil))})...), 24) {
				require.NoError(t, imports(t.Context(), d, order, ingest.Options{}))
				if got, want := showBills(t, d), fmt.Sprintf("1 A1 1 0 F %d K1", right); got != want {
					t.Errorf("order %v: got %s, want %s", order, got, want)
				}
				if got, want := showRemittances(t, d), fmt.Sprintf("1 K1 %d = %[1]d-0, 1 bills, 0 back, adds up, as sent", right); got !=
					want {
					t.Errorf("order %v: got %s, want %s", order, got, want)
				}
				empty(t, d)
			}
		}
	})
}

// offices is a directory for one NPI.
type offices []string

func (o offices) ListTINsByNPI(context.Context, db.Queryer, string) ([]string, error) { return o, nil }

// A payment to a payee known only by NPI is placed with the office that a bill or another file
// proves, in any order. Without proof, it isn't placed.
func TestPayeesKnownByNPI(t *testing.T) {
	byNPI := func(w written) written { w.npi = true; return w }
	with := func(w written, change func(*written)) written { change(&w); return w }
	mine, theirs := visit(nil), visit(func(c *claimSent) { c.tin = "222222222" })
	elsewhere := visit(func(c *claimSent) { c.tin, c.account = "222222222", "Z9" })
	unknown := byNPI(paidAt(3, "K1", payment80(nil)))
	for _, test := range []struct {
		name      string
		files     [][]written
		directory offices
		want      string
	}{
		{"nobody has the NPI", [][]written{{unknown}}, nil, "|"},
		{"one office has it", [][]written{{unknown}, {makeVisit("111111111", "Q")}}, nil, "|"},
		{"two have it, one has the bill", [][]written{{unknown}, {claimsAt(1, mine)}, {claimsAt(2, elsewhere)}}, nil,
			"1 A1 80; 2 Z9|1 K1 80"},
		{"two have it and the bill", [][]written{{unknown}, {claimsAt(1, mine)}, {claimsAt(2, theirs)}}, nil, "1 A1; 2 A1|"},
		{"each has a bill of the check", [][]written{
			{byNPI(with(paidAt(3, "K1", payment80(nil), payment80(func(p *claimPaid) {
				p.account, p.number, p.paid = "Z9", "I8", 10
			})), func(w *written) { w.adjust = 5 }))},
			{claimsAt(1, mine)}, {claimsAt(2, elsewhere)},
		}, nil, "1 A1 80; 2 Z9 10|1 K1 shared; 2 K1 shared"},
		{"one has all of the check's bills", [][]written{
			{byNPI(with(paidAt(3, "K1", payment80(nil), payment80(func(p *claimPaid) {
				p.account, p.number, p.paid = "Z9", "I8", 10
			})), func(w *written) { w.adjust = 5 }))},
			{claimsAt(1, mine)}, {claimsAt(2, visit(func(c *claimSent) { c.account = "Z9" }))}, {makeVisit("222222222", "Q")},
		}, nil, "1 A1 80; 1 Z9 10|1 K1 85"},
		{"two have a bill of the account, one of the charge", [][]written{{unknown}, {claimsAt(1, mine)},
			{claimsAt(2, visit(func(c *claimSent) { c.tin, c.charge = "222222222", 300 }))}}, nil, "1 A1 80; 2 A1|1 K1 80"},
		{"another set tells the tax ID, without a bill", [][]written{{unknown}, {paidAt(4, "K1", payment80(nil))},
			{makeVisit("222222222", "Q")}}, nil, "1 A1 I9 80|1 K1 80"},
		{"one has more of the check's bills", [][]written{
			{byNPI(paidAt(3, "K1", payment80(nil), payment80(func(p *claimPaid) { p.account, p.number, p.paid = "Z9", "I8", 10 })))},
			{claimsAt(1, mine)}, {claimsAt(2, theirs, elsewhere)},
		}, nil, "1 A1; 2 A1; 2 Z9 10|2 K1 shared"},
		{"another set tells the tax ID", [][]written{{unknown}, {paidAt(4, "K1", payment80(nil))}, {claimsAt(1, elsewhere)},
			{claimsAt(2, mine)}}, nil, "1 A1 80; 2 Z9|1 K1 80"},
		{"only the directory knows it", [][]written{{unknown}}, offices{"333333333"}, "|"},
		{"the directory knows another office", [][]written{{unknown}, {claimsAt(1, mine)}}, offices{"333333333"}, "1 A1 80|1 K1 80"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				paths := writeFiles(t, test.files...)
				for _, order := range listOrders(nil, paths, 24) {
					l := newLedger(d, time.Now)
					im := ingest.New(ingest.Deps{DB: d, Clock: time.Now}, ingest.Settings{}, l.Feeds()...)
					for i, path := range order {
						if i == len(order)-1 {
							l = New(Deps{Kit: platform.Kit{DB: d, Clock: time.Now}, Directory: test.directory}, Settings{})
							im = ingest.New(ingest.Deps{DB: d, Clock: time.Now}, ingest.Settings{}, l.Feeds()...)
						}
						if report, err := im.Import(t.Context(), "x12", path, ingest.Options{}); err != nil || report.Rejected > 0 {
							t.Fatalf("%v %+v", err, report)
						}
					}
					require.NoError(t, l.RefreshPayeeTINs(t.Context()))
					if got := showPayees(t, d); got != test.want {
						t.Errorf("order %v\ngot  %s\nwant %s", order, got, test.want)
					}
					empty(t, d)
				}
			})
		})
	}
}

// makeVisit is an office's claim for another patient.
func makeVisit(tin, account string) written {
	return claimsAt(1, visit(func(c *claimSent) { c.tin, c.account, c.first, c.last = tin, account, "EVE", "STRANGER" }))
}

// showPayees lists the bills with their amounts, and the checks.
func showPayees(t *testing.T, d *db.DB) string {
	t.Helper()
	bills, err := store.Bills.Select(t.Context(), d.Writer, "")
	require.NoError(t, err)
	checks, err := store.Remittances.Select(t.Context(), d.Writer, "")
	require.NoError(t, err)
	var lines, ofChecks []string
	for _, b := range bills {
		if b.PatientLastName == "STRANGER" {
			continue
		}
		line := b.FTIN[:1] + " " + b.BillControlNumber
		if b.Source == facts.SourcePayment && b.PatientControlNumber != b.BillControlNumber && b.FTIN[:1] == "1" {
			line = b.FTIN[:1] + " " + b.PatientControlNumber + " " + b.BillControlNumber
		}
		if b.PaidAmount != nil {
			line += fmt.Sprint(" ", *b.PaidAmount/100)
		}
		lines = append(lines, line)
	}
	for _, r := range checks {
		what := "shared"
		if r.Amount != nil {
			what = fmt.Sprint(*r.Amount / 100)
		}
		ofChecks = append(ofChecks, fmt.Sprint(r.FTIN[:1], " ", r.TraceNumber, " ", what))
	}
	slices.Sort(lines)
	slices.Sort(ofChecks)
	return strings.Join(lines, "; ") + "|" + strings.Join(ofChecks, "; ")
}

// The report mentions a remittance without a known tax ID.
func TestReportMentionsPaymentsWithoutPayee(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		set := paidAt(3, "K1", payment80(nil), payment80(nil))
		set.npi = true
		report, err := importer(d).Import(t.Context(), "x12", writeFiles(t, []written{set})[0], ingest.Options{})
		if err != nil || report.Concluded["payments with an unknown payee tax ID"] != 2 {
			t.Errorf("%v %+v", err, report)
		}
	})
}

// A check known in outline is removed when a balanced set covers it completely.
func TestBalancedSetReplacesOutlines(t *testing.T) {
	for name, test := range map[string]struct {
		amount, want string
	}{
		"adds up":         {"", "1 A1 1 0 F 80 K1|1 K1 80 = 80-0, 1 bills, 0 back, adds up, as sent"},
		"does not add up": {"200", "1 A1 1 0 F 155 K1|1 K1 200 = 80-0, 1 bills, 0 back, as sent; 1 K1 assembled = 75-0, 1 bills, 0 back"},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				outline := paid(75, "K1", func(_ *facts.Submission, p *facts.Payment) {
					p.Source, p.Payer, p.Reported.PayerName, p.Written = facts.FromEarlier, "steady mutual", "STEADY MUTUAL", ""
					p.PaidDate = "2026-03-03" // as set.segments has it for K1
				}).(facts.Payment)
				outline.Fact = outline.Outline()
				outline.Slot = outline.Fact
				l := newLedger(d, time.Now)
				require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
					w, err := batch.Begin(t.Context(), l.needs, tx, map[string]bool{"111111111": true})
					if err != nil {
						return err
					}
					if _, err := w.ImportRemitted(t.Context(), []facts.Remitted{{Payment: &outline}}); err != nil {
						return err
					}
					return w.DeriveChecksAgain(t.Context(), map[facts.CheckRef]bool{outline.Check(): true})
				}))
				set := paidAt(3, "K1", payment80(nil))
				set.amount = test.amount
				require.NoError(t, imports(t.Context(), d, writeFiles(t, []written{claimsAt(1, visit(nil))}, []written{set}),
					ingest.Options{}))
				assert.Equal(t, test.want, showBills(t, d)+"|"+showRemittances(t, d))
			})
		})
	}
}
