package rosters

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"

	"wcpp/internal/platform/csvrows"
)

// Bounds of what is read: a file beyond them is refused rather than swallowed.
const (
	mostColumns  = 200
	mostRows     = 1_000_000
	longestCell  = 2_000
	mostUnpacked = 1 << 30  // of an XLSX file: an archive may hide much more than it weighs
	inMemory     = 16 << 20 // of a sheet; larger ones are unpacked to disk
	mostHeld     = 64 << 20 // of all that is unpacked to memory: smaller sheets, pictures and the like
	mostParts    = 2_000    // of an XLSX file
)

// errUnreadable tells a person why a file cannot be read as a table.
type errUnreadable struct{ message string }

func (e *errUnreadable) Error() string { return e.message }

func unreadable(format string, args ...any) error {
	return &errUnreadable{fmt.Sprintf(format, args...)}
}

// rowReader gives the rows of a table one after the other, and io.EOF.
type rowReader interface {
	// next answers the cells of the next row and its number in the file; the
	// cells are good until the next call.
	next() (cells []string, number int, err error)
	close() error
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

func openRows(path string, format Format) (rowReader, error) {
	if format == XLSX {
		return openXLSX(path)
	}
	return openCSV(path)
}

type csvRows struct {
	file *os.File
	rows *csvrows.Reader
}

func openCSV(path string) (rowReader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	rows := csvrows.New(file)
	if bytes.IndexByte(rows.Head, 0) >= 0 {
		file.Close()
		return nil, unreadable("This is not a text file. Save the roster as CSV or XLSX.")
	}
	rows.LazyQuotes, rows.Comma = true, separator(rows.Head)
	return &csvRows{file, rows}, nil
}

// separator is the sign that the first line has most of.
func separator(head []byte) rune {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	best, most := ',', bytes.Count(line, []byte(","))
	for _, sign := range []rune{';', '\t', '|'} {
		if n := bytes.Count(line, []byte(string(sign))); n > most {
			best, most = sign, n
		}
	}
	return best
}

func (r *csvRows) next() ([]string, int, error) {
	cells, err := r.rows.Read()
	if errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return nil, 0, unreadable("Line %d cannot be read: %s.", parse.Line, parse.Err)
	}
	if errors.Is(err, csvrows.ErrRowTooLong) {
		return nil, 0, unreadable("The file cannot be read: a row is longer than a megabyte: a quote may be left open.")
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
	return cells, line, nil
}

func (r *csvRows) close() error { return r.file.Close() }

type xlsxRows struct {
	book   *excelize.File
	rows   *excelize.Rows
	number int
}

func notASpreadsheet() error {
	return unreadable("This is not a spreadsheet that can be read. Save the roster as CSV or XLSX, without a password.")
}

// bounded refuses an archive whose parts would not fit into memory, before any
// is unpacked: the library bounds the whole, and takes all but large sheets and
// texts to memory.
func bounded(path string) error {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return notASpreadsheet()
	}
	defer archive.Close() //nolint:errcheck // only read
	var held uint64
	for _, part := range archive.File {
		name := strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/"))
		large := part.UncompressedSize64 > inMemory && (strings.HasPrefix(name, "xl/worksheets/sheet") || name == "xl/sharedstrings.xml")
		if !large {
			held += min(part.UncompressedSize64, mostHeld+1)
		}
	}
	if held > mostHeld || len(archive.File) > mostParts {
		return unreadable("The spreadsheet holds more than a roster. Save the roster's sheet alone as CSV or XLSX.")
	}
	return nil
}

// openXLSX reads the first sheet that is shown.
func openXLSX(path string) (rowReader, error) {
	if err := bounded(path); err != nil {
		return nil, err
	}
	book, err := excelize.OpenFile(path, excelize.Options{RawCellValue: true, UnzipSizeLimit: mostUnpacked, UnzipXMLSizeLimit: inMemory})
	if err != nil {
		return nil, notASpreadsheet()
	}
	for _, sheet := range book.GetSheetList() {
		if shown, err := book.GetSheetVisible(sheet); err != nil || !shown {
			continue
		}
		rows, err := book.Rows(sheet)
		if err != nil {
			continue // a sheet of charts
		}
		return &xlsxRows{book: book, rows: rows}, nil
	}
	return nil, errors.Join(unreadable("The spreadsheet has no sheet with rows."), book.Close())
}

func (r *xlsxRows) next() ([]string, int, error) {
	if !r.rows.Next() {
		if err := r.rows.Error(); err != nil {
			return nil, 0, unreadable("The spreadsheet cannot be read to its end.")
		}
		return nil, 0, io.EOF
	}
	r.number++
	cells, err := r.rows.Columns(excelize.Options{RawCellValue: true})
	if err != nil {
		return nil, 0, unreadable("Row %d of the spreadsheet cannot be read.", r.number)
	}
	return cells, r.number, nil
}

func (r *xlsxRows) close() error { return errors.Join(r.rows.Close(), r.book.Close()) }
