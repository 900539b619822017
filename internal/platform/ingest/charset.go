package ingest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"wcpp/internal/platform/text"
)

// utf8Check validates text that is written to it in chunks.
type utf8Check struct {
	cut     []byte // an incomplete character at the end of the last chunk
	invalid bool
}

func (c *utf8Check) Write(p []byte) (int, error) {
	n := len(p)
	if c.invalid {
		return n, nil
	}
	if len(c.cut) > 0 {
		p = append(c.cut, p...)
	}
	whole := len(p)
	for back := 1; back < utf8.UTFMax && back <= len(p); back++ {
		if at := len(p) - back; utf8.RuneStart(p[at]) {
			if !utf8.FullRune(p[at:]) {
				whole = at
			}
			break
		}
	}
	c.invalid = !utf8.Valid(p[:whole])
	c.cut = bytes.Clone(p[whole:])
	return n, nil
}

// valid reports whether all written text is UTF-8.
func (c *utf8Check) valid() bool { return !c.invalid && len(c.cut) == 0 }

// NewTextReader returns content as UTF-8. Content in another character set is read as Windows-1252.
func NewTextReader(content []byte) io.Reader {
	if utf8.Valid(content) {
		return bytes.NewReader(content)
	}
	return fromWindows1252(bytes.NewReader(content))
}

// fromWindows1252 converts Windows-1252, the character set of older programs, to UTF-8. It
// rejects text that isn't Windows-1252 either.
func fromWindows1252(r io.Reader) io.Reader {
	return charmap.Windows1252.NewDecoder().Reader(&windows1252{r: r, line: 1})
}

type windows1252 struct {
	r    io.Reader
	line int64
}

func (w *windows1252) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	for _, b := range p[:n] {
		switch b {
		case '\n':
			w.line++
		case 0x81, 0x8D, 0x8F, 0x90, 0x9D: // undefined
			return 0, Refusef(w.line, "", "the text must be UTF-8 or Windows-1252")
		}
	}
	return n, err
}

var errExponent = errors.New("was shortened by a spreadsheet; format the column as text, enter the number again and save the file")

// CheckCell rejects a cell that isn't plain text. It also rejects a number that a spreadsheet
// shortened, because the original is unknown.
func CheckCell(cell string) error {
	if text.IsExponent(cell) {
		return errExponent
	}
	return CheckPlain(cell)
}

// CheckPlain rejects a value that isn't UTF-8 or has control characters, which databases don't store.
func CheckPlain(value string) error {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return errors.New("must be plain UTF-8 text")
	}
	return nil
}
