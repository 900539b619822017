package bulklookup

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

const (
	ours   = "111111111"
	second = "222222222"
	theirs = "999999999"
)

// office is the environment of the service.
type office struct {
	db     *db.DB
	queued []string // job ids
	now    time.Time
	userID int64
}

func (o *office) Insert(_ context.Context, _ *sql.Tx, args river.JobArgs) error {
	o.queued = append(o.queued, args.(JobArgs).ID)
	return nil
}

func (o *office) AsOf(context.Context) (string, error) { return "2026-08-20T13:02:00Z", nil }

func (o *office) actor() access.Actor {
	return access.Actor{Person: access.Person{ID: o.userID, UserName: "ada", Type: access.PRUS, GroupID: 7}}
}

// open creates a service on a database with the bills.
func open(t *testing.T, d *db.DB) (*Service, *office) {
	t.Helper()
	o := &office{db: d, now: time.Date(2026, 8, 20, 13, 2, 0, 0, time.UTC), userID: 3}
	identitytest.Add(t, d.Writer, o.actor().Person, "Ada Hand", ours, second)
	now := func() time.Time { return o.now }
	kit := billtest.NewKit(t, d, now, time.UTC)
	fill(t, d, billtest.NewLedger(d, now))
	return newService(kit, o), o
}

// newService creates the service for an office.
func newService(kit platform.Kit, o *office) *Service {
	kit.Jobs, kit.Limits = o, ratelimit.NewShared(kit.DB, kit.Clock)
	return NewService(Deps{Kit: kit, Records: record.NewService(record.Deps{Kit: kit, Scopes: tins.NewScopes(kit.DB)}, record.Settings{}),
		Scopes: tins.NewScopes(kit.DB), Users: identitytest.NewUsers(kit.DB), Ages: o}, fileexport.Quota{})
}

func migrated(t *testing.T) *db.DB {
	t.Helper()
	d := dbtest.Open(t, "sqlite")
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
	return d
}

// submission completes a bill from a file. Its service takes three days.
func submission(b facts.Bill) facts.Submission {
	allowance := int64(8000)
	s := facts.Submission{Source: facts.FromTable, Kind: "P", Repriced: b.BillControlNumber, Clearinghouse: b.DocumentID, Reported: b}
	s.Reported.PatientBirthDate, s.Reported.EndServiceDate = "1980-05-06", b.BeginServiceDate.AddDays(2)
	s.Reported.BillType, s.Reported.FrequencyCode, s.Reported.BillCharges = "P", "1", 10000
	s.Reported.RecommendedAllowance, s.Reported.RepricingMethod = &allowance, "03"
	s.Reported.BillStatus, s.Reported.EOR = facts.StatusPriced, true
	s.Identify()
	return s
}

// remitted completes a payment of our bill, and adds the set with its check.
func remitted(p facts.Payment) []facts.Remitted {
	p.Occurrence, p.Source, p.Payer, p.PaidDate = 1, facts.FromRemittance, "beacon", "2026-03-01"
	p.ClaimStatus, p.Charge, p.Written = "1", 10000, "202603010900"
	p.Reported.FTIN, p.Reported.EndServiceDate = ours, p.Reported.BeginServiceDate.AddDays(2)
	p.Reported.BillType, p.Reported.FrequencyCode, p.Reported.PayerName = "P", "1", "Beacon Road"
	p.Detail.Adjustments = []facts.Adjustment{{Group: "CO", Reason: "45", Amount: 10000 - p.Paid}}
	p.Identify()
	set := facts.RemittanceSet{FTIN: ours, Fact: "set " + p.TraceNumber, Remittance: p.Remittance, Payees: 1, Payer: p.Payer,
		TraceNumber: p.TraceNumber, PaidOn: p.PaidDate}
	return []facts.Remitted{{Payment: &p}, {Parts: []facts.RemittancePart{{Set: set}}}}
}

func fill(t *testing.T, d *db.DB, l *ledger.Ledger) {
	t.Helper()
	if err := d.Tx(t.Context(), func(tx *sql.Tx) error {
		if _, err := l.ImportSubmissions(t.Context(), tx, []facts.Submission{
			submission(facts.Bill{FTIN: ours, BillControlNumber: "7000-001-052", DocumentID: "DOC 1", PatientControlNumber: "PM-1001",
				ClaimNumber: "WC-77", PatientLastName: "Ortíz", PatientFirstName: "Ada", BeginServiceDate: "2026-01-10"}),
			submission(facts.Bill{FTIN: ours, BillControlNumber: "7000001053", DocumentID: "DOC-2", PatientControlNumber: "0001002",
				ClaimNumber: "WC-77", PatientLastName: "Brook", PatientFirstName: "Bea", BeginServiceDate: "2026-02-01"}),
			submission(facts.Bill{FTIN: second, BillControlNumber: "7000001054", DocumentID: "8800123", PatientControlNumber: "PM-1003",
				ClaimNumber: "WC 88", PatientLastName: "van der Berg", PatientFirstName: "Cy", BeginServiceDate: "2026-01-12"}),
			submission(facts.Bill{FTIN: theirs, BillControlNumber: "7000001055", DocumentID: "8800124", PatientControlNumber: "PM-1004",
				ClaimNumber: "WC-77", PatientLastName: "Ortíz", PatientFirstName: "Ada", BeginServiceDate: "2026-01-10"}),
			submission(facts.Bill{FTIN: ours, BillControlNumber: "7000001056", DocumentID: "8800125", PatientControlNumber: "DUP-1",
				ClaimNumber: "WC-90", PatientLastName: "Dane", PatientFirstName: "Dee", BeginServiceDate: "2026-01-12"}),
			submission(facts.Bill{FTIN: second, BillControlNumber: "7000001057", DocumentID: "8800126", PatientControlNumber: "DUP-1",
				ClaimNumber: "WC-90", PatientLastName: "Dane", PatientFirstName: "Dee", BeginServiceDate: "2026-01-16"}),
			submission(facts.Bill{FTIN: ours, BillControlNumber: "NETWORK", DocumentID: "8800127", PatientControlNumber: "700-77",
				ClaimNumber: "WC-91", PatientLastName: "Early", PatientFirstName: "Eve", BeginServiceDate: "2026-05-01"}),
		}); err != nil {
			return err
		}
		_, err := l.ImportRemitted(t.Context(), tx, slices.Concat(
			remitted(facts.Payment{TraceNumber: "CHK-900", PatientControlNumber: "0001002", PayerControlNumber: "ICN-5501",
				FormerNumber: "OLD-5500", Paid: 8000,
				Reported: facts.Bill{PatientLastName: "Brook", PatientFirstName: "Bea", BeginServiceDate: "2026-02-01"}}),
			remitted(facts.Payment{TraceNumber: "EFT901", PatientControlNumber: "LONE 7", PayerControlNumber: "ICN5502", Paid: 5000,
				Reported: facts.Bill{PatientLastName: "Gray", PatientFirstName: "Gil", BeginServiceDate: "2026-02-05"}}),
			// The payment of the first bill repeats the payer's reference instead of the
			// office's number.
			remitted(facts.Payment{TraceNumber: "CHK-902", PatientControlNumber: "MIS-1001", PayerControlNumber: "7000-001-052",
				Paid:     8000,
				Reported: facts.Bill{PatientLastName: "Ortíz", PatientFirstName: "Ada", BeginServiceDate: "2026-01-10"}}),
		))
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// one line and its result
func TestEachLineHasOneAnswer(t *testing.T) {
	only := func(kind Kind) []Kind { return []Kind{kind} }
	claim, person := []Kind{ClaimNumber, ServiceDate}, []Kind{LastName, FirstName, BirthDate, ServiceDate}
	full, check := []Kind{FullName, BirthDate, ServiceDate}, []Kind{CheckNumber, Account}
	tin := []Kind{Account, FTIN}
	cases := []struct {
		kinds []Kind
		row   string // cells, separated by bars
		want  string // result and bill numbers, or the cell's problem
		by    search.By
	}{
		{only(BillNumber), "7000-001-052", "found 7000-001-052", search.ByNumber},
		{only(BillNumber), "7000001052", "found 7000-001-052", search.ByNumber},
		{only(BillNumber), " 7000 001 052 ", "found 7000-001-052", search.ByNumber},
		{only(BillNumber), "7000–001–052", "found 7000-001-052", search.ByNumber},
		{only(BillNumber), "7000001053", "found 7000001053", search.ByNumber},
		{only(BillNumber), "7000-001-053", "found 7000001053", search.ByNumber},
		{only(BillNumber), "network", "found NETWORK", search.ByNumber},
		{only(BillNumber), "net work", "found NETWORK", search.ByNumber},
		{only(BillNumber), "'7000001053", "found 7000001053", search.ByNumber},
		{only(BillNumber), "7000001055", "none", ""}, // out of scope
		{only(BillNumber), "700000105", "none", ""},
		{only(BillNumber), "7000001053%", "none", ""},
		{only(BillNumber), "700000105_", "none", ""},
		{only(BillNumber), "7.00E+09", "unreadable " + sayShortened, ""},
		{only(BillNumber), "7,0000010E+9", "unreadable " + sayShortened, ""},
		{only(BillNumber), "7E+09", "unreadable " + sayShortened, ""},
		{only(BillNumber), "N/A", "unreadable " + sayEmpty, ""},
		{only(BillNumber), "", "unreadable " + sayEmpty, ""},
		{only(BillNumber), strings.Repeat("7", 61), "unreadable " + sayLong, ""},
		{only(DocumentID), "DOC 1", "found 7000-001-052", search.ByDocID},
		{only(DocumentID), "doc1", "found 7000-001-052", search.ByDocID},
		{only(DocumentID), "doc-2", "found 7000001053", search.ByDocID},
		{only(DocumentID), "88-00123", "found 7000001054", search.ByDocID},
		{only(DocumentID), "8800124", "none", ""},
		{only(Account), "PM-1001", "found 7000-001-052", search.ByAccount},
		{only(Account), "pm1001", "found 7000-001-052", search.ByAccount},
		{only(Account), "PM 1003", "found 7000001054", search.ByAccount},
		{only(Account), "0001002", "found 7000001053", search.ByAccount},
		{only(Account), "1002", "none", ""}, // lost zeros are reported, not guessed
		{only(Account), "PM-1004", "none", ""},
		{only(Account), "dup1", "several 7000001057 7000001056", search.ByAccount},
		{only(Account), "LONE7", "found ICN5502", search.ByAccount}, // known only from its payment
		{tin, "DUP-1|22-2222222", "found 7000001057", search.ByAccount},
		{tin, "DUP-1|111111111", "found 7000001056", search.ByAccount},
		{tin, "DUP-1|999999999", "none", ""},
		{tin, "DUP-1|11111111", "unreadable " + sayTIN, ""},
		{tin, "DUP-1|1.2E+08", "unreadable " + sayShortened, ""},
		{tin, "DUP-1|" + strings.Repeat("1", 61), "unreadable " + sayLong, ""},
		{tin, "DUP-1|", "several 7000001057 7000001056", search.ByAccount},
		{only(PayerNumber), "ICN-5501", "found 7000001053", search.ByPayer},
		{only(PayerNumber), "icn5501", "found 7000001053", search.ByPayer},
		{only(PayerNumber), "ICN-5502", "found ICN5502", search.ByPayer},
		{only(PayerNumber), "old5500", "found 7000001053", search.ByPayer}, // the payer's former number
		{only(PayerNumber), "5501", "none", ""},
		{claim, "WC-77|01/11/2026", "found 7000-001-052", search.ByClaimDay},
		{claim, "wc77|1/3/2026", "found 7000-001-052", search.ByClaimDay}, // seven days before
		{claim, "WC-77|1/2/2026", "none", ""},
		{claim, "WC-77|46054", "found 7000001053", search.ByClaimDay}, // a spreadsheet's serial number
		{claim, "WC88|2026-01-12", "found 7000001054", search.ByClaimDay},
		{claim, "WC-90|01/14/2026", "found 7000001056", search.ByClaimDay}, // the exact day wins
		{claim, "WC-90|01/15/2026", "several 7000001057 7000001056", search.ByClaimDay},
		{claim, "WC-77|", "unreadable " + sayService, ""},
		{claim, "WC-77|soon", "unreadable " + sayDate, ""},
		{person, "ORTI\u0301Z|ada|05/06/1980|01/10/2026", "found 7000-001-052", search.ByPerson},
		{person, "Ortíz|Ada|05/07/1980|01/10/2026", "none", ""},
		{person, "Ortíz|Ad|05/06/1980|01/10/2026", "none", ""},
		{person, "Ortíz|Ada||01/10/2026", "unreadable " + sayBirth, ""},
		{person, "Ortíz||05/06/1980|01/10/2026", "unreadable " + sayFirst, ""},
		{full, "van der Berg, Cy|5/6/1980|1/12/2026", "found 7000001054", search.ByPerson},
		{full, "Bea Q. Brook|5/6/1980|2/1/2026", "found 7000001053", search.ByPerson},
		{full, "Ortíz, Ada|5/6/1980|", "unreadable " + sayService, ""},
		{full, "Ortíz|5/6/1980|1/12/2026", "unreadable " + sayName, ""},
		{check, "CHK900|PM-OTHER", "none", ""},
		{check, "chk 902|mis1001", "found 7000-001-052", search.ByCheck}, // the payment's own number
		{check, "CHK-901|MIS-1001", "none", ""},
		{check, "CHK-902|", "found 7000-001-052", search.ByCheck},
		{only(CheckNumber), "chk 900", "found 7000001053", search.ByCheck},
		{only(CheckNumber), "CHK-903", "none", ""},
		{only(CheckNumber), "000", "unreadable " + sayEmpty, ""},
		{only(BillNumber), "EFT-901", "found ICN5502", search.ByCheck}, // no bill has this number, but a check does
		{[]Kind{CheckNumber, FTIN}, "CHK900|222222222", "none", ""},
		{[]Kind{CheckNumber, Account, DocumentID}, "EFT-901|LONE-7|nothing", "found ICN5502", search.ByAccount},
		{[]Kind{BillNumber, Account}, "7000001055|PM-1003", "found 7000001054", search.ByAccount}, // the next way
		{[]Kind{BillNumber, Account}, "7E+09|PM-1003", "found 7000001054 " + sayShortened, search.ByAccount},
		{[]Kind{BillNumber, Account}, "7E+09|PM-1004", "unreadable " + sayShortened, ""},
	}
	assert.GreaterOrEqual(t, len(cases), 60)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, o := open(t, d)
		for _, c := range cases {
			columns := make([]Column, len(c.kinds))
			for i, kind := range c.kinds {
				columns[i] = Column{Index: i, Kind: kind}
			}
			rows := [][]string{strings.Split(c.row, "|")}
			lines, err := s.lookUpLines(t.Context(), o.actor(), Table{Columns: columns, Rows: rows}, countDigits(columns, rows))
			if err != nil || len(lines) != 1 {
				t.Fatalf("%s: %v", c.row, err)
			}
			if got := formatAnswer(lines[0]); got != c.want || lines[0].By != c.by {
				t.Errorf("%v %q: %q by %q, want %q by %q", c.kinds, c.row, got, lines[0].By, c.want, c.by)
			}
		}
	})
}

func formatAnswer(l Line) string {
	parts := []string{l.Answer}
	for _, b := range l.Bills {
		parts = append(parts, b.BillControlNumber)
	}
	for _, c := range l.Cells {
		parts = append(parts, c.Message)
	}
	return strings.Join(parts, " ")
}

// numbersOnly is a table with one column of bill control numbers.
func numbersOnly(numbers ...string) Table {
	t := Table{Columns: []Column{{Kind: BillNumber}}}
	for _, n := range numbers {
		t.Rows = append(t.Rows, []string{n})
	}
	return t
}

// Numbers shorter than the others in their column may have lost leading zeros.
func TestLostZerosAreReported(t *testing.T) {
	s, o := open(t, migrated(t))
	table := Table{Columns: []Column{{Index: 1, Kind: Account}},
		Rows: [][]string{{"a", "0001002"}, {"b", "0001003"}, {"c", "1004"}, {"d", "1002A"}}}
	lines, err := s.LookUpTable(t.Context(), o.actor(), table)
	require.NoError(t, err)
	for i, want := range []string{"found 7000001053", "none", "none " + sayZeros, "none"} {
		assert.Equalf(t, want, formatAnswer(lines[i]), "line %d", i+1)
	}
	assert.Equal(t, 1, lines[2].Cells[0].Index)
}

// A lookup is audited with each returned bill in one entry. It doesn't count as opening a bill.
func TestLookingUpIsAudited(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, o := open(t, d)
		if _, err := s.LookUpTable(t.Context(), o.actor(), numbersOnly("7000001053", "7000001054", "7000001055", "nothing")); err != nil {
			t.Fatal(err)
		}
		var entries []struct{ Subject, Answered, Detail string }
		require.NoError(t, db.Select(t.Context(), d.Reader, &entries, `SELECT subject, answered, detail FROM audit_log
			WHERE operation = 'findMany'`))
		if len(entries) != 1 || entries[0].Subject != ours+" "+second || entries[0].Answered != `["7000001053","7000001054"]` ||
			entries[0].Detail != "4 lines" {
			t.Errorf("%+v", entries)
		}
		var keys []string
		require.NoError(t, db.Select(t.Context(), d.Reader, &keys, `SELECT key FROM audit_keys WHERE key LIKE 'about % %'
			ORDER BY key`))
		assert.Equalf(t, "[about 111111111 7000001053 about 222222222 7000001054]", fmt.Sprint(keys), "found by %q", keys)
	})
}

func TestLimitsOfLines(t *testing.T) {
	s, o := open(t, migrated(t))
	refused := func(kind problem.Kind, message string, err error) {
		t.Helper()
		if !problem.Is(err, kind) || problem.From(err).Message != message {
			t.Errorf("%v, want %q", err, message)
		}
	}
	_, err := s.LookUpTable(t.Context(), o.actor(), numbersOnly(make([]string, MaxLines+1)...))
	refused(problem.Invalid, "Save the lines as a file to look up as many as 10,000.", err)
	_, err = s.LookUpTable(t.Context(), o.actor(), Table{Columns: []Column{{Kind: Ignored}}, Rows: [][]string{{"1"}}})
	refused(problem.Invalid, "Select what each column contains", err)
	if fields := problem.From(err).Fields; len(fields) != 1 || fields[0].Path != "columns" {
		t.Errorf("%+v", fields)
	}
	_, err = s.LookUpTable(t.Context(), o.actor(), numbersOnly("1", strings.Repeat("x", maxCellBytes+1)))
	refused(problem.Invalid, "Line 2 has a cell with more than 2000 characters. Shorten it.", err)
	for range MaxLinesPerDay / MaxLines {
		require.NoError(t, s.countTowardLimit(t.Context(), o.actor(), MaxLines))
	}
	_, err = s.LookUpTable(t.Context(), o.actor(), numbersOnly("7000001053"))
	refused(problem.TooMany, "A group can look up 30,000 lines per day. Try again after 08/21/2026 at 1:02 PM UTC.", err)
	o.now = o.now.Add(25 * time.Hour)
	assert.NoError(t, dbtest.Err(s.LookUpTable(t.Context(), o.actor(), numbersOnly("7000001053"))))
}
