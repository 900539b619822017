package sheetrows

import (
	"errors"
	"io"

	"github.com/xuri/excelize/v2"

	"wcpp/internal/platform/csvrows"
)

// Table writes the rows of a table.
type Table interface {
	Row(cells []string) error
	// Close writes what is left.
	Close() error
}

// NewTable begins a table of a format, CSV unless it is XLSX, whose sheet has the
// name. No cell becomes a formula; numbers of a CSV stay as they came in.
func NewTable(out io.Writer, format Format, sheet string) (Table, error) {
	if format == XLSX {
		return newXLSXTable(out, sheet)
	}
	return csvTable{csvrows.NewCopy(out)}, nil
}

type csvTable struct{ w *csvrows.Writer }

func (t csvTable) Row(cells []string) error { return t.w.Write(cells) }

func (t csvTable) Close() error { return t.w.Flush() }

type xlsxTable struct {
	out  io.Writer
	book *excelize.File
	w    *excelize.StreamWriter
	line int
}

func newXLSXTable(out io.Writer, sheet string) (*xlsxTable, error) {
	book := excelize.NewFile()
	if err := book.SetSheetName("Sheet1", sheet); err != nil {
		return nil, errors.Join(err, book.Close())
	}
	w, err := book.NewStreamWriter(sheet)
	if err != nil {
		return nil, errors.Join(err, book.Close())
	}
	return &xlsxTable{out: out, book: book, w: w}, nil
}

// Cells are written as texts: none becomes a formula.
func (t *xlsxTable) Row(cells []string) error {
	t.line++
	at, err := excelize.CoordinatesToCellName(1, t.line)
	if err != nil {
		return err
	}
	values := make([]any, len(cells))
	for i, c := range cells {
		values[i] = c
	}
	return t.w.SetRow(at, values)
}

func (t *xlsxTable) Close() error {
	err := t.w.Flush()
	if err == nil {
		_, err = t.book.WriteTo(t.out)
	}
	return errors.Join(err, t.book.Close())
}
