package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12/x12test"
)

// A remittance with only the payee's NPI goes to the office in the directory once one of its
// bills proves the match.
func TestDirectoryTellsWhereABillProvesARemittance(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		dir := t.TempDir()
		head := slices.DeleteFunc(slices.Clone(x12test.PaymentHead), func(s string) bool { return strings.HasPrefix(s, "REF*TJ") })
		file := x12test.Interchange("005010X221A1", x12test.Set("835", "005010X221A1",
			append(head, "CLP*A*1*100*80**12*I", "CAS*CO*45*20", "NM1*QC*1*BROOK*ADA", "DTM*232*20260105")...))
		take := func(kind, text string) ingest.Report {
			t.Helper()
			path := filepath.Join(dir, kind)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			report, err := p.Feeds.Import(t.Context(), kind, path, ingest.Options{})
			if err != nil || report.ExitCode() != ingest.ExitAllImported {
				t.Fatalf("%s: %v %+v", kind, err, report)
			}
			return report
		}
		if report := take("x12", file); report.Concluded["payments with an unknown payee tax ID"] != 1 {
			t.Errorf("%+v", report)
		}
		take("providers", "provider_id,tin,type,npi,first_name,last_name\n12345,987654321,P,1234567893,Lee,Hand\n")
		assert.Equal(t, 0, p.count(`SELECT count(*) FROM bills`)+p.count(`SELECT count(*) FROM remittances`))
		take("bills", "tin,bill_control_number,patient_control_number,patient_first_name,patient_last_name,begin_service_date,charges\n"+
			"987654321,N1,A,Ada,Brook,2026-01-05,100\n")
		list, err := store.Bills.Select(t.Context(), p.DB.Reader, "")
		if err != nil || len(list) != 1 || list[0].FTIN != "987654321" || list[0].PaidAmount == nil || *list[0].PaidAmount != 8000 {
			t.Errorf("%v %+v", err, list)
		}
	})
}
