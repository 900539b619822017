// Package csvio reads untrusted CSV row by row, with a length limit per row. It also writes CSV
// that is safe to open in a spreadsheet program.
package csvio

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// MaxRow is the maximum memory for one row, in bytes. Otherwise, an unclosed quote would read
// the rest of the file.
const MaxRow = 1 << 20

// ErrRowTooLong means that a row is longer than MaxRow.
var ErrRowTooLong = errors.New("row too long")

// ErrUnclosedQuote means that a field's quote isn't closed, or only in a later row.
var ErrUnclosedQuote = errors.New("unclosed quote")

// Reader reads rows with any number of fields. The fields of a row are valid until the next
// Read.
type Reader struct {
	*csv.Reader
	// Head is the start of the text without a byte order mark. It is UTF-8 unless the encoding
	// has one byte per character.
	Head  []byte
	limit *rowLimit
	// namesSeparator is set if the first line names the separator, as Excel does.
	namesSeparator bool
	// text is the text before endRow. It is nil if package csv refuses an unclosed quote.
	text *recorder
}

// endRow is added to the end of a text. If a field contains it, the field's quote isn't closed.
const endRow = "\nend"

// recorder records the text of the current row and what is read ahead.
type recorder struct {
	io.Reader
	text []byte
	from int64 // offset of text
}

func (c *recorder) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.text = append(c.text, p[:n]...)
	return n, err
}

// end is the offset of what wasn't read yet.
func (c *recorder) end() int64 { return c.from + int64(len(c.text)) }

// cut returns the text between two offsets. It forgets earlier text.
func (c *recorder) cut(from, to int64) []byte {
	if from-c.from > 1<<16 {
		c.text, c.from = append(c.text[:0], c.text[from-c.from:]...), from
	}
	return c.text[from-c.from : min(to, c.end())-c.from]
}

// rowLimit stops a reader that reads more than MaxRow bytes for one row.
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

// NewReader starts to read text as spreadsheet programs save it. The text can be UTF-16 or have one
// byte per character, with any separator and any line endings. The first Read returns errors
// from the start of the text.
func NewReader(r io.Reader) *Reader { return newReader(r, false) }

// NewLazyReader is NewReader for text with inconsistent quotes. Read returns ErrUnclosedQuote for a
// field of several lines that could be several rows with an unclosed quote.
func NewLazyReader(r io.Reader) *Reader { return newReader(r, true) }

func newReader(r io.Reader, lazy bool) *Reader {
	limit := &rowLimit{r: r, left: MaxRow}
	text := bufio.NewReaderSize(limit, 1<<16)
	if head, _ := text.Peek(utf16Sample); IsUTF16(head) {
		text = bufio.NewReaderSize(detectUTF16(head).NewDecoder().Reader(text), 1<<16)
	}
	if bom, _ := text.Peek(3); bytes.Equal(bom, []byte("\xEF\xBB\xBF")) {
		_, _ = text.Discard(3)
	}
	head, _ := text.Peek(4096)
	head = bytes.Clone(head)
	if endsWithCR(head) {
		text = bufio.NewReaderSize(lineEndings{text}, 1<<16)
		lineEndings{}.end(head)
	}
	in := &Reader{Head: head, limit: limit}
	if lazy {
		in.text = &recorder{Reader: text}
		in.Reader = csv.NewReader(io.MultiReader(in.text, strings.NewReader(endRow)))
		in.LazyQuotes = true
	} else {
		in.Reader = csv.NewReader(text)
	}
	in.FieldsPerRecord, in.ReuseRecord = -1, true
	in.Comma, in.namesSeparator = detectSeparator(head)
	return in
}

// Read returns the next row, or io.EOF at the end. It returns ErrRowTooLong, ErrUnclosedQuote with
// its line or an error of package csv for an invalid row.
func (r *Reader) Read() ([]string, error) {
	r.limit.left = MaxRow
	if r.namesSeparator {
		r.namesSeparator = false
		if _, err := r.readRow(); err != nil {
			return nil, err
		}
	}
	return r.readRow()
}

func (r *Reader) readRow() ([]string, error) {
	start := r.InputOffset()
	fields, err := r.Reader.Read()
	if err != nil || r.text == nil {
		return fields, err
	}
	last := len(fields) - 1
	if r.InputOffset() < r.text.end()+int64(len(endRow)) {
		if r.isOneRow(r.text.cut(start, r.InputOffset())) {
			return fields, nil
		}
		last = 0
	} else if last == 0 && fields[0] == endRow[1:] {
		return nil, io.EOF
	}
	line, column := r.FieldPos(last)
	return nil, &csv.ParseError{StartLine: line, Line: line, Column: column, Err: ErrUnclosedQuote}
}

// isOneRow reports whether a text that was read as one row can't be several ones. If it has several lines, its
// quotes must be consistent.
func (r *Reader) isOneRow(text []byte) bool {
	text = bytes.Trim(text, "\r\n")
	if !bytes.ContainsRune(text, '\n') {
		return true
	}
	strict := csv.NewReader(bytes.NewReader(text))
	strict.Comma, strict.FieldsPerRecord = r.Comma, -1
	_, err := strict.Read()
	return err == nil
}

// IsBlank reports whether a row is empty.
func IsBlank(fields []string) bool {
	for _, f := range fields {
		if f != "" && strings.TrimSpace(f) != "" {
			return false
		}
	}
	return true
}

// utf16Sample is how many bytes are needed to detect UTF-16.
const utf16Sample = 64

// IsUTF16 reports whether text is UTF-16, with or without a byte order mark. Without one, every
// second byte of the column names is zero.
func IsUTF16(head []byte) bool { return detectUTF16(head) != nil }

func detectUTF16(head []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xFF\xFE")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	var zeros [2]int
	head = head[:min(len(head), utf16Sample)&^1]
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	switch {
	case zeros[0] == 0 && zeros[1] > len(head)/4:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case zeros[1] == 0 && zeros[0] > len(head)/4:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

// endsWithCR reports whether lines end with only a carriage return, as in old Mac programs.
func endsWithCR(head []byte) bool {
	at := bytes.IndexByte(head, '\r')
	return at >= 0 && at < len(head)-1 && bytes.IndexByte(head, '\n') < 0
}

// lineEndings converts line endings to line feeds.
type lineEndings struct{ r io.Reader }

func (l lineEndings) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	l.end(p[:n])
	return n, err
}

func (lineEndings) end(p []byte) {
	for i, b := range p {
		if b == '\r' {
			p[i] = '\n'
		}
	}
}

// separators are the possible field separators, most common first.
var separators = [...]byte{',', ';', '\t', '|'}

// sampleLines is how many lines are used to detect the separator, because a table can have
// titles above it.
const sampleLines = 10

// detectSeparator returns the separator from Excel's first line (sep=;), or the one that occurs the same number of
// times in most of the first lines. Of several, it returns the most frequent one.
func detectSeparator(head []byte) (sign rune, named bool) {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	first = bytes.Trim(first, "\r\"")
	if len(first) == len("sep=;") && bytes.EqualFold(first[:4], []byte("sep=")) && bytes.IndexByte(separators[:], first[4]) >= 0 {
		return rune(first[4]), true
	}
	lines := bytes.SplitN(head, []byte("\n"), sampleLines+1)
	lines = lines[:min(len(lines), sampleLines)]
	var best, most, columns int // of the best separator: how many lines have the same number of it, and that number
	for i, sign := range separators {
		times := map[int]int{}
		for _, line := range lines {
			if n := countUnquoted(line, sign); n > 0 {
				times[n]++
			}
		}
		for n, same := range times {
			if same > most || same == most && n > columns {
				best, most, columns = i, same, n
			}
		}
	}
	return rune(separators[best]), false
}

func countUnquoted(line []byte, sign byte) (n int) {
	quoted := false
	for _, b := range line {
		switch {
		case b == '"':
			quoted = !quoted
		case b == sign && !quoted:
			n++
		}
	}
	return n
}
