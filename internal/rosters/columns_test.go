package rosters

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
)

// No heading can match two columns, because the choice would be arbitrary.
func TestHeadingsNameOneColumn(t *testing.T) {
	seen := map[string]string{}
	for _, c := range Template {
		for _, name := range append([]string{c.Name}, c.Also...) {
			key := spreadsheet.HeadingKey(name)
			if other, known := seen[key]; known && other != c.Name {
				t.Errorf("%q names %s and %s", name, other, c.Name)
			}
			seen[key] = c.Name
		}
	}
}

// ours is a roster with an office's own headings.
const ours = "Prov ID,Fed No,Doctor,Given Name,Where,Town,ST,Zip,Phone #,From,Notes\n" +
	"1234567893,98-7654321,Hand,Lee,1 Shore Rd,Erie,PA,16501,8145550100,46027,call first\n" +
	"1245319599,987654321,Foot,Ann,1 Shore Rd,Erie,ZZ,16501,8145550100,01/05/2026,\n"

// as selects the file's columns in order.
func as(header int, kinds ...string) *Layout {
	l := &Layout{Header: header, Chosen: true, Columns: []FileColumn{}}
	for i, kind := range kinds {
		l.Columns = append(l.Columns, FileColumn{Index: i, Kind: kind})
	}
	return l
}

var chosenOurs = as(1, "NPI", "TIN", "Last Name", "First Name", "Address", "City", "State", "ZIP", "Phone", "Effective Date")

func saveAs(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func checkedAs(t testing.TB, name, content string, chosen *Layout) *Report {
	t.Helper()
	c := newChecker(false)
	c.chosen = chosen
	require.NoError(t, c.check(t.Context(), saveAs(t, name, content), spreadsheet.GetFormat(name)))
	return c.report
}

// formatKinds returns the column mapping with the headings.
func formatKinds(r *Report) string {
	said := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		said[i] = fmt.Sprintf("%d %s=%s", c.Index, c.Name, c.Kind)
	}
	return strings.Join(said, ", ")
}

// Unknown headings are reported with suggestions. Once a person has mapped them, every row is
// checked.
func TestOtherHeadings(t *testing.T) {
	r := checked(t, "a.csv", ours, false)
	if r.Rows != 0 || r.Chosen || strings.Join(r.Missing, "; ") !=
		"NPI; TIN; Address; City; Effective Date; Last Name and First Name, or Organization Name" ||
		formatKinds(r) != "0 Prov ID=, 1 Fed No=, 2 Doctor=, 3 Given Name=First Name, 4 Where=, 5 Town=, 6 ST=State, 7 Zip=ZIP, 8 "+
			"Phone #=Phone, 9 From=, 10 Notes=" ||
		!slices.Equal(r.Columns[0].Sample, []string{"1234567893", "1245319599"}) ||
		!slices.Equal(r.Columns[10].Sample, []string{"call first"}) {
		t.Errorf("%+v", r)
	}
	r = checkedAs(t, "a.csv", ours, chosenOurs)
	if !r.Chosen || r.Rows != 2 || r.BadRows != 1 || len(r.Missing) != 0 || r.Unreadable != "" ||
		!slices.Equal(r.Ignored, []string{"Notes"}) ||
		r.Problems[0] != (Problem{Row: 3, Column: "State", Code: "STATE", Message: "Enter a two-letter state code.",
			Provider: "Ann Foot (1245319599)", Value: "ZZ"}) || r.Providers != 1 {
		t.Errorf("%+v", r)
	}
	// Unmapped columns stay missing and unread.
	r = checkedAs(t, "a.csv", ours, as(1, "NPI", "TIN"))
	if r.Rows != 0 || !slices.Contains(r.Missing, "State") || len(r.Ignored) != 9 {
		t.Errorf("%+v", r)
	}
}

func TestRowThatNamesTheColumns(t *testing.T) {
	const row = "1234567893,98-7654321,Hand,Lee,1 Shore Rd,Erie,PA,16501,8145550100,2026-01-05,x\n"
	head := table(t)[0]
	for name, c := range map[string]struct {
		content string
		header  int
	}{
		"the first":                  {ours, 1},
		"below a title":              {"Great Lakes Roster\n" + ours, 2},
		"below a title of two cells": {"Organization,Great Lakes\n\n" + ours, 3},
		"of which nobody knows any":  {"Roster as of 11/01/2026\nProv ID,Fed No,Doctor\n" + row, 2},
		"none":                       {row + row, 0},
		"none below a title":         {"Great Lakes Roster\n" + row, 0},
		"none, of Michigan":          {strings.Replace(row, "PA", "MI", 1), 0},
		"the template's":             {"Great Lakes,Roster,814-555-0100\n" + head + row, 2},
	} {
		if r := checked(t, "a.csv", c.content, false); r.Header != c.header || r.Header > 0 && !slices.Contains(r.Candidates, r.Header) {
			t.Errorf("%s: row %d of %+v", name, r.Header, r)
		}
	}
	// Without a header, the first row is a provider.
	r := checkedAs(t, "a.csv", row+strings.Replace(row, "1 Shore", "2 Shore", 1),
		as(0, "NPI", "TIN", "Last Name", "First Name", "Address", "City", "State", "ZIP", "Phone", "Effective Date"))
	if r.Rows != 2 || r.Found != 0 || r.Header != 0 || !strings.HasSuffix(formatKinds(r), "10 =") {
		t.Errorf("%+v", r)
	}
	// A column without a heading is reported if it has a value anywhere.
	r = checked(t, "a.csv", strings.TrimSuffix(head, "\n")+",\n"+strings.Repeat(",1234567893\n", 20)+strings.Repeat(",", len(Template)+1)+
		"x\n", false)
	if last := r.Columns[len(r.Columns)-1]; r.Rows != 21 || last.Index != len(Template)+1 || last.Name+last.Kind != "" ||
		len(r.Columns) != len(Template)+1 {
		t.Errorf("%+v", r)
	}
}

// The corrected copy of a file with selected columns has the template's headings, so it can be
// sent as it is.
func TestCorrectedCopyOfChosenColumns(t *testing.T) {
	book := excelize.NewFile()
	for n, line := range strings.Split(strings.TrimSpace(ours), "\n") {
		cells := strings.Split(line, ",")
		require.NoError(t, book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", n+1), &cells))
	}
	for name, content := range map[string]string{"a.csv": ours, "a.xlsx": saved(t, book)} {
		format := spreadsheet.GetFormat(name)
		var out bytes.Buffer
		require.NoError(t, correct(t.Context(), saveAs(t, name, content), format, false, chosenOurs, &out))
		copied := out.String()
		var rows [][]string
		if format == spreadsheet.CSV {
			rows, _ = csv.NewReader(&out).ReadAll()
		} else if book, err := excelize.OpenReader(&out); err == nil {
			rows, _ = book.GetRows("Roster")
		}
		if len(rows) != 3 || strings.TrimPrefix(strings.Join(rows[0], ","), "\uFEFF") !=
			"NPI,TIN,Last Name,Given Name,Address,City,ST,Zip,Phone #,Effective Date,Notes,Errors" ||
			rows[1][9] != "01/05/2026" || rows[1][10] != "call first" || rows[2][11] != "State: Enter a two-letter state code." {
			t.Errorf("%s: %q", name, rows)
		}
		if r := checked(t, name, copied, false); r.Rows != 2 || r.BadRows != 1 || !slices.Equal(r.Ignored, []string{"Notes", "Errors"}) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	// If an ignored column has a template heading, the copy says so.
	var out bytes.Buffer
	twice := strings.Replace(ours, "Notes", "NPI", 1)
	require.NoError(t, correct(t.Context(), saveAs(t, "a.csv", twice), spreadsheet.CSV, false, chosenOurs, &out))
	if r := checked(t, "a.csv", out.String(), false); r.Rows != 2 || !slices.Equal(r.Ignored, []string{"NPI (not read)", "Errors"}) {
		t.Errorf("%+v in %s", r, out.String())
	}
}

func TestChoicesOfColumns(t *testing.T) {
	column := func(index int, kind string) RosterColumn { return RosterColumn{Index: index, Kind: kind} }
	row := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		choices []fileChoice
		says    string
	}{
		"all":                    {[]fileChoice{{Columns: []RosterColumn{column(0, "NPI"), column(10, "Languages"), column(9, "")}}}, ""},
		"below the row":          {[]fileChoice{{HeaderRow: row(2), Columns: []RosterColumn{column(0, "NPI")}}}, ""},
		"no row":                 {[]fileChoice{{HeaderRow: row(0)}}, ""},
		"of a file nobody reads": {[]fileChoice{{File: 2, Columns: []RosterColumn{column(7, "NPI")}}}, ""},
		"a column twice": {[]fileChoice{{Columns: []RosterColumn{column(0, "NPI"), column(1, "NPI")}}},
			"Use NPI for one column only."},
		"a heading twice":     {[]fileChoice{{Columns: []RosterColumn{column(3, "NPI"), column(3, "TIN")}}}, "Map column 4 only once."},
		"not of the template": {[]fileChoice{{Columns: []RosterColumn{column(0, "npi")}}}, "The template doesn't have a column npi."},
		"beyond the file":     {[]fileChoice{{Columns: []RosterColumn{column(11, "NPI")}}}, "The file doesn't have a column 12."},
		"beyond all files":    {[]fileChoice{{Columns: []RosterColumn{column(200, "NPI")}}}, "Select a column between 0 and 199."},
		"before the first":    {[]fileChoice{{Columns: []RosterColumn{column(-1, "NPI")}}}, "Select a column between 0 and 199."},
		"no such file":        {[]fileChoice{{File: 3}}, "Select columns of a file you're sending."},
		"a file twice":        {[]fileChoice{{}, {}}, "Select the columns of a.csv once."},
		"a picture":           {[]fileChoice{{File: 1}}, "scan.pdf isn't checked. Select columns of CSV, TXT and XLSX files only."},
		"a row far below": {[]fileChoice{{HeaderRow: row(12)}},
			"Row 12 can't be the header row. Select one of the first 11 rows with text."},
	} {
		p := &LocalFiles{settings: Settings{RosterFileMB: 1, RosterFiles: 3}}
		for _, f := range [][2]string{{"a.csv", ours + strings.Repeat("x,y\n", 20)}, {"scan.pdf", "x"}, {"b.csv", "\x00"}} {
			require.NoError(t, p.Save(f[0], strings.NewReader(f[1])))
		}
		err := errors.Join(p.choose(c.choices), p.Close())
		var refused *problem.Error
		switch {
		case c.says == "":
			assert.NoError(t, err, name)
		case !errors.As(err, &refused) || refused.Message != c.says || len(refused.Fields) != 1 || refused.Fields[0].Path != "columns":
			t.Errorf("%s: %v", name, err)
		}
	}
}
