package decode

import (
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12"
)

// party is a person or organization named by NM1 or N1, with the segments that follow.
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

func newParty(loop string, seg x12.Segment) party {
	return party{
		at: x12.Segment{ID: seg.ID, Number: seg.Number}, loop: loop,
		person: seg.Element(2) == "1",
		last:   ingest.Clean(seg.Element(3)), first: ingest.Clean(seg.Element(4)), middle: ingest.Clean(seg.Element(5)),
		qualifier: seg.Element(8), id: seg.Element(9),
	}
}

func (p *party) npi() string {
	if p.qualifier == "XX" {
		return p.id
	}
	return ""
}

// organization returns the name of a party that isn't a person.
func (p *party) organization() string {
	if p.person {
		return ""
	}
	return p.last
}

// procedure splits the composite of SV101, SV202 and SVC01: code list, code and up to four
// modifiers.
func procedure(seg x12.Segment, element int) (qualifier, code string, modifiers []string) {
	for c := 3; c <= 6; c++ {
		if m := seg.Component(element, c); m != "" {
			modifiers = append(modifiers, m)
		}
	}
	return seg.Component(element, 1), seg.Component(element, 2), modifiers
}

// maxLines is the number of service lines that the guides allow in one claim.
const maxLines = 999

func earliest(a, b date.Date) date.Date {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}
