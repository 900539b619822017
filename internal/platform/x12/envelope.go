package x12

import (
	"cmp"
	"errors"
	"io"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
)

// Set is a transaction set, from ST to SE.
type Set struct {
	Code           string // ST01: 837, 835
	Control        string // ST02
	Implementation string // ST03, and in 4010 GS08: 005010X222A1
	Segment        int64  // number of its ST segment in the file
	Written        string // the group's date and time, as FormatMoment writes it: GS04 and GS05, else ISA09 and ISA10

	// Offset is the position of ST in the file, in bytes. Length is the number of bytes up to
	// and including SE's terminator; 0 until SE is read.
	Offset, Length int64

	// Interchange is the number of the surrounding ISA segment. Test is set if that marks its
	// data as test data (ISA15 T).
	Interchange int64
	Test        bool
}

// Scanner reads the segments of transaction sets, including ST and SE. It checks the surrounding
// envelopes: nesting, counts, and control numbers.
type Scanner struct {
	r *Reader

	interchange envelope
	group       envelope
	set         envelope
	current     *Set
	version     string // GS08
	sent        string // ISA09 and ISA10
	written     string // GS04 and GS05, else sent
	warnings    []*Error
	test        bool // ISA15
	lastWritten string
	sets        int64 // in the file so far
}

// envelope is an open ISA, GS, or ST, with its number of parts so far.
type envelope struct {
	open    bool
	segment int64
	control string
	parts   int64
}

// NewScanner returns a scanner for r.
func NewScanner(r io.Reader) *Scanner { return &Scanner{r: NewReader(r)} }

// SetLastWritten sets the last valid day for a file's date. Later dates cause a warning and are
// ignored, because they would take precedence over all other files.
func (s *Scanner) SetLastWritten(day date.Date) {
	s.lastWritten = strings.ReplaceAll(string(day), "-", "")
}

// SetSingleByte says that the text comes from a file with one byte per character. Positions in the
// file are then counted in characters.
func (s *Scanner) SetSingleByte() { s.r.single = true }

// Set returns the transaction set of the last segment. It is the same value until the next set
// starts. Its Length is set at SE.
func (s *Scanner) Set() *Set { return s.current }

// Next returns the next segment of a transaction set, io.EOF after the last envelope, or *Error
// for an invalid structure.
func (s *Scanner) Next() (Segment, error) {
	for {
		seg, err := s.r.Read()
		if errors.Is(err, io.EOF) {
			return Segment{}, s.checkEnd()
		}
		if err != nil {
			return Segment{}, err
		}
		inSet, broken := s.step(seg)
		if broken != nil {
			return Segment{}, broken
		}
		if inSet {
			return seg, nil
		}
	}
}

// step updates the envelopes for one segment and reports whether it belongs to a transaction
// set.
func (s *Scanner) step(seg Segment) (inSet bool, broken *Error) {
	if s.set.open {
		s.set.parts++
	}
	switch seg.ID {
	case "ISA":
		if s.interchange.open {
			return false, seg.Errorf(0, "begins before IEA closes the interchange of segment %d", s.interchange.segment)
		}
		s.interchange = envelope{open: true, segment: seg.Number, control: seg.Element(13)}
		s.test = seg.Element(15) == "T"
		s.sent = s.readTime(seg, 9, 10, "")
	case "GS":
		if !s.interchange.open || s.group.open {
			return false, seg.Errorf(0, "a functional group must be directly in an interchange")
		}
		s.interchange.parts++
		s.group = envelope{open: true, segment: seg.Number, control: seg.Element(6)}
		s.version, s.written = seg.Element(8), s.readTime(seg, 4, 5, s.sent)
	case "ST":
		if !s.group.open || s.set.open {
			return false, seg.Errorf(0, "a transaction set must be directly in a functional group")
		}
		s.group.parts++
		s.sets++
		s.set = envelope{open: true, segment: seg.Number, control: seg.Element(2), parts: 1}
		s.current = &Set{Code: seg.Element(1), Control: seg.Element(2), Implementation: seg.Element(3), Segment: seg.Number,
			Written: s.written, Offset: s.r.start, Interchange: s.interchange.segment, Test: s.test}
		if s.current.Implementation == "" {
			s.current.Implementation = s.version
		}
		return true, nil
	case "SE":
		if s.set.open {
			s.current.Length = s.r.at - s.current.Offset
		}
		return true, s.set.close(seg, "ST", "segments")
	case "GE":
		if s.set.open {
			return false, seg.Errorf(0, "closes the group before SE closes the transaction set of segment %d", s.set.segment)
		}
		return false, s.group.close(seg, "GS", "transaction sets")
	case "IEA":
		if s.group.open {
			return false, seg.Errorf(0, "closes the interchange before GE closes the group of segment %d", s.group.segment)
		}
		return false, s.interchange.close(seg, "ISA", "functional groups")
	case "TA1":
		if s.interchange.open && !s.group.open {
			return false, nil
		}
		return false, seg.Errorf(0, "must be directly in an interchange")
	default:
		if !s.set.open {
			return false, seg.Errorf(0, "is outside of a transaction set")
		}
		return true, nil
	}
	return false, nil
}

// close checks a closing segment. Its first element is the number of parts, and the second
// repeats the control number.
func (e *envelope) close(seg Segment, opener, parts string) *Error {
	if !e.open {
		return seg.Errorf(0, "closes a %s that wasn't opened", opener)
	}
	e.open = false
	if count, err := strconv.ParseInt(seg.Element(1), 10, 64); err != nil || count != e.parts {
		return seg.Errorf(1, "the count of %s is wrong; found %d since the %s of segment %d", parts, e.parts, opener, e.segment)
	}
	if !sameControl(seg.Element(2), e.control) {
		return seg.Errorf(2, "the control number doesn't match the %s of segment %d", opener, e.segment)
	}
	return nil
}

// sameControl reports whether two control numbers are equal, ignoring leading zeros.
func sameControl(a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	return a == b || isDigits(a) && isDigits(b) && strings.TrimLeft(a, "0") == strings.TrimLeft(b, "0")
}

// readTime reads the date and time of a segment, or returns other if there is none. It warns of
// invalid values that aren't empty.
func (s *Scanner) readTime(seg Segment, day, clock int, other string) string {
	written, wrong := FormatMoment(seg.Element(day), seg.Element(clock))
	if s.lastWritten != "" && written != "" && written[:8] > s.lastWritten {
		written, wrong[0] = "", ErrFuture
	}
	for i, reason := range wrong {
		if reason != nil {
			s.warnings = append(s.warnings, seg.Errorf([]int{day, clock}[i], "%s", reason))
		}
	}
	return cmp.Or(written, other)
}

// Warnings returns the envelope problems since the last Warnings that don't prevent reading the
// sets.
func (s *Scanner) Warnings() []*Error {
	list := s.warnings
	s.warnings = nil
	return list
}

// checkEnd checks the envelopes at the end of the file.
func (s *Scanner) checkEnd() error {
	open := &s.interchange
	closer := "IEA"
	switch {
	case s.set.open:
		open, closer = &s.set, "SE"
	case s.group.open:
		open, closer = &s.group, "GE"
	case !s.interchange.open && s.sets == 0:
		return &Error{Segment: s.r.number, Reason: "the file ends without a transaction set"}
	case !s.interchange.open:
		return io.EOF
	}
	return &Error{Segment: s.r.number, Reason: "the file ends before " + closer + " closes segment " +
		strconv.FormatInt(open.segment, 10)}
}

// Separators are the delimiters of a file's data.
type Separators struct{ Element, Component, Repetition, Terminator byte }

// ReadSet reads the bytes of one transaction set that a Scanner found. It reads the file from the
// start, and also returns the separators of the surrounding interchange.
func ReadSet(file io.Reader, s Set) ([]byte, Separators, error) {
	r := NewReader(file)
	for {
		if err := r.skipBlanks(); err != nil {
			return nil, Separators{}, err
		}
		if r.at >= s.Offset {
			break
		}
		r.number++
		if _, err := r.readRaw(); err != nil {
			return nil, Separators{}, err
		}
	}
	bytes := make([]byte, s.Length)
	if _, err := io.ReadFull(r.r, bytes); err != nil {
		return nil, Separators{}, err
	}
	if r.at != s.Offset || len(bytes) < 3 || string(bytes[:2]) != "ST" || bytes[2] != r.sep.element ||
		bytes[len(bytes)-1] != r.sep.terminator {
		return nil, Separators{}, &Error{Segment: r.number, Reason: "no transaction set at this position"}
	}
	return bytes, Separators{r.sep.element, r.sep.component, r.sep.repetition, r.sep.terminator}, nil
}
