package ledger

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
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
						require.NoError(t, os.WriteFile(path, []byte(files[at]), 0o600))
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
