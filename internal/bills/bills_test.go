package bills

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/settings"
)

const (
	ours   = "111111111"
	theirs = "999999999"
)

var (
	clerk = access.Actor{Person: access.Person{ID: 1, UserName: "clerk", Type: access.PRUS, GroupID: 6}}
	jane  = access.Actor{Person: access.Person{ID: 3, UserName: "jane", Type: access.PRUS, GroupID: 7}}
)

// noDesk lets no staff in.
type noDesk struct{ Desk }

func newService(t *testing.T, d *db.DB, second *SecondSystem, limits Settings) *Service {
	t.Helper()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	entries := audit.New(audit.Deps{DB: d, Clock: time.Now, Log: log, Sealer: seal.New(make([]byte, 32))})
	t.Cleanup(entries.Close)
	files, err := blob.Open(t.Context(), "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	identitytest.Add(t, d.Writer, clerk.Person, "Kay Clerk", ours, "222222222")
	identitytest.Add(t, d.Writer, jane.Person, "Jane Hendricks", ours, "222222222")
	kit := platform.Kit{DB: d, Audit: entries, Clock: time.Now, Zone: time.Local, Log: log, Files: files,
		Sealer: seal.New(make([]byte, 32)),
		Brand:  settings.Brand{BrandName: "Portal"}}
	return NewService(Deps{Kit: kit, Ledger: ledger.New(d, time.Now), Scopes: tins.NewScopes(d), Users: identitytest.NewUsers(d),
		Desk: noDesk{}, Second: second}, limits, true)
}

func cents(n int64) *int64 { return &n }

func bill(change func(*detailed)) detailed {
	b := detailed{
		Bill: Bill{
			FTIN: ours, BillControlNumber: "BCN-1", DocumentID: "DOC-1", PatientControlNumber: "PC-1", ClaimNumber: "WC-77",
			PatientFirstName: "Ada", PatientLastName: "Ort\u00edz", PatientBirthDate: "1980-05-06",
			BeginServiceDate: "2026-01-10", EndServiceDate: "2026-01-12", BillType: "P", FrequencyCode: "1",
			BillCharges: 10000, RecommendedAllowance: cents(8000), RepricingMethod: "03", BillStatus: StatusPriced, EOR: true,
		},
		Detail: Detail{Lines: []ledger.Line{{Number: 1, Procedure: "99213", Charge: 10000, Units: "1", Allowance: cents(8000)}}},
	}
	if change != nil {
		change(&b)
	}
	return b
}

// takeBills stores bills as table rows, with service lines as in an 837.
func takeBills(t *testing.T, s *Service, rows ...detailed) {
	t.Helper()
	list := make([]ledger.Submission, len(rows))
	for i, b := range rows {
		list[i] = ledger.Submission{
			Source: ledger.FromTable, Kind: "P", Repriced: b.BillControlNumber, Clearinghouse: b.DocumentID, Reported: b.Bill,
			Detail: b.Detail,
		}
		list[i].Identify()
	}
	take(t, s, func(l *ledger.Ledger, tx *sql.Tx) error {
		_, err := l.ImportSubmissions(t.Context(), tx, list)
		return err
	})
}

func take(t *testing.T, s *Service, with func(l *ledger.Ledger, tx *sql.Tx) error) {
	t.Helper()
	l := ledger.New(s.db, time.Now)
	if err := s.db.Tx(t.Context(), func(tx *sql.Tx) error { return with(l, tx) }); err != nil {
		t.Fatal(err)
	}
}

func numbers(found []Bill) string {
	var list []string
	for _, b := range found {
		list = append(list, b.BillControlNumber)
	}
	return strings.Join(list, " ")
}

func TestSearch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil, Settings{})
		takeBills(t, s,
			bill(nil),
			bill(func(b *detailed) { b.BillControlNumber, b.DocumentID, b.PatientFirstName = "BCN-2", "DOC-2", "Bea" }),
			bill(func(b *detailed) { b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-3", "DOC-3", "222222222" }),
			bill(func(b *detailed) { b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-4", "DOC-4", theirs }),
			bill(func(b *detailed) {
				b.BillControlNumber, b.DocumentID, b.BeginServiceDate, b.EndServiceDate = "BCN-5", "DOC-1", "2025-06-01", "2025-06-01"
			}),
		)
		claim := SearchParams{ClaimNumber: "wc-77", BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"}
		claimant := SearchParams{ClaimantFirstName: " ADA ", ClaimantLastName: "orti\u0301z", ClaimantDateOfBirth: "1980-05-06",
			BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"}
		for name, c := range map[string]struct {
			ftin  string
			ask   SearchParams
			want  string
			fails problem.Kind
		}{
			"by claim number, any case": {ours, claim, "BCN-1 BCN-2", 0},
			"the window touches the last day": {ours, SearchParams{ClaimNumber: "WC-77", BeginServiceDate: "2026-01-12",
				EndServiceDate: "2026-01-26"}, "BCN-1 BCN-2", 0},
			"the window ends before": {ours, SearchParams{ClaimNumber: "WC-77", BeginServiceDate: "2025-12-26",
				EndServiceDate: "2026-01-09"}, "", 0},
			"by claimant, spaces, case and decomposed": {ours, claimant, "BCN-1", 0},
			"by bill control number":                   {ours, SearchParams{BillControlNumber: "bcn-2"}, "BCN-2", 0},
			"by document ID":                           {ours, SearchParams{DocumentID: "doc-1"}, "BCN-5 BCN-1", 0},
			"the user's other TIN":                     {"222222222", claim, "BCN-3", 0},
			"a TIN of somebody else":                   {theirs, claim, "", problem.NotFound},
			"a TIN that does not exist":                {"000000000", claim, "", problem.NotFound},
			"nothing asked":                            {ours, SearchParams{}, "", problem.Invalid},
			"two ways at once": {ours, SearchParams{ClaimNumber: "WC-77", BillControlNumber: "BCN-1"}, "",
				problem.Invalid},
			"both numbers of the bill": {ours, SearchParams{BillControlNumber: "BCN-1", DocumentID: "DOC-1"}, "",
				problem.Invalid},
			"a claim number without dates": {ours, SearchParams{ClaimNumber: "WC-77"}, "", problem.Invalid},
			"a window that ends before it begins": {ours, SearchParams{ClaimNumber: "WC-77", BeginServiceDate: "2026-01-19",
				EndServiceDate: "2026-01-05"}, "", problem.Invalid},
			"a window of a year": {ours, SearchParams{ClaimNumber: "WC-77", BeginServiceDate: "2025-01-05",
				EndServiceDate: "2026-01-05"}, "", problem.Invalid},
			"a claimant without a birth date": {ours, SearchParams{ClaimantFirstName: "Ada", ClaimantLastName: "Ort\u00edz",
				BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-19"}, "", problem.Invalid},
			"a wildcard is a letter like any other": {ours, SearchParams{BillControlNumber: "BCN%"}, "", 0},
			"nothing of SQL":                        {ours, SearchParams{BillControlNumber: "' OR 1=1 --"}, "", 0},
		} {
			found, err := s.searchFor(t.Context(), c.ftin, c.ask)
			if c.fails != 0 {
				if !problem.Is(err, c.fails) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if err != nil || numbers(found) != c.want {
				t.Errorf("%s: found %q, %v; want %q", name, numbers(found), err, c.want)
			}
		}
		if found, err := search(t.Context(), d.Reader, access.Scope{}, ours, ByBillControlNumber{"BCN-1"}); err != nil || found != nil {
			t.Errorf("an empty scope finds %v, %v", found, err)
		}
	})
}

func TestBillsOfAClaim(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil, Settings{})
		takeBills(t, s,
			bill(nil),
			bill(func(b *detailed) {
				b.BillControlNumber, b.DocumentID, b.BeginServiceDate, b.EndServiceDate = "BCN-2", "DOC-2", "2024-02-01", "2024-02-01"
			}),
			bill(func(b *detailed) { b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-3", "DOC-3", "222222222" }),
			bill(func(b *detailed) { b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-4", "DOC-4", theirs }),
			bill(func(b *detailed) { b.BillControlNumber, b.DocumentID, b.ClaimNumber = "BCN-5", "DOC-5", "WC-78" }),
		)
		for claim, want := range map[string]string{"wc-77": "BCN-1 BCN-3 BCN-2", "WC-78": "BCN-5", "WC-7": ""} {
			found, more, err := s.FindByClaim(t.Context(), clerk, ClaimBills{claim}.claim())
			if err != nil || more || numbers(found) != want {
				t.Errorf("%s: found %q, more %v, %v; want %q", claim, numbers(found), more, err, want)
			}
		}
		if _, _, err := s.FindByClaim(t.Context(), clerk, ClaimBills{"  "}.claim()); !problem.Is(err, problem.Invalid) {
			t.Errorf("no claim number: %v", err)
		}
		if _, err := s.FindSecondByClaim(t.Context(), clerk, ClaimBills{"  "}.claim()); !problem.Is(err, problem.Invalid) {
			t.Errorf("no claim number for the second system: %v", err)
		}
		if found, err := listClaimBills(t.Context(), d.Reader, access.Scope{}, "WC-77", 9); err != nil || found != nil {
			t.Errorf("an empty scope finds %v, %v", found, err)
		}
		if found, err := listClaimBills(t.Context(), d.Reader, access.NewScope([]string{ours, "222222222"}), "WC-77", 2); err != nil ||
			numbers(found) != "BCN-1 BCN-3" {
			t.Errorf("the newest two are %q, %v", numbers(found), err)
		}
	})
}

func TestFind(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil, Settings{})
		rows := []detailed{
			bill(nil),
			bill(func(b *detailed) { b.FTIN, b.DocumentID = "222222222", "DOC-2" }),
			bill(func(b *detailed) { b.FTIN, b.DocumentID = theirs, "DOC-3" }),
			bill(func(b *detailed) { b.BillControlNumber, b.DocumentID = "BCN-2", "BCN-1" }),
			bill(func(b *detailed) { b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-3", "DOC-1", "222222222" }),
			bill(func(b *detailed) { b.BillControlNumber, b.DocumentID, b.FTIN = "BCN-4", "FOREIGN", theirs }),
		}
		rows = append(rows,
			bill(func(b *detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.ClaimNumber = "BCN-7", "DOC-7", "PC-7", "WC-99"
			}),
			bill(func(b *detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber, b.ClaimNumber = "BCN-8", "DOC-8", "PC-8", ""
				b.PatientFirstName, b.PatientLastName = "Bea", "Brook"
			}))
		for n := range MaxFound + 1 {
			rows = append(rows, bill(func(b *detailed) { b.BillControlNumber, b.DocumentID = fmt.Sprintf("MANY-%02d", n), "MANY" }))
		}
		takeBills(t, s, rows...)
		p := ledger.Payment{
			Source: ledger.FromRemittance, Occurrence: 1, Payer: "1999", TraceNumber: "CHK-1", PaidDate: "2026-02-01",
			PatientControlNumber: "PC-8",
			PayerControlNumber:   "ICN-8", FormerNumber: "OLD-8", ClaimStatus: "1", Charge: 10000, Paid: 8000,
			Reported: Bill{FTIN: ours, BillType: "P", PatientFirstName: "Bea", PatientLastName: "Brook", BeginServiceDate: "2026-01-10"},
		}
		p.Identify()
		take(t, s, func(l *ledger.Ledger, tx *sql.Tx) error {
			set := ledger.RemittanceSet{FTIN: ours, Fact: "set", Remittance: p.Remittance, Payees: 1, Payer: p.Payer, TraceNumber: "CHK-1",
				PaidOn: p.PaidDate}
			_, err := l.ImportRemitted(t.Context(), tx, []ledger.Remitted{{Payment: &p}, {Parts: []ledger.RemittancePart{{Set: set}}}})
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
			"foreign":                "",
			"BCN-":                   "",
			"BCN%":                   "",
		} {
			found, _, more, err := s.Find(t.Context(), clerk, Sought{q}.number())
			if err != nil || more || formatFindings(found) != want {
				t.Errorf("%q: found %q, more %v, %v; want %q", q, formatFindings(found), more, err, want)
			}
		}
		if found, _, more, err := s.Find(t.Context(), clerk, AnyNumber{Number: "MANY"}); err != nil || !more || len(found) != MaxFound {
			t.Errorf("too many: %d, more %v, %v", len(found), more, err)
		}
		if _, _, _, err := s.Find(t.Context(), clerk, Sought{" "}.number()); !problem.Is(err, problem.Invalid) {
			t.Errorf("nothing: %v", err)
		}
		if _, _, err := s.FindSecond(t.Context(), clerk, Sought{" "}.number()); !problem.Is(err, problem.Invalid) {
			t.Errorf("nothing, of the second system: %v", err)
		}
		identitytest.SetTINs(t, d.Writer, clerk.Person)
		if found, claims, _, err := s.Find(t.Context(), clerk, Sought{"BCN-1"}.number()); err != nil || found != nil || claims != nil {
			t.Errorf("an empty scope finds %v and %v, %v", found, claims, err)
		}
	})
}

// An office can use one account number for all visits of a patient. It finds all of them, even
// if it's the network's only number for the first.
func TestSharedAccountFindsAllVisits(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil, Settings{})
		visit := func(number, document, day string) detailed {
			return bill(func(b *detailed) {
				b.BillControlNumber, b.DocumentID, b.PatientControlNumber = number, document, "ACCT-9"
				b.BeginServiceDate, b.EndServiceDate = date.Date(day), date.Date(day)
			})
		}
		takeBills(t, s, visit("ACCT-9", "ACCT-9", "2026-01-05"), visit("ACCT-9-b1c2", "D-2", "2026-01-12"),
			visit("7000000003", "D-3", "2026-01-19"),
			bill(func(b *detailed) {
				b.FTIN, b.BillControlNumber, b.PatientControlNumber = "222222222", "7000000004", "ACCT-9"
			}))
		for _, q := range []string{"ACCT-9", "acct 9", "ACCT9"} {
			found, _, more, err := s.Find(t.Context(), clerk, Sought{q}.number())
			if err != nil || more || formatFindings(found) != "billControlNumber ACCT-9 7000000003 ACCT-9-b1c2" {
				t.Errorf("%q: %q, more %v, %v", q, formatFindings(found), more, err)
			}
		}
		if found, _, _, err := s.Find(t.Context(), clerk, Sought{"7000000003"}.number()); err != nil ||
			formatFindings(found) != "billControlNumber 7000000003" {
			t.Errorf("by the network's number: %q, %v", formatFindings(found), err)
		}
	})
}

// A claimant search needs only the birth date, and a claim number finds its claim.
func TestFindClaimantsAndClaims(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil, Settings{})
		takeBills(t, s, bill(nil), bill(func(b *detailed) {
			b.FTIN, b.DocumentID = "222222222", "WC-77"
		}), bill(func(b *detailed) { b.FTIN = theirs }))
		for q, want := range map[string]string{
			"Ort\u00edz, Ada":            "Add a date of birth, such as 04/17/1980, to find a claimant",
			"Ort\u00edz, Ada 13/13/1980": "Add a date of birth, such as 04/17/1980, to find a claimant",
			"Ort\u00edz, 05/06/1980":     "Add a date of birth, such as 04/17/1980, to find a claimant",
			", Ada 05/06/1980":           "Enter the claimant as Last, First 04/17/1980",
			"":                           "Enter a bill number or a claimant",
		} {
			if _, _, _, err := s.Find(t.Context(), clerk, Sought{q}.number()); !problem.Is(err, problem.Invalid) ||
				problem.From(err).Message != want {
				t.Errorf("%q: %v, want %q", q, err, want)
			}
		}
		found, claims, _, err := s.Find(t.Context(), clerk, Sought{"wc77"}.number())
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

func TestStateOfABill(t *testing.T) {
	s := newService(t, migrated(t), nil, Settings{})
	for want, b := range map[string]Bill{
		"":         {OpenState: billstate.Priced},
		"denied":   {OpenState: billstate.Denied},
		"void":     {OpenState: billstate.Void},
		"replaced": {OpenState: billstate.Void, ReplacedBy: "bcn-2"},
	} {
		for s.states = range map[bool]bool{true: true, false: true} {
			r, err := s.result(b)
			if state := r.State; err != nil || s.states && state != want || !s.states && state != "" {
				t.Errorf("%+v, with states %v: %q, %v; want %q", b, s.states, state, err, want)
			}
		}
	}
}

// searchFor searches like the endpoint.
func (s *Service) searchFor(ctx context.Context, ftin string, asked SearchParams) ([]Bill, error) {
	c, err := asked.criteria()
	if err != nil {
		return nil, err
	}
	return s.Search(ctx, clerk, ftin, c)
}

// A former number finds the bill after it got another.
func TestFormerNumberFindsTheBill(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil, Settings{})
		p := ledger.Payment{
			Source: ledger.FromRemittance, Occurrence: 1, Payer: "1999", TraceNumber: "CHK-1", PaidDate: "2026-02-01",
			PatientControlNumber: "PC-1",
			PayerControlNumber:   "ICN-1", ClaimStatus: "1", Charge: 10000, Paid: 8000,
			Reported: Bill{FTIN: ours, BillType: "P", PatientFirstName: "Ada", PatientLastName: "Ort\u00edz",
				BeginServiceDate: "2026-01-10"},
			Detail: ledger.PaymentDetail{Lines: []ledger.PaidLine{{Number: 1, Procedure: "99213", Charge: 10000, Paid: 8000}}},
		}
		p.Identify()
		take(t, s, func(l *ledger.Ledger, tx *sql.Tx) error {
			_, err := l.ImportRemitted(t.Context(), tx, []ledger.Remitted{{Payment: &p}})
			return err
		})
		byNumber := SearchParams{BillControlNumber: "icn-1"}
		found, err := s.searchFor(t.Context(), ours, byNumber)
		if err != nil || len(found) != 1 || found[0].BillStatus != StatusPaid {
			t.Fatalf("the bill made of the payment: %+v, %v", found, err)
		}
		result, err := s.result(found[0])
		if err != nil {
			t.Fatal(err)
		}
		takeBills(t, s, bill(nil))
		found, err = s.searchFor(t.Context(), ours, byNumber)
		if err != nil || len(found) != 1 || found[0].BillControlNumber != "BCN-1" || *found[0].PaidAmount != 8000 ||
			found[0].CheckNumber != "CHK-1" {
			t.Errorf("by its former number: %+v, %v", found, err)
		}
		if found, _, _, err := s.Find(t.Context(), clerk, AnyNumber{Number: "icn-1"}); err != nil ||
			formatFindings(found) != "formerNumber BCN-1" {
			t.Errorf("found by its former number: %q, %v", formatFindings(found), err)
		}
		_, id, _ := strings.Cut(result.EORImageURL, "?id=")
		if name, pdf, err := s.Document(t.Context(), clerk, id); err != nil || name != "bill-BCN-1-eor.pdf" ||
			!strings.HasPrefix(string(pdf), "%PDF-") {
			t.Errorf("its EOR by the former link: %v", err)
		}
		if paid, err := ledger.ListPayments(t.Context(), d.Reader, found[0]); err != nil || len(paid) != 1 || paid[0].Paid != 8000 {
			t.Errorf("its payments: %+v, %v", paid, err)
		}
	})
}

func TestDocuments(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil, Settings{ImageHosts: []string{"images.example"}})
		takeBills(t, s, bill(nil),
			bill(func(b *detailed) { b.BillControlNumber, b.Detail.Lines = "BARE", nil }),
			bill(func(b *detailed) { b.BillControlNumber, b.EOR = "PLAIN", false }),
			bill(func(b *detailed) { b.BillControlNumber, b.PricingSheet, b.BillingID = "SHEET", true, "B-1" }))
		if _, err := s.db.Writer.ExecContext(t.Context(), `UPDATE bills SET ftin = '111111111'`); err != nil {
			t.Fatal(err)
		}
		id := func(kind, ftin, key string) string {
			sealed, err := s.sealDocument(kind, ftin, key)
			if err != nil {
				t.Fatal(err)
			}
			return sealed
		}
		page := func(id pageID) string {
			sealed, err := s.sealPage(id)
			if err != nil {
				t.Fatal(err)
			}
			return sealed
		}
		paged := page(pageID{FTIN: ours, Key: "bcn-1"})
		for name, c := range map[string]struct {
			id     string
			exists bool
		}{
			"image":                          {id("image", ours, "bcn-1"), true},
			"EOR":                            {id("eor", ours, "bcn-1"), true},
			"image without service lines":    {id("image", ours, "bare"), false},
			"EOR of a bill without one":      {id("eor", ours, "plain"), false},
			"somebody else's":                {id("image", theirs, "bcn-1"), false},
			"no longer there":                {id("image", ours, "gone"), false},
			"made up":                        {"made-up", false},
			"image by its page":              {"image." + paged, true},
			"EOR by its page":                {"eor." + paged, true},
			"a page alone":                   {paged, false},
			"of no kind":                     {"." + paged, false},
			"another kind of a page":         {"second." + paged, false},
			"somebody else's page":           {"image." + page(pageID{FTIN: theirs, Key: "bcn-1"}), false},
			"the second system's page":       {"image." + page(pageID{FTIN: ours, Key: "bcn-1", ExID: "bcn-1"}), false},
			"a page made up":                 {"image.made-up", false},
			"the second system's as our own": {id("second", ours, "bcn-1"), false},
		} {
			exists, err := s.DocumentExists(t.Context(), clerk, c.id)
			if err != nil || exists != c.exists {
				t.Errorf("%s exists: %v, %v", name, exists, err)
			}
			file, pdf, err := s.Document(t.Context(), clerk, c.id)
			kind, _, _ := strings.Cut(strings.ToLower(name), " ")
			if c.exists && file != "bill-BCN-1-"+kind+".pdf" {
				t.Errorf("%s is named %q", name, file)
			}
			if c.exists && (err != nil || !strings.HasPrefix(string(pdf), "%PDF-")) || !c.exists && !problem.Is(err, problem.NotFound) {
				t.Errorf("%s: %d bytes, %v", name, len(pdf), err)
			}
			if err := s.CheckEOR(t.Context(), clerk, "/api/billSearch/billImage/"+c.id+"?id="+c.id); (err == nil) != c.exists {
				t.Errorf("%s checked: %v", name, err)
			}
		}
		if pdf, err := s.PricingSheetPDF(t.Context(), clerk, "sheet"); err != nil || !strings.HasPrefix(string(pdf), "%PDF-") {
			t.Errorf("pricing sheet: %v", err)
		}
		for _, number := range []string{"BCN-1", "gone"} {
			if _, err := s.PricingSheetPDF(t.Context(), clerk, number); !problem.Is(err, problem.NotFound) {
				t.Errorf("pricing sheet of %s: %v", number, err)
			}
		}
		lines, err := s.PricingSheetLines(t.Context(), clerk, "SHEET")
		if err != nil || !strings.Contains(lines[0], "PAGE 1 OF 1") {
			t.Errorf("lines: %v, %v", lines, err)
		}
		for _, l := range lines {
			if len(l) > 85 {
				t.Errorf("wider than 85: %q", l)
			}
		}
		for _, link := range []string{"http://evil.example/x", "http://images.example@evil.example/x", "ftp://images.example/x",
			"http://127.0.0.1/x", "//evil.example", "https://images.example/any/path", "images.example:eor"} {
			if err := s.CheckEOR(t.Context(), clerk, link); !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: %v", link, err)
			}
		}
		if n := 0; db.Get(t.Context(), d.Writer, &n, `SELECT count(*) FROM audit_log WHERE operation = 'open-image'
			AND result = 'refused'`) != nil || n == 0 {
			t.Error("the foreign document's refusal is not in the audit log")
		}
	})
}

func TestLongPricingSheetHasPages(t *testing.T) {
	b := bill(nil)
	for i := range 80 {
		b.Detail.Lines = append(b.Detail.Lines, ledger.Line{Number: i + 2, Procedure: "97110", Charge: 100})
	}
	pages := 0
	for _, l := range pricingSheetLines(b, "Network") {
		if strings.Contains(l, "PAGE ") {
			pages++
		}
	}
	if pages != 3 {
		t.Errorf("%d pages", pages)
	}
}

func TestPaymentInfoKeepsScope(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil, Settings{})
		takeBills(t, s, bill(nil), bill(func(b *detailed) { b.FTIN = theirs }))
		if b, err := s.Payment(t.Context(), clerk, ours, "bcn-1"); err != nil || b.PaidAmount != nil {
			t.Errorf("own: %+v, %v", b, err)
		}
		for _, c := range [][2]string{{theirs, "BCN-1"}, {ours, "BCN-77"}} {
			if _, err := s.Payment(t.Context(), clerk, c[0], c[1]); !problem.Is(err, problem.NotFound) {
				t.Errorf("%v: %v", c, err)
			}
		}
	})
}

func TestSecondSystem(t *testing.T) {
	hang := make(chan struct{})
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect is followed: %s %s with %q", r.Method, r.URL, r.Header.Get("Authorization"))
	}))
	defer elsewhere.Close()
	mode := "answer"
	var asked SecondSearch
	questions := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer key" {
			t.Errorf("authorization %q", r.Header.Get("Authorization"))
		}
		switch {
		case mode == "hang":
			<-hang
		case mode == "broken":
			http.Error(w, "no", http.StatusBadGateway)
		case mode == "nonsense":
			fmt.Fprint(w, "<html>")
		case mode == "moved":
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
		case strings.HasSuffix(r.URL.Path, "/bills/search"):
			asked = SecondSearch{}
			if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
				t.Error(err)
			}
			questions++
			if asked.BillControlNumber == "D-1" {
				fmt.Fprint(w, `[]`)
				return
			}
			fmt.Fprintf(w, `[{"ftin":"%s","exId":"X 1","billControlNumber":"M-1"},{"ftin":"%s","exId":"X2","billControlNumber":"M-2"}]`,
				ours, theirs)
		case r.URL.Path == "/bills/X 1/image":
			fmt.Fprint(w, `{"url":"https://images.example/1.pdf"}`)
		case r.URL.Path == "/bills/X 1/eor":
			fmt.Fprint(w, `{"url":"https://evil.example/1.pdf"}`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	defer close(hang)
	d := dbtest.Open(t, "sqlite")
	migrate(t, d)
	s := newService(t, d, NewSecondSystem(server.URL, "key", 200*time.Millisecond, nil), Settings{ImageHosts: []string{"Images.example"}})
	ask := ByClaim{"WC-77", Window{"2026-01-05", "2026-01-19"}}

	found, err := s.SearchSecond(t.Context(), clerk, []string{ours}, ask)
	if err != nil || len(found) != 1 || found[0].BillControlNumber != "M-1" {
		t.Errorf("found %v, %v: a TIN that was not asked for must be left out", found, err)
	}
	if asked.ClaimNumber != "WC-77" || asked.BeginServiceDate != "2026-01-05" || asked.TINs[0] != ours {
		t.Errorf("asked %+v", asked)
	}
	found, err = s.FindSecondByClaim(t.Context(), clerk, WholeClaim{"WC-78"})
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
		asked     SecondSearch
		questions int
	}{
		"M-1": {SecondSearch{BillControlNumber: "M-1"}, 1},
		"D-1": {SecondSearch{DocumentID: "D-1"}, 2},
	} {
		questions = 0
		found, more, err := s.FindSecond(t.Context(), clerk, AnyNumber{Number: number})
		want.asked.TINs = []string{ours, "222222222"}
		if err != nil || more || len(found) != 1 || found[0].FTIN != ours || !reflect.DeepEqual(asked, want.asked) ||
			questions != want.questions {
			t.Errorf("%s: found %+v, more %v, %v, asked %+v in %d questions", number, found, more, err, asked, questions)
		}
	}
	page, err := s.toFoundSecond(found[0])
	if id, _, opened := s.openPage(t.Context(), clerk, "open-page", page.ID); err != nil || opened != nil || !page.Second ||
		id != found[0].pageID() || id.ExID != "X 1" {
		t.Errorf("page %+v of %+v, %v, %v", id, page, err, opened)
	}
	r, err := s.secondResult(found[0])
	if err != nil || !r.MitchBill || r.ExID == "X 1" {
		t.Errorf("result %+v, %v: the second system's id is sealed", r, err)
	}
	if address, err := s.SecondDocument(t.Context(), clerk, r.ExID, false); err != nil || address != "https://images.example/1.pdf" {
		t.Errorf("image: %q, %v", address, err)
	}
	if address, err := s.SecondDocument(t.Context(), clerk, r.ExID, true); !problem.Is(err, problem.Unavailable) {
		t.Errorf("an address at a host that is not listed: %q, %v", address, err)
	}
	gone, err := s.secondResult(SecondBill{FTIN: ours, ExID: "X9"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.SecondDocument(t.Context(), clerk, gone.ExID, false); !problem.Is(err, problem.NotFound) {
		t.Errorf("no such document: %v", err)
	}
	for _, id := range []string{"X 1", "made-up"} {
		if _, err := s.SecondDocument(t.Context(), clerk, id, false); !problem.Is(err, problem.NotFound) {
			t.Errorf("id %q: %v", id, err)
		}
	}
	for _, mode = range []string{"hang", "broken", "nonsense", "moved"} {
		if _, err := s.SearchSecond(t.Context(), clerk, []string{ours}, ask); !problem.Is(err, problem.Unavailable) {
			t.Errorf("%s: %v", mode, err)
		}
		if _, _, err := s.FindSecond(t.Context(), clerk, AnyNumber{Number: "M-1"}); !problem.Is(err, problem.Unavailable) {
			t.Errorf("%s, a number: %v", mode, err)
		}
	}
	none := newService(t, d, nil, Settings{})
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
		asked := SearchParams{ClaimNumber: claim, ClaimantFirstName: first, ClaimantLastName: last, ClaimantDateOfBirth: parse(birth),
			BeginServiceDate: parse(begin), EndServiceDate: parse(end), BillControlNumber: bcn, DocumentID: doc}
		c, err := asked.criteria()
		if err == nil {
			err = validateCriteria(c)
		}
		if err != nil {
			return
		}
		var window Window
		switch c := c.(type) {
		case ByClaim:
			window = c.Window
			if c.ClaimNumber == "" {
				t.Errorf("a search for nothing passes: %+v", c)
			}
		case ByClaimant:
			window = c.Window
			if c.LastName == "" || c.FirstName == "" || c.BirthDate == "" {
				t.Errorf("a search for nothing passes: %+v", c)
			}
		case ByBillControlNumber:
			if c.Number == "" {
				t.Errorf("a search for nothing passes: %+v", c)
			}
			return
		case ByDocument:
			if c.ID == "" {
				t.Errorf("a search for nothing passes: %+v", c)
			}
			return
		}
		if window.Begin == "" || window.End > window.Begin.AddDays(maxWindowDays) {
			t.Errorf("a search without bounds passes: %+v", c)
		}
	})
}

func migrate(t *testing.T, d *db.DB) {
	t.Helper()
	if _, err := migrations.Up(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}

func migrated(t *testing.T) *db.DB {
	t.Helper()
	d := dbtest.Open(t, "sqlite")
	migrate(t, d)
	return d
}
