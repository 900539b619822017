package feeds

import (
	"strings"
	"testing"

	"wcpp/internal/platform/identifiers"
)

func TestCents(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "12": 1200, "12.5": 1250, "12.34": 1234, ".75": 75, "-.75": -75, "-1.27": -127, "5.": 500, "12.500": 1250, "999999999999999.99": 99999999999999999,
	} {
		if got, err := cents(s); err != nil || got != want {
			t.Errorf("cents(%q) = %d, %v; want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-", ".", "--1", "+1", "1,000", "1.234", "1e3", "1 2", "x", "9999999999999999", "1.-2", "١"} {
		if got, err := cents(s); err == nil {
			t.Errorf("cents(%q) = %d, want an error", s, got)
		}
	}
}

func FuzzNPPES(f *testing.F) {
	f.Add("NPI,Entity Type Code\n1,2\n")
	f.Add(strings.Join([]string{colNPI, colEntity, colOrganization, colLast, colFirst, colAddress1, colCity, colState, colZIP, colTaxonomy + "1"}, ",") + "\n1200000003,1,,House,Greg,1 Rd,Erie,PA,16501,207X00000X\n")
	f.Fuzz(func(t *testing.T, text string) {
		var got decoded
		if err := decodeNPPES(strings.NewReader(text), collect(&got)); err != nil {
			return // refused whole, without a panic
		}
		for _, r := range got.records {
			if p, ok := r.row.(*Registered); ok && !identifiers.ValidNPI(p.NPI) {
				t.Errorf("%q is taken", p.NPI)
			}
		}
	})
}
