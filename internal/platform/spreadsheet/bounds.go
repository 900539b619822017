package spreadsheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf16"
)

// Limits for an XLSX file. It is a ZIP archive, so a small file can unpack to any size. Excel
// itself allows 16,384 columns and 32,767 characters in a cell.
const (
	mostUnpacked = 1 << 30    // bytes of all parts
	inMemory     = 16 << 20   // bytes of a sheet; larger ones are unpacked to disk
	mostHeld     = 64 << 20   // bytes of everything unpacked to memory: smaller sheets, images, and similar parts
	mostParts    = 2_000      // in the archive
	mostSheets   = mostParts  // in the workbook's list, which can name a part repeatedly
	mostText     = 256 << 10  // bytes between two tags, or in one
	mostCells    = 5_000_000  // in all sheets
	mostInRow    = 16_384     // cells
	mostStrings  = 500_000    // shared strings
	mostOther    = 500_000    // tags in all other parts, which the library reads completely
	mostInCells  = 40_000_000 // tags in sheets: rows, values, formulas
	mostNested   = 100        // elements around a cell's text
)

// errBeyond means that a part exceeds a limit.
var errBeyond = errors.New("out of range")

// checkBounds rejects a file that isn't an XLSX workbook, or has parts beyond the limits, before the
// library reads it.
func checkBounds(path, what string) error {
	if err := newFormatError(path, what); err != nil {
		return err
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		return newNotSpreadsheet(what)
	}
	defer archive.Close() //nolint:errcheck // only read
	var c cellCounter
	if len(archive.File) > mostParts {
		return c.refuse(what)
	}
	for _, part := range archive.File {
		switch name := partName(part); {
		case part.Flags&1 != 0:
			return NewUnreadable("This spreadsheet is protected with a password. Save the %s without one.", what)
		case name == "xl/workbook.bin":
			return NewUnreadable("This is a binary workbook (XLSB). Save the %s as CSV or XLSX.", what)
		case name == "content.xml":
			return NewUnreadable("This is an OpenDocument spreadsheet (ODS). Save the %s as CSV or XLSX.", what)
		}
	}
	for _, part := range archive.File {
		in, err := part.Open()
		if err != nil {
			return newNotSpreadsheet(what)
		}
		err = c.countPart(in, partName(part))
		in.Close()
		switch {
		case errors.Is(err, errBeyond):
			return c.refuse(what)
		case err != nil:
			return newNotSpreadsheet(what)
		}
	}
	return nil
}

// partName returns the name under which the library finds a part.
func partName(part *zip.File) string {
	return strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/"))
}

// newFormatError returns an error that names an older format, which isn't an archive.
func newFormatError(path, what string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	start := make([]byte, 64<<10)
	n, err := io.ReadFull(file, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	switch start = start[:n]; {
	case !bytes.HasPrefix(start, []byte("\xd0\xcf\x11\xe0")): // not a compound file
		return nil
	case bytes.Contains(start, encodeUTF16("EncryptedPackage")):
		return NewUnreadable("This spreadsheet is protected with a password. Save the %s without one.", what)
	}
	return NewUnreadable("This is an Excel 2003 or older workbook (XLS). Save the %s as CSV or XLSX.", what)
}

// encodeUTF16 encodes a text as in the directory of a compound file: UTF-16, low byte first.
func encodeUTF16(text string) (b []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		b = append(b, byte(unit), byte(unit>>8))
	}
	return b
}

type cellCounter struct {
	bytes, held, strings, other, sheets, inCells, cells, inRow int
}

func (c *cellCounter) refuse(what string) error {
	switch {
	case c.cells > mostCells || c.strings > mostStrings:
		return newTooManyCells(what)
	case c.inRow > mostInRow:
		return NewUnreadable("A spreadsheet row has more than 16,384 cells. Save the %s as CSV or XLSX again.", what)
	}
	return newTooMuchData(what)
}

func newTooMuchData(what string) error {
	return NewUnreadable("The spreadsheet has too much data. Save only the %s's sheet as CSV or XLSX.", what)
}

func newTooManyCells(what string) error {
	return NewUnreadable("The spreadsheet has too many cells. Save the %s as CSV, or split it into smaller files.", what)
}

// countPart reads a part of the workbook with little memory and counts its content.
func (c *cellCounter) countPart(in io.Reader, name string) error {
	t := tags{of: c, isSheet: strings.HasPrefix(name, "xl/worksheets/sheet"), isStrings: name == "xl/sharedstrings.xml"}
	large := t.isSheet || t.isStrings // unpacked to disk
	isXML := large || isXML(name)
	size, chunk := 0, make([]byte, 64<<10)
	for {
		n, err := in.Read(chunk)
		size, c.bytes = size+n, c.bytes+n
		if c.bytes > mostUnpacked || !large && c.held+size > mostHeld {
			return errBeyond
		}
		if isXML {
			if err := t.read(chunk[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if !large || size <= inMemory {
		c.held += size
	}
	if c.held > mostHeld {
		return errBeyond
	}
	return nil
}

func isXML(name string) bool {
	return strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".rels")
}

// checkWhole rejects a workbook within the limits whose cells the library wouldn't read to the end,
// because it ends silently at XML that it can't parse.
func checkWhole(path, what string, charset func(string, io.Reader) (io.Reader, error)) error {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return newNotSpreadsheet(what)
	}
	defer archive.Close() //nolint:errcheck // only read
	for _, part := range archive.File {
		if !isXML(partName(part)) {
			continue
		}
		in, err := part.Open()
		if err == nil {
			d := xml.NewDecoder(in)
			d.CharsetReader = charset
			err = errors.Join(parseCells(d), in.Close())
		}
		if err != nil {
			return newIncomplete(what)
		}
	}
	return nil
}

// parseCells parses a sheet to the end of its rows, or the shared texts. It ignores other parts.
func parseCells(d *xml.Decoder) error {
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			if depth == 0 {
				return nil
			}
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if depth == 0 && e.Name.Local != "worksheet" && e.Name.Local != "sst" {
				return nil
			}
			if depth++; depth > mostNested {
				return errBeyond
			}
		case xml.EndElement:
			if depth--; depth == 0 || e.Name.Local == "sheetData" {
				return nil
			}
		}
	}
}

// tags tracks the tags of one part.
type tags struct {
	of                 *cellCounter
	isSheet, isStrings bool
	run                int // bytes since the start or end of a tag
	inName             bool
	name               [4]byte // of the tag, without its namespace
	letters            int     // of the name, including those that don't fit
}

var errNoText = errors.New("must be UTF-8 text")

func (t *tags) read(chunk []byte) error {
	for _, b := range chunk {
		if t.run++; t.run > mostText {
			return errBeyond
		}
		switch {
		case b == 0: // UTF-16, in which no tags are found
			return errNoText
		case b == '<':
			t.run, t.inName, t.letters = 0, true, 0
		case !t.inName:
			if b == '>' {
				t.run = 0
			}
		case b == ':':
			t.letters = 0
		case b > ' ' && b != '>' && b != '/':
			if t.letters < len(t.name) {
				t.name[t.letters] = b
			}
			t.letters++
		case t.letters > 0:
			t.inName = false
			if name := string(t.name[:min(t.letters, len(t.name))]); !t.of.countTag(name, t.isSheet, t.isStrings) {
				return errBeyond
			}
		default: // the end of an element
			t.inName = false
		}
	}
	return nil
}

// countTag counts a tag by its name, and reports whether it is within the limits.
func (c *cellCounter) countTag(name string, isSheet, isStrings bool) bool {
	switch {
	case isStrings:
		if name == "si" {
			c.strings++
		}
		c.inCells++
	case isSheet:
		switch name {
		case "row":
			c.inRow = 0
		case "c":
			c.cells++
			c.inRow++
		}
		c.inCells++
	default:
		if name == "shee" { // <sheet>
			c.sheets++
		}
		c.other++
	}
	return c.strings <= mostStrings && c.cells <= mostCells && c.inRow <= mostInRow && c.inCells <= mostInCells &&
		c.other <= mostOther && c.sheets <= mostSheets
}
