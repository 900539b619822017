package ledger

import (
	"fmt"
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

// set writes a transaction set around the segments.
func set(code, guide string, segments ...string) string {
	all := append([]string{"ST*" + code + "*0001*" + guide}, segments...)
	all = append(all, fmt.Sprintf("SE*%d*0001", len(all)+1))
	return strings.Join(all, "~\n") + "~\n"
}

// interchange writes the envelopes around transaction sets of one guide.
func interchange(guide string, sets ...string) string {
	return "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260102*0304*^*00501*000000001*0*P*:~\n" +
		"GS*HC*SENDER*RECEIVER*20260102*0304*1*X*" + guide + "~\n" + strings.Join(sets, "") +
		fmt.Sprintf("GE*%d*1~\nIEA*1*000000001~\n", len(sets))
}
