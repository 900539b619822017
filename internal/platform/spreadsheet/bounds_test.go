package spreadsheet

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
)

const (
	types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="xml" ContentType="application/xml"/></Types>`
	contentTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`
	rootRelations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ` +
		`Target="xl/workbook.xml" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>`
	bookRelations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ` +
		`Target="worksheets/sheet1.xml" ` +
		`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/></Relationships>`
	oneSheet = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
		`<sheets><sheet name="A" sheetId="1"/></sheets></workbook>`
)

// archive writes an archive of parts without storing them in memory. Each part is a text,
// repeated between two others.
func archive(t *testing.T, parts map[string][4]string, times int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.xlsx")
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	z := zip.NewWriter(file)
	for name, p := range parts {
		w, err := z.Create(name)
		require.NoError(t, err)
		block := strings.Repeat(p[1], 1000)
		_, _ = io.WriteString(w, p[0])
		for range times / 1000 {
			if _, err := io.WriteString(w, block); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = io.WriteString(w, p[2])
	}
	require.NoError(t, z.Close())
	return path
}

// A small file that unpacks to any size is rejected before it fills the memory. The message
// names the problem.
func TestBombs(t *testing.T) {
	for name, c := range map[string]struct {
		part  string
		of    [4]string
		times int
		want  string
	}{
		"empty shared texts": {"xl/sharedStrings.xml", [4]string{"<sst>", "<si/>", "</sst>"}, 6_000_000, "too many cells"},
		"with a namespace": {"xl/sharedStrings.xml", [4]string{"<abcdef:sst>", "<abcdef:si/>", "</abcdef:sst>"}, 3_000_000,
			"too many cells"},
		"one text": {"xl/worksheets/sheet1.xml",
			[4]string{"<sheetData><row><c><is><t>", "x", "</t></is></c></row></sheetData>"}, 150_000_000, "has too much data"},
		"one attribute": {"xl/worksheets/sheet1.xml", [4]string{`<sheetData><row spans="`, "1", `"/></sheetData>`},
			150_000_000, "has too much data"},
		"cells of a row": {"xl/worksheets/sheet1.xml", [4]string{"<sheetData><row>", "<c/>", "</row></sheetData>"},
			10_000_000, "more than 16,384 cells"},
		"cells, called something else": {"xl/worksheets/sheet1.bin", [4]string{"<sheetData><row>", "<c/>", "</row></sheetData>"},
			10_000_000, "more than 16,384 cells"},
		"rows": {"xl/worksheets/sheet1.xml", [4]string{"<sheetData>", "<row><c/></row>", "</sheetData>"}, 6_000_000,
			"too many cells"},
		"rows without cells": {"xl/worksheets/sheet1.xml", [4]string{"<sheetData>", "<row/>", "</sheetData>"}, 50_000_000,
			"has too much data"},
		"styles": {"xl/styles.xml", [4]string{"<styleSheet><cellXfs>", "<xf/>", "</cellXfs></styleSheet>"}, 5_000_000,
			"has too much data"},
		"nothing, in UTF-16": {"xl/sharedStrings.xml", [4]string{`<?xml version="1.0" encoding="utf-16le"?>`,
			"<\x00s\x00i\x00/\x00>\x00", ""}, 1000, "can't read this spreadsheet"},
		"a picture": {"xl/media/image1.png", [4]string{"", "\x00", ""}, 100_000_000, "has too much data"},
	} {
		t.Run(name, func(t *testing.T) {
			path := archive(t, map[string][4]string{"[Content_Types].xml": {types}, "xl/workbook.xml": {oneSheet}, c.part: c.of}, c.times)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			rows, err := Open(path, XLSX, "roster")
			runtime.ReadMemStats(&after)
			var unreadable *Unreadable
			if !errors.As(err, &unreadable) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if err == nil {
				_ = rows.Close()
			}
			assert.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(10<<20))
		})
	}
}

// A cell far to the right makes a wide row, and many wide rows count as many cells.
func TestWideRows(t *testing.T) {
	book := excelize.NewFile()
	w, err := book.NewStreamWriter("Sheet1")
	require.NoError(t, err)
	for row := 1; row <= 2*mostCells/mostInRow; row++ {
		require.NoError(t, w.SetRow(fmt.Sprintf("XFD%d", row), []any{"a"}))
	}
	path := filepath.Join(t.TempDir(), "a.xlsx")
	require.NoError(t, errors.Join(w.Flush(), book.SaveAs(path), book.Close()))
	rows, err := Open(path, XLSX, "roster")
	n := 0
	for ; err == nil; n++ {
		_, _, err = rows.Next()
	}
	if !strings.Contains(err.Error(), "too many cells") || n > mostCells/mostInRow+2 {
		t.Errorf("after %d rows: %v", n, err)
	}
	assert.NoError(t, rows.Close())
}

// A row's number, or several sheets that name one part, make a small file long to read. Reading ends
// anyway.
func TestSmallFilesOfManyRows(t *testing.T) {
	defer func(limit time.Duration) { scanLimit = limit }(scanLimit)
	scanLimit = 100 * time.Millisecond
	const (
		first = `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>`
		blank = `<worksheet><sheetData><row r="1"><c r="A1"/></row>`
		last  = `<row r="2000000000"><c r="A2000000000"><v>1</v></c></row></sheetData></worksheet>`
	)
	book := func(sheets int) string {
		var b strings.Builder
		for n := range sheets {
			fmt.Fprintf(&b, `<sheet name="S%d" sheetId="%d" r:id="rId1"/>`, n, n+1)
		}
		return `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
			`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` + b.String() + `</sheets></workbook>`
	}
	for name, c := range map[string]struct {
		sheets int
		of     [4]string
		times  int
		want   string
	}{
		"a far row":               {1, [4]string{first, "", last}, 0, "Couldn't read the whole spreadsheet"},
		"a far row of two sheets": {2, [4]string{blank, "", last}, 0, "Couldn't read the whole spreadsheet"},
		"sheets of one part": {200, [4]string{blank, "<row><c/></row>", "</sheetData></worksheet>"}, 100_000,
			"has too much data"},
		"thousands of sheets": {mostParts + 1, [4]string{first, "", "</sheetData></worksheet>"}, 0, "has too much data"},
	} {
		t.Run(name, func(t *testing.T) {
			path := archive(t, map[string][4]string{"[Content_Types].xml": {contentTypes}, "_rels/.rels": {rootRelations},
				"xl/workbook.xml": {book(c.sheets)}, "xl/_rels/workbook.xml.rels": {bookRelations},
				"xl/worksheets/sheet1.xml": c.of}, c.times)
			ended := make(chan error, 1)
			go func() {
				rows, err := Open(path, XLSX, "roster")
				for err == nil {
					_, _, err = rows.Next()
				}
				if rows != nil {
					err = errors.Join(err, rows.Close())
				}
				ended <- err
			}()
			select {
			case err := <-ended:
				assert.Contains(t, err.Error(), c.want, err)
			case <-time.After(20 * time.Second):
				t.Error("reading doesn't end")
			}
		})
	}
}

// The library ends silently at XML that it can't parse, so a file with such XML is refused as a whole.
func TestIncompleteSheets(t *testing.T) {
	const (
		book = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
			`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
			`<sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`
		row   = `<row><c t="inlineStr"><is><t>a</t></is></c></row>`
		texts = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>a</t></si></sst>`
	)
	sheet := func(head, last, end string) string {
		return head + `<worksheet><sheetData>` + strings.Repeat(row, 900) + last + row + `</sheetData>` + end
	}
	for name, c := range map[string]struct {
		part, sheet, texts string
		rows               int // 0: refused
	}{
		"complete":                  {"sheet1.xml", sheet("", "", "</worksheet>"), texts, 901},
		"in another encoding":       {"sheet1.xml", sheet(`<?xml version="1.0" encoding="windows-1252"?>`, "", "</worksheet>"), texts, 901},
		"an error after the rows":   {"sheet1.xml", sheet("", "", "<footer>a & b</footer></worksheet>"), texts, 901},
		"an ampersand":              {"sheet1.xml", sheet("", strings.Replace(row, ">a<", ">a & b<", 1), "</worksheet>"), texts, 0},
		"a control character":       {"sheet1.xml", sheet("", strings.Replace(row, ">a<", ">a\x01<", 1), "</worksheet>"), texts, 0},
		"a missing end tag":         {"sheet1.xml", sheet("", strings.Replace(row, "</is>", "", 1), "</worksheet>"), texts, 0},
		"cut off":                   {"sheet1.xml", `<worksheet><sheetData>` + row, texts, 0},
		"a part with another name":  {"roster.xml", sheet("", strings.Replace(row, ">a<", ">a & b<", 1), "</worksheet>"), texts, 0},
		"an ampersand in the texts": {"sheet1.xml", sheet("", "", "</worksheet>"), strings.Replace(texts, ">a<", ">a & b<", 1), 0},
		"deep XML":                  {"sheet1.xml", sheet("", strings.Repeat("<a>", 10_000), ""), texts, 0},
	} {
		t.Run(name, func(t *testing.T) {
			path := archive(t, map[string][4]string{
				"[Content_Types].xml": {contentTypes}, "_rels/.rels": {rootRelations}, "xl/workbook.xml": {book},
				"xl/_rels/workbook.xml.rels": {strings.ReplaceAll(bookRelations, "sheet1.xml", c.part)},
				"xl/worksheets/" + c.part:    {c.sheet}, "xl/sharedStrings.xml": {c.texts},
			}, 0)
			rows, err := Open(path, XLSX, "roster")
			n := 0
			for ; err == nil; n++ {
				_, _, err = rows.Next()
			}
			if rows != nil {
				defer rows.Close() //nolint:errcheck // only read
			}
			if c.rows > 0 && (!errors.Is(err, io.EOF) || n != c.rows+1) || c.rows == 0 && (n > 0 || err == nil) {
				t.Errorf("%d rows, %v", n, err)
			}
		})
	}
}

// The message names the actual format of files with the extension XLSX.
func TestOtherFormats(t *testing.T) {
	compound := append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 1000)...)
	zipped := func(names ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range names {
			if _, err := z.Create(name); err != nil {
				t.Fatal(err)
			}
		}
		require.NoError(t, z.Close())
		return b.Bytes()
	}
	locked := zipped("xl/workbook.xml")
	for _, signature := range []string{"PK\x03\x04", "PK\x01\x02"} { // its flags are 6 and 8 bytes after it
		at := bytes.Index(locked, []byte(signature)) + map[string]int{"PK\x03\x04": 6, "PK\x01\x02": 8}[signature]
		locked[at] |= 1
	}
	for want, content := range map[string][]byte{
		"protected with a password. Save":    append(compound, encodeUTF16("EncryptedPackage")...),
		"Excel 2003 or older workbook (XLS)": append(compound, encodeUTF16("Workbook")...),
		"binary workbook (XLSB)":             zipped("xl/worksheets/sheet1.bin", "xl/workbook.bin"),
		"OpenDocument spreadsheet (ODS)":     zipped("mimetype", "content.xml"),
		"is protected with a password.":      locked,
		"can't read this spreadsheet":        []byte("PK is no archive"),
	} {
		path := filepath.Join(t.TempDir(), "a.xlsx")
		require.NoError(t, os.WriteFile(path, content, 0o600))
		if _, err := Open(path, XLSX, "roster"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Reading any archive ends and stays within the limits.
func FuzzWorkbook(f *testing.F) {
	const (
		book = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
			`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
			`<sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`
		sheet = `<worksheet><sheetData><row><c t="s"><v>0</v></c></row></sheetData></worksheet>`
		texts = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>a</t></si></sst>`
	)
	f.Add(book, sheet, texts)
	f.Fuzz(func(t *testing.T, ofBook, ofSheet, ofTexts string) {
		path := archive(t, map[string][4]string{
			"[Content_Types].xml": {contentTypes}, "_rels/.rels": {rootRelations}, "xl/workbook.xml": {ofBook},
			"xl/_rels/workbook.xml.rels": {bookRelations}, "xl/worksheets/sheet1.xml": {ofSheet}, "xl/sharedStrings.xml": {ofTexts},
		}, 0)
		var cells []string
		rows, err := Open(path, XLSX, "roster")
		if err == nil {
			defer rows.Close() //nolint:errcheck // only read
			cells, _, err = rows.Next()
		}
		if ofBook == book && ofSheet == sheet && ofTexts == texts && (err != nil || !slices.Equal(cells, []string{"a"})) {
			t.Errorf("the workbook has %q, %v", cells, err)
		}
		for n := 0; err == nil && n < 100_000; n++ {
			_, _, err = rows.Next()
		}
	})
}
