package rosters

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/unicode"

	"wcpp/internal/platform/spreadsheet"
)

const good = "1234567893"

// full returns a valid row, by template column.
func full() map[string]string {
	return map[string]string{
		"NPI": good, "TIN": "98-7654321", "Last Name": "Hand", "First Name": "Lee", "Address": "1 Shore Rd", "City": "Erie", "State": "pa",
		"ZIP": "16501", "Phone": "(814) 555-0100", "Effective Date": "1/5/2026",
	}
}

func table(t testing.TB, rows ...map[string]string) []string {
	t.Helper()
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	head := make([]string, len(Template))
	for i, c := range Template {
		head[i] = c.Name
	}
	_ = w.Write(head)
	for _, r := range rows {
		line := make([]string, len(head))
		for i, h := range head {
			line[i] = r[h]
		}
		_ = w.Write(line)
	}
	w.Flush()
	return []string{out.String()}
}

func with(changes ...string) map[string]string {
	r := full()
	for i := 0; i < len(changes); i += 2 {
		r[changes[i]] = changes[i+1]
	}
	return r
}

func checked(t testing.TB, name, content string, partial bool) *Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	c := newChecker(partial)
	require.NoError(t, c.check(t.Context(), path, spreadsheet.GetFormat(name)))
	return c.report
}

func TestRowsAreChecked(t *testing.T) {
	for name, test := range map[string]struct {
		row     map[string]string
		partial bool
		want    string // column and code of each problem
	}{
		"whole":                  {row: full()},
		"organization":           {row: with("Last Name", "", "First Name", "", "Organization Name", "Erie Clinic")},
		"no name":                {row: with("Last Name", ""), want: "Last Name REQUIRED"},
		"NPI too short":          {row: with("NPI", "12345"), want: "NPI NPI"},
		"NPI with letters":       {row: with("NPI", "123456789X"), want: "NPI NPI"},
		"NPI of swapped digits":  {row: with("NPI", "1234567839"), want: "NPI NPI"},
		"no NPI":                 {row: with("NPI", ""), want: "NPI REQUIRED"},
		"TIN without its zero":   {row: with("TIN", "12345678"), want: "TIN TIN"},
		"TIN with letters":       {row: with("TIN", "12345678A"), want: "TIN TIN"},
		"no such state":          {row: with("State", "XX"), want: "State STATE"},
		"ZIP of nine":            {row: with("ZIP", "16501-0001")},
		"ZIP without its zero":   {row: with("ZIP", "6501"), want: "ZIP ZIP"},
		"phone with country":     {row: with("Phone", "+1 814-555-0100")},
		"phone with extension":   {row: with("Phone", "814-555-0100 x5"), want: "Phone PHONE"},
		"date as ISO":            {row: with("Effective Date", "2026-01-05")},
		"date as days":           {row: with("Effective Date", "46027")},
		"no date":                {row: with("Effective Date", "soon"), want: "Effective Date DATE"},
		"month 13":               {row: with("Effective Date", "13/01/2026"), want: "Effective Date DATE"},
		"ends before it begins":  {row: with("Term Date", "01/04/2026"), want: "Term Date DATES"},
		"ends the day it begins": {row: with("Term Date", "01/05/2026")},
		"e-mail":                 {row: with("Email", "front at lake"), want: "Email EMAIL"},
		"yes or no":              {row: with("Accepting New Patients", "maybe"), want: "Accepting New Patients YES_NO"},
		"too long":               {row: with("City", strings.Repeat("x", 61)), want: "City TOO_LONG"},
		"shortened by Excel":     {row: with("License Number", "3.5E+07"), want: "License Number SHORTENED"},
		"a number with an E":     {row: with("License Number", "35E0712")},
		"control characters":     {row: with("City", "Er\x01ie"), want: "City TEXT"},
		"several":                {row: with("NPI", "1", "State", "XX", "Phone", ""), want: "NPI NPI, State STATE, Phone REQUIRED"},
		"action in a full one":   {row: with("Action", "whatever")},
		"partial without action": {row: full(), partial: true, want: "Action REQUIRED"},
		"partial":                {row: with("Action", "Change"), partial: true},
		"partial, odd action":    {row: with("Action", "X"), partial: true, want: "Action ACTION"},
		"term": {row: map[string]string{"Action": "T", "NPI": good, "TIN": "987654321", "Last Name": "Hand",
			"First Name": "Lee", "Term Date": "3/1/2026"}, partial: true},
		"term without a date": {row: with("Action", "term"), partial: true, want: "Term Date REQUIRED"},
	} {
		r := checked(t, "a.csv", table(t, test.row)[0], test.partial)
		var got []string
		for _, p := range r.Problems {
			got = append(got, p.Column+" "+p.Code)
			if p.Row != 2 || p.Message == "" {
				t.Errorf("%s: %+v", name, p)
			}
		}
		if strings.Join(got, ", ") != test.want || r.Rows != 1 || r.Unreadable != "" || len(r.Missing) > 0 ||
			(test.want == "") != (r.Providers == 1) {
			t.Errorf("%s: %q in %+v", name, got, r)
		}
	}
}

func TestDuplicates(t *testing.T) {
	r := checked(t, "a.csv", table(t, full(), with("Address", "2 Shore Rd"), with("TIN", "111111111"), with("Phone", "8145550199"),
		full())[0], false)
	if r.BadRows != 2 || r.Counts["DUPLICATE"] != 2 || r.Problems[0].Row != 5 || !strings.Contains(r.Problems[0].Message, "row 2") ||
		r.Providers != 1 {
		t.Errorf("%+v", r)
	}
}

// A number that a spreadsheet stored without its leading zero gets a hint.
func TestMissingZerosAreExplained(t *testing.T) {
	for zip, want := range map[string]bool{"6501": true, "12345678": true, "650": false, "1234567": false, "1234567A": false} {
		r := checked(t, "a.csv", table(t, with("ZIP", zip))[0], false)
		if len(r.Problems) != 1 || strings.Contains(r.Problems[0].Message, "leading zero") != want {
			t.Errorf("%s: %+v", zip, r.Problems)
		}
	}
}

// A TIN or a ZIP code with and without a hyphen is the same.
func TestDuplicatesWithHyphens(t *testing.T) {
	r := checked(t, "a.csv", table(t, full(), with("TIN", "987654321"), with("ZIP", "16501-0001"), with("ZIP", "165010001"))[0], false)
	if r.BadRows != 2 || r.Counts["DUPLICATE"] != 2 || r.Problems[0].Row != 3 || r.Problems[1].Row != 5 {
		t.Errorf("%+v", r)
	}
}

func TestHeaders(t *testing.T) {
	line := "1234567893,987654321,Hand,Lee,1 Shore Rd,Erie,PA,16501,8145550100,2026-01-05,x\n"
	for _, test := range []struct{ header, ignored, missing string }{
		{header: "npi,TIN,last name,FIRST_NAME,address,city,state,zip,phone,effective date,Notes\n", ignored: "Notes"},
		{header: "Provider NPI,Tax ID Number (TIN),Provider Last Name,Given Name,Address Line 1,City,ST,ZIP Code,Telephone,Start Date,\n"},
		{header: "NPI,TIN,Last Name,First Name,Address,City,State,ZIP,Phone,Notes,More\n", ignored: "Notes, More",
			missing: "Effective Date"},
		{header: "NPI,TIN,Last Name,Title,Address,City,State,ZIP,Phone,Effective Date,More\n", ignored: "More",
			missing: "Last Name and First Name, or Organization Name"},
	} {
		r := checked(t, "a.csv", test.header+line, false)
		if strings.Join(r.Ignored, ", ") != test.ignored || strings.Join(r.Missing, ", ") != test.missing || r.Unreadable != "" ||
			(r.Rows == 1) != (test.missing == "") {
			t.Errorf("%q: %+v", test.header, r)
		}
	}
	for header, why := range map[string]string{
		"NPI,NPI\n1,2\n": "appears twice", "a,b\n1,2\n": "any of the template's column names", "": "empty", "\n\n  \n": "empty",
		strings.Repeat("x,", 300) + "\n": "more than 200 columns",
	} {
		assert.Contains(t, checked(t, "a.csv", header, false).Unreadable, why, header)
	}
}

// Files come in whatever format the office's software writes.
func TestCSVAsItComes(t *testing.T) {
	content := table(t, full(), with("Last Name", "Müller, \"Jr.\"", "Address", "2 Shore Rd"))[0]
	for name, text := range map[string]string{
		"byte order mark": "\uFEFF" + content, "line ends": strings.ReplaceAll(content, "\n", "\r\n"),
		"older encoding":    strings.ReplaceAll(content, "ü", "\xFC"),
		"blank lines":       "\n" + strings.ReplaceAll(content, "\n", "\n\n,,,\n"),
		"without last line": strings.TrimSuffix(content, "\n"),
	} {
		if r := checked(t, "a.csv", text, false); r.Rows != 2 || r.Found != 0 || r.Unreadable != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	simple := strings.ReplaceAll(table(t, full())[0], ",", ";")
	for sign, text := range map[string]string{"semicolon": simple, "tab": strings.ReplaceAll(simple, ";", "\t"),
		"bar": strings.ReplaceAll(simple, ";", "|")} {
		if r := checked(t, "a.txt", text, false); r.Rows != 1 || r.Found != 0 {
			t.Errorf("%s: %+v", sign, r)
		}
	}
	for name, text := range map[string]string{
		"binary": "\x00\x01\x02", "open quote": table(t)[0] + "\"" + strings.Repeat("x", 2<<20),
	} {
		if r := checked(t, "a.csv", text, false); r.Unreadable == "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func newWorkbook(t testing.TB, rows ...map[string]string) *excelize.File {
	t.Helper()
	book := excelize.NewFile()
	for n, text := range append([]map[string]string{nil}, rows...) {
		for i, c := range Template {
			at, _ := excelize.CoordinatesToCellName(i+1, n+1)
			var v any = text[c.Name]
			if n == 0 {
				v = c.Name
			}
			if v != "" {
				require.NoError(t, book.SetCellValue("Sheet1", at, v))
			}
		}
	}
	return book
}

func saved(t testing.TB, book *excelize.File) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := book.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, book.Close())
	return out.String()
}

// Unread rows are reported, so that users don't assume they were checked.
func TestUnreadRows(t *testing.T) {
	book := newWorkbook(t, full())
	require.NoError(t, book.InsertRows("Sheet1", 1, 2))
	for at, v := range map[string]string{"Sheet1!A1": "Great Lakes roster as of 11/01/2026", "West!B7": "1", "Notes!A1": "x",
		helpSheet + "!A1": "Column"} {
		sheet, cell, _ := strings.Cut(at, "!")
		if _, err := book.NewSheet(sheet); err != nil {
			t.Fatal(err)
		}
		require.NoError(t, book.SetCellValue(sheet, cell, v))
	}
	if _, err := book.NewSheet("Empty"); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, book.SetSheetVisible("Notes", false))
	r := checked(t, "a.xlsx", saved(t, book), false)
	if r.Unreadable != "" || r.Rows != 1 || r.Found != 0 || r.Header != 3 || !slices.Equal(r.Sheets, []string{"West"}) {
		t.Errorf("%+v", r)
	}
	text := "Great Lakes roster as of 11/01/2026\r\n\r\n" + table(t, full(), with("State", "XX", "ZIP", "16502"))[0]
	if r := checked(t, "a.csv", text, false); r.Rows != 2 || r.Header != 3 || r.Found != 1 || r.Problems[0].Row != 5 {
		t.Errorf("%+v", r)
	}
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().
		String("sep=;\r\n" + strings.ReplaceAll(table(t, full())[0], ",", ";"))
	require.NoError(t, err)
	if r := checked(t, "a.csv", utf16, false); r.Rows != 1 || r.Found != 0 || r.Unreadable != "" {
		t.Errorf("%+v", r)
	}
	if r := checked(t, "a.csv", table(t)[0], false); r.Rows != 0 || r.Header != 1 || r.Unreadable != "" || len(r.Missing) > 0 {
		t.Errorf("names of columns alone: %+v", r)
	}
}

func TestSpreadsheets(t *testing.T) {
	book := newWorkbook(t, full(), with("Address", "2 Shore Rd", "State", "XX"))
	// Numbers and dates the way spreadsheet software stores them.
	for at, v := range map[string]any{"B2": 1234567893, "C2": 987654321, "Q2": 16501, "U2": 46027} {
		require.NoError(t, book.SetCellValue("Sheet1", at, v))
	}
	r := checked(t, "a.XLSX", saved(t, book), false)
	if r.Format != "" || r.Rows != 2 || r.Found != 1 || r.Problems[0] != (Problem{Row: 3, Column: "State", Code: "STATE",
		Message: "Enter a two-letter state code.", Provider: "Lee Hand (1234567893)", Value: "XX"}) {
		t.Errorf("%+v", r)
	}
	hidden := newWorkbook(t, full())
	if _, err := hidden.NewSheet("Front"); err != nil {
		t.Fatal(err)
	}
	hidden.SetActiveSheet(1)
	require.NoError(t, hidden.SetSheetVisible("Sheet1", false))
	if r := checked(t, "a.xlsx", saved(t, hidden), false); !strings.Contains(r.Unreadable, "empty") {
		t.Errorf("a hidden sheet is read: %+v", r)
	}
	const sheet = "xl/worksheets/sheet1.xml"
	for name, c := range map[string]struct{ content, says string }{
		"no archive":         {"PK\x03\x04 and nothing", "can't read this spreadsheet"},
		"bomb":               {bomb(t, sheet, 2<<30), "too much data"},
		"bomb in disguise":   {bomb(t, sheet, 100), "can't read this spreadsheet"},
		"bomb as a picture":  {bomb(t, "xl/media/image1.png", 256<<20), "too much data"},
		"thousands of parts": {crowd(t), "too much data"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := checked(t, "a.xlsx", c.content, false)
		runtime.ReadMemStats(&after)
		assert.Containsf(t, r.Unreadable, c.says, "%s: %+v", name, r)
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 64 {
			t.Errorf("%s uses %d MB", name, taken)
		}
	}
}

// External references in a spreadsheet's XML are never fetched or read.
func TestSpreadsheetsResolveNothing(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("hush-hush"), 0o600))
	whole := saved(t, newWorkbook(t, full()))
	from, err := zip.NewReader(strings.NewReader(whole), int64(len(whole)))
	require.NoError(t, err)
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, part := range from.File {
		r, err := part.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		if strings.HasSuffix(part.Name, "sharedStrings.xml") {
			start := bytes.Index(content, []byte("<sst"))
			doctype := `<!DOCTYPE sst [<!ENTITY leak SYSTEM "file://` + secret + `">]>`
			content = []byte(string(content[:start]) + doctype + strings.ReplaceAll(string(content[start:]), "<t>", "<t>&leak;"))
		}
		w, err := to.Create(part.Name)
		require.NoError(t, err)
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	require.NoError(t, to.Close())
	assert.Contains(t, fmt.Sprintf("%+v", checked(t, "a.xlsx", whole, false)), "Rows:1", "the spreadsheet itself cannot be read")
	path := filepath.Join(t.TempDir(), "a.xlsx")
	require.NoError(t, os.WriteFile(path, out.Bytes(), 0o600))
	rows, err := spreadsheet.Open(path, spreadsheet.XLSX, "roster")
	for err == nil {
		var cells []string
		if cells, _, err = rows.Next(); strings.Contains(fmt.Sprint(cells), "hush") {
			t.Errorf("a cell holds what lies in a file: %v", cells)
		}
	}
}

// crowd creates an archive with more entries than any spreadsheet has.
func crowd(t testing.TB) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for n := range 2_001 {
		if _, err := z.Create(fmt.Sprint(n)); err != nil {
			t.Fatal(err)
		}
	}
	require.NoError(t, z.Close())
	return out.String()
}

// bomb creates a small archive with one entry that claims an unpacked size and unpacks to 256 MB
// of spaces.
func bomb(t testing.TB, part string, says uint64) string {
	t.Helper()
	var packed bytes.Buffer
	deflate, err := flate.NewWriter(&packed, flate.BestSpeed)
	require.NoError(t, err)
	blanks, sum := bytes.Repeat([]byte(" "), 1<<20), crc32.NewIEEE()
	for range 256 {
		_, _ = sum.Write(blanks)
		if _, err := deflate.Write(blanks); err != nil {
			t.Fatal(err)
		}
	}
	require.NoError(t, deflate.Close())
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.CreateRaw(&zip.FileHeader{
		Name: part, Method: zip.Deflate, CRC32: sum.Sum32(), CompressedSize64: uint64(packed.Len()), UncompressedSize64: says,
	})
	require.NoError(t, err)
	if _, err := packed.WriteTo(w); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, z.Close())
	return out.String()
}

func TestCorrectedCopies(t *testing.T) {
	rows := []map[string]string{full(), with("Address", "=HYPERLINK(\"x\")", "State", "XX"),
		with("NPI", "1", "Address", "3 Shore Rd", "Phone", "+1 814 555 0100", "Middle Name", "@cmd")}
	for _, format := range []spreadsheet.Format{spreadsheet.CSV, spreadsheet.XLSX} {
		content := table(t, rows...)[0]
		if format == spreadsheet.XLSX {
			book := newWorkbook(t, rows...)
			require.NoError(t, book.SetCellValue("Sheet1", "U2", 46027))
			content = saved(t, book)
		}
		path := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		var out bytes.Buffer
		require.NoError(t, correct(t.Context(), path, format, false, nil, &out))
		var got [][]string
		if format == spreadsheet.CSV {
			got, _ = csv.NewReader(&out).ReadAll()
		} else {
			book, err := excelize.OpenReader(&out)
			require.NoError(t, err)
			got, _ = book.GetRows("Roster")
			if f, _ := book.GetCellFormula("Roster", "M3"); f != "" {
				t.Errorf("a formula: %s", f)
			}
		}
		last := len(Template)
		column := func(name string) int {
			return slices.IndexFunc(Template, func(c Column) bool { return c.Name == name })
		}
		if len(got) != 4 || got[0][last] != "Errors" || len(got[1]) > last && got[1][last] != "" ||
			got[2][last] != "State: Enter a two-letter state code." || got[3][last] != "NPI: Enter the 10 digits of the NPI." {
			t.Fatalf("%s: %q", format, got)
		}
		if format == spreadsheet.CSV && (got[2][column("Address")] != "'=HYPERLINK(\"x\")" || got[3][column("Middle Name")] != "'@cmd" ||
			got[3][column("Phone")] != "+1 814 555 0100") {
			t.Errorf("%q", got)
		}
		if format == spreadsheet.XLSX && got[1][column("Effective Date")] != "01/05/2026" {
			t.Errorf("%q", got[1])
		}
		// The corrected copy can be sent again once it is fixed.
		if format == spreadsheet.CSV {
			mended := strings.NewReplacer("XX", "PA", ",1,", ","+good+",").Replace(strings.Join(lines(got), "\n"))
			if r := checked(t, "a.csv", mended, false); r.Found != 0 || r.Rows != 3 || strings.Join(r.Ignored, "") != "Errors" {
				t.Errorf("%+v", r)
			}
		}
	}
}

// Excel for Mac counts days from 1904. A date reads the same, in the copy too, whether its cell
// is formatted as a date or a number.
func TestDaysFrom1904(t *testing.T) {
	from1904 := true
	book := newWorkbook(t, full(), full())
	require.NoError(t, book.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &from1904}))
	style, err := book.NewStyle(&excelize.Style{NumFmt: 14})
	require.NoError(t, err)
	for at, v := range map[string]any{"U2": 44565, "V2": 44577.5, "U3": 44565, "V3": "01/17/2026"} {
		require.NoError(t, book.SetCellValue("Sheet1", at, v))
	}
	require.NoError(t, book.SetCellStyle("Sheet1", "U2", "V2", style))
	path := filepath.Join(t.TempDir(), "mac.xlsx")
	require.NoError(t, os.WriteFile(path, []byte(saved(t, book)), 0o600))
	var out bytes.Buffer
	require.NoError(t, correct(t.Context(), path, spreadsheet.XLSX, false, nil, &out))
	book, err = excelize.OpenReader(&out)
	require.NoError(t, err)
	for at, want := range map[string]string{"U2": "01/05/2026", "V2": "01/17/2026", "U3": "01/05/2026", "V3": "01/17/2026", "Y2": "",
		"Y3": "Duplicate of row 2: same provider, TIN and location."} {
		if got, err := book.GetCellValue("Roster", at); err != nil || got != want {
			t.Errorf("%s is %q, want %q (%v)", at, got, want, err)
		}
	}
}

func lines(rows [][]string) []string {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.WriteAll(rows)
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestManyRows checks that a file with 100,000 rows needs memory only for its report, and
// respects the limit on problems.
func TestManyRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	file, err := os.Create(path)
	require.NoError(t, err)
	head := table(t)[0]
	_, _ = fmt.Fprint(file, head)
	for n := range 100_000 {
		_, _ = fmt.Fprintf(file, ",%s,%09d,Hand,Lee,,,,,,,,%d Shore Rd,,Erie,ZZ,16501,8145550100,,,01/05/2026,,,\n", good, 100_000_000+n, n)
	}
	require.NoError(t, file.Close())
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c := newChecker(false)
	calls := 0
	c.progress = func(int) { calls++ }
	require.NoError(t, c.check(context.Background(), path, spreadsheet.CSV))
	runtime.GC()
	runtime.ReadMemStats(&after)
	r := c.report
	if r.Rows != 100_000 || r.BadRows != 100_000 || r.Found != 100_000 || len(r.Problems) != maxProblems || calls != 100 {
		t.Errorf("%d rows, %d bad, %d problems, %d listed, %d calls of progress", r.Rows, r.BadRows, r.Found, len(r.Problems), calls)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 24<<20 {
		t.Errorf("%d MB are kept", grown>>20)
	}
	runtime.KeepAlive(c)
}

// A file can be sent before its check ends. Upload History then shows why its rows weren't
// checked.
func TestHistoryTellsWhyAFileWasNotChecked(t *testing.T) {
	for report, want := range map[string]string{
		"":                          "",
		`{"Format":"csv","Rows":3}`: "",
		`{"Format":"csv","Missing":["NPI","TIN"]}`:                     "These columns are missing: NPI; TIN.",
		`{"Format":"csv","Missing":["NPI"],"Unreadable":"It is cut."}`: "It is cut.",
	} {
		log := (&Service{}).toUploadLog(UploadLog{Files: []UploadFile{{Report: report}}})
		assert.Equal(t, want, log.Files[0].Unread, report)
	}
}

// A file can have up to a million rows.
func TestRowsOfAFileAreLimited(t *testing.T) {
	for rows, want := range map[int]string{1: "", 2: "The file has more than 1000000 rows. Split it into smaller files."} {
		path := filepath.Join(t.TempDir(), "file")
		require.NoError(t, os.WriteFile(path, []byte(table(t, slices.Repeat([]map[string]string{full()}, rows)...)[0]), 0o600))
		c := newChecker(false)
		c.report.Rows = 1_000_000 - 1 // read before
		if err := c.check(t.Context(), path, spreadsheet.CSV); err != nil || c.report.Unreadable != want {
			t.Errorf("%d more: %q, %v", rows, c.report.Unreadable, err)
		}
	}
}
