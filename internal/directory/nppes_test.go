package directory

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/x12/x12test"
)

func collect(records *[]ingest.Record) ingest.Sink {
	return ingest.Sink{Record: func(r ingest.Record) error { *records = append(*records, r); return nil }}
}

func FuzzNPPES(f *testing.F) {
	f.Add("NPI,Entity Type Code\n1,2\n")
	f.Add(strings.Join([]string{colNPI, colEntity, colOrganization, colLast, colFirst, colAddress1, colCity, colState, colZIP,
		colTaxonomy + "1"}, ",") + "\n1200000003,1,,House,Greg,1 Rd,Erie,PA,16501,207X00000X\n")
	f.Fuzz(func(t *testing.T, text string) {
		var got []ingest.Record
		if err := decodeNPPES(strings.NewReader(text), collect(&got)); err != nil {
			return // rejected as a whole, without a panic
		}
		for _, r := range got {
			if p, ok := r.Row.(*Registered); ok && !identifiers.IsNPI(p.NPI) {
				t.Errorf("%q is taken", p.NPI)
			}
		}
	})
}

// Registry files are imported, except for rows that are deactivated or incomplete.
func TestSampleRegistryIsRead(t *testing.T) {
	for _, path := range x12test.Samples(t, "nppes/*.csv") {
		file, err := os.Open(path)
		require.NoError(t, err)
		var got []ingest.Record
		err = decodeNPPES(file, collect(&got))
		file.Close()
		require.NoError(t, err)
		read, detailed := 0, 0
		for _, r := range got {
			if p, ok := r.Row.(*Registered); ok {
				read++
				if len(p.Specialties) > 0 && p.State != "" && len(p.Licenses) > 0 {
					detailed++
				}
			}
		}
		if read*10 < len(got)*9 || detailed*2 < read {
			t.Errorf("%s: of %d rows %d are read, %d with specialty, address and licence", filepath.Base(path), len(got), read, detailed)
		}
	}
}

const registryHead = colNPI + "," + colEntity + ",\"" + colOrganization + "\"," + colLast + "," + colFirst + "," + colAddress1 + "," +
	colCity + "," + colState + "," + colZIP + "," +
	colTaxonomy + "1," + colLicense + "1\n"

// A license number that a spreadsheet shortened (as in 1.2E+10) is rejected.
func TestShortenedLicensesAreRefused(t *testing.T) {
	var got []ingest.Record
	rows := registryHead + "1234567893,1,,House,Greg,1 Rd,Erie,PA,16501,207X00000X,1.2E+07\n1234567893,1,,House,Greg,1 Rd,Erie,PA," +
		"16501,207X00000X,12E07\n"
	if err := decodeNPPES(strings.NewReader(rows), collect(&got)); err != nil || len(got) != 2 {
		t.Fatalf("%v %+v", err, got)
	}
	if !got[0].Rejected() || got[0].Problems[0].Line != 2 || got[0].Problems[0].Element != colLicense+"1" || got[1].Rejected() {
		t.Errorf("%+v", got)
	}
}

// A taxonomy listed for several licenses counts once, at its best rank.
func TestRepeatedTaxonomiesCountOnce(t *testing.T) {
	cells := map[string]string{
		colTaxonomy + "1": "207X00000X", colPrimary + "1": "Y", colLicense + "1": "MD1", colLicenseState + "1": "CA",
		colTaxonomy + "2": "208100000X", colPrimary + "2": "N",
		colTaxonomy + "3": "207X00000X", colPrimary + "3": "N", colLicense + "3": "MD3", colLicenseState + "3": "NV",
		colTaxonomy + "4": "208100000X", colPrimary + "4": "N",
	}
	var p Registered
	p.readTaxonomies(func(column string) string { return cells[column] })
	want := []RegisteredSpecialty{{Code: "207X00000X", Primary: true}, {Code: "208100000X"}}
	if !slices.Equal(p.Specialties, want) || len(p.Licenses) != 2 {
		t.Errorf("%+v", p)
	}
}
