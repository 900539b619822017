package ledger

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12/x12test"
)

// Of two reports of a claim's payment, the one written last counts, for any date format and any
// file order. An invalid date never wins.
func TestFilesCountByTheirDates(t *testing.T) {
	told := func(number int, day, clock, paid string) string {
		segments := append(slices.Clone(x12test.PaymentHead), "CLP*A1*1*200*"+paid+"**WC*I1*11*1", "NM1*QC*1*BROOK*ADA", "DTM*232*20260105",
			"SVC*HC:99213*200*"+paid+"**1")
		segments[0] = strings.Replace(segments[0], "*80*", "*"+paid+"*", 1)
		return x12test.File(number, x12test.Group{Code: "HP", Guide: "005010X221A1", Date: day, Time: clock,
			Sets: []string{x12test.Set("835", "005010X221A1", segments...)}})
	}
	for name, test := range map[string]struct{ first, last [2]string }{
		"six digits first":          {[2]string{"260301", "0800"}, [2]string{"20260401", "0800"}},
		"six digits last":           {[2]string{"20260301", "0800"}, [2]string{"260401", "0800"}},
		"another century":           {[2]string{"991231", "0800"}, [2]string{"20260401", "0800"}},
		"an impossible date":        {[2]string{"99991399", "0800"}, [2]string{"20260401", "0800"}}, // ISA09 counts: 2026-01-02
		"seconds":                   {[2]string{"20260401", "0800"}, [2]string{"20260401", "080001"}},
		"hundredths":                {[2]string{"20260401", "080001"}, [2]string{"20260401", "08000101"}},
		"no seconds, and later":     {[2]string{"20260401", "08000059"}, [2]string{"20260401", "0801"}},
		"an impossible time of day": {[2]string{"20260401", "9999"}, [2]string{"20260401", "0001"}},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				for _, order := range [][]int{{0, 1}, {1, 0}} {
					empty(t, d)
					var paths []string
					for _, at := range order {
						files := []string{told(1, test.first[0], test.first[1], "140"), told(2, test.last[0], test.last[1], "160")}
						path := filepath.Join(t.TempDir(), "835.edi")
						if err := os.WriteFile(path, []byte(files[at]), 0o600); err != nil {
							t.Fatal(err)
						}
						paths = append(paths, path)
					}
					take(t, d, paths...)
					var paid int64
					if err := db.Get(t.Context(), d.Reader, &paid, `SELECT paid_amount FROM bills`); err != nil || paid != 16000 {
						t.Errorf("in the order %v: %d %v", order, paid, err)
					}
				}
			})
		})
	}
}

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

func TestDatesInNames(t *testing.T) {
	for name, want := range map[string]string{
		"bills_20260602.csv": "20260602", "bills 2026-06-02.csv": "20260602", "bills.csv": "", "bills_20261931.csv": "!",
		"bills_20260231.csv":          "!",
		"bills_20261931_20260602.csv": "20260602", "bills_20240229.csv": "20240229", "bills_20250229.csv": "!",
	} {
		day, wrong := parseNameDate(name)
		if wrong {
			day = "!"
		}
		if day != want {
			t.Errorf("%s: %s, want %s", name, day, want)
		}
	}
}

// decodeClaims decodes a file's claims, and returns the elements with warnings.
func decodeClaims(t *testing.T, text string) (list []facts.Submission, warnings string) {
	t.Helper()
	d, err := decode(text)
	if err != nil {
		t.Fatal(err)
	}
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
