package csvio

import (
	"encoding/csv"
	"io"
	"strings"
)

// Writer writes rows of which no cell becomes a formula in a spreadsheet program.
type Writer struct {
	rows *csv.Writer
	copy bool // of what somebody sent, and may send again
}

// NewWriter begins to write; lines end with CR and LF (RFC 4180).
func NewWriter(out io.Writer) *Writer {
	rows := csv.NewWriter(out)
	rows.UseCRLF = true
	return &Writer{rows: rows}
}

// NewCopy begins to write what came in and may be sent back: numbers and telephone
// numbers stay as they are, and lines end with a line feed.
func NewCopy(out io.Writer) *Writer { return &Writer{rows: csv.NewWriter(out), copy: true} }

// Write writes a row. What it cannot write is told by it or by Flush.
func (w *Writer) Write(cells []string) error {
	safe := make([]string, len(cells))
	for i, c := range cells {
		safe[i] = c
		if begins(c) && (!w.copy || !isNumber(c)) {
			safe[i] = "'" + c // makes a text of it
		}
	}
	return w.rows.Write(safe)
}

// Flush hands over what was written so far.
func (w *Writer) Flush() error {
	w.rows.Flush()
	return w.rows.Error()
}

// begins tells whether a cell would be computed. Some programs take the full-width signs
// for the others.
func begins(cell string) bool {
	return strings.IndexAny(cell, "=+-@\t\r＝＋－＠") == 0
}

// isNumber tells whether a cell is a number or a telephone number: with digits and
// signs alone nothing can be called or read.
func isNumber(cell string) bool { return strings.Trim(cell, "+-.() 0123456789") == "" }
