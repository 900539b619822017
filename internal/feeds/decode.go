package feeds

import (
	"errors"
	"io"
	"strings"

	"wcpp/internal/feeds/x12"
)

// record is one claim, payment or CSV row as read; row is nil when it lacks
// something it needs.
type record struct {
	row      any
	at       Problem // where it begins
	problems []Problem
	weight   int // roughly how much it holds
}

func (r *record) problem(s Severity, loop string, seg x12.Segment, element int, reason string) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, located(s, loop, seg, element, reason))
	}
}

func (r *record) rejected() bool {
	for _, p := range r.problems {
		if p.Severity == SeverityError {
			return true
		}
	}
	return false
}

func located(s Severity, loop string, seg x12.Segment, element int, reason string) Problem {
	return Problem{Severity: s, Segment: seg.Number, Loop: loop, Element: x12.ElementName(seg.ID, element), Reason: reason}
}

// sink takes what a decoder reads.
type sink struct {
	record   func(record) error
	note     func(Problem) // a finding that belongs to no record
	notTaken func(Problem) // a transaction set of a kind that is not read
}

// decoder follows the loops of one kind of transaction set.
type decoder interface {
	// segment takes the next segment of a set, ST and SE with them.
	segment(seg x12.Segment) error
}

// decodeX12 reads a file to its end. An *x12.Error tells that its structure is
// broken.
func decodeX12(r io.Reader, out sink) error {
	scanner := x12.NewScanner(r)
	var d decoder
	for {
		seg, err := scanner.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if seg.ID == "ST" {
			if d = decoderFor(scanner.Set(), out); d == nil {
				out.notTaken(located(SeverityError, "", seg, 1,
					"this kind of transaction set is not read: only 837 professional and institutional and 835, in versions 005010 and 004010"))
			}
		}
		if d != nil {
			if err := d.segment(seg); err != nil {
				return err
			}
		}
	}
}

func decoderFor(set x12.Set, out sink) decoder {
	is := func(code, guide string) bool {
		return set.Code == code && strings.HasPrefix(set.Implementation, guide)
	}
	switch {
	case is("837", "005010X222"), is("837", "004010X098"):
		return &claimDecoder{out: out, billType: "P"}
	case is("837", "005010X223"), is("837", "004010X096"):
		return &claimDecoder{out: out, billType: "I"}
	case is("835", "005010X221"), is("835", "004010X091"):
		return &paymentDecoder{out: out}
	}
	return nil
}

// party is a person or organisation named by NM1 or N1 and what the segments
// behind it add.
type party struct {
	at                       x12.Segment // only its number and name are kept
	loop                     string
	person                   bool
	last, first, middle      string
	qualifier, id            string
	state                    string
	birthDate, gender        string
	employerID, socialNumber string
	claimNumber              string
}

func partyOf(loop string, seg x12.Segment) party {
	return party{
		at: x12.Segment{ID: seg.ID, Number: seg.Number}, loop: loop,
		person: seg.Element(2) == "1",
		last:   clean(seg.Element(3)), first: clean(seg.Element(4)), middle: clean(seg.Element(5)),
		qualifier: seg.Element(8), id: seg.Element(9),
	}
}

func (p *party) npi() string {
	if p.qualifier == "XX" {
		return p.id
	}
	return ""
}

// organisation is the name of a party that is no person.
func (p *party) organisation() string {
	if p.person {
		return ""
	}
	return p.last
}

// procedure parts the composite of SV101, SV202 and SVC01: code list, code and
// up to four modifiers.
func procedure(seg x12.Segment, element int) (qualifier, code string, modifiers []string) {
	for c := 3; c <= 6; c++ {
		if m := seg.Component(element, c); m != "" {
			modifiers = append(modifiers, m)
		}
	}
	return seg.Component(element, 1), seg.Component(element, 2), modifiers
}

// maxLines is what the guides allow of service lines in one claim.
const maxLines = 999
