package ledger

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/migrations"
)

// visit is a $100 claim for Ada Brook on one day, modified by change.
func visit(change func(*claimSent)) claimSent {
	c := claimSent{kind: "P", tin: "111111111", account: "A1", frequency: "1", charge: 100, first: "ADA", last: "BROOK", day: "20260105"}
	if change != nil {
		change(&c)
	}
	return c
}

// payment80 is its payment of $80.
func payment80(change func(*claimPaid)) claimPaid {
	p := claimPaid{tin: "111111111", account: "A1", status: "1", charge: 100, paid: 80, number: "I9", first: "ADA", last: "BROOK",
		day: "20260105"}
	if change != nil {
		change(&p)
	}
	return p
}

// hour returns a time at which a set was written.
func hour(n int) string { return fmt.Sprintf("202602%02dT0800", n) }

func claimsAt(n int, list ...claimSent) written { return written{claims: list, at: hour(n)} }

func paidAt(n int, check string, list ...claimPaid) written {
	return written{check: check, paid: list, at: hour(n)}
}

// showBills lists the bills of all TINs in short form: first digit of the TIN, number,
// frequency, status, open state, paid amount, check.
func showBills(t *testing.T, d *db.DB) string {
	t.Helper()
	list, err := store.Bills.Select(t.Context(), d.Writer, "")
	require.NoError(t, err)
	var lines []string
	for _, b := range list {
		paid := "-"
		if b.PaidAmount != nil {
			paid = fmt.Sprint(*b.PaidAmount / 100)
		}
		number, suffixed, _ := strings.Cut(b.BillControlNumber, "-")
		if suffixed != "" {
			number += "-"
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprint(b.FTIN[:1], " ", number, " ", b.FrequencyCode, " ", b.BillStatus, " ",
			b.OpenState, " ", paid, " ", b.CheckNumber)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// The files of each case can arrive in any order.
func TestFilesInEveryOrderShow(t *testing.T) {
	correction := func(frequency, reference, own string) claimSent {
		return visit(func(c *claimSent) { c.frequency, c.reference, c.own, c.charge = frequency, reference, own, 130 })
	}
	back := func(p *claimPaid) { p.status, p.charge, p.paid = "22", -100, -80 }
	changed := func(p *claimPaid) { p.paid = 90 }
	other := func(p *claimPaid) { p.account, p.number, p.day, p.paid = "A2", "I8", "20260106", 10 }
	last := func(p *claimPaid) { p.account, p.number, p.day, p.paid = "A3", "I7", "20260107", 7 }
	answers := func(paid, patient int, reason string) func(*claimPaid) {
		return func(p *claimPaid) { p.paid, p.patient, p.reason = paid, patient, reason }
	}
	takesBack := func(paid, patient int, reason string) func(*claimPaid) {
		return func(p *claimPaid) {
			p.status, p.charge, p.paid, p.patient, p.reason = "22", -100, -paid, -patient, reason
		}
	}
	plain, priced := visit(nil), visit(func(c *claimSent) { c.allowance = 100 })
	cases := []struct {
		name  string
		files [][]written
		want  string
	}{
		{"an 835 sent again in another order pays once", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(nil), payment80(other))}, {paidAt(4, "K1", payment80(other), payment80(nil))},
		}, "1 A1 1 0 F 80 K1; 1 I8 1 0 F 10 K1"},
		{"a superset of an 835 pays once", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(nil))}, {paidAt(4, "K1", payment80(last), payment80(other), payment80(nil))},
		}, "1 A1 1 0 F 80 K1; 1 I7 1 0 F 7 K1; 1 I8 1 0 F 10 K1"},
		{"equals in one set are two payments, also when it is sent again", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(nil), payment80(nil))}, {paidAt(4, "K1", payment80(nil))},
			{paidAt(5, "K1", payment80(nil), payment80(other), payment80(nil))},
		}, "1 A1 1 0 F 160 K1; 1 I8 1 0 F 10 K1"},
		{"two amounts of one set stand beside each other, also when one is sent again", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(func(p *claimPaid) { p.paid = 50 }))},
			{paidAt(4, "K1", payment80(func(p *claimPaid) { p.paid = 30 }), payment80(func(p *claimPaid) { p.paid = 50 }))},
			{paidAt(5, "K1", payment80(func(p *claimPaid) { p.paid = 30 }))},
		}, "1 A1 1 0 F 80 K1"},
		{"an amount that is corrected under the same numbers counts as written last", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(func(p *claimPaid) { p.paid = 85 }))}, {paidAt(4, "K1", payment80(nil))},
		}, "1 A1 1 0 F 80 K1"},
		{"reversal and correction in two sets of one check", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(nil))}, {paidAt(4, "K2", payment80(back))},
			{paidAt(4, "K2", payment80(changed))},
		}, "1 A1 1 3 F 90 K2"},
		{"reversal and correction in the check that paid", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(nil), payment80(back))}, {paidAt(3, "K1", payment80(changed), payment80(nil))},
		}, "1 A1 1 3 F 90 K1"},
		{"reversal and the same amount without a deductible in one check", [][]written{
			{claimsAt(1, priced)}, {paidAt(3, "K1", payment80(answers(80, 20, "")))},
			{paidAt(4, "K2", payment80(takesBack(80, 20, "")), payment80(nil))},
		}, "1 A1 1 3 S 80 K2"},
		{"a deductible reversed and denied in one check", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(answers(0, 80, "")))},
			{paidAt(4, "K2", payment80(takesBack(0, 80, "")), payment80(answers(0, 0, "197")))},
		}, "1 A1 1 4 D 0 K2"},
		{"a denial reversed for a deductible in one check", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(answers(0, 0, "50")))},
			{paidAt(4, "K2", payment80(takesBack(0, 0, "50")), payment80(answers(0, 80, "")))},
		}, "1 A1 1 0 F 0 K2"},
		{"a denial reversed and denied for another reason in one check", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(answers(0, 0, "16")))},
			{paidAt(4, "K2", payment80(takesBack(0, 0, "16")), payment80(answers(0, 0, "197")))},
		}, "1 A1 1 4 D 0 K2"},
		{"a reversal of an unknown payment, then paid", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K2", payment80(takesBack(80, 0, "")))}, {paidAt(4, "K3", payment80(nil))},
		}, "1 A1 1 3 F 80 K3"},
		{"a reversal of an unknown payment in the check that pays the same again", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K2", payment80(takesBack(80, 0, "")), payment80(nil))},
		}, "1 A1 1 3 F 80 K2"},
		{"a reversal of an unknown denial, then denied", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K2", payment80(takesBack(0, 0, "16")))},
			{paidAt(4, "K3", payment80(answers(0, 0, "197")))},
		}, "1 A1 1 4 D 0 K3"},
		{"one reversal of two payments, paid again in its check", [][]written{
			{claimsAt(1, priced)}, {paidAt(3, "K1", payment80(answers(60, 0, ""))), paidAt(3, "K2", payment80(answers(40, 0, "")))},
			{paidAt(4, "K3", payment80(takesBack(100, 0, "")), payment80(changed))},
		}, "1 A1 1 3 S 90 K3"},
		{"two reversals of one payment, paid again in their check", [][]written{
			{claimsAt(1, priced)}, {paidAt(3, "K1", payment80(answers(100, 0, "")))},
			{paidAt(4, "K2", payment80(takesBack(60, 0, "")), payment80(takesBack(40, 0, "")), payment80(changed))},
		}, "1 A1 1 3 S 90 K2"},
		{"a replacement by the payer's number", [][]written{
			{claimsAt(1, plain)}, {claimsAt(2, correction("7", "I9", ""))}, {paidAt(3, "K1", payment80(nil))},
		}, "1 A1 7 0 F 80 K1"},
		{"a replacement by the payer's number with a number of its own", [][]written{
			{claimsAt(1, plain)}, {claimsAt(2, correction("7", "I9", "N2"))}, {paidAt(3, "K1", payment80(nil))},
		}, "1 A1 1 9 V 80 K1; 1 N2 7 1 N -"},
		{"a void by the payer's number", [][]written{
			{claimsAt(1, plain)}, {claimsAt(2, correction("8", "I9", ""))}, {paidAt(3, "K1", payment80(nil))},
		}, "1 A1 8 9 V 80 K1"},
		{"a replacement by the network's number", [][]written{
			{claimsAt(1, visit(func(c *claimSent) { c.own, c.allowance = "N1", 90 }))}, {claimsAt(2, correction("7", "N1", ""))},
		}, "1 N1 7 1 N -"},
		{"a cut account number connects a correction only until its own bill arrives", [][]written{
			{claimsAt(1, visit(func(c *claimSent) { c.account = "ACCT-0003" }))},
			{claimsAt(2, visit(func(c *claimSent) { c.account, c.frequency, c.reference, c.charge = "I9", "7", "I9", 130 }))},
			{paidAt(3, "K1", payment80(func(p *claimPaid) { p.account = "ACCT-000" }))},
			{claimsAt(4, visit(func(c *claimSent) { c.account = "ACCT-000" }))},
		}, "1 ACCT- 1 1 N -; 1 ACCT- 7 0 F 80 K1"},
		{"a resent original does not undo a void", [][]written{
			{claimsAt(1, visit(func(c *claimSent) { c.own = "N1" }))}, {claimsAt(2, correction("8", "N1", ""))},
			{claimsAt(5, visit(func(c *claimSent) { c.own, c.document = "N1", "D7" }))},
		}, "1 N1 8 9 V -"},
		{"paid, then refused as a duplicate", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(nil))},
			{paidAt(4, "K2", payment80(func(p *claimPaid) { p.status, p.paid, p.reason = "4", 0, "18" }))},
		}, "1 A1 1 0 F 80 K1"},
		{"refused, then paid", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(func(p *claimPaid) { p.paid, p.reason = 0, "50" }))},
			{paidAt(4, "K2", payment80(nil))},
		}, "1 A1 1 0 F 80 K2"},
		{"two bills of one account, patient and day", [][]written{
			{claimsAt(1, plain)}, {claimsAt(2, visit(func(c *claimSent) { c.charge = 300 }))},
			{paidAt(3, "K1", payment80(func(p *claimPaid) { p.charge = 300 }))},
		}, "1 A1 1 1 N -; 1 A1- 1 0 F 80 K1"},
		{"several payees in one set", [][]written{
			{claimsAt(1, plain, visit(func(c *claimSent) { c.tin = "222222222" }))},
			{paidAt(3, "K1", payment80(nil), payment80(func(p *claimPaid) {
				p.tin, p.paid = "222222222", 70
			}), payment80(func(p *claimPaid) { p.tin, p.paid, p.account, p.number = "333333333", 60, "Z", "Z1" }))},
		}, "1 A1 1 0 F 80 K1; 2 A1 1 0 F 70 K1; 3 Z1 1 0 F 60 K1"},
		{"an original that names the payer's number, which is another bill's account", [][]written{
			{claimsAt(1, visit(func(c *claimSent) { c.account = "I9" }))},
			{claimsAt(2, visit(func(c *claimSent) { c.reference = "I9" }))}, {paidAt(3, "K1", payment80(nil))},
			{claimsAt(4, visit(func(c *claimSent) { c.own = "N1" }))},
		}, "1 I9 1 1 N -; 1 N1 1 0 F 80 K1"},
		{"names spelt two ways", [][]written{
			{claimsAt(1, visit(func(c *claimSent) { c.first, c.last = "ROBERT", "O'BRIEN" }))},
			{paidAt(3, "K1", payment80(func(p *claimPaid) { p.first, p.last = "ROB", "OBRIEN JR" }))},
		}, "1 A1 1 0 F 80 K1"},
		{"a refund that only the provider's adjustments tell", [][]written{
			{claimsAt(1, plain)}, {paidAt(3, "K1", payment80(nil))},
			{{check: "K2", at: hour(4), adjust: 80, paid: []claimPaid{payment80(other)}}},
		}, "1 A1 1 0 F 80 K1; 1 I8 1 0 F 10 K2"},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, test := range cases {
			t.Run(test.name, func(t *testing.T) {
				paths := writeFiles(t, test.files...)
				for _, order := range listOrders(rand.New(rand.NewPCG(1, 1)), paths, 24) {
					require.NoError(t, imports(t.Context(), d, order, ingest.Options{}))
					if got := showBills(t, d); got != test.want {
						t.Errorf("order %v\ngot  %s\nwant %s", order, got, test.want)
					}
					empty(t, d)
				}
			})
		}
	})
}

// many returns bills of several TINs, and their payments by two checks.
func many(n int) (claims, first, second []written) {
	for i := 0; i < n; i += 100 {
		var sent []claimSent
		var paid, more []claimPaid
		for j := i; j < min(i+100, n); j++ {
			tin, account := fmt.Sprint(111111111*(1+j%3)), fmt.Sprint("A", j)
			sent = append(sent, visit(func(c *claimSent) { c.tin, c.account, c.own = tin, account, fmt.Sprint("N", j) }))
			p := payment80(func(p *claimPaid) { p.tin, p.account, p.number = tin, account, fmt.Sprint("I", j) })
			paid = append(paid, p)
			p.paid, p.status = 15, "2"
			more = append(more, p)
		}
		claims = append(claims, claimsAt(1, sent...))
		first = append(first, paidAt(3, "K1", paid...))
		second = append(second, paidAt(4, "K2", more...))
	}
	slices.Reverse(first)
	return claims, first, second
}

// Bills and payments imported concurrently match, and none is lost.
func TestClaimsAndPaymentsSideBySide(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const n = 1500
		claims, first, second := many(n)
		paths := writeFiles(t, claims, first, second)
		for _, test := range []struct {
			name  string
			lists [][]string
			sum   int64
		}{
			{"an 837 and its 835", [][]string{paths[:1], paths[1:2]}, 80},
			{"two 835 of the same bills", [][]string{paths[1:2], paths[2:], paths[:1]}, 95},
		} {
			t.Run(test.name, func(t *testing.T) {
				empty(t, d)
				importsSideBySide(t, d, test.lists...)
				var found []struct{ Bills, Twins, Unpaid, Paid int64 }
				require.NoError(t, db.Select(t.Context(), d.Writer, &found, `
					SELECT count(*) AS bills, count(CASE WHEN source <> 'bill' THEN 1 END) AS twins,
						count(CASE WHEN paid_amount IS NULL THEN 1 END) AS unpaid, sum(paid_amount) AS paid FROM bills`))
				if f := found[0]; f.Bills != n || f.Twins != 0 || f.Unpaid != 0 || f.Paid != n*test.sum*100 {
					t.Errorf("%+v", f)
				}
			})
		}
	})
}

func BenchmarkImport(b *testing.B) {
	const n = 5000
	claims, paid, _ := many(n)
	dir := b.TempDir()
	paths := []string{filepath.Join(dir, "claims.edi"), filepath.Join(dir, "payments.edi")}
	for i, sets := range [][]written{claims, paid} {
		require.NoError(b, os.WriteFile(paths[i], []byte(x12File(i+1, sets...)), 0o600))
	}
	for _, kind := range []string{"sqlite", "postgres"} {
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				d := dbtest.Open(b, kind)
				require.NoError(b, dbtest.Err(migrations.Up(b.Context(), d)))
				b.StartTimer()
				require.NoError(b, imports(b.Context(), d, paths, ingest.Options{}))
			}
			b.ReportMetric(float64(b.N)*2*n/b.Elapsed().Seconds(), "records/s")
		})
	}
}
