package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/x12/x12test"
)

// A remittance that tells its payee's NPI only comes to the office that the
// directory knows, whichever is taken first.
func TestDirectoryTellsWhoseRemittanceItIs(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		dir := t.TempDir()
		head := slices.DeleteFunc(slices.Clone(x12test.PaymentHead), func(s string) bool { return strings.HasPrefix(s, "REF*TJ") })
		file := x12test.Interchange("005010X221A1", x12test.Set("835", "005010X221A1", append(head, "CLP*A*1*100*80**12*I", "CAS*CO*45*20")...))
		take := func(kind, text string) intake.Report {
			t.Helper()
			path := filepath.Join(dir, kind)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			report, err := p.Feeds.Import(t.Context(), kind, path, intake.Options{})
			if err != nil || report.ExitCode() != intake.ExitAllTaken {
				t.Fatalf("%s: %v %+v", kind, err, report)
			}
			return report
		}
		if report := take("x12", file); report.Concluded["payments whose payee's tax ID is not known"] != 1 {
			t.Errorf("%+v", report)
		}
		report := take("providers", "provider_id,tin,type,npi,first_name,last_name\n12345,987654321,P,1234567893,Lee,Hand\n")
		list, err := ledger.Bills.Select(t.Context(), p.DB.Reader, "")
		if err != nil || len(list) != 1 || list[0].FTIN != "987654321" || *list[0].PaidAmount != 8000 || report.Concluded["bills new"] != 1 {
			t.Errorf("%v %+v %+v", err, list, report)
		}
	})
}
