package spreadsheet

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"wcpp/internal/platform/date"
)

func TestCells(t *testing.T) {
	for cell, want := range map[string]date.Date{
		"1/5/2026": "2026-01-05", "01-05-2026": "2026-01-05", "1.5.2026": "2026-01-05", "2026-01-05": "2026-01-05",
		"20260105":             "2026-01-05",
		"2026-01-05T00:00:00Z": "2026-01-05", "46027": "2026-01-05", "46027.75": "2026-01-05", "4602": "", "46027.": "",
		"01/05/2026 00:00:00": "2026-01-05", "1/5/2026 13:30": "2026-01-05", "1/5/2026 1:30 PM": "2026-01-05",
		"1/5/2026 1:30:15 pm": "2026-01-05",
		"2026-01-05T00:00:00": "2026-01-05", "2026-01-05 00:00:00.000": "2026-01-05", "2026-01-05T08:00:00-05:00": "2026-01-05",
		"1/5/2026 soon": "", "1/5/2026 25:00": "", "1/5/2026 1/6/2026": "", "1/5/2026 ": "", "13/5/2026": "", "1/5/26": "", "1/5/1899": "",
		"": "", "soon": "",
	} {
		assert.Equal(t, want, Date(cell), cell)
	}
	for cell, want := range map[string]string{"'=1": "=1", "'＝1": "＝1", "'-1": "-1", "'1": "'1", "'": "'", "": ""} {
		assert.Equal(t, want, Text(cell), cell)
	}
	assert.Equal(t, "a", Text(" a \t"))
	if !IsBlank([]string{"", " \t"}) || !IsBlank(nil) || IsBlank([]string{"", "0"}) {
		t.Error("what is blank")
	}
}

// workbook writes and reads a workbook with dates in several cell formats, and with texts and
// numbers.
func workbook(t *testing.T, from1904 bool) Rows {
	t.Helper()
	book := excelize.NewFile()
	require.NoError(t, book.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &from1904}))
	day := 46027
	if from1904 {
		day -= daysTo1904
	}
	custom := func(format string) int {
		id, err := book.NewStyle(&excelize.Style{CustomNumFmt: &format})
		require.NoError(t, err)
		return id
	}
	builtIn := func(n int) int {
		id, err := book.NewStyle(&excelize.Style{NumFmt: n})
		require.NoError(t, err)
		return id
	}
	for i, c := range []struct {
		value any
		style int
	}{
		{day, builtIn(14)}, {day, custom(`[$-409]dd\-mmm\-yyyy;@`)}, {float64(day) + 0.5, builtIn(22)}, {day, 0}, {day, builtIn(49)},
		{"46027", builtIn(14)}, {"007", builtIn(2)}, {1234.5, builtIn(4)}, {7100010000.0, 0}, {7100010000.0, custom(`0.00000E+00`)},
		{0.25, custom(`0" days"`)}, {1234567890123456789.0, 0},
	} {
		at, _ := excelize.CoordinatesToCellName(i+1, 1)
		require.NoError(t, errors.Join(book.SetCellValue("Sheet1", at, c.value), book.SetCellStyle("Sheet1", at, at, c.style)))
	}
	path := filepath.Join(t.TempDir(), "a.xlsx")
	require.NoError(t, errors.Join(book.SaveAs(path), book.Close()))
	rows, err := Open(path, XLSX, "table")
	require.NoError(t, err)
	t.Cleanup(func() { _ = rows.Close() })
	return rows
}

// A workbook counts days from 1900, or from 1904 if Excel for Mac wrote it. Numbers are complete
// in any cell format.
func TestDaysOfWorkbooks(t *testing.T) {
	for _, from1904 := range []bool{false, true} {
		rows := workbook(t, from1904)
		cells, _, err := rows.Next()
		require.NoError(t, err)
		shown := "46027"
		if from1904 {
			shown = "44565"
		}
		want := []string{"46027", "46027", "46027.500000", shown, shown, "46027", "007", "1234.5", "7100010000", "7100010000", "0.25",
			"1.23456789012346E+18"}
		assert.Equalf(t, want, cells, "from 1904 %v", from1904)
		for i := range 5 {
			assert.Equalf(t, date.Date("2026-01-05"), Date(rows.Days(i)), "from 1904 %v: cell %d is of", from1904, i)
		}
		for i, want := range []string{"01/05/2026", "01/05/2026", "01/05/2026 12:00:00", "", "", ""} {
			if got, is := rows.Date(i); got != want || is != (want != "") {
				t.Errorf("from 1904 %v: cell %d has the date %q, %v", from1904, i, got, is)
			}
		}
		if _, _, err := rows.Next(); !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	}
}

// Reading ahead doesn't change the rows that are read afterwards.
func TestRowsReadAhead(t *testing.T) {
	for _, most := range []int{1, 3, 10} {
		path := filepath.Join(t.TempDir(), "a.csv")
		require.NoError(t, os.WriteFile(path, []byte("a,b\n\n,,\n1,2\n3\n4,5\n"), 0o600))
		rows, err := Open(path, CSV, "table")
		require.NoError(t, err)
		ahead := ReadAhead(rows, most)
		if len(ahead.First) != min(most, 4) || ahead.First[0].Number != 1 || ahead.Err() != nil {
			t.Errorf("%d ahead: %+v", most, ahead.First)
		}
		var got []string
		for {
			cells, number, err := ahead.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			if !IsBlank(cells) {
				got = append(got, fmt.Sprintln(number, cells, ahead.Days(0)))
			}
		}
		assert.Equalf(t, []string{"1 [a b] a\n", "4 [1 2] 1\n", "5 [3] 3\n", "6 [4 5] 4\n"}, got, "%d ahead", most)
		require.NoError(t, rows.Close())
	}
	for heading, want := range map[string]string{"Acct #": "acctno", " Tax-ID\u00a0Number ": "taxidnumber", "E-mail": "email", "##": "nono",
		" - ": ""} {
		assert.Equal(t, want, HeadingKey(heading), heading)
	}
}

// An unclosed quote would put all later rows into one cell.
func TestUnclosedQuote(t *testing.T) {
	const message = "Line %d has a quote that isn't closed."
	for text, want := range map[string]string{
		"a,b\n1,\"see\n3,4\n":           fmt.Sprintf(message, 2),
		"a,b\r\n1,\"see\r\n3,4":         fmt.Sprintf(message, 2),
		"a\tb\r1\t\"see\r3\t4\r":        fmt.Sprintf(message, 2),
		"a,b\n\"1\n2\",\"see\n":         fmt.Sprintf(message, 3),
		"a,b\n1,\"see \"\"":             fmt.Sprintf(message, 2),
		"a,b\n1,\"":                     fmt.Sprintf(message, 2),
		"a,b\n1,2\n\"":                  fmt.Sprintf(message, 3),
		"\xFF\xFEa\x00,\x00\"\x00b\x00": fmt.Sprintf(message, 1),
		"a,b\n1,\"see\"":                "[a b] [1 see] EOF",
		"a,b\n1,\"see\"\r\n\r\n":        "[a b] [1 see] EOF",
		"a,b\n1,\"see \"\"x\"\"\"\n":    `[a b] [1 see "x"] EOF`,
		"a,b\n1,6\" pipe\n2,\"6\" x\"":  `[a b] [1 6" pipe] [2 6" x] EOF`,
		"":                              "EOF",
		// A later quote would close it.
		"a,b\n1,\"see\n3,4\n5,\"ok\"\n6,7\n":             fmt.Sprintf(message, 2),
		"a,b\n\n1,\"see\n3,\"1 Main St, Suite 2\"\n":     fmt.Sprintf(message, 3),
		"a,b\n1,\"see\n\"\"x\"\"\"\n\"2\r\n3\",4\r\n5,6": "[a b] [1 see\n\"x\"] [2\n3 4] [5 6] EOF",
		strings.Repeat("a,\"b\nc\"\n", 30000) + "1,\"see\n3,\"ok\"\n": strings.Repeat("[a b\nc] ", 30000) +
			fmt.Sprintf(message, 60001),
	} {
		path := filepath.Join(t.TempDir(), "a.csv")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		rows, err := Open(path, CSV, "table")
		require.NoError(t, err)
		got := ""
		for err == nil {
			var cells []string
			if cells, _, err = rows.Next(); err == nil {
				got += fmt.Sprint(cells, " ")
			}
		}
		if errors.Is(err, io.EOF) {
			assert.Equal(t, want, got+"EOF", text)
		} else {
			require.EqualError(t, err, want[max(0, strings.Index(want, "Line")):], text)
		}
		require.NoError(t, rows.Close())
	}
}
