// Package csvrows reads CSV from outside row by row, each of bounded length, and
// writes what people open with a spreadsheet program.
package csvrows

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
)

// MaxRow bounds what one row may take of memory, in bytes: a quote that is never
// closed would otherwise swallow the rest of the file.
const MaxRow = 1 << 20

// ErrRowTooLong tells that a row is longer than MaxRow.
var ErrRowTooLong = errors.New("row too long")

// Reader reads rows of any number of fields. The fields of a row are good until
// the next one is read.
type Reader struct {
	*csv.Reader
	// Head is how the text begins, without a byte order mark.
	Head  []byte
	limit *rowLimit
}

// rowLimit stops the reader that takes more than MaxRow bytes for one row.
type rowLimit struct {
	r    io.Reader
	left int
}

func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, ErrRowTooLong
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// New begins to read. Errors of the beginning come with the first row.
func New(r io.Reader) *Reader {
	limit := &rowLimit{r: r, left: MaxRow}
	text := bufio.NewReaderSize(limit, 1<<16)
	if bom, _ := text.Peek(3); bytes.Equal(bom, []byte("\xEF\xBB\xBF")) {
		_, _ = text.Discard(3)
	}
	head, _ := text.Peek(4096)
	rows := csv.NewReader(text)
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	return &Reader{rows, bytes.Clone(head), limit}
}

// Read answers the next row, io.EOF at the end, and ErrRowTooLong or an error of
// the csv package for what cannot be read.
func (r *Reader) Read() ([]string, error) {
	r.limit.left = MaxRow
	return r.Reader.Read()
}
