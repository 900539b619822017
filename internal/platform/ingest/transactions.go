package ingest

import (
	"errors"
	"io"
	"slices"
	"strings"

	"wcpp/internal/platform/x12"
)

// x12Files is the kind of all X12 files, whatever their transactions.
const x12Files = "x12"

// SetDecoder follows the loops of one transaction set.
type SetDecoder interface {
	// Segment processes the next segment of the set, including ST and SE.
	Segment(seg x12.Segment) error
}

// Located returns a problem of a segment's element. Element 0 is the whole segment.
func Located(s Severity, loop string, seg x12.Segment, element int, reason string) Problem {
	return Problem{Severity: s, Segment: seg.Number, Loop: loop, Element: x12.ElementName(seg.ID, element), Reason: reason}
}

// decodeX12 reads a whole file. It returns an *x12.Error if the structure is invalid.
func decodeX12(r io.Reader, out Sink, feeds []Feed) error {
	scanner := x12.NewScanner(r)
	if out.SingleByte {
		scanner.SetSingleByte()
	}
	scanner.SetLastWritten(out.lastWritten)
	var d SetDecoder
	records := 0 // in the set
	count := out.Record
	out.Record = func(r Record) error {
		records++
		return count(r)
	}
	for {
		seg, err := scanner.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, w := range scanner.Warnings() {
			out.Note(Problem{Severity: SeverityWarning, Segment: w.Segment, Element: x12.ElementName(w.ID, w.Element), Reason: w.Reason})
		}
		set := scanner.Set()
		if seg.ID == "ST" {
			if set.Test && out.RefuseTest {
				return &x12.Error{Segment: set.Interchange, ID: "ISA", Element: 15, Reason: testData}
			}
			d, records = nil, 0
			if f := findFeed(set, feeds); f != nil {
				d = f.set(set, out.forFeed(f))
			} else {
				out.NotImported(Located(SeverityError, "", seg, 1, "unsupported transaction set; supported: "+listSupported(feeds)))
			}
		}
		if d == nil {
			continue
		}
		if !set.HasSegment(seg.ID) {
			out.Unknown(Located(SeverityError, "", seg, 0, "an "+set.Code+" doesn't have this segment, so it was skipped"))
			continue
		}
		if err := d.Segment(seg); err != nil {
			return err
		}
		if seg.ID == "SE" && records == 0 {
			out.NotImported(Problem{Severity: SeverityError, Segment: set.Segment, Element: "ST",
				Reason: "no data found in this transaction set"})
		}
	}
}

const testData = "this is a test interchange; to import it, use --take-test, or set WCPP_FEED_TAKE_TEST for the watch folder"

func findFeed(set *x12.Set, feeds []Feed) *Feed {
	for i, f := range feeds {
		if f.name == set.Code && slices.ContainsFunc(f.guides, func(guide string) bool {
			return strings.HasPrefix(set.Implementation, guide)
		}) {
			return &feeds[i]
		}
	}
	return nil
}

// listSupported lists the supported transactions and versions (the first six characters of a guide).
func listSupported(feeds []Feed) string {
	var sets, versions []string
	for _, f := range feeds {
		sets = append(sets, f.what)
		for _, guide := range f.guides {
			if version := guide[:6]; !slices.Contains(versions, version) {
				versions = append(versions, version)
			}
		}
	}
	return strings.Join(sets, " and ") + ", in versions " + strings.Join(versions, " and ")
}

func toProblem(e *x12.Error) *Problem {
	return &Problem{Severity: SeverityError, Segment: e.Segment, Element: x12.ElementName(e.ID, e.Element), Reason: e.Reason}
}
