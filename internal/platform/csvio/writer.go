package csvio

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode"
)

// Writer writes rows without formulas, so that they are safe in a spreadsheet program.
type Writer struct {
	rows *csv.Writer
	copy bool // a copy of a received file, which the sender can send again
}

// NewWriter starts to write. Lines end with CR and LF (RFC 4180).
func NewWriter(out io.Writer) *Writer {
	rows := csv.NewWriter(out)
	rows.UseCRLF = true
	return &Writer{rows: rows}
}

// NewCopy starts to write received data that can be sent again. Numbers and phone numbers stay
// unchanged, and lines end with a line feed.
func NewCopy(out io.Writer) *Writer { return &Writer{rows: csv.NewWriter(out), copy: true} }

// Write writes a row. It or Flush returns write errors.
func (w *Writer) Write(cells []string) error {
	safe := make([]string, len(cells))
	for i, c := range cells {
		safe[i] = c
		if isFormula(c) && (!w.copy || !isNumber(c)) {
			safe[i] = "'" + c // marks the cell as text
		}
	}
	return w.rows.Write(safe)
}

// Flush writes the buffered rows.
func (w *Writer) Flush() error {
	w.rows.Flush()
	return w.rows.Error()
}

// isFormula reports whether a spreadsheet program would evaluate the cell. Some programs treat
// full-width signs like the others, or skip spaces and invisible characters before a sign.
func isFormula(cell string) bool {
	visible := strings.TrimLeftFunc(cell, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf) })
	return strings.IndexAny(cell, "\t\r\n") == 0 || strings.IndexAny(visible, "=+-@＝＋－＠") == 0
}

// isNumber reports whether a cell is a number or a phone number. Digits and signs alone can't
// call functions or read data.
func isNumber(cell string) bool { return strings.Trim(cell, "+-.() 0123456789") == "" }
