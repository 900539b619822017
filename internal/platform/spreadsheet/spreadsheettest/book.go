// Package spreadsheettest writes workbooks for tests.
package spreadsheettest

import (
	"bytes"
	"errors"
	"testing"

	"github.com/xuri/excelize/v2"
)

// Book writes a workbook whose first sheet has the given rows, and a second one, "February", with a
// cell. A value that is a time.Time becomes a date cell.
func Book(t *testing.T, rows ...[]any) []byte { return write(t, false, rows) }

// Book1904 writes a Book that counts days from 1904.
func Book1904(t *testing.T, rows ...[]any) []byte { return write(t, true, rows) }

func write(t *testing.T, from1904 bool, rows [][]any) []byte {
	t.Helper()
	book := excelize.NewFile()
	if err := book.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &from1904}); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		at, err := excelize.CoordinatesToCellName(1, i+1)
		if err := errors.Join(err, book.SetSheetRow("Sheet1", at, &row)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := book.NewSheet("February")
	if err := errors.Join(err, book.SetCellValue("February", "A1", "x")); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := errors.Join(book.Write(&out), book.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
