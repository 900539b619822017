package decode

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12/x12test"
)

func TestHeadersTellWhenClaimsWereWritten(t *testing.T) {
	for _, test := range []struct{ bht, written, received, warnings string }{
		{"20260105*0304", "20260105T0304", "2026-01-05", ""},
		{"260105*030400", "20260105T0304", "2026-01-05", ""},
		{"20261305*0304", "20260110T0915", "", "BHT04"},
		{"20260105*0377", "20260105", "2026-01-05", "BHT05"},
		{"", "20260110T0915", "", ""},
	} {
		head := slices.Clone(x12test.ProfessionalHead)
		head[0] = "BHT*0019*00*1*" + test.bht + "*CH"
		if test.bht == "" {
			head[0] = "BHT*0019*00*1***CH"
		}
		text := x12test.File(1, x12test.Group{Code: "HC", Guide: "005010X222A1", Date: "20260110", Time: "0915",
			Sets: []string{x12test.Set("837", "005010X222A1", append(head, x12test.ProfessionalClaim("A1")...)...)}})
		got, problems := decodeClaims(t, text)
		if len(got) != 1 || got[0].Written != test.written || string(got[0].Reported.ReceivedOn) != test.received ||
			problems != test.warnings {
			t.Errorf("%s: %q %q %q", test.bht, got[0].Written, got[0].Reported.ReceivedOn, problems)
		}
	}
}

// A header of a later day would take precedence over all later versions, so the group's time counts.
func TestHeadersOfTheFutureDoNotCount(t *testing.T) {
	for _, test := range []struct{ day, written, received, warnings string }{
		{"20260111", "20260111T0304", "2026-01-11", ""},
		{"20260112", "20260110T0915", "", "BHT04"},
		{"20990101", "20260110T0915", "", "BHT04"},
	} {
		head := slices.Clone(x12test.ProfessionalHead)
		head[0] = "BHT*0019*00*1*" + test.day + "*0304*CH"
		text := x12test.File(1, x12test.Group{Code: "HC", Guide: "005010X222A1", Date: "20260110", Time: "0915",
			Sets: []string{x12test.Set("837", "005010X222A1", append(head, x12test.ProfessionalClaim("A1")...)...)}})
		var d decoded
		sink := collect(&d)
		sink.Day = "2026-01-10"
		if err := ingest.Decode(strings.NewReader(text), sink, transactions()...); err != nil || len(d.records) != 1 {
			t.Fatalf("%d records, %v", len(d.records), err)
		}
		var warnings []string
		for _, n := range d.notes {
			if strings.HasPrefix(n.Element, "BHT") {
				warnings = append(warnings, n.Element)
			}
		}
		if got := d.records[0].Row.(*facts.Submission); got.Written != test.written || string(got.Reported.ReceivedOn) != test.received ||
			strings.Join(warnings, " ") != test.warnings {
			t.Errorf("%s: %q %q %q", test.day, got.Written, got.Reported.ReceivedOn, warnings)
		}
	}
}

func TestDatesInNames(t *testing.T) {
	for name, want := range map[string]string{
		"bills_20260602.csv": "20260602", "bills 2026-06-02.csv": "20260602", "bills.csv": "", "bills_20261931.csv": "!",
		"bills_20260231.csv":          "!",
		"bills_20261931_20260602.csv": "20260602", "bills_20240229.csv": "20240229", "bills_20250229.csv": "!",
	} {
		day, wrong := ParseNameDate(name)
		if wrong {
			day = "!"
		}
		assert.Equal(t, want, day, name)
	}
}

// decodeClaims decodes a file's claims, and returns the elements with warnings.
func decodeClaims(t *testing.T, text string) (list []facts.Submission, warnings string) {
	t.Helper()
	d, err := decodeText(text)
	require.NoError(t, err)
	for _, r := range d.records {
		list = append(list, *r.Row.(*facts.Submission))
		d.notes = append(d.notes, r.Problems...)
	}
	var elements []string
	for _, n := range d.notes {
		if n.Severity == ingest.SeverityWarning {
			elements = append(elements, n.Element)
		}
	}
	return list, strings.Join(elements, " ")
}
