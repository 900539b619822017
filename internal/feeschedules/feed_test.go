package feeschedules

import (
	"strings"
	"testing"

	"wcpp/internal/platform/ingest"
)

// An allowance's period can't end before it begins.
func TestAllowancePeriods(t *testing.T) {
	const head = "national_rate_code,procedure_code,allowance,effective_date,end_date\n"
	for row, want := range map[string]string{
		"OH01,99213,92.47,2026-01-01,2026-12-31\n": "",
		"OH01,99213,92.47,2026-01-01,2026-01-01\n": "",
		"OH01,99213,92.47,2026-01-01,\n":           "",
		"OH01,99213,92.47,2026-01-01,2025-12-31\n": "end_date is before effective_date",
	} {
		var problems []string
		err := ingest.Decode(strings.NewReader(head+row), ingest.Sink{
			Record: func(r ingest.Record) error {
				for _, p := range r.Problems {
					problems = append(problems, p.Reason)
				}
				return nil
			},
			Note: func(ingest.Problem) {}, NotImported: func(ingest.Problem) {}, Unknown: func(ingest.Problem) {}, Day: "2026-03-04",
		}, Feeds()[1])
		if got := strings.Join(problems, "; "); err != nil || got != want {
			t.Errorf("%s: %q, not %q, %v", row, got, want, err)
		}
	}
}
