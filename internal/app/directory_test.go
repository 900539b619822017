package app_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
)

// registryFile writes a national registry file with columns in another order and extra columns,
// as published.
func registryFile(t *testing.T, rows ...map[string]string) string {
	t.Helper()
	header := []string{
		"NPI", "Entity Type Code", "Replacement NPI", "Provider Organization Name (Legal Business Name)", "Provider Last Name (Legal Name)",
		"Provider First Name", "Provider Middle Name", "Provider Credential Text", "Provider First Line Business Practice Location Address",
		"Provider Second Line Business Practice Location Address", "Provider Business Practice Location Address City Name",
		"Provider Business Practice Location Address State Name", "Provider Business Practice Location Address Postal Code",
		"Provider Business Practice Location Address Telephone Number", "Provider Business Practice Location Address Fax Number",
		"NPI Deactivation Date", "NPI Reactivation Date", "Provider Sex Code",
		"Healthcare Provider Taxonomy Code_1", "Provider License Number_1", "Provider License Number State Code_1",
		"Healthcare Provider Primary Taxonomy Switch_1",
		"Healthcare Provider Taxonomy Code_2", "Provider License Number_2", "Provider License Number State Code_2",
		"Healthcare Provider Primary Taxonomy Switch_2",
	}
	path := filepath.Join(t.TempDir(), "npidata.csv")
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	w := csv.NewWriter(file)
	lines := [][]string{header}
	for _, row := range rows {
		line := make([]string, len(header))
		for i, name := range header {
			line[i] = row[name]
		}
		lines = append(lines, line)
	}
	require.NoError(t, w.WriteAll(lines))
	return path
}

func person(npi, last string, more ...string) map[string]string {
	row := map[string]string{
		"NPI": npi, "Entity Type Code": "1", "Provider Last Name (Legal Name)": last, "Provider First Name": "GREGORY",
		"Provider Middle Name":     "QUENTIN",
		"Provider Credential Text": "M.D.", "Provider Sex Code": "M",
		"Provider First Line Business Practice Location Address":       "1 SHORE RD",
		"Provider Second Line Business Practice Location Address":      "SUITE 2",
		"Provider Business Practice Location Address City Name":        "ERIE",
		"Provider Business Practice Location Address State Name":       "PA",
		"Provider Business Practice Location Address Postal Code":      "165010001",
		"Provider Business Practice Location Address Telephone Number": "8145550100",
		"Provider Business Practice Location Address Fax Number":       "8145550101",
		"Healthcare Provider Taxonomy Code_1":                          "9999X00000", "Provider License Number_1": "MD1",
		"Provider License Number State Code_1": "PA", "Healthcare Provider Primary Taxonomy Switch_1": "N",
		"Healthcare Provider Taxonomy Code_2": "207X00000X", "Provider License Number_2": "MD1",
		"Provider License Number State Code_2": "OH", "Healthcare Provider Primary Taxonomy Switch_2": "Y",
	}
	for i := 0; i < len(more); i += 2 {
		row[more[i]] = more[i+1]
	}
	return row
}

// npi adds the check digit to nine digits.
func npi(t *testing.T, nine string) string {
	t.Helper()
	for digit := range 10 {
		if whole := nine + fmt.Sprint(digit); identifiers.IsNPI(whole) {
			return whole
		}
	}
	t.Fatal(nine)
	return ""
}

func (p *portal) importTable(kind, content string) {
	p.t.Helper()
	path := filepath.Join(p.t.TempDir(), kind+".csv")
	require.NoError(p.t, os.WriteFile(path, []byte(content), 0o600))
	report, err := p.Feeds.Import(p.t.Context(), kind, path, ingest.Options{})
	if err != nil || report.ExitCode() != ingest.ExitAllImported {
		p.t.Fatalf("%s: %v %+v", kind, err, report)
	}
}

func TestRegistryAndDirectory(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		doctor, clinic, gone := npi(t, "120000000"), npi(t, "130000000"), npi(t, "140000000")
		file := registryFile(t,
			person(doctor, "HOUSE"),
			map[string]string{"NPI": clinic, "Entity Type Code": "2", "Provider Organization Name (Legal Business Name)": "LAKE CLINIC",
				"Healthcare Provider Taxonomy Code_1": "261QU0200X"},
			person(gone, "GONE", "NPI Deactivation Date", "03/21/2006"),
			person(npi(t, "150000000"), "BACK", "NPI Deactivation Date", "03/21/2006", "NPI Reactivation Date", "04/01/2006"),
			person("1234567890", "WRONG"),
			person(npi(t, "160000000"), ""),
		)
		report, err := p.Feeds.Import(t.Context(), "nppes", file, ingest.Options{})
		if err != nil || report.Imported != 3 || report.Unchanged != 1 || report.Rejected != 2 {
			t.Fatalf("%v %+v", err, report)
		}
		again, err := p.Feeds.Import(t.Context(), "nppes", file, ingest.Options{Again: true})
		if err != nil || again.Unchanged != 4 || again.Imported+again.Updated != 0 {
			t.Errorf("again: %v %+v", err, again)
		}
		report, err = p.Feeds.Import(t.Context(), "nppes", registryFile(t,
			person(doctor, "HOUSE", "Provider Credential Text", "M.D., PH.D.")), ingest.Options{})
		if err != nil || report.Updated != 1 {
			t.Errorf("changed: %v %+v", err, report)
		}
		p.importTable("provider_tins", "npi,tin\n"+doctor+",111111111\n"+clinic+",111111111\n")
		p.importTable("provider_details", "npi,birth_date,languages,lines_of_business\n"+doctor+
			",1959-05-15,\"English, Mandarin\",Workers' Comp\n")
		p.importTable("offices", "npi,office_id,office_name,tin,primary,accepts_wc,address,phone,email\n"+doctor+
			",A,Annex,111111111,N,Y,2 Shore Rd,8145550102,annex@lake.example\n"+clinic+",B,Lake Clinic Harbor,,Y,N,,,\n")
		p.importTable("office_details", "npi,office_id,kind,description\n"+doctor+",A,SERVICE,X-ray\n"+doctor+",A,SERVICE,Casts\n"+clinic+
			",B,FOCUS,Backs\n"+clinic+",B,LANGUAGE,Spanish\n"+clinic+",B,SPECIALTY,Surgery\n"+clinic+",B,SERVICE,MRI\n")
		p.importTable("licenses", "npi,license_type,state,license_number,issue_date,expiration_date,status\n"+clinic+
			",Facility,PA,F1,2020-01-01,2027-01-01,Active\n")
		p.importTable("taxonomies", "code,description\n9999X00000,Rare Medicine\n")

		var providers []struct{ PrvID, PrvName, PrvProviderType string }
		p.do("GET", "/api/clients/list/111111111", nil, bearer(p.signIn("prus"))).into(t, &providers)
		if len(providers) != 2 || providers[0].PrvName != "HOUSE, GREGORY QUENTIN" || providers[0].PrvProviderType != "P" ||
			providers[1].PrvName != "LAKE CLINIC" || len(providers[0].PrvID) != 8 {
			t.Fatalf("%+v", providers)
		}
		get := func(actor, path string) string {
			r := p.do("GET", "/api/provider/"+path, nil, bearer(p.signIn(actor)))
			if r.status != 200 {
				return fmt.Sprint(r.status)
			}
			return strings.TrimSpace(string(r.body))
		}
		phys, fac := providers[0].PrvID, providers[1].PrvID
		for path, want := range map[string]string{
			"Phys/" + phys: `{"prvId":"` + phys +
				`","phyLastName":"HOUSE","phyFirstName":"GREGORY","phyMiddleInitial":"Q","phyMiddleName":"QUENTIN","degreeStr":"M.D.,` +
				` PH.D.","phyDateOfBirth":"1959-05-15","phyGender":"M","languageStr":"English, Mandarin","prvNpi":"` + doctor +
				`","lobString":"Workers' Comp"}`,
			"Phys/Spec/" + phys: `[{"specDesc":"Orthopaedic Surgery","srrRank":1},{"specDesc":"Rare Medicine","srrRank":2}]`,
			"Phys/Loc/" + phys: `[{"poflOfcId":"A","phoOfficeName":"Annex","poflPrimaryOfficeFlag":"N","address":"2 Shore Rd",` +
				`"ofcDirectoryPhoneNbr":"8145550102","ofcFaxNbr":"","ofcEmailAddress":"annex@lake.example","ptcTaxId":"111111111",` +
				`"poflAcceptWcPatientsFlag":"Y","details":[{"fsrShortDesc":"Casts"},{"fsrShortDesc":"X-ray"}]},` +
				`{"poflOfcId":"NPPES","phoOfficeName":"Practice location","poflPrimaryOfficeFlag":"Y","address":"1 SHORE RD SUITE 2,` +
				` ERIE, PA 16501","ofcDirectoryPhoneNbr":"8145550100","ofcFaxNbr":"8145550101","ofcEmailAddress":"","ptcTaxId":"",` +
				`"poflAcceptWcPatientsFlag":"","details":[]}]`,
			"Phys/Lic/" + phys: `[{"prvId":"` + phys +
				`","ltrLicenseType":"State License","plicStateCode":"OH","plicLicenseNbr":"MD1","plicIssueDate":null,` +
				`"plicExpirationDate":null,"lsrStatus":""},{"prvId":"` + phys +
				`","ltrLicenseType":"State License","plicStateCode":"PA","plicLicenseNbr":"MD1","plicIssueDate":null,` +
				`"plicExpirationDate":null,"lsrStatus":""}]`,
			"facility/" + fac: `{"prvId":"` + fac + `","faclFacilityName":"LAKE CLINIC","faclTaxId":"111111111","prvNpi":"` + clinic +
				`","fLob":""}`,
			"Fac/Lic/" + fac: `[{"prvId":"` + fac +
				`","ltrLicenseType":"Facility","plicStateCode":"PA","plicLicenseNbr":"F1","plicIssueDate":"2020-01-01",` +
				`"plicExpirationDate":"2027-01-01","lsrStatus":"Active"}]`,
			"facility/" + phys: "404",
			"Phys/" + fac:      "404",
			"Phys/Loc/nobody":  "404",
		} {
			if got := get("prus", path); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", path, got, want)
			}
		}
		loc := get("prus", "facility/Loc/"+fac)
		for _, part := range []string{`"services":[{"fsrShortDesc":"MRI"}]`, `"specialties":[{"specDesc":"Surgery"}]`,
			`"focuses":[{"focusShortDesc":"Backs"}]`, `"languagues":[{"lngLanguageName":"Spanish"}]`, `"flfPrimaryLocationFlag":"Y"`} {
			assert.Contains(t, loc, part)
		}
		// Users see only providers with their own TINs. Internal staff see all.
		p.exec(`UPDATE provider_tins SET ftin = '222222222' WHERE provider_id = $1`, phys)
		for _, path := range []string{"Phys/", "Phys/Spec/", "Phys/Loc/", "Phys/Lic/"} {
			assert.Equalf(t, "404", get("prus", path+phys), "%s of another TIN", path)
			if got := get("irad", path+phys); got == "404" || got == "403" {
				t.Errorf("%s for internal staff: %s", path, got)
			}
			assert.Equalf(t, "403", get("nnus", path+phys), "%s for a non-network user", path)
		}
	})
}

// A registry update removes deactivated data and replaces earlier registry data. Imported tables
// stay unchanged.
func TestRegistryTakesBack(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		doctor, other := npi(t, "120000000"), npi(t, "130000000")
		take := func(want string, rows ...map[string]string) {
			t.Helper()
			report, err := p.Feeds.Import(t.Context(), "nppes", registryFile(t, rows...), ingest.Options{Again: true})
			got := fmt.Sprintf("%d taken, %d updated, %d unchanged, %d rejected", report.Imported, report.Updated, report.Unchanged,
				report.Rejected)
			if err != nil || got != want {
				t.Fatalf("%v: %s, want %s: %v", err, got, want, report.Problems)
			}
		}
		take("2 taken, 0 updated, 0 unchanged, 0 rejected", person(doctor, "HOUSE"), person(other, "WILSON"))
		p.importTable("provider_tins", "npi,tin\n"+doctor+",111111111\n"+other+",111111111\n")
		var id string
		require.NoError(t, db.Get(t.Context(), p.DB.Reader, &id, `SELECT provider_id FROM providers WHERE npi = $1`, doctor))
		prus := bearer(p.signIn("prus"))
		listed := func() string {
			var names []string
			var list []struct{ PrvName string }
			p.do("GET", "/api/clients/list/111111111", nil, prus).into(t, &list)
			for _, provider := range list {
				names = append(names, provider.PrvName)
			}
			return strings.Join(names, "; ")
		}
		const both = "HOUSE, GREGORY QUENTIN; WILSON, GREGORY QUENTIN"
		require.Equal(t, both, listed())

		// The registry lists a deactivated NPI without other data.
		gone := map[string]string{"NPI": doctor, "NPI Deactivation Date": "03/21/2026"}
		take("0 taken, 1 updated, 1 unchanged, 0 rejected", gone,
			map[string]string{"NPI": npi(t, "140000000"), "NPI Deactivation Date": "03/21/2006"})
		assert.Equal(t, "WILSON, GREGORY QUENTIN", listed())
		if _, valid, err := p.Directory.OnFile(t.Context(), "111111111", id); err != nil || valid {
			t.Errorf("an id out of use proves a TIN: %v", err)
		}
		take("0 taken, 0 updated, 1 unchanged, 0 rejected", gone)
		take("0 taken, 1 updated, 0 unchanged, 0 rejected", person(doctor, "HOUSE", "NPI Deactivation Date", "03/21/2026",
			"NPI Reactivation Date", "04/01/2026"))
		assert.Equal(t, both, listed())

		p.importTable("specialties", "npi,description,rank\n"+doctor+",Hand Therapy,3\n"+doctor+",Orthopaedic Surgery,1\n")
		p.importTable("licenses", "npi,license_type,state,license_number,expiration_date,status\n"+doctor+
			",Medical,OH,M7,2027-01-01,Active\n"+doctor+",State License,PA,MD1,2027-01-01,Active\n")
		changed := person(doctor, "HOUSE", "Healthcare Provider Taxonomy Code_1", "208100000X", "Provider License Number_1", "MD9",
			"Healthcare Provider Taxonomy Code_2", "", "Provider License Number_2", "", "Healthcare Provider Primary Taxonomy Switch_2", "")
		take("0 taken, 1 updated, 0 unchanged, 0 rejected", changed)
		take("0 taken, 0 updated, 1 unchanged, 0 rejected", changed)
		for path, want := range map[string]string{
			"Phys/Spec/" + id: `[{"specDesc":"Orthopaedic Surgery","srrRank":1},{"specDesc":"Physical Medicine & Rehabilitation",` +
				`"srrRank":1},{"specDesc":"Hand Therapy","srrRank":3}]`,
			"Phys/Lic/" + id: `[{"prvId":"` + id +
				`","ltrLicenseType":"Medical","plicStateCode":"OH","plicLicenseNbr":"M7","plicIssueDate":null,` +
				`"plicExpirationDate":"2027-01-01","lsrStatus":"Active"},` +
				`{"prvId":"` + id + `","ltrLicenseType":"State License","plicStateCode":"PA","plicLicenseNbr":"MD1",` +
				`"plicIssueDate":null,"plicExpirationDate":"2027-01-01","lsrStatus":"Active"},` +
				`{"prvId":"` + id + `","ltrLicenseType":"State License","plicStateCode":"PA","plicLicenseNbr":"MD9",` +
				`"plicIssueDate":null,"plicExpirationDate":null,"lsrStatus":""}]`,
		} {
			if got := strings.TrimSpace(string(p.do("GET", "/api/provider/"+path, nil, prus).body)); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", path, got, want)
			}
		}
	})
}

// Names stay intact, whatever program wrote the file.
func TestRegistryKeepsTheLettersOfNames(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		doctor := npi(t, "120000000")
		file := registryFile(t, person(doctor, "MU\xd1OZ"))
		report, err := p.Feeds.Import(t.Context(), "nppes", file, ingest.Options{})
		if err != nil || report.Imported != 1 {
			t.Fatalf("%v %+v", err, report)
		}
		var name string
		if err := db.Get(t.Context(), p.DB.Reader, &name, `SELECT last_name FROM providers
			WHERE npi = $1`, doctor); err != nil || name != "MU\u00d1OZ" {
			t.Errorf("%q %v", name, err)
		}
	})
}

// A file that isn't a registry table is rejected completely.
func TestRegistryRefuses(t *testing.T) {
	p := newPortal(t, "sqlite", nil)
	for name, content := range map[string]string{"empty": "", "another table": "group_id,name,kind\n1,x,PROVIDER\n"} {
		path := filepath.Join(t.TempDir(), "x.csv")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		report, err := p.Feeds.Import(t.Context(), "nppes", path, ingest.Options{})
		if err != nil || report.Refused == nil || report.ExitCode() != ingest.ExitRefused {
			t.Errorf("%s: %v %+v", name, err, report)
		}
	}
}

// Rates, products and exclusions of a registry provider stay with the provider when a table brings the network's
// ID. Files can still name the earlier ID.
func TestRegistryProvidersKeepTheirData(t *testing.T) {
	each(t, nil, func(t *testing.T, p *portal) {
		doctor := npi(t, "120000000")
		report, err := p.Feeds.Import(t.Context(), "nppes", registryFile(t, person(doctor, "HOUSE")), ingest.Options{})
		if err != nil || report.Imported != 1 {
			t.Fatalf("%v %+v", err, report)
		}
		const rates = "provider_id,tin,line_of_business,national_rate_code,location_name,zip\n"
		const products = "provider_id,tin,line_of_business,product_code,state,effective_date,end_date\n"
		p.importTable("provider_tins", "npi,tin\n"+doctor+",111111111\n")
		p.importTable("products", "line_of_business,product_code,product_name\nWC,PPO,PPO\n")
		p.importTable("clients", "client_id,line_of_business,product_code,state,client_name\nA,WC,PPO,OH,Acme\nB,WC,PPO,OH,Bay\n")
		p.importTable("participations", products+"10000000,111111111,WC,PPO,OH,2020-01-01,\n")
		p.importTable("exclusions", "client_id,provider_id\nB,10000000\n")
		p.importTable("rate_codes", rates+"10000000,111111111,DPWC,OH-01,Pier,44114\n")
		prus := bearer(p.signIn("prus"))
		p.want(p.post("/feeSchedule/addFeeSchedRequest/prus/OH-01/10000000/Pier/44114", nil, prus), 200, "")

		p.importTable("providers", "provider_id,tin,type,npi,first_name,last_name\n7,111111111,P,"+doctor+",Gregory,House\n")
		p.importTable("rate_codes", rates+"10000000,111111111,DPWC,OH-02,Pier,44114\n")
		p.importTable("offices", "provider_id,office_id,office_name\n10000000,A,Annex\n")
		var codes []struct{ NationalRateCd string }
		p.do("GET", "/api/feeSchedule/getNationalRateCodes/DPWC/7/111111111", nil, prus).into(t, &codes)
		assert.Equal(t, "[{OH-01} {OH-02}]", fmt.Sprint(codes))
		assert.Equal(t, 1, p.count(`SELECT count(*) FROM fee_schedule_requests WHERE provider_id = '7'`))
		got := string(p.do("GET", "/api/clients/getClientDetails/7/111111111", nil, prus).body)
		assert.Contains(t, got, "Acme")
		assert.NotContains(t, got, "Bay")
		p.importTable("participations", products+"10000000,111111111,WC,PPO,OH,2020-01-01,2020-12-31\n")
		p.importTable("exclusions", "client_id,provider_id,end_date\nB,10000000,2020-12-31\n")
		for table, want := range map[string]string{"provider_products": "7 2020-12-31", "client_exclusions": "7 2020-12-31"} {
			var got []string
			if err := db.Select(t.Context(), p.DB.Reader, &got, `SELECT provider_id || ' ' || end_date FROM `+table); err != nil ||
				!slices.Equal(got, []string{want}) {
				t.Errorf("%s: %q, want %q, %v", table, got, want, err)
			}
		}
	})
}
