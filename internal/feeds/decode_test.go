package feeds

import (
	"fmt"
	"strings"
)

// decoded is all that a decoder reads of a text.
type decoded struct {
	records  []record
	notes    []Problem
	notTaken []Problem
}

func collect(d *decoded) sink {
	return sink{
		record:   func(r record) error { d.records = append(d.records, r); return nil },
		note:     func(p Problem) { d.notes = append(d.notes, p) },
		notTaken: func(p Problem) { d.notTaken = append(d.notTaken, p) },
	}
}

func decode(text string) (decoded, error) {
	var d decoded
	err := decodeX12(strings.NewReader(text), collect(&d))
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
