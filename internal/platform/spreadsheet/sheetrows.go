// Package spreadsheet reads the rows of tables that people send as CSV or XLSX, each
// of bounded size, and writes such tables back.
package spreadsheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"

	"wcpp/internal/platform/csvio"
)

// Unreadable tells a person why a file cannot be read as a table.
type Unreadable struct{ Message string }

func (e *Unreadable) Error() string { return e.Message }

// Cannot is an Unreadable with its sentence.
func Cannot(format string, args ...any) error { return &Unreadable{fmt.Sprintf(format, args...)} }

// Rows gives the rows of a table one after the other, and io.EOF.
type Rows interface {
	// Next answers the cells of the next row and its number in the file; the
	// cells are good until the next call.
	Next() (cells []string, number int, err error)
	// Days is a cell of that row in which a count of days, if it is one, begins in 1900.
	Days(cell int) string
	// Unread names the other sheets that are shown and have rows: nothing of them is read.
	Unread() []string
	Close() error
}

// Format of a file, by its name.
type Format string

// The formats that are read; every other file is taken as it is.
const (
	CSV   Format = "csv"
	XLSX  Format = "xlsx"
	Other Format = ""
)

// FormatOf tells the format by the name's ending.
func FormatOf(name string) Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".txt":
		return CSV
	case ".xlsx":
		return XLSX
	}
	return Other
}

// ContentType is that of a file of the format.
func (f Format) ContentType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8"
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "application/octet-stream"
}

// Open opens a file of a format, CSV unless it is XLSX. What the file is to be ("roster")
// stands in the sentences that tell why it cannot be read.
func Open(path string, format Format, what string) (Rows, error) {
	if format == XLSX {
		return openXLSX(path, what)
	}
	return openCSV(path, what)
}

type csvRows struct {
	file  *os.File
	rows  *csvio.Reader
	cells []string
}

func openCSV(path, what string) (Rows, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	rows := csvio.New(file)
	if bytes.IndexByte(rows.Head, 0) >= 0 {
		file.Close()
		return nil, Cannot("This isn't a text file. Save the %s as CSV or XLSX.", what)
	}
	rows.LazyQuotes = true
	return &csvRows{file: file, rows: rows}, nil
}

func (r *csvRows) Next() ([]string, int, error) {
	cells, err := r.rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return nil, 0, Cannot("Couldn't read line %d: %s.", parse.Line, parse.Err)
	}
	if errors.Is(err, csvio.ErrRowTooLong) {
		return nil, 0, Cannot("A row is longer than 1 MB. Check the file for a missing quote.")
	}
	if err != nil {
		return nil, 0, err
	}
	line, _ := r.rows.FieldPos(0)
	for i, c := range cells {
		if !utf8.ValidString(c) { // as older spreadsheet programs write it
			if decoded, err := charmap.Windows1252.NewDecoder().String(c); err == nil {
				cells[i] = decoded
			}
		}
	}
	r.cells = cells
	return cells, line, nil
}

func (r *csvRows) Days(cell int) string { return r.cells[cell] }

func (r *csvRows) Unread() []string { return nil }

func (r *csvRows) Close() error { return r.file.Close() }

type xlsxRows struct {
	book     *excelize.File
	rows     *excelize.Rows
	number   int
	cells    []string
	isDate   []bool // by cell
	from1904 bool
	unread   []string
	read     int // cells, those left out between others too
	what     string
}

func notASpreadsheet(what string) error {
	return Cannot("We can't read this spreadsheet. Save the %s as CSV or XLSX, without a password.", what)
}

// openXLSX reads the first sheet that is shown.
func openXLSX(path, what string) (Rows, error) {
	if err := bounded(path, what); err != nil {
		return nil, err
	}
	book, err := excelize.OpenFile(path, excelize.Options{UnzipSizeLimit: mostUnpacked, UnzipXMLSizeLimit: inMemory})
	if err != nil {
		return nil, notASpreadsheet(what)
	}
	props, err := book.GetWorkbookProps()
	if err = errors.Join(err, markDates(book)); err != nil {
		return nil, errors.Join(notASpreadsheet(what), book.Close())
	}
	r := &xlsxRows{book: book, what: what, from1904: props.Date1904 != nil && *props.Date1904}
	for _, sheet := range book.GetSheetList() {
		if shown, err := book.GetSheetVisible(sheet); err != nil || !shown {
			continue
		}
		rows, err := book.Rows(sheet)
		switch {
		case err != nil: // a sheet of charts
		case r.rows == nil:
			r.rows = rows
		case hasRows(rows):
			r.unread = append(r.unread, sheet)
		}
	}
	if r.rows == nil {
		return nil, errors.Join(Cannot("The spreadsheet doesn't have a sheet with rows."), book.Close())
	}
	return r, nil
}

// hasRows reports whether a sheet has a cell with something in it, and closes it.
func hasRows(rows *excelize.Rows) bool {
	defer rows.Close() //nolint:errcheck // only read
	for read := 0; rows.Next() && read <= mostCells; {
		cells, err := rows.Columns()
		if err != nil || !Blank(cells) {
			return true
		}
		read += len(cells)
	}
	return false
}

func (r *xlsxRows) Unread() []string { return r.unread }

func (r *xlsxRows) Next() ([]string, int, error) {
	if !r.rows.Next() {
		if err := r.rows.Error(); err != nil {
			return nil, 0, Cannot("Couldn't read the whole spreadsheet.")
		}
		return nil, 0, io.EOF
	}
	r.number++
	cells, err := r.rows.Columns()
	if err != nil {
		return nil, 0, Cannot("Couldn't read row %d of the spreadsheet.", r.number)
	}
	if r.read += len(cells); r.read > mostCells {
		return nil, 0, tooManyCells(r.what)
	}
	r.isDate = append(r.isDate[:0], make([]bool, len(cells))...)
	for i, c := range cells {
		if r.isDate[i] = strings.HasPrefix(c, dateMark); r.isDate[i] {
			cells[i] = fromMark(c)
		}
	}
	r.cells = cells
	return cells, r.number, nil
}

// Days counts a number that is shown as one, and not as a date, from the workbook's own
// first day.
func (r *xlsxRows) Days(cell int) string {
	text := Text(r.cells[cell])
	if !r.from1904 || r.isDate[cell] || !IsCount(text) {
		return r.cells[cell]
	}
	n, _ := strconv.Atoi(text[:5])
	return strconv.Itoa(n+daysTo1904) + text[5:]
}

func (r *xlsxRows) Close() error { return errors.Join(r.rows.Close(), r.book.Close()) }

// Blank reports whether a row has nothing in it.
func Blank(cells []string) bool { return csvio.Blank(cells) }

// Text is the text of a cell; the apostrophe that keeps a text from becoming a
// formula is no part of it.
func Text(cell string) string {
	cell = strings.TrimSpace(cell)
	if plain, marked := strings.CutPrefix(cell, "'"); marked && strings.IndexAny(plain, "=+-@＝＋－＠") == 0 {
		return plain
	}
	return cell
}
