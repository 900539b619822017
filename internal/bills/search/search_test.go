package search

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

const (
	ours   = billtest.Ours
	theirs = billtest.Theirs
)

var clerk = billtest.Clerk

func newService(t *testing.T, d *db.DB, second *secondsystem.System) *Service {
	t.Helper()
	return newServiceFor(billtest.NewKit(t, d, time.Now, time.Local), second)
}

func newServiceFor(kit platform.Kit, second *secondsystem.System) *Service {
	scopes := tins.NewScopes(kit.DB)
	return NewService(Deps{Kit: kit, Records: record.NewService(record.Deps{Kit: kit, Scopes: scopes},
		record.Settings{ForeignBillURL: "https://payer.example/{billControlNumber}", States: true}), Scopes: scopes, Second: second,
		Searches: ratelimit.Hourly(3600)})
}

func TestSearch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		billtest.TakeBills(t, d,
			billtest.MakeBill(nil),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientFirstName = "BCN-2", "DOC-2", "Bea"
			}),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-3", "DOC-3", billtest.Second
			}),
			billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-4", "DOC-4", theirs }),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.BeginServiceDate, b.EndServiceDate = "BCN-5", "DOC-1", "2025-06-01", "2025-06-01"
			}),
		)
		claim := Query{ClaimNumber: "wc-77", BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"}
		claimant := Query{ClaimantFirstName: " ADA ", ClaimantLastName: "orti\u0301z", ClaimantDateOfBirth: "1980-05-06",
			BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"}
		for name, c := range map[string]struct {
			ftin  string
			ask   Query
			want  string
			fails problem.Kind
		}{
			"by claim number, any case": {ours, claim, "BCN-1 BCN-2", 0},
			"the window touches the last day": {ours, Query{ClaimNumber: "WC-77", BeginServiceDate: "2026-01-12",
				EndServiceDate: "2026-01-26"}, "BCN-1 BCN-2", 0},
			"the window ends before": {ours, Query{ClaimNumber: "WC-77", BeginServiceDate: "2025-12-26",
				EndServiceDate: "2026-01-09"}, "", 0},
			"by claimant, spaces, case and decomposed": {ours, claimant, "BCN-1", 0},
			"by bill control number":                   {ours, Query{BillControlNumber: "bcn-2"}, "BCN-2", 0},
			"by document ID":                           {ours, Query{DocumentID: "doc-1"}, "BCN-5 BCN-1", 0},
			"the user's other TIN":                     {billtest.Second, claim, "BCN-3", 0},
			"a TIN of somebody else":                   {theirs, claim, "", problem.NotFound},
			"a TIN that does not exist":                {"000000000", claim, "", problem.NotFound},
			"nothing asked":                            {ours, Query{}, "", problem.Invalid},
			"two ways at once": {ours, Query{ClaimNumber: "WC-77", BillControlNumber: "BCN-1"}, "",
				problem.Invalid},
			"both numbers of the bill": {ours, Query{BillControlNumber: "BCN-1", DocumentID: "DOC-1"}, "",
				problem.Invalid},
			"a claim number without dates": {ours, Query{ClaimNumber: "WC-77"}, "", problem.Invalid},
			"a window that ends before it begins": {ours, Query{ClaimNumber: "WC-77", BeginServiceDate: "2026-01-19",
				EndServiceDate: "2026-01-05"}, "", problem.Invalid},
			"a window of a year": {ours, Query{ClaimNumber: "WC-77", BeginServiceDate: "2025-01-05",
				EndServiceDate: "2026-01-05"}, "", problem.Invalid},
			"a claimant without a birth date": {ours, Query{ClaimantFirstName: "Ada", ClaimantLastName: "Ort\u00edz",
				BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"}, "", problem.Invalid},
			"a wildcard is a letter like any other": {ours, Query{BillControlNumber: "BCN%"}, "", 0},
			"nothing of SQL":                        {ours, Query{BillControlNumber: "' OR 1=1 --"}, "", 0},
		} {
			found, err := s.Search(t.Context(), clerk, c.ftin, c.ask)
			if c.fails != 0 {
				assert.Truef(t, problem.Is(err, c.fails), "%s: %v", name, err)
				continue
			}
			if err != nil || billtest.ListNumbers(found) != c.want {
				t.Errorf("%s: found %q, %v; want %q", name, billtest.ListNumbers(found), err, c.want)
			}
		}
		found, err := search(t.Context(), d.Reader, access.Scope{}, ours, by(Query{BillControlNumber: "BCN-1"}))
		assert.NoError(t, err)
		assert.Nil(t, found)
	})
}

// Numbers typed with any dash find those stored with a hyphen, and numbers stored with another dash are found
// by themselves.
func TestDashesInNumbers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		billtest.TakeBills(t, d,
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.ClaimNumber = "B–9", "D–9", "P–9", "WC–9"
			}),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.ClaimNumber = "B-8", "D-8", "P-8", "WC-8"
			}))
		for dash, want := range map[string]string{"–9": "B–9", "–8": "B-8", "\u20118": "B-8", "-9": ""} {
			claim := Query{ClaimNumber: "wc" + dash, BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"}
			for _, asked := range []Query{{BillControlNumber: "b" + dash}, {DocumentID: "d" + dash}, claim} {
				if found, err := s.Search(t.Context(), clerk, ours, asked); err != nil || billtest.ListNumbers(found) != want {
					t.Errorf("%+v: found %q, %v; want %q", asked, billtest.ListNumbers(found), err, want)
				}
			}
			if found, _, err := s.FindByClaim(t.Context(), clerk, "WC"+dash); err != nil || billtest.ListNumbers(found) != want {
				t.Errorf("claim %q: found %q, %v; want %q", dash, billtest.ListNumbers(found), err, want)
			}
			for _, number := range []string{"B" + dash, "D" + dash, "P" + dash, "WC" + dash} {
				found, claims, _, err := s.Find(t.Context(), clerk, AnyNumber{Number: number})
				if err != nil || (len(found) == 1) != (want != "") || len(found) == 1 && found[0].BillControlNumber != want {
					t.Errorf("%q: found %+v, %v; want %q", number, found, err, want)
				}
				assert.Equalf(t, number == "WC"+dash && want != "", len(claims) == 1, "%q: found claims %+v", number, claims)
			}
		}
	})
}

func TestBillsOfAClaim(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		billtest.TakeBills(t, d,
			billtest.MakeBill(nil),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.BeginServiceDate, b.EndServiceDate = "BCN-2", "DOC-2", "2024-02-01", "2024-02-01"
			}),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-3", "DOC-3", billtest.Second
			}),
			billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-4", "DOC-4", theirs }),
			billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.DocumentID, b.ClaimNumber = "BCN-5", "DOC-5", "WC-78" }),
		)
		for claim, want := range map[string]string{"wc-77": "BCN-1 BCN-3 BCN-2", "WC-78": "BCN-5", "WC-7": ""} {
			found, more, err := s.FindByClaim(t.Context(), clerk, claim)
			if err != nil || more || billtest.ListNumbers(found) != want {
				t.Errorf("%s: found %q, more %v, %v; want %q", claim, billtest.ListNumbers(found), more, err, want)
			}
		}
		if _, _, err := s.FindByClaim(t.Context(), clerk, "  "); !problem.Is(err, problem.Invalid) {
			t.Errorf("no claim number: %v", err)
		}
		if _, err := s.FindSecondByClaim(t.Context(), clerk, "  "); !problem.Is(err, problem.Invalid) {
			t.Errorf("no claim number for the second system: %v", err)
		}
		if found, err := record.ListClaimBills(t.Context(), d.Reader, access.Scope{}, "WC-77", 9); err != nil || found != nil {
			t.Errorf("an empty scope finds %v, %v", found, err)
		}
		scope := access.NewScope([]string{ours, billtest.Second})
		if found, err := record.ListClaimBills(t.Context(), d.Reader, scope, "WC-77", 2); err != nil ||
			billtest.ListNumbers(found) != "BCN-1 BCN-3" {
			t.Errorf("the newest two are %q, %v", billtest.ListNumbers(found), err)
		}
	})
}

func TestFind(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		rows := []record.Detailed{
			billtest.MakeBill(nil),
			billtest.MakeBill(func(b *record.Detailed) { b.FTIN, b.DocumentID = billtest.Second, "DOC-2" }),
			billtest.MakeBill(func(b *record.Detailed) { b.FTIN, b.DocumentID = theirs, "DOC-3" }),
			billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.DocumentID = "BCN-2", "BCN-1" }),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-3", "DOC-1", billtest.Second
			}),
			billtest.MakeBill(func(b *record.Detailed) { b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-4", "FOREIGN-1", theirs }),
		}
		rows = append(rows,
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.ClaimNumber = "BCN-7", "DOC-7", "PC-7", "WC-99"
			}),
			billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.ClaimNumber = "BCN-8", "DOC-8", "PC-8", ""
				b.PatientFirstName, b.PatientLastName = "Bea", "Brook"
			}))
		for n := range MaxFound + 1 {
			rows = append(rows, billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID = fmt.Sprintf("MANY-%02d", n), "MANY"
			}))
		}
		billtest.TakeBills(t, d, rows...)
		p := facts.Payment{
			Source: facts.FromRemittance, Occurrence: 1, Payer: "1999", TraceNumber: "CHK-1", PaidDate: "2026-02-01",
			PatientControlNumber: "PC-8",
			PayerControlNumber:   "ICN-8", FormerNumber: "OLD-8", ClaimStatus: "1", Charge: 10000, Paid: 8000,
			Reported: record.Bill{FTIN: ours, BillType: "P", PatientFirstName: "Bea", PatientLastName: "Brook",
				BeginServiceDate: "2026-01-10"},
		}
		p.Identify()
		billtest.Take(t, d, func(l *ledger.Ledger, tx *sql.Tx) error {
			set := facts.RemittanceSet{FTIN: ours, Fact: "set", Remittance: p.Remittance, Payees: 1, Payer: p.Payer, TraceNumber: "CHK-1",
				PaidOn: p.PaidDate}
			_, err := l.ImportRemitted(t.Context(), tx, []facts.Remitted{{Payment: &p}, {Parts: []facts.RemittancePart{{Set: set}}}})
			return err
		})
		for q, want := range map[string]string{
			"bcn-1":                  "billControlNumber BCN-1 BCN-1", // as document ID, it belongs to another bill
			"BCN 2":                  "billControlNumber BCN-2",
			"bcn2":                   "billControlNumber BCN-2",
			"doc-1":                  "documentId BCN-1 BCN-3",
			"pc 7":                   "patientControlNumber BCN-7",
			"PC8":                    "patientControlNumber BCN-8",
			"chk1":                   "checkNumber BCN-8",
			"icn-8":                  "payerControlNumber BCN-8",
			"old 8":                  "payerControlNumber BCN-8",
			"WC99":                   "claimNumber BCN-7",
			"wc-99":                  "claimNumber BCN-7",
			"brook, bea 5/6/1980":    "claimant BCN-8",
			"Brook, Bea, 1980-05-06": "claimant BCN-8",
			"Brook, Bea 05/07/1980":  "",
			"N/A":                    "",
			"BCN-4":                  "",
			"FOREIGN-1":              "",
			"BCN-":                   "",
			"BCN%":                   "",
		} {
			found, _, more, err := s.Find(t.Context(), clerk, Sought{q}.Number())
			if err != nil || more || formatFindings(found) != want {
				t.Errorf("%q: found %q, more %v, %v; want %q", q, formatFindings(found), more, err, want)
			}
		}
		if found, _, more, err := s.Find(t.Context(), clerk, AnyNumber{Number: "MANY"}); err != nil || !more || len(found) != MaxFound {
			t.Errorf("too many: %d, more %v, %v", len(found), more, err)
		}
		if _, _, _, err := s.Find(t.Context(), clerk, Sought{" "}.Number()); !problem.Is(err, problem.Invalid) {
			t.Errorf("nothing: %v", err)
		}
		if _, _, err := s.FindSecond(t.Context(), clerk, Sought{" "}.Number()); !problem.Is(err, problem.Invalid) {
			t.Errorf("nothing, of the second system: %v", err)
		}
		identitytest.SetTINs(t, d.Writer, clerk.Person)
		if found, claims, _, err := s.Find(t.Context(), clerk, Sought{"BCN-1"}.Number()); err != nil || found != nil || claims != nil {
			t.Errorf("an empty scope finds %v and %v, %v", found, claims, err)
		}
	})
}

// An office can use one account number for all visits of a patient. It finds all of them, even
// if it's the network's only number for the first.
func TestSharedAccountFindsAllVisits(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		visit := func(number, document, day string) record.Detailed {
			return billtest.MakeBill(func(b *record.Detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber = number, document, "ACCT-9"
				b.BeginServiceDate, b.EndServiceDate = date.Date(day), date.Date(day)
			})
		}
		billtest.TakeBills(t, d, visit("ACCT-9", "ACCT-9", "2026-01-05"), visit("ACCT-9-b1c2", "D-2", "2026-01-12"),
			visit("7000000003", "D-3", "2026-01-19"),
			billtest.MakeBill(func(b *record.Detailed) {
				b.FTIN, b.BillControlNumber, b.PatientControlNumber = billtest.Second, "7000000004", "ACCT-9"
			}))
		for _, q := range []string{"ACCT-9", "acct 9", "ACCT9"} {
			found, _, more, err := s.Find(t.Context(), clerk, Sought{q}.Number())
			if err != nil || more || formatFindings(found) != "billControlNumber ACCT-9 7000000003 ACCT-9-b1c2" {
				t.Errorf("%q: %q, more %v, %v", q, formatFindings(found), more, err)
			}
		}
		if found, _, _, err := s.Find(t.Context(), clerk, Sought{"7000000003"}.Number()); err != nil ||
			formatFindings(found) != "billControlNumber 7000000003" {
			t.Errorf("by the network's number: %q, %v", formatFindings(found), err)
		}
	})
}

// A claimant search needs only the birth date, and a claim number finds its claim.
func TestFindClaimantsAndClaims(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		billtest.TakeBills(t, d, billtest.MakeBill(nil), billtest.MakeBill(func(b *record.Detailed) {
			b.FTIN, b.DocumentID = billtest.Second, "WC-77"
		}), billtest.MakeBill(func(b *record.Detailed) { b.FTIN = theirs }))
		for q, want := range map[string]string{
			"Ort\u00edz, Ada":            "Add a date of birth, such as 04/17/1980, to find a claimant",
			"Ort\u00edz, Ada 13/13/1980": "Add a date of birth, such as 04/17/1980, to find a claimant",
			"Ort\u00edz, 05/06/1980":     sayClaimant,
			", Ada 05/06/1980":           sayClaimant,
			"Ort\u00edz 05/06/1980":      sayClaimant,
			"Ort\u00edz":                 sayClaimant,
			"Ada Ort\u00edz":             sayBirthDate,
			"":                           "Enter a bill number or a claimant",
		} {
			if _, _, _, err := s.Find(t.Context(), clerk, Sought{q}.Number()); !problem.Is(err, problem.Invalid) ||
				problem.From(err).Message != want {
				t.Errorf("%q: %v, want %q", q, err, want)
			}
		}
		for _, q := range []string{"Ort\u00edz, Ada 05/06/1980", "Ada Ort\u00edz 05/06/1980", "Ort\u00edz Ada 5/6/1980",
			"05/06/1980 Ada Ort\u00edz",
			"1980-05-06 Ort\u00edz, Ada", "Ada 05/06/1980 Ort\u00edz"} {
			if found, _, _, err := s.Find(t.Context(), clerk, Sought{q}.Number()); err != nil ||
				formatFindings(found) != "claimant BCN-1 BCN-1" {
				t.Errorf("%q: %q, %v", q, formatFindings(found), err)
			}
		}
		found, claims, _, err := s.Find(t.Context(), clerk, Sought{"wc77"}.Number())
		if err != nil || formatFindings(found) != "documentId BCN-1" || len(claims) != 1 || claims[0] != (FoundClaim{"WC-77", 2}) {
			t.Errorf("by a claim: %q, %+v, %v", formatFindings(found), claims, err)
		}
	})
}

// formatFindings lists how bills were found, with their numbers.
func formatFindings(found []Finding) string {
	if len(found) == 0 {
		return ""
	}
	parts := []string{string(found[0].By)}
	for _, f := range found {
		parts = append(parts, f.BillControlNumber)
	}
	return strings.Join(parts, " ")
}

// by returns the criteria of a query.
func by(q Query) criteria {
	c, err := choose(q)
	if err != nil {
		panic(err)
	}
	return c
}

// A former number finds the bill after it got another.
func TestFormerNumberFindsTheBill(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil)
		p := facts.Payment{
			Source: facts.FromRemittance, Occurrence: 1, Payer: "1999", TraceNumber: "CHK-1", PaidDate: "2026-02-01",
			PatientControlNumber: "PC-1",
			PayerControlNumber:   "ICN-1", ClaimStatus: "1", Charge: 10000, Paid: 8000,
			Reported: record.Bill{FTIN: ours, BillType: "P", PatientFirstName: "Ada", PatientLastName: "Ort\u00edz",
				BeginServiceDate: "2026-01-10"},
			Detail: facts.PaymentDetail{Lines: []facts.PaidLine{{Number: 1, Procedure: "99213", Charge: 10000, Paid: 8000}}},
		}
		p.Identify()
		billtest.Take(t, d, func(l *ledger.Ledger, tx *sql.Tx) error {
			_, err := l.ImportRemitted(t.Context(), tx, []facts.Remitted{{Payment: &p}})
			return err
		})
		byNumber := Query{BillControlNumber: "icn-1"}
		found, err := s.Search(t.Context(), clerk, ours, byNumber)
		if err != nil || len(found) != 1 || found[0].BillStatus != record.StatusPaid {
			t.Fatalf("the bill made of the payment: %+v, %v", found, err)
		}
		billtest.TakeBills(t, d, billtest.MakeBill(nil))
		found, err = s.Search(t.Context(), clerk, ours, byNumber)
		if err != nil || len(found) != 1 || found[0].BillControlNumber != "BCN-1" || *found[0].PaidAmount != 8000 ||
			found[0].CheckNumber != "CHK-1" {
			t.Errorf("by its former number: %+v, %v", found, err)
		}
		if found, _, _, err := s.Find(t.Context(), clerk, AnyNumber{Number: "icn-1"}); err != nil ||
			formatFindings(found) != "formerNumber BCN-1" {
			t.Errorf("found by its former number: %q, %v", formatFindings(found), err)
		}
		// It can be an account number, which is easy to guess.
		if known, valid, err := s.OnFile(t.Context(), ours, "icn-1"); err != nil || !known || valid {
			t.Errorf("its former number on file: %v %v, %v", known, valid, err)
		}
		if paid, err := store.ListPayments(t.Context(), d.Reader, found[0]); err != nil || len(paid) != 1 || paid[0].Paid != 8000 {
			t.Errorf("its payments: %+v, %v", paid, err)
		}
	})
}

func TestSecondSystem(t *testing.T) {
	isBroken := false
	var asked secondsystem.Search
	questions := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case isBroken:
			http.Error(w, "no", http.StatusBadGateway)
		case strings.HasSuffix(r.URL.Path, "/bills/search"):
			asked = secondsystem.Search{}
			assert.NoError(t, json.NewDecoder(r.Body).Decode(&asked))
			questions++
			if asked.BillControlNumber == "D-1" {
				fmt.Fprint(w, `[]`)
				return
			}
			fmt.Fprintf(w, `[{"ftin":"%s","exId":"X 1","billControlNumber":"M-1"},{"ftin":"%s","exId":"X2","billControlNumber":"M-2"}]`,
				ours, theirs)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	d := dbtest.Open(t, "sqlite")
	migrate(t, d)
	second := secondsystem.New(server.URL, "key", time.Second, nil)
	s := newService(t, d, second)
	ask := Query{ClaimNumber: "WC-77", BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"}

	found, err := s.SearchSecond(t.Context(), clerk, []string{ours}, ask)
	if err != nil || len(found) != 1 || found[0].BillControlNumber != "M-1" {
		t.Errorf("found %v, %v: a TIN that was not asked for must be left out", found, err)
	}
	if asked.ClaimNumber != "WC-77" || asked.BeginServiceDate != "2026-01-05" || asked.TINs[0] != ours {
		t.Errorf("asked %+v", asked)
	}
	found, err = s.FindSecondByClaim(t.Context(), clerk, "WC-78")
	if err != nil || len(found) != 1 || asked.ClaimNumber != "WC-78" || asked.BeginServiceDate != "" || len(asked.TINs) != 2 {
		t.Errorf("all bills of a claim: found %v, %v, asked %+v", found, err, asked)
	}
	// A TIN revoked during the search doesn't affect the others.
	if found, err := s.SearchSecond(t.Context(), clerk, []string{theirs, ours}, ask); err != nil || len(found) != 1 ||
		!slices.Equal(asked.TINs, []string{ours}) {
		t.Errorf("beside a foreign TIN: %v, %v, asked %+v", found, err, asked)
	}
	if _, err := s.SearchSecond(t.Context(), clerk, []string{theirs}, ask); !problem.Is(err, problem.NotFound) {
		t.Errorf("a foreign TIN: %v", err)
	}
	for number, want := range map[string]struct {
		asked     secondsystem.Query
		questions int
	}{
		"M-1": {secondsystem.Query{BillControlNumber: "M-1"}, 1},
		"D-1": {secondsystem.Query{DocumentID: "D-1"}, 2},
	} {
		questions = 0
		found, more, err := s.FindSecond(t.Context(), clerk, AnyNumber{Number: number})
		wanted := secondsystem.Search{TINs: []string{ours, billtest.Second}, Query: want.asked}
		if err != nil || more || len(found) != 1 || found[0].FTIN != ours || !reflect.DeepEqual(asked, wanted) ||
			questions != want.questions {
			t.Errorf("%s: found %+v, more %v, %v, asked %+v in %d questions", number, found, more, err, asked, questions)
		}
	}
	page, err := s.toFoundSecond(found[0])
	if id, _, opened := s.records.OpenPage(t.Context(), clerk, "open-page", page.ID); err != nil || opened != nil || !page.Second ||
		id != (record.PageID{FTIN: ours, Key: "M-1", ExID: "X 1"}) {
		t.Errorf("page %+v of %+v, %v, %v", id, page, err, opened)
	}
	r, err := s.records.NewSecondResult(found[0])
	if err != nil || !r.MitchBill || r.ExID == "X 1" {
		t.Errorf("result %+v, %v: the second system's id is sealed", r, err)
	}
	isBroken = true
	if _, err := s.SearchSecond(t.Context(), clerk, []string{ours}, ask); !problem.Is(err, problem.Unavailable) {
		t.Errorf("broken: %v", err)
	}
	if _, _, err := s.FindSecond(t.Context(), clerk, AnyNumber{Number: "M-1"}); !problem.Is(err, problem.Unavailable) {
		t.Errorf("broken, a number: %v", err)
	}
	none := newService(t, d, nil)
	if found, err := none.SearchSecond(t.Context(), clerk, []string{ours}, ask); err != nil || len(found) != 0 {
		t.Errorf("without a second system: %v, %v", found, err)
	}
	if found, _, err := none.FindSecond(t.Context(), clerk, AnyNumber{Number: "M-1"}); err != nil || len(found) != 0 {
		t.Errorf("a number without a second system: %v, %v", found, err)
	}
}

func FuzzCriteria(f *testing.F) {
	f.Add("WC-1", "Ada", "Smith", "1980-01-02", "2026-01-02", "2026-01-09", "BCN", "DOC")
	f.Add("", "", "", "", "", "", "", "\xff\u0301 \t")
	f.Fuzz(func(t *testing.T, claim, first, last, birth, begin, end, bcn, doc string) {
		parse := func(s string) date.Date {
			d, err := date.Parse(s)
			if err != nil && d != "" {
				t.Errorf("%q is refused and yet %q", s, d)
			}
			return d
		}
		asked := Query{ClaimNumber: claim, ClaimantFirstName: first, ClaimantLastName: last, ClaimantDateOfBirth: parse(birth),
			BeginServiceDate: parse(begin), EndServiceDate: parse(end), BillControlNumber: bcn, DocumentID: doc}
		c, err := choose(asked)
		if err != nil || c.check() != nil {
			return
		}
		for _, k := range c.fields {
			assert.NotEmptyf(t, *k.at(&c.Query), "a search for nothing passes: %+v", c.Query)
		}
		if c.isDated && (c.BeginServiceDate == "" || c.EndServiceDate > c.BeginServiceDate.AddDays(maxWindowDays)) {
			t.Errorf("a search without bounds passes: %+v", c.Query)
		}
	})
}

func migrate(t *testing.T, d *db.DB) {
	t.Helper()
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
}
