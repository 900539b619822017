package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12/x12test"
)

// A stored payment has its file and the offset of its transaction set, in any character set.
func TestPaymentsKnowTheirPlaceInTheFile(t *testing.T) {
	claim := func(number string) []string {
		return slices.Concat(x12test.PaymentHead, []string{"CLP*" + number + "*1*100*80**WC*I" + number, "CAS*CO*45*20",
			"NM1*QC*1*GARC\u00cdA*ADA", "DTM*050*20260110", "DTM*232*20260105"})
	}
	const guide = "005010X221A1"
	utf8 := x12test.Interchange(guide, x12test.Set("835", guide, claim("A")...), x12test.Set("835", guide, claim("B")...))
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, file := range map[string]string{
			"UTF-8": utf8, "byte order mark": "\xEF\xBB\xBF" + utf8, "Windows-1252": strings.ReplaceAll(utf8, "\u00cd", "\xcd"),
		} {
			t.Run(name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "a.835")
				require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
				importer := ingest.New(ingest.Deps{DB: d, Clock: time.Now}, ingest.Settings{}, newLedger(d, time.Now).Feeds()...)
				// Each time, another file brings the same payments.
				report, err := importer.Import(t.Context(), "x12", path, ingest.Options{Again: true})
				if err != nil || report.ExitCode() != ingest.ExitAllImported {
					t.Fatalf("%v %+v", err, report)
				}
				list, err := store.Payments.Select(t.Context(), d.Writer, `ORDER BY set_offset`)
				require.NoError(t, err)
				require.Len(t, list, 2)
				sum := sha256.Sum256([]byte(file))
				for i, p := range list {
					own := file[p.Offset : p.Offset+int64(strings.Index(file[p.Offset:], "SE*"))]
					if p.File != hex.EncodeToString(sum[:]) || !strings.HasPrefix(own, "ST*835*") || strings.Count(own, "CLP*") != 1 ||
						!strings.Contains(own, "CLP*"+p.PatientControlNumber+"*") || p.PatientControlNumber != []string{"A", "B"}[i] {
						t.Errorf("%+v at %q", p, own)
					}
					if p.ReceivedOn != "2026-01-10" || p.Filing != "WC" {
						t.Errorf("received on %q, filing %q", p.ReceivedOn, p.Filing)
					}
				}
			})
		}
	})
}
