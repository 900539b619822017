package spreadsheet

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"wcpp/internal/platform/csvio"
)

// Column is a column of a written table.
type Column struct {
	Title string
	Width float64 // in a workbook, in characters; 0: default
	Kind  Kind
}

// Kind is the cell type of a column in a workbook. Cells are text unless users calculate with
// them or sort them.
type Kind int

// Kinds of columns.
const (
	Texts   Kind = iota
	Amounts      // such as 1234.56
	Counts       // whole, or such as 1.5
	Dates        // such as 12/31/2026
)

// Table writes the rows of a table.
type Table interface {
	// WriteHeader writes the titles, bold in a workbook.
	WriteHeader() error
	// Row writes a row with a text for each column.
	Row(cells []string) error
	// Close writes the remaining data.
	Close() error
}

// mark is the byte order mark. Without it, spreadsheet programs don't read a CSV as UTF-8, and
// accents are lost.
const mark = "\uFEFF"

// NewTable starts a table in a format, with CSV as the default. sheet is the sheet name of XLSX.
// No cell becomes a formula. Numbers in a CSV stay unchanged.
func NewTable(out io.Writer, format Format, sheet string, columns ...Column) (Table, error) {
	if format == XLSX {
		return newXLSXTable(out, sheet, columns)
	}
	if _, err := io.WriteString(out, mark); err != nil {
		return nil, err
	}
	return csvTable{csvio.NewCopy(out), columns}, nil
}

// WriteTable writes a table with its titles and the rows that the function rows adds.
func WriteTable(out io.Writer, format Format, sheet string, columns []Column, rows func(Table) error) error {
	t, err := NewTable(out, format, sheet, columns...)
	if err != nil {
		return err
	}
	if err = t.WriteHeader(); err == nil {
		err = rows(t)
	}
	return errors.Join(err, t.Close())
}

type csvTable struct {
	w       *csvio.Writer
	columns []Column
}

func (t csvTable) WriteHeader() error {
	titles := make([]string, len(t.columns))
	for i, c := range t.columns {
		titles[i] = c.Title
	}
	return t.Row(titles)
}

func (t csvTable) Row(cells []string) error { return t.w.Write(cells) }

func (t csvTable) Close() error { return t.w.Flush() }

type xlsxTable struct {
	out              io.Writer
	columns          []Column
	book             *excelize.File
	w                *excelize.StreamWriter
	line             int
	bold, money, day int // styles
}

func newXLSXTable(out io.Writer, sheet string, columns []Column) (*xlsxTable, error) {
	t := &xlsxTable{out: out, columns: columns, book: excelize.NewFile()}
	if err := t.begin(sheet); err != nil {
		return nil, errors.Join(err, t.book.Close())
	}
	return t, nil
}

func (t *xlsxTable) begin(sheet string) (err error) {
	if err = t.book.SetSheetName("Sheet1", sheet); err != nil {
		return err
	}
	if t.bold, err = t.book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
		return err
	}
	if t.money, err = t.book.NewStyle(&excelize.Style{NumFmt: 4}); err != nil { // 1,234.56
		return err
	}
	format := "mm/dd/yyyy"
	if t.day, err = t.book.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
		return err
	}
	if t.w, err = t.book.NewStreamWriter(sheet); err != nil {
		return err
	}
	for i, c := range t.columns {
		if c.Width == 0 {
			continue
		}
		if err := t.w.SetColWidth(i+1, i+1, c.Width); err != nil {
			return err
		}
	}
	return nil
}

func (t *xlsxTable) WriteHeader() error {
	titles := make([]any, len(t.columns))
	for i, c := range t.columns {
		titles[i] = excelize.Cell{StyleID: t.bold, Value: c.Title}
	}
	return t.set(titles)
}

func (t *xlsxTable) Row(cells []string) error {
	values := make([]any, len(cells))
	for i, c := range cells {
		values[i] = c
		if i < len(t.columns) {
			values[i] = t.toValue(c, t.columns[i].Kind)
		}
	}
	return t.set(values)
}

// toValue returns the workbook value of a cell. An empty cell stays empty, and a text that
// isn't a number or date stays text.
func (t *xlsxTable) toValue(cell string, kind Kind) any {
	if cell == "" {
		return nil
	}
	switch kind {
	case Amounts:
		if amount, err := strconv.ParseFloat(cell, 64); err == nil {
			return excelize.Cell{StyleID: t.money, Value: amount}
		}
	case Counts:
		if count, err := strconv.ParseFloat(cell, 64); err == nil && strings.Trim(cell, ".0123456789") == "" {
			return count
		}
	case Dates:
		if on, err := time.Parse("01/02/2006", cell); err == nil {
			return excelize.Cell{StyleID: t.day, Value: on}
		}
	case Texts:
	}
	return cell
}

// set writes texts as texts, so that none becomes a formula.
func (t *xlsxTable) set(values []any) error {
	t.line++
	at, err := excelize.CoordinatesToCellName(1, t.line)
	if err != nil {
		return err
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
