package decode

import (
	"strings"

	"wcpp/internal/platform/ingest"
)

// decoded is everything a decoder reads from a text.
type decoded struct {
	records  []ingest.Record
	notes    []ingest.Problem
	notTaken []ingest.Problem
	unknown  []ingest.Problem
}

func collect(d *decoded) ingest.Sink {
	return ingest.Sink{
		Record:      func(r ingest.Record) error { d.records = append(d.records, r); return nil },
		Note:        func(p ingest.Problem) { d.notes = append(d.notes, p) },
		NotImported: func(p ingest.Problem) { d.notTaken = append(d.notTaken, p) },
		Unknown:     func(p ingest.Problem) { d.unknown = append(d.unknown, p) },
		Day:         "2026-03-04",
	}
}

// transactions are the feeds for X12 files.
func transactions() []ingest.Feed { return []ingest.Feed{NewClaimFeed(nil), NewPaymentFeed(nil)} }

func decodeText(text string) (decoded, error) {
	var d decoded
	err := ingest.Decode(strings.NewReader(text), collect(&d), transactions()...)
	return d, err
}
