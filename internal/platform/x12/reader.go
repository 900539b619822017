// Package x12 reads ASC X12 files one segment at a time. Reader reads plain segments, and
// Scanner checks the envelopes around them.
package x12

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxSegment is the maximum memory for one segment. The longest one that the implementation
// guides allow has a few kilobytes.
const maxSegment = 64 << 10

// Error is the location of an invalid structure in a file. It contains no values of the file,
// because these are patient data.
type Error struct {
	Segment int64  // number of the segment in the file, starting with 1 for ISA
	ID      string // the segment's name, if it is readable
	Element int    // number of the element, 0 for the whole segment
	Reason  string
}

func (e *Error) Error() string {
	if e.ID == "" {
		return fmt.Sprintf("segment %d: %s", e.Segment, e.Reason)
	}
	return fmt.Sprintf("segment %d %s: %s", e.Segment, ElementName(e.ID, e.Element), e.Reason)
}

// ElementName formats an element as the guides do: CLM02.
func ElementName(id string, element int) string {
	if element == 0 {
		return id
	}
	return fmt.Sprintf("%s%02d", id, element)
}

// Segment is one segment. It is valid until the next one is read. Its strings stay valid.
type Segment struct {
	ID       string
	Number   int64 // of the segment in the file, starting with 1
	elements []string
	// component is the separator of composite elements.
	component byte
}

// Element returns element n without surrounding spaces, or "" if the segment is shorter.
func (s Segment) Element(n int) string {
	if n >= len(s.elements) {
		return ""
	}
	return strings.TrimSpace(s.elements[n])
}

// Component returns component c, starting with 1, of element n.
func (s Segment) Component(n, c int) string {
	rest := s.Element(n)
	for ; c > 1; c-- {
		i := strings.IndexByte(rest, s.component)
		if i < 0 {
			return ""
		}
		rest = rest[i+1:]
	}
	if i := strings.IndexByte(rest, s.component); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSpace(rest)
}

// Len returns the number of the last element.
func (s Segment) Len() int { return len(s.elements) - 1 }

// Errorf returns an error at element n of the segment.
func (s Segment) Errorf(n int, format string, args ...any) *Error {
	return &Error{Segment: s.Number, ID: s.ID, Element: n, Reason: fmt.Sprintf(format, args...)}
}

type separators struct{ element, component, repetition, terminator byte }

// Reader reads segments from UTF-8 text. Each ISA segment defines the separators. Reader accepts
// a byte order mark, and line breaks after or within segments, which real files contain.
type Reader struct {
	r        *bufio.Reader
	sep      separators
	number   int64
	start    int64 // position of the last segment in the file
	at       int64 // current position in the file
	single   bool  // each character of the text is one byte of the file
	elements []string
	// started is set after the first ISA, which defines the separators.
	started bool
}

// NewReader returns a reader for r.
func NewReader(r io.Reader) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, maxSegment)}
}

// Read returns the next segment, io.EOF after the last, or *Error.
func (r *Reader) Read() (Segment, error) {
	if err := r.skipBlanks(); err != nil {
		return Segment{}, err
	}
	r.number++
	r.start = r.at
	raw, err := r.readRaw()
	if err != nil {
		return Segment{}, err
	}
	text, err := r.text(raw)
	if err != nil {
		return Segment{}, err
	}
	r.elements = r.elements[:0]
	for {
		i := strings.IndexByte(text, r.sep.element)
		if i < 0 {
			break
		}
		r.elements = append(r.elements, text[:i])
		text = text[i+1:]
	}
	r.elements = append(r.elements, text)
	s := Segment{Number: r.number, elements: r.elements, component: r.sep.component}
	s.ID = s.Element(0)
	if strings.ToUpper(s.ID) != s.ID && isValidID(strings.ToUpper(s.ID)) {
		return Segment{}, &Error{Segment: r.number, Reason: "the segment name isn't in capital letters, so the file was changed in transit"}
	}
	if !isValidID(s.ID) {
		return Segment{}, &Error{Segment: r.number, Reason: "isn't an X12 segment; names have 2 or 3 letters and digits"}
	}
	return s, nil
}

// readRaw returns the bytes of the next segment without its terminator.
func (r *Reader) readRaw() ([]byte, error) {
	if head, _ := r.r.Peek(4); len(head) == 4 && strings.EqualFold(string(head[:3]), "ISA") && !isAlphanumeric(head[3]) {
		if err := r.readSeparators(head[3]); err != nil {
			return nil, err
		}
	} else if !r.started {
		return nil, &Error{Segment: 1, Reason: "the file doesn't begin with an ISA segment"}
	}
	raw, err := r.r.ReadSlice(r.sep.terminator)
	if r.single {
		r.at += int64(utf8.RuneCount(raw))
	} else {
		r.at += int64(len(raw))
	}
	switch {
	case err == nil:
		return raw[:len(raw)-1], nil
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, &Error{Segment: r.number, Reason: fmt.Sprintf("is longer than %d bytes; the segment terminator is missing", maxSegment)}
	case errors.Is(err, io.EOF):
		return raw, nil // a last segment without a terminator; the envelope check finds out whether it is complete
	default:
		return nil, err
	}
}

// readSeparators reads the separators after the sixteenth element of ISA. Only ISA defines them.
func (r *Reader) readSeparators(element byte) error {
	head, err := r.r.Peek(256)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	at, count := -1, 0
	var repetition byte
	for i, b := range head {
		if b != element {
			continue
		}
		count++
		if count == 11 && i+1 < len(head) {
			repetition = head[i+1]
		}
		if count == 16 {
			at = i
			break
		}
	}
	if at < 0 || at+2 >= len(head) {
		return &Error{Segment: r.number, ID: "ISA", Reason: "the segment is incomplete"}
	}
	sep := separators{element: element, component: head[at+1], terminator: head[at+2]}
	// Before version 00402, this field identified the standard, with the value U.
	if !isAlphanumeric(repetition) && repetition != ' ' {
		sep.repetition = repetition
	}
	if isAlphanumeric(sep.component) || isAlphanumeric(sep.terminator) || sep.component == element ||
		sep.terminator == element || sep.terminator == sep.component || sep.terminator == ' ' ||
		max(element, sep.component, sep.terminator) >= utf8.RuneSelf {
		return &Error{Segment: r.number, ID: "ISA", Element: 16, Reason: "the separators also appear in the data"}
	}
	r.sep, r.started = sep, true
	return nil
}

// skipBlanks skips characters between segments.
func (r *Reader) skipBlanks() error {
	if !r.started {
		if bom, _ := r.r.Peek(3); bytes.Equal(bom, []byte("\xEF\xBB\xBF")) {
			_, _ = r.r.Discard(3)
			r.at += 3
		}
	}
	for {
		b, err := r.r.ReadByte()
		if errors.Is(err, io.EOF) && !r.started {
			return &Error{Segment: 1, Reason: "the file is empty"}
		}
		if err != nil {
			return err
		}
		// Files from DOS tools end with 0x1A.
		if b > ' ' {
			return r.r.UnreadByte()
		}
		r.at++
	}
}

// text converts a segment's bytes to valid UTF-8 without line breaks.
func (r *Reader) text(raw []byte) (string, error) {
	plain, ascii := true, true
	for _, b := range raw {
		if b >= 0x80 {
			ascii = false
		}
		if b >= ' ' && b != 0x7F || b == r.sep.element || b == r.sep.component || b == r.sep.repetition && b != 0 {
			continue
		}
		if b != '\r' && b != '\n' {
			return "", &Error{Segment: r.number, Reason: "contains a control character"}
		}
		plain = false
	}
	if !plain {
		kept := raw[:0]
		for _, b := range raw {
			if b == '\r' && r.sep.element != b && r.sep.component != b || b == '\n' && r.sep.element != b && r.sep.component != b {
				continue
			}
			kept = append(kept, b)
		}
		raw = kept
	}
	if !ascii && !utf8.Valid(raw) {
		return "", &Error{Segment: r.number, Reason: "contains text that isn't UTF-8"}
	}
	return string(raw), nil
}

func isValidID(id string) bool {
	if len(id) != 2 && len(id) != 3 {
		return false
	}
	for i := range len(id) {
		if !isAlphanumeric(id[i]) {
			return false
		}
	}
	return true
}

func isAlphanumeric(b byte) bool {
	return b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9'
}
