package bulklookup

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/desksearch"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
)

// Every search finds numbers in any notation.
func TestTypedNumbers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := openPortal(t, d)
		billtest.TakeBills(t, d,
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.ClaimNumber = "7000001080", "202506080000011", "PC-1",
					"AU25100000001"
			}),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.ClaimNumber = "7000-001-081", "2025 0608", "PC-2",
					"AU25-100000002"
			}))
		window := func(claim string) search.Query {
			return search.Query{ClaimNumber: claim, BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"}
		}
		for _, c := range []struct {
			asked search.Query
			want  string
		}{
			{window("AU25-100000001"), "7000001080"},
			{window("au 25100000001"), "7000001080"},
			{window("AU25100000002"), "7000-001-081"},
			{window("AU25\u2013100000002"), "7000-001-081"},
			{window("AU25"), ""},
			{search.Query{BillControlNumber: "7000-001-080"}, "7000001080"},
			{search.Query{BillControlNumber: "7000001081"}, "7000-001-081"},
			{search.Query{DocumentID: "2025-0608-0000011"}, "7000001080"},
			{search.Query{DocumentID: "20250608"}, "7000-001-081"},
			{search.Query{BillControlNumber: "7000001080 / 202506080000011"}, "7000001080"},
			{search.Query{DocumentID: "7000001080 / 202506080000011"}, "7000001080"},
			{search.Query{BillControlNumber: "0000"}, ""},
		} {
			found, err := s.search.Search(t.Context(), billtest.Clerk, ours, c.asked)
			if err != nil || billtest.ListNumbers(found) != c.want {
				t.Errorf("%+v: %q, want %q, %v", c.asked, billtest.ListNumbers(found), c.want, err)
			}
		}
		for q, want := range map[string]string{
			"7000001080 / 202506080000011": "billControlNumber 7000001080", "7000-001-080": "billControlNumber 7000001080",
			"x / 202506080000011": "documentId 7000001080", "7000001080 / 2025 / 1": "", " / ": "",
		} {
			found, _, _, err := s.search.Find(t.Context(), billtest.Clerk, search.Sought{Q: q}.Number())
			if err != nil || formatFindings(found) != want {
				t.Errorf("%q: %q, want %q, %v", q, formatFindings(found), want, err)
			}
		}
		for _, w := range []LookupRequest{{BillControlNumber: "7000001080 / 202506080000011"}, {DocumentID: "7000001080 / 202506080000011"},
			{DocumentID: "x / 202506080000011"}} {
			if found, err := s.BulkLookup(t.Context(), billtest.Clerk, []LookupRequest{w}); err != nil || found[0].Matches != 1 ||
				found[0].Bills[0].BillControlNumber != "7000001080" {
				t.Errorf("%+v: %+v, %v", w, found, err)
			}
		}
		list, _, err := s.search.FindByClaim(t.Context(), billtest.Clerk, "AU25-100000001")
		if err != nil || billtest.ListNumbers(list) != "7000001080" {
			t.Errorf("all bills of a claim: %q, %v", billtest.ListNumbers(list), err)
		}
		for number, want := range map[string]bool{"7000-001-080": true, "7000001081": true, "7000001082": false} {
			if _, valid, err := s.search.OnFile(t.Context(), ours, number); err != nil || valid != want {
				t.Errorf("%s proves the TIN: %v, %v", number, valid, err)
			}
		}
	})
}

// Leading zeros of a check number are optional. A number with only zeros isn't part of any other
// number.
func TestZerosOfCheckNumbers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := openPortal(t, d)
		for i, trace := range []string{"0000770012", "880034", "0000"} {
			account := fmt.Sprint("PC-", i)
			billtest.TakeBills(t, d, billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber = fmt.Sprint("N", i), fmt.Sprint("D", i), account
			}))
			p := facts.Payment{
				Source: facts.FromRemittance, Occurrence: 1, Payer: "1999", TraceNumber: trace, PaidDate: "2026-02-01",
				PatientControlNumber: account,
				PayerControlNumber:   fmt.Sprint("ICN-", i), ClaimStatus: "1", Charge: 10000, Paid: 8000,
				Reported: record.Bill{FTIN: ours, BillType: "P", PatientFirstName: "Ada", PatientLastName: "Ort\u00edz",
					BeginServiceDate: date.Date("2026-01-10")},
			}
			p.Identify()
			billtest.Take(t, d, func(l *ledger.Ledger, tx *sql.Tx) error {
				set := facts.RemittanceSet{FTIN: ours, Fact: fmt.Sprint("set", i), Remittance: p.Remittance, Payees: 1, Payer: p.Payer,
					TraceNumber: trace, PaidOn: p.PaidDate}
				_, err := l.ImportRemitted(t.Context(), tx, []facts.Remitted{{Payment: &p}, {Parts: []facts.RemittancePart{{Set: set}}}})
				return err
			})
		}
		for check, want := range map[string]string{
			"0000770012": "N0", "770012": "N0", "00770012": "N0", "77-0012": "N0", "77001": "", "880034": "N1", "0000880034": "N1", "0": "",
			"0000": "", "00 00": "",
		} {
			found, _, _, err := s.search.Find(t.Context(), billtest.Clerk, search.Sought{Q: check}.Number())
			if err != nil && !problem.Is(err, problem.Invalid) {
				t.Fatal(err)
			}
			got := ""
			if len(found) > 0 {
				got = found[0].BillControlNumber
			}
			if got != want || len(found) > 1 {
				t.Errorf("%q finds %q, want %q", check, formatFindings(found), want)
			}
			many, err := s.BulkLookup(t.Context(), billtest.Clerk, []LookupRequest{{CheckNumber: check, Account: "PC-0", FTIN: ours}})
			require.NoError(t, err)
			if many[0].Matches != 1 { // by its account, with any check
				t.Errorf("%q and an account find %+v", check, many[0])
			}
			list, err := desksearch.NewService(d).FindRemittancesAcrossTINs(t.Context(), check, 9)
			if err != nil || len(list) > 1 || (want != "") != (len(list) == 1) && check != "0000" && check != "00 00" {
				t.Errorf("%q at the desk: %+v, %v", check, list, err)
			}
		}
	})
}
