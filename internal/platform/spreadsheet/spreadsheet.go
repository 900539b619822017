// Package spreadsheet reads tables that users send as CSV or XLSX, with size limits, and writes
// such tables.
package spreadsheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"

	"wcpp/internal/platform/csvio"
)

// Unreadable explains to users why a file can't be read as a table.
type Unreadable struct{ Message string }

func (e *Unreadable) Error() string { return e.Message }

// NewUnreadable returns an Unreadable with a message.
func NewUnreadable(format string, args ...any) error {
	return &Unreadable{fmt.Sprintf(format, args...)}
}

// Rows iterates over the rows of a table and ends with io.EOF.
type Rows interface {
	// Next returns the cells of the next row and its number in the file. The cells are valid
	// until the next Next.
	Next() (cells []string, number int, err error)
	// Days returns a cell of the row. If it is a count of days, the count starts in 1900.
	Days(cell int) string
	// From1904 reports whether counts of days start in 1904.
	From1904() bool
	// Date returns a cell of the row that is formatted as a date, as MM/DD/YYYY and any time of day.
	Date(cell int) (text string, is bool)
	// Unread lists the other visible sheets with rows, which aren't read.
	Unread() []string
	Close() error
}

// Format is a file format, by file name.
type Format string

// Supported formats. Other files are kept unchanged.
const (
	CSV   Format = "csv"
	XLSX  Format = "xlsx"
	Other Format = ""
)

// GetFormat returns the format for the file name's extension.
func GetFormat(name string) Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".txt":
		return CSV
	case ".xlsx":
		return XLSX
	}
	return Other
}

// ContentType returns the media type of the format.
func (f Format) ContentType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8"
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "application/octet-stream"
}

// Open opens a file in a format, with CSV as the default. Error messages describe the expected
// content with what ("roster").
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
	rows := csvio.NewLazyReader(file)
	if bytes.IndexByte(rows.Head, 0) >= 0 {
		file.Close()
		return nil, NewUnreadable("This isn't a text file. Save the %s as CSV or XLSX.", what)
	}
	return &csvRows{file: file, rows: rows}, nil
}

func (r *csvRows) Next() ([]string, int, error) {
	cells, err := r.rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	var parse *csv.ParseError
	isParse := errors.As(err, &parse)
	if isParse && errors.Is(err, csvio.ErrUnclosedQuote) {
		return nil, 0, NewUnreadable("Line %d has a quote that isn't closed.", parse.Line)
	}
	if isParse {
		return nil, 0, NewUnreadable("Couldn't read line %d: %s.", parse.Line, parse.Err)
	}
	if errors.Is(err, csvio.ErrRowTooLong) {
		return nil, 0, NewUnreadable("A row is longer than 1 MB. Check the file for a missing quote.")
	}
	if err != nil {
		return nil, 0, err
	}
	line, _ := r.rows.FieldPos(0)
	for i, c := range cells {
		if !utf8.ValidString(c) { // from an older spreadsheet program
			if decoded, err := charmap.Windows1252.NewDecoder().String(c); err == nil {
				cells[i] = decoded
			}
		}
	}
	r.cells = cells
	return cells, line, nil
}

func (r *csvRows) Days(cell int) string { return r.cells[cell] }

func (r *csvRows) From1904() bool { return false }

func (r *csvRows) Date(int) (string, bool) { return "", false }

func (r *csvRows) Unread() []string { return nil }

func (r *csvRows) Close() error { return r.file.Close() }

type xlsxRows struct {
	book     *excelize.File
	rows     *excelize.Rows
	number   int
	cells    []string
	dates    []string // by cell; empty for other cells
	from1904 bool
	unread   []string
	read     int // number of cells, including skipped ones
	what     string
}

func newNotSpreadsheet(what string) error {
	return NewUnreadable("We can't read this spreadsheet. Save the %s as CSV or XLSX, without a password.", what)
}

func newIncomplete(what string) error {
	return NewUnreadable("Couldn't read the whole spreadsheet. Save the %s as CSV or XLSX again.", what)
}

// openXLSX reads the first visible sheet.
func openXLSX(path, what string) (Rows, error) {
	if err := checkBounds(path, what); err != nil {
		return nil, err
	}
	book, err := excelize.OpenFile(path, excelize.Options{UnzipSizeLimit: mostUnpacked, UnzipXMLSizeLimit: inMemory})
	if err != nil {
		return nil, newNotSpreadsheet(what)
	}
	if err := checkWhole(path, what, book.CharsetReader); err != nil {
		return nil, errors.Join(err, book.Close())
	}
	props, err := book.GetWorkbookProps()
	if err = errors.Join(err, markDates(book)); err != nil {
		return nil, errors.Join(newNotSpreadsheet(what), book.Close())
	}
	r := &xlsxRows{book: book, what: what, from1904: props.Date1904 != nil && *props.Date1904}
	until := time.Now().Add(scanLimit)
	for _, sheet := range book.GetSheetList() {
		if shown, err := book.GetSheetVisible(sheet); err != nil || !shown {
			continue
		}
		rows, err := book.Rows(sheet)
		switch {
		case err != nil: // a chart sheet
		case r.rows == nil:
			r.rows = rows
		default:
			found, err := hasRows(rows, until)
			if err != nil {
				return nil, errors.Join(newTooMuchData(what), r.Close())
			}
			if found {
				r.unread = append(r.unread, sheet)
			}
		}
	}
	if r.rows == nil {
		return nil, errors.Join(NewUnreadable("The spreadsheet doesn't have a sheet with rows."), book.Close())
	}
	return r, nil
}

// scanLimit is how long all sheets but the first can take until their first nonempty cells. Many
// sheets can name one part, so the limits of the parts don't bound it.
var scanLimit = 10 * time.Second

// hasRows reports whether a sheet has a nonempty cell, and closes the sheet. It fails at the given
// time.
func hasRows(rows *excelize.Rows, until time.Time) (bool, error) {
	defer rows.Close() //nolint:errcheck // only read
	for row, read := 1, 0; rows.Next() && row <= excelize.TotalRows && read <= mostCells; row++ {
		if row%1000 == 1 && time.Now().After(until) {
			return false, errBeyond
		}
		cells, err := rows.Columns()
		if err != nil || !IsBlank(cells) {
			return true, nil
		}
		read += len(cells)
	}
	return false, nil
}

func (r *xlsxRows) Unread() []string { return r.unread }

func (r *xlsxRows) Next() ([]string, int, error) {
	if !r.rows.Next() {
		if err := r.rows.Error(); err != nil {
			return nil, 0, newIncomplete(r.what)
		}
		return nil, 0, io.EOF
	}
	// The library checks a row's number only at the start of the sheet.
	if r.number++; r.number > excelize.TotalRows {
		return nil, 0, newIncomplete(r.what)
	}
	cells, err := r.rows.Columns()
	if err != nil {
		return nil, 0, NewUnreadable("Couldn't read row %d of the spreadsheet.", r.number)
	}
	if r.read += len(cells); r.read > mostCells {
		return nil, 0, newTooManyCells(r.what)
	}
	r.dates = append(r.dates[:0], make([]string, len(cells))...)
	for i, c := range cells {
		if strings.HasPrefix(c, dateMark) {
			cells[i], r.dates[i] = parseMark(c)
		}
	}
	r.cells = cells
	return cells, r.number, nil
}

// Days converts a plain number, not shown as a date, from the workbook's own first day.
func (r *xlsxRows) Days(cell int) string {
	if !r.from1904 || r.dates[cell] != "" {
		return r.cells[cell]
	}
	return ShiftDays(r.cells[cell])
}

func (r *xlsxRows) From1904() bool { return r.from1904 }

func (r *xlsxRows) Close() error { return errors.Join(r.rows.Close(), r.book.Close()) }

func (r *xlsxRows) Date(cell int) (string, bool) { return r.dates[cell], r.dates[cell] != "" }

// WarnUnread returns a warning if a file has sheets that aren't read.
func WarnUnread(r Rows) []string {
	sheets := r.Unread()
	if len(sheets) == 0 {
		return nil
	}
	return []string{"We read only the first sheet. Upload these sheets as separate files: " + strings.Join(sheets, ", ") + "."}
}

// IsBlank reports whether a row is empty.
func IsBlank(cells []string) bool { return csvio.IsBlank(cells) }

// Text returns the text of a cell without the apostrophe that prevents a formula.
func Text(cell string) string {
	cell = strings.TrimSpace(cell)
	if plain, marked := strings.CutPrefix(cell, "'"); marked && strings.IndexAny(plain, "=+-@＝＋－＠") == 0 {
		return plain
	}
	return cell
}
