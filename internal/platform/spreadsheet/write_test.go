package spreadsheet

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
)

// Offices add up and sort their downloads. In a workbook, amounts and counts are numbers, and
// days are dates. Identifiers (a TIN, a bill) are texts with their leading zeros.
func TestTablesAreToBeReckonedWith(t *testing.T) {
	columns := []Column{{Title: "Bill", Width: 20}, {Title: "Charge", Kind: Amounts}, {Title: "Notes", Kind: Counts},
		{Title: "Paid On", Kind: Dates}}
	rows := [][]string{{"0012", "1234.50", "3", "02/09/2026"}, {"=1+1", "-5.00", "", ""}, {"Groß", "none", "some", "soon"}}
	write := func(format Format) *bytes.Buffer {
		t.Helper()
		var out bytes.Buffer
		table, err := NewTable(&out, format, "Bills", columns...)
		if err == nil {
			err = table.WriteHeader()
		}
		for _, r := range rows {
			if err == nil {
				err = table.Row(r)
			}
		}
		if err == nil {
			err = table.Close()
		}
		require.NoError(t, err)
		return &out
	}

	text, marked := strings.CutPrefix(write(CSV).String(), "\uFEFF")
	assert.True(t, marked, "a spreadsheet does not know that the CSV is UTF-8")
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	want := [][]string{{"Bill", "Charge", "Notes", "Paid On"}, {"0012", "1234.50", "3", "02/09/2026"}, {"'=1+1", "-5.00", "", ""},
		{"Groß", "none", "some", "soon"}}
	if err != nil || !slices.EqualFunc(lines, want, slices.Equal[[]string]) {
		t.Errorf("CSV: %q, %v", lines, err)
	}

	book, err := excelize.OpenReader(write(XLSX))
	require.NoError(t, err)
	defer book.Close() //nolint:errcheck // only read
	for cell, want := range map[string]struct {
		kind       excelize.CellType
		raw, shown string
	}{
		"A1": {excelize.CellTypeInlineString, "Bill", "Bill"},
		"A2": {excelize.CellTypeInlineString, "0012", "0012"},
		"B2": {excelize.CellTypeUnset, "1234.5", "1,234.50"},
		"C2": {excelize.CellTypeUnset, "3", "3"},
		"A3": {excelize.CellTypeInlineString, "=1+1", "=1+1"},
		"B3": {excelize.CellTypeUnset, "-5", "-5.00"},
		"B4": {excelize.CellTypeInlineString, "none", "none"},
		"C3": {excelize.CellTypeUnset, "", ""}, // empty, not an empty text, so that no function counts it
		"C4": {excelize.CellTypeInlineString, "some", "some"},
		"D2": {excelize.CellTypeUnset, "46062", "02/09/2026"},
		"D3": {excelize.CellTypeUnset, "", ""},
		"D4": {excelize.CellTypeInlineString, "soon", "soon"},
	} {
		kind, err := book.GetCellType("Bills", cell)
		raw, err2 := book.GetCellValue("Bills", cell, excelize.Options{RawCellValue: true})
		shown, err3 := book.GetCellValue("Bills", cell)
		if err != nil || err2 != nil || err3 != nil || kind != want.kind || raw != want.raw || shown != want.shown {
			t.Errorf("%s: %v %q, shown %q, want %+v (%v, %v, %v)", cell, kind, raw, shown, want, err, err2, err3)
		}
	}
	style, err := book.GetCellStyle("Bills", "A1")
	require.NoError(t, err)
	if look, err := book.GetStyle(style); err != nil || look.Font == nil || !look.Font.Bold {
		t.Errorf("the head is not bold: %v", err)
	}
	if width, err := book.GetColWidth("Bills", "A"); err != nil || width != 20 {
		t.Errorf("the first column is %v wide: %v", width, err)
	}
}
