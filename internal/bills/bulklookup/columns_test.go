package bulklookup

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/spreadsheet"
)

// parseTable splits lines into cells.
func parseTable(text string) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "|"))
	}
	return rows
}

func TestColumnsAreRecognised(t *testing.T) {
	for _, c := range []struct{ name, table, want string }{
		{"an office's list", "Acct #|DOS|Last Name|First Name|DOB|Note\n10052|01/10/2026|Ort|Ada|05/06/1980|call\n",
			"1 patientControlNumber serviceDate lastName firstName birthDate -"},
		{"as clearinghouses say it", "DCN,ICN|Document ID|BCN\nA1|D1|7000001052\n", "1 payerControlNumber documentId billControlNumber"},
		{"payments", "Check #|Account Number|Payer ICN\n901|10052|ICN5\n", "1 checkNumber patientControlNumber payerControlNumber"},
		{"EFT and trace are one", "EFT|Trace|Claim No.|Tax ID\n1|2|3|11-1111111\n", "1 checkNumber - claimNumber ftin"},
		{"a title above", "Open bills of Monday\nClaim Number|Date of Service\nWC-77|2026-01-10\n", "2 claimNumber serviceDate"},
		{"two lines of names", "Patient||Service\nLast|First|Date\nOrt|Ada|1/10/2026\n", "2 lastName firstName serviceDate"},
		{"a group above names", "Claimant||\nLast|First|DOB\nOrt|Ada|5/6/1980\n", "2 lastName firstName birthDate"},
		{"claimants in one column", "Patient Name|Birth Date|Service Date\nOrt, Ada|5/6/1980|1/10/2026\n",
			"1 fullName birthDate serviceDate"},
		{"words that nobody knows", "Foo|Bar\n7000001052|x\n", "1 billControlNumber -"},
		{"no header, a column of numbers", "7000001052\n7000001053\n", "0 billControlNumber"},
		{"no header, a column with letters", "PM-1001\nPM-1003\n", "0 patientControlNumber"},
		{"no header, two columns of numbers", "7000001052|1000520\n7000001053|1000530\n", "0 billControlNumber patientControlNumber"},
		{"no header, a claimant", "Ort, Ada|5/6/1980|1/10/2026\nDane, Dee|5/6/1990|2/10/2026\n", "0 fullName birthDate serviceDate"},
		{"no header, counts of days", "PM-1001|46032\nPM-1002|46033\n", "0 patientControlNumber serviceDate"},
		{"no header, TINs", "PM-1001|11-1111111\n", "0 patientControlNumber ftin"},
		{"amounts are none", "7000001052|$1,200.00\n", "0 billControlNumber -"},
		{"empty lines", "||\n\n", "0 - - -"},
		{"nothing", "", "0"},
	} {
		columns, headers := Recognize(parseTable(c.table))
		got := []string{fmt.Sprint(headers)}
		for i, column := range columns {
			assert.Equalf(t, i, column.Index, "%s: column", c.name)
			kind := string(column.Kind)
			if kind == "" {
				kind = "-"
			}
			got = append(got, kind)
		}
		assert.Equal(t, c.want, strings.Join(got, " "), c.name)
	}
}

// A header word must not name two kinds, because the choice would be random.
func TestHeadersNameOneKind(t *testing.T) {
	seen := map[string]Kind{}
	for kind, list := range headerWords {
		for _, word := range list {
			if other, twice := seen[word]; twice || spreadsheet.HeadingKey(word) != word {
				t.Errorf("%q names %s and %s, or is not folded", word, kind, other)
			}
			seen[word] = kind
		}
	}
}

// For any table, each column is returned once, and all lines can be read.
func FuzzColumns(f *testing.F) {
	for _, seed := range []string{"Acct #|DOS\n1|2\n", "7.0E+9|x\n", "\"|'=1\n,|\x00\n", "Ort, Ada|46032|11-1111111\n", "|||\n\xff\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows := parseTable(text)
		columns, headers := Recognize(rows)
		if headers < 0 || headers > min(maxHeaders, len(rows)) {
			t.Fatalf("%d headers of %d lines", headers, len(rows))
		}
		used := map[Kind]bool{}
		for i, c := range columns {
			if c.Index != i || c.Kind != Ignored && used[c.Kind] {
				t.Fatalf("column %d: %+v", i, c)
			}
			used[c.Kind] = true
		}
		most := countDigits(columns, rows)
		for _, row := range rows[headers:] {
			l := readLine(columns, row)
			if !l.checkReadable(columns) && len(l.cells) == 0 {
				t.Fatalf("%q cannot be read, and nothing tells why", row)
			}
			l.flagLostZeros(columns, row, most)
			for _, c := range l.cells {
				if c.Index < 0 || c.Index > len(columns) || c.Message == "" {
					t.Fatalf("%q: %+v", row, c)
				}
			}
		}
	})
}

// A suffix belongs to the last name, wherever the name has it.
func TestSplitName(t *testing.T) {
	for full, want := range map[string][2]string{
		"Smith, John":          {"Smith", "John"},
		"Smith, John A.":       {"Smith", "John"},
		"John A Smith":         {"Smith", "John"},
		"John Smith Jr":        {"Smith Jr", "John"},
		"John A. Smith III":    {"Smith III", "John"},
		"John Smith, Jr.":      {"Smith Jr.", "John"},
		"Smith, Jr, John":      {"Smith Jr", "John"},
		"Smith, Jr., John A.":  {"Smith Jr.", "John"},
		"Smith Jr, John":       {"Smith Jr", "John"},
		"Smith, John Jr":       {"Smith Jr", "John"},
		"Smith, John A Jr":     {"Smith Jr", "John"},
		"Smith, John, 2nd":     {"Smith 2nd", "John"},
		"van der Berg, Ada IV": {"van der Berg IV", "Ada"},
		"John Smith,":          {"Smith", "John"},
		"Smith, Mary Ann":      {"Smith", "Mary Ann"},
		"John Jr":              {"Jr", "John"}, // a real name
		"Smith, Jr":            {"", ""},
		"Smith,":               {"", ""},
		"Smith":                {"", ""},
		", John":               {"", "John"},
		"":                     {"", ""},
	} {
		last, first := splitName(full)
		assert.Equal(t, want, [2]string{last, first}, full)
	}
}

// A title can contain a date. The headers come after it.
func TestTitleWithADate(t *testing.T) {
	columns, headers := Recognize([][]string{{"Open bills as of 11/01/2026"}, {"Bill #", "DOS"}, {"7000001052", "06/03/2026"}})
	if headers != 2 || len(columns) != 2 || columns[0].Kind != BillNumber || columns[1].Kind != ServiceDate {
		t.Errorf("%d %+v", headers, columns)
	}
}
