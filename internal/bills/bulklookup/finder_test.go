package bulklookup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ratelimit"
)

// portal is the service with others that find the same bills.
type portal struct {
	*Service
	search *search.Service
	pages  *detail.Service
}

func newPortal(kit platform.Kit) *portal {
	s := newService(kit, &office{})
	return &portal{
		Service: s,
		search:  search.NewService(search.Deps{Kit: kit, Records: s.records, Scopes: s.scopes, Searches: ratelimit.Hourly(1)}),
		pages: detail.NewService(detail.Deps{Kit: kit, Records: s.records, Users: s.users, Desk: billtest.NoDesk{},
			Reasons: billtest.Reasons{}, Contacts: noContacts{}, Questions: noQuestions{},
			Openings: ratelimit.Hourly(1)}),
	}
}

func openPortal(t *testing.T, d *db.DB) *portal {
	t.Helper()
	return newPortal(billtest.NewKit(t, d, time.Now, time.Local))
}

// A bulk lookup returns the same data as the bill's page.
func TestBulkLookupMatchesPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := billtest.Midsummer
		s := newPortal(billtest.NewKit(t, d, func() time.Time { return clock }, billtest.LoadNewYork(t)))
		var wanted []LookupRequest
		for _, g := range billtest.Golden {
			billtest.Bring(t, d, s.now, g.Files...)
			wanted = append(wanted, LookupRequest{BillControlNumber: g.Bill})
		}
		answers, err := s.BulkLookup(t.Context(), billtest.Jane, wanted)
		require.NoError(t, err)
		statuses, reasons := map[string]int{}, 0
		for i, g := range billtest.Golden {
			if len(answers[i].Bills) != 1 {
				t.Fatalf("%s: %+v", g.Name, answers[i])
			}
			found := answers[i].Bills[0]
			page, err := s.pages.Page(t.Context(), billtest.Jane, found.Page)
			require.NoError(t, err)
			if found.State != page.State || found.BillControlNumber != page.Bill.BillControlNumber {
				t.Errorf("%s: got %q for %s, want %q for %s as on its page", g.Name, found.State, found.BillControlNumber, page.State.Text,
					page.Bill.BillControlNumber)
			}
			// Open Bills lists the reasons stored with the bill.
			stored := strings.Fields(page.Bill.Reasons)
			if told := listCodes(page); !slices.Equal(told, stored) || found.Reasons != page.Bill.Reasons {
				t.Errorf("%s: Open Bills has the reasons %q, the page %q, many %q", g.Name, stored, told, found.Reasons)
			}
			reasons += len(stored)
			// The payment of the bill links to its remittance, on the page too.
			var remittance string
			for _, p := range page.Group.Payments {
				if p.Explains && p.TraceNumber == page.Bill.CheckNumber {
					remittance = p.Remittance
				}
			}
			if id, err := s.records.OpenRemittance(found.Remittance); (found.Remittance == "") != (page.Bill.CheckNumber == "") ||
				found.Remittance != "" && (err != nil || id != record.RemittanceID{FTIN: ours, Remittance: remittance}) {
				t.Errorf("%s: check %q: got %+v, %v; want %q", g.Name, page.Bill.CheckNumber, id, err, remittance)
			}
			statuses[found.Status]++
		}
		if statuses[billstate.NamePaid] == 0 || statuses[billstate.NameDenied] == 0 || statuses[billstate.NameOther] == 0 ||
			reasons < len(billtest.Golden) {
			t.Errorf("statuses: %v, %d reasons", statuses, reasons)
		}
	})
}

// listCodes returns all the codes on a page, without duplicates.
func listCodes(p detail.Page) (codes []string) {
	note := func(adjustments []facts.Adjustment, remarks []facts.Remark) {
		for _, a := range adjustments {
			codes = append(codes, a.Group+"-"+a.Reason)
		}
		for _, r := range remarks {
			codes = append(codes, r.ReasonCode())
		}
	}
	note(p.Decided.Adjustments, p.Decided.Remarks)
	note(p.ReversalCodes.Adjustments, p.ReversalCodes.Remarks)
	for _, l := range p.Decided.Lines {
		note(l.Adjustments, l.Remarks)
	}
	for _, l := range p.Decided.Apart {
		note(l.Adjustments, l.Remarks)
	}
	return slices.Compact(slices.Sorted(slices.Values(codes)))
}

// Two offices share numbers, accounts, claims and claimants under random TINs. Each gets all of
// its own bills and no others.
func TestManyAreInScope(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		seed := rand.Uint64()
		random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a test's
		kit := billtest.NewKit(t, d, time.Now, time.Local)
		tins := make([]string, 6)
		for i := range tins {
			tins[i] = fmt.Sprintf("%09d", 100_000_000+random.IntN(800_000_000))
		}
		var rows []record.Detailed
		var wanted []LookupRequest
		for n := range 120 {
			rows = append(rows, billtest.MakeBill(func(b *record.Detailed) {
				b.FTIN = tins[random.IntN(len(tins))]
				b.BillControlNumber, b.DocumentID = fmt.Sprintf("B-%d", n), fmt.Sprintf("D %d", n%40)
				b.PatientControlNumber, b.ClaimNumber = fmt.Sprintf("A-%d", n%30), fmt.Sprintf("WC-%d", n%10)
				b.PatientFirstName = fmt.Sprintf("Ada%d", n%5)
			}))
			w := LookupRequest{ServiceDate: "2026-01-10"}
			switch n % 5 {
			case 0:
				w.BillControlNumber = fmt.Sprintf("b%d", n)
			case 1:
				w.DocumentID = fmt.Sprintf("d-%d", n%40)
			case 2:
				w.Account = fmt.Sprintf("a %d", n%30)
			case 3:
				w.ClaimNumber = fmt.Sprintf("wc%d", n%10)
			default:
				w.LastName, w.FirstName, w.BirthDate = "Ort\u00edz", fmt.Sprintf("ada%d", n%5), "1980-05-06"
			}
			if n%7 == 0 {
				w.FTIN = tins[random.IntN(len(tins))]
			}
			wanted = append(wanted, w)
		}
		billtest.TakeBills(t, d, rows...)
		total := 0
		for _, office := range [][]string{tins[:3], tins[3:], nil} {
			identitytest.SetTINs(t, d.Writer, billtest.Clerk.Person, office...)
			s := newPortal(kit)
			answers, err := s.BulkLookup(t.Context(), billtest.Clerk, wanted)
			require.NoError(t, err)
			for i, w := range wanted {
				expected := 0
				for _, r := range rows {
					if fits(w, r.Bill) && slices.Contains(office, r.FTIN) {
						expected++
					}
				}
				if got := answers[i].Matches; got != expected {
					t.Errorf("seed %d: %+v has %d matches, want %d", seed, w, got, expected)
				}
				total += expected
				for _, b := range answers[i].Bills {
					if !slices.Contains(office, b.FTIN) || !fits(w, b.Bill) {
						t.Errorf("seed %d: %+v is answered with %s of %s", seed, w, b.BillControlNumber, b.FTIN)
					}
				}
			}
		}
		assert.NotEqual(t, 0, total, "nothing was to be found")
		if hits, err := store.FindByNumbers(t.Context(), d.Reader, nil, nil); err != nil || hits != nil {
			t.Errorf("no TINs and no numbers find %v, %v", hits, err)
		}
		if answers, err := newPortal(kit).BulkLookup(t.Context(), billtest.Clerk, nil); err != nil || len(answers) != 0 {
			t.Errorf("nothing finds %v, %v", answers, err)
		}
	})
}

// Numbers stored with another dash than a hyphen are found by themselves.
func TestDashesInLines(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		billtest.TakeBills(t, d, billtest.MakeBill(func(b *record.Detailed) {
			b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.ClaimNumber = "B–9", "D–9", "P–9", "WC–9"
		}), billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.DocumentID = "B-8", "D-8" }))
		lines := []LookupRequest{{BillControlNumber: "b–9"}, {DocumentID: "D–9"}, {Account: "P–9"},
			{ClaimNumber: "WC–9", ServiceDate: "2026-01-10"}, {BillControlNumber: "B–8"}}
		answers, err := openPortal(t, d).BulkLookup(t.Context(), billtest.Clerk, lines)
		require.NoError(t, err)
		for i, want := range []string{"B–9", "B–9", "B–9", "B–9", "B-8"} {
			if len(answers[i].Bills) != 1 || answers[i].Bills[0].BillControlNumber != want {
				t.Errorf("%+v: %+v, want %q", lines[i], answers[i], want)
			}
		}
	})
}

// fits is the test's version of matching a bill.
func fits(w LookupRequest, b record.Bill) bool {
	if w.FTIN != "" && w.FTIN != b.FTIN {
		return false
	}
	same := func(asked, has string) bool { return asked != "" && store.FoldNumber(asked) == store.FoldNumber(has) }
	return same(w.BillControlNumber, b.BillControlNumber) || same(w.DocumentID, b.DocumentID) || same(w.Account, b.PatientControlNumber) ||
		same(w.ClaimNumber, b.ClaimNumber) || same(w.FirstName, b.PatientFirstName)
}

// Lookups succeed for a common name and a claim with many bills, and for numbers next to one
// that many bills have.
func TestBulkLookupManyMatches(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := openPortal(t, d)
		var rows []record.Detailed
		for n := range 2*store.MaxHits + 50 {
			rows = append(rows, billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber = fmt.Sprintf("B-%03d", n), fmt.Sprintf("D-%03d", n), "SAME"
				b.PatientBirthDate = b.PatientBirthDate.AddDays(n)
				b.BeginServiceDate, b.EndServiceDate = b.BeginServiceDate.AddDays(20*n), b.BeginServiceDate.AddDays(20*n)
			}))
		}
		billtest.TakeBills(t, d, rows...)
		last := rows[len(rows)-1]
		answers, err := s.BulkLookup(t.Context(), billtest.Clerk, []LookupRequest{
			{LastName: last.PatientLastName, FirstName: last.PatientFirstName, BirthDate: last.PatientBirthDate,
				ServiceDate: last.BeginServiceDate},
			{ClaimNumber: last.ClaimNumber, ServiceDate: last.BeginServiceDate},
			{Account: "same"}, {BillControlNumber: "b7"}, {BillControlNumber: "B-007"}, {DocumentID: "D-249"},
		})
		require.NoError(t, err)
		for i, want := range []int{1, 1, store.MaxHits, 0, 1, 1} {
			if got := answers[i].Matches; got != want {
				t.Errorf("line %d has %d matches, want %d", i, got, want)
			}
		}
		if b := answers[0].Bills[0]; b.BillControlNumber != last.BillControlNumber || len(answers[2].Bills) != MaxMatches {
			t.Errorf("found %s, and %d of many", b.BillControlNumber, len(answers[2].Bills))
		}
	})
}

// Each of many visits of a claimant is found by its day, and each of many bills that a check pays by its account.
func TestEachOfManyVisits(t *testing.T) {
	const visits = 3 * store.MaxHits / 2
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, o := open(t, d)
		day := func(n int) date.Date { return date.Date("2021-01-01").AddDays(10 * n) }
		billtest.Take(t, d, func(l *ledger.Ledger, tx *sql.Tx) error {
			var bills []facts.Submission
			var paid []facts.Remitted
			for n := range visits {
				number := fmt.Sprintf("66000%03d", n)
				bills = append(bills, submission(facts.Bill{FTIN: ours, BillControlNumber: number, PatientControlNumber: "VERA",
					PatientLastName: "Visit", PatientFirstName: "Vera", BeginServiceDate: day(n)}))
				paid = append(paid, remitted(facts.Payment{TraceNumber: "EFT-BIG", PatientControlNumber: fmt.Sprintf("BIG-%d", n),
					PayerControlNumber: number, Paid: 8000,
					Reported: facts.Bill{PatientLastName: "Visit", PatientFirstName: "Vera", BeginServiceDate: day(n)}})...)
			}
			_, err := l.ImportSubmissions(t.Context(), tx, bills)
			return errors.Join(err, dbtest.Err(l.ImportRemitted(t.Context(), tx, paid)))
		})
		var wanted []LookupRequest
		var sent []Claim
		for n := range visits {
			wanted = append(wanted, LookupRequest{CheckNumber: "EFT-BIG", Account: fmt.Sprintf("BIG-%d", n)},
				LookupRequest{LastName: "Visit", FirstName: "Vera", BirthDate: "1980-05-06", ServiceDate: day(n)})
			sent = append(sent, Claim{Account: "VERA", FTIN: ours, From: day(n), To: day(n).AddDays(2), Charge: 10000})
		}
		found, err := s.BulkLookup(t.Context(), o.actor(), wanted)
		claims, failed := s.lookUpClaims(t.Context(), o.actor(), sent)
		require.NoError(t, errors.Join(err, failed))
		missed := make([]int, 3)
		for n := range visits {
			for i, bills := range [][]detail.Summary{found[2*n].Bills, found[2*n+1].Bills, claims[n].Bills} {
				if len(bills) != 1 || bills[0].BillControlNumber != fmt.Sprintf("66000%03d", n) {
					missed[i]++
				}
			}
		}
		assert.Equal(t, make([]int, 3), missed)
	})
}

// formatFindings lists how bills were found, with their numbers.
func formatFindings(found []search.Finding) string {
	if len(found) == 0 {
		return ""
	}
	parts := []string{string(found[0].By)}
	for _, f := range found {
		parts = append(parts, f.BillControlNumber)
	}
	return strings.Join(parts, " ")
}

// noContacts knows no payer.
type noContacts struct{}

func (noContacts) FindContact(context.Context, detail.Payer) (*detail.PageContact, error) {
	return nil, nil
}

// noQuestions finds none.
type noQuestions struct{}

func (noQuestions) ListQuestions(context.Context, string, string) ([]detail.BillQuestion, error) {
	return nil, nil
}
