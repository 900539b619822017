package deposits

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/money"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/spreadsheet/spreadsheettest"
)

// parseTable splits lines into cells at bars.
func parseTable(text string) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "|"))
	}
	return rows
}

func TestColumnsAreRecognized(t *testing.T) {
	for _, c := range []struct{ name, table, want string }{
		{"a bank's list", "Date|Check #|Amount|Description\n08/20/2026|4001|$1.00|DEPOSIT\n", "1 date trace amount description"},
		{"debit and credit",
			"Posting Date|Details|Debit|Credit|Reference\n8/20/26|x||5.00|1\n", "1 date description withdrawal amount trace"},
		{"a title above", "Account 1234\nDate|Amount|Reference No.\n8/20/26|5.00|1\n", "2 date amount trace"},
		{"no header", "08/20/2026|40000017|1,234.56\n08/20/2026|40000018|99.00\n", "0 date trace amount"},
		{"no header, amounts first", "1234.56|40000017|8/20/26\n", "0 amount trace date"},
		{"whole dollars", "08/20/2026|40000017|1200\n", "0 date trace amount"},
		{"addenda text", "TRN*1*40000017*1961000001~\nTRN*1*40000034*1961000001\\\n", "0 trace"},
		{"a payer's name", "08/20/2026|Beacon Mutual|5.00|40000017\n", "0 date description amount trace"},
		{"nothing", "lorem|ipsum\n", "0 description -"},
	} {
		columns, headers := Recognize(parseTable(c.table))
		got := fmt.Sprint(headers)
		for _, column := range columns {
			if column.Kind == "" {
				column.Kind = "-"
			}
			got += " " + string(column.Kind)
		}
		assert.Equal(t, c.want, got, c.name)
	}
}

func TestAmounts(t *testing.T) {
	for value, want := range map[string]string{
		"1,234.56": "1234.56", "$1,234.56": "1234.56", "1234.5": "1234.50", "1234": "1234.00", ".5": "0.50", "0.00": "0.00",
		"(1,234.56)": "-1234.56", "($5.00)": "-5.00", "$(5.00)": "-5.00", "5.00-": "-5.00", "-$5.00": "-5.00", "$-5.00": "-5.00",
		"−5.00": "-5.00", "+5.00": "5.00", "1,234,567.00": "1234567.00", "1847.4999999999998": "1847.50", "12.": "12.00",
		"": "", "-": "", "$": "", ".": "", "1.234,56": "", "1,23": "", "12,34.00": "", "1.005": "", "1E+05": "", "5.00 USD": "", "--5": "",
		"(5": "", "(-5)": "", "5..0": "", "99999999999999999999": "", "12345678901.00": "",
	} {
		got := ""
		if cents, ok := parseAmount(value); ok {
			got = money.Text(cents)
		}
		assert.Equal(t, want, got, value)
	}
}

func TestLinesAreRead(t *testing.T) {
	table := func(row string, kinds ...Kind) Table {
		columns := make([]Column, len(kinds))
		for i, kind := range kinds {
			columns[i] = Column{Index: i, Kind: kind}
		}
		return Table{Columns: columns, Rows: parseTable(row)}
	}
	for _, c := range []struct {
		table Table
		want  string
	}{
		{table("08/20/2026|$5.00|0004001", Date, Amount, Trace), "2026-08-20 5.00 0004001"},
		{table("8/20/26|5.00|TRN*1*4001*1512345678~", Date, Amount, Trace), "2026-08-20 5.00 4001"},
		{table("8/20/26|5.00||ACH CREDIT TRN*1*4001*15~", Date, Amount, Trace, Note), "2026-08-20 5.00 4001"},
		{table("8/20/26|5.00|77|TRN*1*4001*15~", Date, Amount, Trace, Note), "2026-08-20 5.00 77"},
		{table("8/20/26|7.50|", Date, Withdrawal, Amount), "2026-08-20 -7.50"},
		{table("8/20/26|(7.50)|", Date, Withdrawal, Amount), "2026-08-20 -7.50"},
		{table("8/20/26|0.00|3.00", Date, Withdrawal, Amount), "2026-08-20 3.00"},
		{table("soon|5.00", Date, Amount), "5.00 0: " + sayDate},
		{table("|5.00", Date, Amount), "5.00 0: " + sayDate},
		{table("8/20/26|five", Date, Amount), "2026-08-20 1: " + sayAmount},
		{table("8/20/26|", Date, Amount), "2026-08-20 0: " + sayEmpty},
		{table("8/20/26||4001", Date, Amount, Trace), "2026-08-20 4001 1: " + sayAmount},
		{table("8/20/26|4001||", Date, Trace, Withdrawal, Amount), "2026-08-20 4001 3: " + sayAmount},
		{table("8/20/26||", Date, Amount, Trace), "2026-08-20 0: " + sayEmpty},
		{table("8/20/26|4001", Date, Trace), "2026-08-20 4001"},
		{table("8/20/26|5.00|4.0E+07", Date, Amount, Trace), "2026-08-20 5.00 4.0E+07 2: " + sayShortened},
		{table("8/20/26|5.00|"+strings.Repeat("4", 201), Date, Amount, Trace), "2026-08-20 5.00 2: " + sayLong},
		{table("46254|5.00", Date, Amount), "2026-08-20 5.00"},
	} {
		var parts []string
		d := c.table.read()[0]
		add := func(s string) {
			if s != "" {
				parts = append(parts, s)
			}
		}
		add(string(d.On))
		add(money.TextOrNone(d.Amount))
		add(d.Trace)
		for _, cell := range d.Cells {
			add(fmt.Sprintf("%d: %s", cell.Index, cell.Message))
		}
		if got := strings.Join(parts, " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.table.Rows[0], got, c.want)
		}
	}
	if d := table("\n8/20/26|1\n|\n8/21/26|2", Date, Amount).read(); len(d) != 2 || d[1].Line != 4 {
		t.Errorf("%+v", d)
	}
}

func TestTablesThatCannotBeMatched(t *testing.T) {
	one := []Column{{Index: 0, Kind: Amount}}
	for name, c := range map[string]struct {
		table Table
		field string
	}{
		"no columns":       {Table{}, fieldColumns},
		"dates alone":      {Table{Columns: []Column{{Kind: Date}}}, fieldColumns},
		"one kind twice":   {Table{Columns: []Column{{Index: 0, Kind: Amount}, {Index: 1, Kind: Amount}}}, fieldColumns},
		"an unknown kind":  {Table{Columns: []Column{{Kind: "x"}}}, fieldColumns},
		"a column too far": {Table{Columns: []Column{{Index: MaxColumns, Kind: Amount}}}, fieldColumns},
		"too many lines":   {Table{Columns: one, Rows: make([][]string, MaxLines+1)}, fieldRows},
	} {
		var wrong *problem.Error
		if err := c.table.check(); !errors.As(err, &wrong) || len(wrong.Fields) != 1 || wrong.Fields[0].Path != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	assert.NoError(t, (Table{Columns: one, Headers: 2, Rows: make([][]string, MaxLines+2)}).check())
}

// record returns a record of an ACH file with its fields at their positions, from 1.
func record(fields map[int]string) string {
	line := []byte(strings.Repeat(" ", achLine))
	for at, value := range fields {
		copy(line[at-1:], value)
	}
	return string(line)
}

// entry returns the records of a CCD+ entry.
func entry(kind, cents, addenda string) string {
	text := record(map[int]string{1: "6" + kind, 4: "12345678", 13: "999", 30: cents, 55: "LAKESIDE", 79: "1"}) + "\n"
	if addenda != "" {
		text += record(map[int]string{1: "705", 4: addenda, 84: "00010000001"}) + "\n"
	}
	return text
}

func TestACHFiles(t *testing.T) {
	batch := record(map[int]string{1: "5", 2: "200", 5: "BEACON MUTUAL", 51: "CCD", 54: "HCCLAIMPMT", 70: "260820"}) + "\n"
	file := record(map[int]string{1: "101"}) + "\n" + batch + entry("22", "0000012345", `TRN*1*4001*1512345678\`) +
		entry("27", "0000000100", "") + entry("22", "0000000777", "RMR*IV*77") + record(map[int]string{1: "8"}) + "\n" +
		record(map[int]string{1: "9"}) + "\n" + strings.Repeat("9", achLine) + "\n"
	const want = `[[Date Amount Trace Description] [08/20/2026 123.45 4001 BEACON MUTUAL] [08/20/2026 -1.00  BEACON MUTUAL] ` +
		`[08/20/2026 7.77  BEACON MUTUAL RMR*IV*77]]`
	for name, text := range map[string]string{
		"as written": file, "without line ends": strings.ReplaceAll(file, "\n", ""), "from Windows": strings.ReplaceAll(file, "\n", "\r\n"),
	} {
		assert.Equal(t, want, fmt.Sprint(readACH(text)), name)
	}
	for text, want := range map[string]string{
		"705TRN*1*4001*1512345678~\n705TRN*1*4002*1512345678~\n": "[[Trace] [4001] [4002]]",
		"08/20/2026,4001,5.00\n":                                 "[]",
		"6001,5.00\n":                                            "[]",
		"":                                                       "[]",
		"TRN*1*4001*1512345678~\n":                               "[]", // a table of one column
	} {
		assert.Equal(t, want, fmt.Sprint(readACH(text)), text)
	}
	columns, headers := Recognize(readACH(file))
	assert.Equal(t, "[{0 Date date} {1 Amount amount} {2 Trace trace} {3 Description description}] 1", fmt.Sprint(columns, headers))
}

func TestFiles(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"bank.csv", "Date;Amount;Check\n8/20/26;5.00;4001\n", "[[Date Amount Check] [8/20/26 5.00 4001]]"},
		{"Pasted list.txt", "8/20/26\t5.00\t4001", "[[8/20/26 5.00 4001]]"},
		{"entries.ach", "705TRN*1*4001*15~", "[[Trace] [4001]]"},
		{"bank.xls", "x", ""}, {"bank.pdf", "x", ""}, {"bank.csv", "\n \n", ""}, {"bank.xlsx", "x", ""},
		{"bank.csv", strings.Repeat("1\n", MaxLines+3), ""}, {"bank.csv", strings.Repeat(",", MaxColumns+1) + "x", ""},
		{"bank.csv", strings.Repeat("x", maxCellBytes+1), ""},
	} {
		rows, _, err := readFile(c.name, []byte(c.content))
		if c.want == "" {
			assert.Truef(t, problem.Is(err, problem.Invalid), "%s %.20q: %v", c.name, c.content, err)
		} else if got := fmt.Sprint(rows); err != nil || got != c.want {
			t.Errorf("%s: %s %v", c.name, got, err)
		}
	}
}

// A workbook's dates look as in Excel, and its other sheets are named.
func TestWorkbook(t *testing.T) {
	day := time.Date(2026, 8, 20, 0, 0, 0, 0, time.UTC)
	rows, warnings, err := readFile("bank.xlsx", spreadsheettest.Book(t, []any{"Date", "Amount"}, []any{day, 5}))
	if err != nil || fmt.Sprint(rows) != "[[Date Amount] [08/20/2026 5]]" ||
		fmt.Sprint(warnings) != "[We read only the first sheet. Upload these sheets as separate files: February.]" {
		t.Errorf("%v, %v, %v", rows, warnings, err)
	}
}

// Only the days of a workbook from Excel for Mac count from 1904, not amounts and check numbers.
func TestWorkbookOfMac(t *testing.T) {
	rows, _, err := readFile("bank.xlsx", spreadsheettest.Book1904(t, []any{"Date", "Check", "Amount"}, []any{44792, 40012, 12345.5}))
	require.NoError(t, err)
	assert.Equal(t, [][]string{{"Date", "Check", "Amount"}, {"46254", "40012", "12345.5"}}, rows)
}

// Each entry is one row as wide as the header.
func FuzzACH(f *testing.F) {
	f.Add(entry("22", "0000012345", `TRN*1*4001*15\`))
	f.Add("705TRN*1*4001*15~\n705\n7\n6\n5")
	f.Fuzz(func(t *testing.T, content string) {
		rows := readACH(content)
		for _, r := range rows {
			if len(r) != len(rows[0]) || len(r) > len(achHeader) {
				t.Fatalf("%q", rows)
			}
		}
		require.LessOrEqual(t, len(rows), len(content)+1)
	})
}

// Every row of a table is a deposit, unless it's blank.
func FuzzColumns(f *testing.F) {
	f.Add("Date|Amount|Check\n8/20/26|(5.00)|4001\n")
	f.Add("46254|1,234.56|TRN*1*4001*15~")
	f.Fuzz(func(t *testing.T, text string) {
		rows := parseTable(text)
		columns, headers := Recognize(rows)
		require.LessOrEqual(t, headers, len(rows))
		require.LessOrEqual(t, headers, spreadsheet.MaxHeaders)
		filled := 0
		for _, r := range rows[headers:] {
			if !spreadsheet.IsBlank(r) {
				filled++
			}
		}
		require.Len(t, (Table{columns, headers, rows}).read(), filled)
	})
}

// Any file is read within its limits, and its lines can be matched.
func FuzzFiles(f *testing.F) {
	f.Add("bank.csv", []byte("Date,Amount,Check\n8/20/26,5.00,4001\n"))
	f.Add("x.txt", []byte(entry("22", "0000012345", `TRN*1*4001*15\`)))
	f.Add("x.ach", []byte("705TRN*1*4001*15~\n6"))
	f.Add("x.xlsx", []byte("PK"))
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		if len(content) > 1<<16 {
			return
		}
		rows, _, err := readFile(name, content)
		if err != nil {
			return
		}
		columns, headers := Recognize(rows)
		table := Table{columns, headers, rows}
		if headers > len(rows) || table.check() != nil {
			return
		}
		deposits := table.read()
		require.LessOrEqual(t, len(deposits), MaxLines)
		matches, _ := match(deposits, nil, newWindow(deposits, today))
		require.Equal(t, len(deposits), len(matches))
	})
}
