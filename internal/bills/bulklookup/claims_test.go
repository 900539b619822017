package bulklookup

import (
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billtest"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/search"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/x12/x12test"
)

const (
	professional  = "005010X222A1"
	institutional = "005010X223A2"
)

// ada is the bill 7000-001-052 as the office sent it.
var ada = Claim{Account: "PM-1001", FTIN: ours, LastName: "ORTIZ", FirstName: "ADA", BirthDate: "1980-05-06", From: "2026-01-10",
	To: "2026-01-12", Charge: 10000, ClaimNumber: "WC-77"}

// with changes a bill as sent.
func with(change func(*Claim)) Claim {
	c := ada
	change(&c)
	return c
}

// segments writes a bill as sent, from its billing provider.
func (c Claim) segments(hl int) []string {
	list := []string{
		fmt.Sprintf("HL*%d**20*1", hl), "NM1*85*2*LAKE ORTHOPEDICS*****XX*1234567893", "REF*EI*" + c.FTIN,
		fmt.Sprintf("HL*%d*%d*22*0", hl+1, hl), "SBR*P*18*******WC", "NM1*IL*1*" + c.LastName + "*" + c.FirstName,
		"DMG*D8*" + strings.ReplaceAll(string(c.BirthDate), "-", "") + "*F", "REF*Y4*" + c.ClaimNumber,
		fmt.Sprintf("NM1*PR*2*PAYER %d*****PI*P%d", hl%2, hl%2), // several payers
		fmt.Sprintf("CLM*%s*%d.%02d***11:B:1*Y*A*Y*Y", c.Account, c.Charge/100, c.Charge%100),
	}
	for _, ref := range [][2]string{{"F8", c.PayerNumber}, {"9A", c.Repriced}, {"D9", c.Document}} {
		if ref[1] != "" {
			list = append(list, "REF*"+ref[0]+"*"+ref[1])
		}
	}
	list = append(list, "LX*1", fmt.Sprintf("SV1*HC:99213*%d.%02d*UN*1***1", c.Charge/100, c.Charge%100))
	if c.From != "" {
		list = append(list, fmt.Sprintf("DTP*472*RD8*%s-%s", strings.ReplaceAll(string(c.From), "-", ""),
			strings.ReplaceAll(string(c.To), "-", "")))
	}
	return list
}

// write837 writes professional bills.
func write837(claims ...Claim) string {
	segments := []string{"BHT*0019*00*1*20260301*0304*CH"}
	for i, c := range claims {
		segments = append(segments, c.segments(2*i+1)...)
	}
	return x12test.Interchange(professional, x12test.Set("837", professional, segments...))
}

// lookUp uploads an 837 and returns all results.
func lookUp(t *testing.T, s *Service, o *office, text string) ClaimPage {
	t.Helper()
	f, err := s.Upload(t.Context(), o.actor(), "sent.txt", makeFile(t, "sent.txt", text))
	require.NoError(t, err)
	if !f.Claims || len(f.Columns) > 0 {
		t.Fatalf("read as a table: %+v", f)
	}
	require.NoError(t, dbtest.Err(s.Run(t.Context(), o.actor(), f.ID, nil, 0)))
	if _, err := s.ListClaims(t.Context(), o.actor(), f.ID, "", 0, 50); !problem.Is(err, problem.Conflict) {
		t.Errorf("results before it is done: %v", err)
	}
	require.NoError(t, goes(t.Context(), s, f.ID))
	p, err := s.ListClaims(t.Context(), o.actor(), f.ID, "", 0, 50)
	require.NoError(t, err)
	return p
}

// formatClaim is the outcome, the bills found and the differences.
func formatClaim(l ClaimLine) string {
	parts := []string{l.outcome()}
	for _, b := range l.Bills {
		parts = append(parts, b.BillControlNumber)
	}
	for _, d := range l.Differs {
		parts = append(parts, d.Field, d.Sent, d.OnFile)
	}
	return strings.Join(parts, " ")
}

func listOutcomes(p ClaimPage) string {
	var list []string
	for _, o := range p.Outcomes {
		list = append(list, o.Outcome)
	}
	return fmt.Sprint(list)
}

var visit = with(func(c *Claim) { c.Account = "NEW-1" })

// a bill as sent, what it finds, and by what
var sentCases = []struct {
	sent Claim
	want string
	by   search.By
}{
	{ada, "found 7000-001-052", search.ByAccount},
	{with(func(c *Claim) { c.LastName, c.Charge = "Ortega", 12050 }),
		"different 7000-001-052 lastName Ortega Ortíz charge 120.50 100.00", search.ByAccount},
	{with(func(c *Claim) { c.FirstName, c.From, c.To = "Bea", "2026-01-13", "2026-01-13" }),
		"different 7000-001-052 firstName Bea Ada dates 01/13/2026 01/10/2026 to 01/12/2026", search.ByAccount},
	{with(func(c *Claim) { c.From, c.To = "2026-01-19", "2026-01-19" }),
		"different 7000-001-052 dates 01/19/2026 01/10/2026 to 01/12/2026", search.ByAccount},
	{with(func(c *Claim) { c.From, c.To = "2026-01-20", "2026-01-20" }), "none", ""}, // another visit
	{with(func(c *Claim) { c.FTIN = second }), "different 7000-001-052 ftin 222222222 111111111", search.ByClaimDay},
	{with(func(c *Claim) { c.FTIN = theirs }), "none", ""},
	{with(func(c *Claim) { c.FTIN, c.Repriced, c.Document = theirs, "7000-001-052", "DOC 1" }), "none", ""},
	{with(func(c *Claim) { c.Account, c.Repriced = "PM-1004", "7000001055" }), "found 7000-001-052", search.ByClaimDay}, // theirs
	{with(func(c *Claim) { c.Repriced = "7000001054" }), "found 7000-001-052", search.ByAccount},                        // second's
	{with(func(c *Claim) { c.Account, c.Repriced, c.Charge = "NEW-1", "7000001054", 9900 }),
		"different 7000001054 ftin 111111111 222222222 lastName ORTIZ van der Berg firstName ADA Cy " +
			"dates 01/10/2026 to 01/12/2026 01/12/2026 to 01/14/2026 charge 99.00 100.00", search.ByNumber},
	{with(func(c *Claim) { c.Document = "doc-2" }),
		"different 7000001053 lastName ORTIZ Brook firstName ADA Bea dates 01/10/2026 to 01/12/2026 02/01/2026 to 02/03/2026",
		search.ByDocID},
	{with(func(c *Claim) {
		c.Account, c.PayerNumber, c.LastName, c.FirstName, c.From, c.To = "NEW-1", "ICN-5501", "Brook", "Bea", "2026-02-01", "2026-02-03"
	}), "found 7000001053", search.ByPayer},
	{with(func(c *Claim) {
		c.Account, c.PayerNumber, c.From, c.To = "NEW-1", "ICN-5501", "2026-03-01", "2026-03-01"
	}), "none", ""},
	{visit, "found 7000-001-052", search.ByClaimDay},
	{with(func(c *Claim) { c.Account, c.ClaimNumber = "NEW-1", "" }), "found 7000-001-052", search.ByPerson},
	// Another visit is near the day, under the claim number.
	{with(func(c *Claim) { c.Account, c.ClaimNumber, c.To = "NEW-1", "WC-90", "2026-01-10" }),
		"different 7000-001-052 dates 01/10/2026 01/10/2026 to 01/12/2026", search.ByPerson},
	{with(func(c *Claim) { c.FTIN, c.Account, c.ClaimNumber, c.To = second, "NEW-1", "WC-90", "2026-01-10" }),
		"different 7000-001-052 ftin 222222222 111111111 dates 01/10/2026 01/10/2026 to 01/12/2026", search.ByPerson},
	{with(func(c *Claim) { c.Account, c.Charge = "NEW-1", 9000 }), "none", ""},
	{with(func(c *Claim) { c.Account, c.From, c.To = "NEW-1", "2026-01-13", "2026-01-13" }), "none", ""},
	{with(func(c *Claim) { c.Account = "TWO-1" }), "several 7000001060 7000001061", search.ByAccount},
	{with(func(c *Claim) { c.Account, c.LastName = "N/A", "Nobody" }), "different 7000-001-052 lastName Nobody Ortíz", search.ByClaimDay},
	{with(func(c *Claim) { c.From = "" }), "unreadable", ""},
	{with(func(c *Claim) { c.FTIN = "12345" }), "unreadable", ""},
}

func addTwins(t *testing.T, d *db.DB) {
	t.Helper()
	billtest.Take(t, d, func(l *ledger.Ledger, tx *sql.Tx) error {
		_, err := l.ImportSubmissions(t.Context(), tx, []facts.Submission{
			submission(facts.Bill{FTIN: ours, BillControlNumber: "7000001060", DocumentID: "8800130", PatientControlNumber: "TWO-1",
				ClaimNumber: "WC-95", PatientLastName: "Twin", PatientFirstName: "Tia", BeginServiceDate: "2026-01-10"}),
			submission(facts.Bill{FTIN: ours, BillControlNumber: "7000001061", DocumentID: "8800131", PatientControlNumber: "TWO-1",
				ClaimNumber: "WC-95", PatientLastName: "Twin", PatientFirstName: "Tia", BeginServiceDate: "2026-01-10"}),
		})
		return err
	})
}

func TestEachSentBillHasOneAnswer(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, o := open(t, d)
		addTwins(t, d)
		claims := make([]Claim, len(sentCases))
		for i, c := range sentCases {
			claims[i] = c.sent
		}
		p := lookUp(t, s, o, write837(claims...))
		require.Equal(t, len(sentCases), len(p.Lines))
		require.Equal(t, len(sentCases), p.Count)
		for i, c := range sentCases {
			l := p.Lines[i]
			if got := formatClaim(l); got != c.want || l.By != c.by || l.Number != i+1 {
				t.Errorf("line %d, %+v: %q by %q, want %q by %q", i+1, c.sent, got, l.By, c.want, c.by)
			}
			if (l.Sent.Problem != "") != (c.want == "unreadable") || l.Sent.Account != c.sent.Account {
				t.Errorf("line %d: %+v", i+1, l.Sent)
			}
		}
	})
}

// dump returns all rows of all tables except those that a lookup writes to.
func dump(t *testing.T, d *db.DB) map[string][]string {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if d.Dialect.Name == "postgres" {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
	}
	var names []string
	require.NoError(t, db.Select(t.Context(), d.Reader, &names, query))
	all := map[string][]string{}
	for _, name := range names {
		if name == "lookup_jobs" || strings.HasPrefix(name, "audit_") || strings.HasPrefix(name, "rate_") {
			continue
		}
		all[name] = dumpTable(t, d, name)
		slices.Sort(all[name])
	}
	return all
}

func dumpTable(t *testing.T, d *db.DB, name string) []string {
	t.Helper()
	rows, err := d.Reader.QueryContext(t.Context(), "SELECT * FROM "+name)
	require.NoError(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	require.NoError(t, err)
	list := []string{}
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		require.NoError(t, rows.Scan(into...))
		list = append(list, fmt.Sprintf("%v", values))
	}
	require.NoError(t, rows.Err())
	return list
}

// A lookup stores nothing of an 837 in the ledger, nor anywhere else.
func TestNothingReachesTheLedger(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, o := open(t, d)
		before := dump(t, d)
		for _, table := range []string{"bills", "submissions", "payments", "bill_links", "bill_changes"} {
			assert.NotNilf(t, before[table], "the table %s isn't compared", table)
		}
		assert.NotEmpty(t, before["submissions"], "no submissions to compare")
		p := lookUp(t, s, o, write837(ada, visit, with(func(c *Claim) { c.Account, c.LastName, c.ClaimNumber = "NEW-2", "Unknown", "" })))
		assert.Equal(t, "[found found none]", listOutcomes(p))
		for table, rows := range dump(t, d) {
			assert.Equalf(t, before[table], rows, "the lookup changed %s: %d rows before, %d after", table, len(before[table]), len(rows))
		}
	})
}

// Each of three groups finds only the bills of its own TINs, whatever the 837 says.
func TestGroupsThatShareTINs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, o := open(t, d)
		file := write837(ada, with(func(c *Claim) { c.Account, c.FTIN, c.From, c.To = "DUP-1", second, "2026-01-16", "2026-01-18" }),
			with(func(c *Claim) { c.Account, c.FTIN = "PM-1004", theirs }))
		for i, c := range []struct {
			tins []string
			want string
		}{
			{[]string{ours, second}, "[found different none]"},
			{[]string{second}, "[none different none]"},
			{[]string{second, theirs}, "[none different found]"},
		} {
			who := *o
			who.userID = int64(20 + i)
			identitytest.Add(t, d.Writer, access.Person{ID: who.userID, UserName: fmt.Sprintf("user%d", i), Type: access.PRUS,
				GroupID: int64(20 + i)}, "Uma User", c.tins...)
			f, err := s.Upload(t.Context(), who.actor(), "a.edi", makeFile(t, "a.edi", file))
			require.NoError(t, err)
			require.NoError(t, dbtest.Err(s.Run(t.Context(), who.actor(), f.ID, nil, 0)))
			require.NoError(t, goes(t.Context(), s, f.ID))
			p, err := s.ListClaims(t.Context(), who.actor(), f.ID, "", 0, 10)
			if err != nil || listOutcomes(p) != c.want {
				t.Errorf("%v: %v, %v; want %s", c.tins, listOutcomes(p), err, c.want)
			}
			if _, err := s.ListClaims(t.Context(), o.actor(), f.ID, "", 0, 10); !problem.Is(err, problem.NotFound) {
				t.Errorf("another user's: %v", err)
			}
			if p.Lines[0].Bills != nil {
				identitytest.SetTINs(t, d.Writer, who.actor().Person, theirs)
				if _, err := s.ListClaims(t.Context(), who.actor(), f.ID, "", 0, 10); !problem.Is(err, problem.NotFound) {
					t.Errorf("after the TIN is gone: %v", err)
				}
			}
		}
	})
}

// Results have pages, outcomes and a file, and each page is audited.
func TestResultsOfAnX12File(t *testing.T) {
	s, o := open(t, migrated(t))
	var claims []Claim
	for i := range 1003 {
		c := with(func(c *Claim) { c.Account, c.LastName, c.ClaimNumber = fmt.Sprintf("X-%d", i), "Unknown", "" })
		if i%100 == 0 {
			c = with(func(c *Claim) { c.Charge = 20000 })
		}
		claims = append(claims, c)
	}
	claims[1002] = ada
	p := lookUp(t, s, o, write837(claims...))
	const counts = "[{found 1 100} {different 11 2200} {several 0 0} {none 991 99100} {unreadable 0 0}]"
	if got := fmt.Sprint(countOutcomes(p.Outcomes)); got != counts || len(p.Lines) != 50 || p.Count != 1003 ||
		p.AsOf != "2026-08-20T13:02:00Z" {
		t.Errorf("%s, %d lines of %d, as of %s", got, len(p.Lines), p.Count, p.AsOf)
	}
	list, _, err := s.ListJobs(t.Context(), o.actor())
	if err != nil || len(list) != 1 || !list[0].Claims || list[0].Found != 12 || list[0].Lines != 1003 {
		t.Fatalf("%+v, %v", list, err)
	}
	id := list[0].ID
	last, err := s.ListClaims(t.Context(), o.actor(), id, Different, 10, 10)
	if err != nil || last.Count != 11 || len(last.Lines) != 1 || last.Lines[0].Number != 1001 {
		t.Errorf("%+v, %v", last, err)
	}
	if beyond, err := s.ListClaims(t.Context(), o.actor(), id, Several, 10, 10); err != nil || beyond.Count != 0 || len(beyond.Lines) != 0 {
		t.Errorf("%+v, %v", beyond, err)
	}
	var audited int
	if err := db.Get(t.Context(), o.db.Reader, &audited, `SELECT count(*) FROM audit_log WHERE operation = 'findManyResult'`); err != nil ||
		audited != 3 {
		t.Errorf("%d entries, %v", audited, err)
	}
	for _, format := range []spreadsheet.Format{spreadsheet.CSV, spreadsheet.XLSX} {
		rows := readResult(t, s, o, id, format)
		if len(rows) != 1004 || rows[0][0] != "Patient Account Number" || rows[0][len(rows[0])-1] != "Differences" {
			t.Fatalf("%s: %d rows, %q", format, len(rows), rows[0])
		}
		if r := rows[1]; r[0] != "PM-1001" || r[2] != "ORTIZ, ADA" || r[9] != "1" || r[10] != "7000-001-052" ||
			r[len(r)-1] != "Charge: 200.00 sent, 100.00 on file" {
			t.Errorf("%s: %q", format, r)
		}
		if r := rows[2]; r[9] != "None" {
			t.Errorf("%s: %q", format, r)
		}
	}
	table := begin(t, s, o, "Bill #\n7000001053\n")
	require.NoError(t, goes(t.Context(), s, table.ID))
	if _, err := s.ListClaims(t.Context(), o.actor(), table.ID, "", 0, 10); !problem.Is(err, problem.NotFound) {
		t.Errorf("the bills of a table: %v", err)
	}
}

// A file of several transaction sets, interchanges and kinds is read, in any character set.
func TestX12FilesOfAllShapes(t *testing.T) {
	hospital := []string{"BHT*0019*00*1*20260301*0304*CH", "HL*1**20*1", "NM1*85*2*LAKE HOSPITAL*****XX*1234567893", "REF*EI*" + ours,
		"HL*2*1*22*0", "SBR*P*18*******WC", "NM1*IL*1*BROOK*BEA", "DMG*D8*19800506*F", "NM1*PR*2*PAYER*****PI*P9",
		"CLM*0001002*100***13:A:1**A*Y*Y", "DTP*434*RD8*20260201-20260203", "CL1*3*1*01", "LX*1", "SV2*0450*HC:99213*100*UN*1",
		"DTP*472*D8*20260201"}
	both := x12test.File(1,
		x12test.Group{Code: "HC", Guide: professional, Date: "20260301", Time: "0304", Sets: []string{
			x12test.Set("837", professional, append([]string{"BHT*0019*00*1*20260301*0304*CH"}, ada.segments(1)...)...),
			x12test.Set("837", professional, append([]string{"BHT*0019*00*1*20260301*0304*CH"}, visit.segments(1)...)...)}},
		x12test.Group{Code: "HC", Guide: institutional, Date: "20260301", Time: "0304", Sets: []string{
			x12test.Set("837", institutional, hospital...)}},
		x12test.Group{Code: "FA", Guide: "005010X231A1", Date: "20260301", Time: "0304", Sets: []string{
			x12test.Set("999", "005010X231A1", "AK1*HC*1*"+professional, "AK9*A*1*1*1")}})
	oneLine := strings.ReplaceAll(write837(ada), "\n", "")
	for name, c := range map[string]struct{ text, want, warnings string }{
		"mixed":          {both, "[found found found]", "[We skipped 1 transaction set without bills we can read.]"},
		"two files":      {write837(ada) + write837(visit), "[found found]", "[]"},
		"one line":       {oneLine, "[found]", "[]"},
		"byte order":     {"\uFEFF\r\n" + write837(ada), "[found]", "[]"},
		"windows-1252":   {strings.ReplaceAll(write837(ada), "ORTIZ", "ORT\xcdZ"), "[found]", "[]"},
		"other elements": {strings.NewReplacer("*", "|", "~", "\n", "~\n", "\n").Replace(write837(ada)), "[found]", "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			s, o := open(t, migrated(t))
			p := lookUp(t, s, o, c.text)
			if listOutcomes(p) != c.want || fmt.Sprint(p.Warnings) != c.warnings {
				t.Errorf("%v, %v; want %s, %s", listOutcomes(p), p.Warnings, c.want, c.warnings)
			}
			for _, l := range p.Lines {
				assert.Empty(t, l.Sent.Problem)
			}
		})
	}
}

func TestX12FilesThatCannotBeTaken(t *testing.T) {
	s, o := open(t, migrated(t))
	good := write837(ada)
	cut, _, _ := strings.Cut(good, "LX*1")
	many := make([]Claim, MaxLinesPerFile+1)
	for i := range many {
		many[i] = Claim{Account: "A", FTIN: ours, LastName: "B", From: "2026-01-10", To: "2026-01-10"}
	}
	other := func(code, guide string, segments ...string) string {
		return x12test.Interchange(guide, x12test.Set(code, guide, segments...))
	}
	for _, c := range []struct{ name, text, want string }{
		{"cut.edi", cut,
			"Segment 14 (line 14): the file ends before SE closes segment 3. Export the 837 again and upload the complete file."},
		{"cut.edi", strings.ReplaceAll(cut, "\n", ""),
			"Segment 14: the file ends before SE closes segment 3. Export the 837 again and upload the complete file."},
		{"short.edi", "ISA*00*", "Segment 1, ISA: the segment is incomplete. Export the 837 again and upload the complete file."},
		{"count.edi", strings.Replace(good, "SE*", "SE*9", 1), "Segment 18 (line 18), SE01: "},
		{"ack.edi", other("999", "005010X231A1", "AK1*HC*1*"+professional, "AK9*A*1*1*1"),
			"This file is a 999 (acknowledgment). Upload the 837."},
		{"pay.csv", other("835", "005010X221A1", x12test.PaymentHead...), "This file is an 835 (payments). Upload the 837."},
		{"old.edi", other("837", "003070X999", ada.segments(1)...),
			"We can't read this 837. Use a professional, institutional or dental 837 in version 5010 or 4010."},
		{"none.edi", other("837", professional, "BHT*0019*00*1*20260301*0304*CH"),
			"We can't read this 837. Use a professional, institutional or dental 837 in version 5010 or 4010."},
		{"order.edi", other("850", "005010", "BEG*00*SA*1**20260301"), "This file has no bills. Upload the 837."},
		{"sent.zip", "PK\x03\x04rest", "This is a ZIP file. Unpack it, then upload the 837 in it."},
		{"sent.837", "PK\x03\x04rest", "This is a ZIP file. Unpack it, then upload the 837 in it."},
		{"many.edi", write837(many...), "The file has more than 10,000 bills. Split it into smaller files."},
		{"sent.edi", "Bill #\n1\n", "Upload a CSV, XLSX or 837 file."},
	} {
		_, err := s.Upload(t.Context(), o.actor(), c.name, makeFile(t, c.name, c.text))
		if got := problem.From(err).Message; !problem.Is(err, problem.Invalid) || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		o.now = o.now.Add(time.Hour)
	}
	assert.Empty(t, listKeys(t, s.exports.Files))
	// A table whose first heading begins with these letters is a table.
	if f, err := s.Upload(t.Context(), o.actor(), "a.csv", makeFile(t, "a.csv", "ISA,Bill #\n1,7000001053\n")); err != nil || f.Claims {
		t.Errorf("%+v, %v", f, err)
	}
}

// The bills of a file count toward the group's daily limit, like the lines of a table.
func TestLimitOfSentBills(t *testing.T) {
	s, o := open(t, migrated(t))
	require.NoError(t, s.countTowardLimit(t.Context(), o.actor(), MaxLinesPerDay-1))
	f, err := s.Upload(t.Context(), o.actor(), "a.edi", makeFile(t, "a.edi", write837(ada, visit)))
	require.NoError(t, err)
	if _, err := s.Run(t.Context(), o.actor(), f.ID, nil, 0); !problem.Is(err, problem.TooMany) {
		t.Errorf("%v", err)
	}
}

// Bills with problems are listed with the segment to correct.
func TestProblemsOfSentBills(t *testing.T) {
	file := write837(with(func(c *Claim) { c.FTIN = "12345" }), with(func(c *Claim) { c.From = "" }),
		with(func(c *Claim) { c.Document = strings.Repeat("9", 61) }))
	claims, err := readClaims([]byte(file), "2026-08-20")
	require.NoError(t, err)
	for i, want := range []string{
		"Segment 6 (line 6), NM1: the billing provider's tax ID must have 9 digits. Correct the bill in your system.",
		"Segment 27 (line 27), CLM: the service date is missing: DTP*472 of its lines or DTP*434 is required. " + sayCorrect,
		"Segment 39 (line 39), CLM: a name or number has more than 60 characters. " + sayCorrect,
	} {
		assert.Equal(t, want, claims.Claims[i].Problem)
	}
}

func FuzzReadClaims(f *testing.F) {
	f.Add([]byte(write837(ada, visit)))
	f.Add([]byte("ISA*00*"))
	f.Add([]byte("ISA**************** !SE"))
	f.Add([]byte(x12test.Interchange("005010X231A1", x12test.Set("999", "005010X231A1", "AK1*HC*1", "AK9*A*1*1*1"))))
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := readClaims(content, "2026-08-20")
		if err == nil && len(file.Claims) == 0 {
			t.Error("neither bills nor an error")
		}
	})
}

// The sample files of the guides can be read.
func TestSampleFiles(t *testing.T) {
	for _, path := range x12test.Samples(t, "x12/837*.edi") {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		claims, err := readClaims(content, "2026-08-20")
		if err != nil || len(claims.Claims) == 0 {
			t.Errorf("%s: %d bills, %v", path, len(claims.Claims), err)
		}
	}
}
