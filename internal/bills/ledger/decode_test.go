package ledger

import (
	"strings"

	"wcpp/internal/platform/intake"
)

// decoded is all that a decoder reads of a text.
type decoded struct {
	records  []intake.Record
	notes    []intake.Problem
	notTaken []intake.Problem
	unknown  []intake.Problem
}

func collect(d *decoded) intake.Sink {
	return intake.Sink{
		Record:   func(r intake.Record) error { d.records = append(d.records, r); return nil },
		Note:     func(p intake.Problem) { d.notes = append(d.notes, p) },
		NotTaken: func(p intake.Problem) { d.notTaken = append(d.notTaken, p) },
		Unknown:  func(p intake.Problem) { d.unknown = append(d.unknown, p) },
		Day:      "2026-03-04",
	}
}

// transactions are the feeds of X12 files.
func transactions() []intake.Feed { return (*Ledger)(nil).Feeds()[:2] }

func decode(text string) (decoded, error) {
	var d decoded
	err := intake.Decode(strings.NewReader(text), collect(&d), transactions()...)
	return d, err
}
