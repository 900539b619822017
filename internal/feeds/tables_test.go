package feeds

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"wcpp/internal/platform/csvrows"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// tables are one full row of each kind.
var tables = map[string]string{
	"groups": "group_id,name,kind\n1001,Lakeside Orthopedic,provider\n",
	"users": "user_name,first_name,middle_name,last_name,email,phone,type,status,employee_id,group_id,affiliation,affiliation_description,job_title,company_name,company_url\n" +
		"aada,Ada,M,Abel,ada@example.com,(555) 010-0000,PRUS,ACTIV,,1001,OTHER,Auditor,Biller,Lakeside,https://example.com\n",
	"tins":      "group_id,tin,user_name\n1001,98-7654321,aada\n",
	"providers": "provider_id,tin,type,npi,first_name,middle_name,last_name,facility_name,specialty,address,city,state,zip,phone\n" + "12345,987654321,P,1234567893,Lee,K,Hand,,Orthopedics,1 Shore Rd,Erie,pa,16501-0001,555-010-0000\n",
	"claims":    "claim_number,payer_id,payer_name,claimant_first_name,claimant_last_name,claimant_birth_date,date_of_injury,state_of_jurisdiction,claimant_gender\nWC-77,P9,Steady Mutual,Ada,Brook,1980-02-03,2025-12-24,PA,F\n",
	"bills": "tin,bill_control_number,document_id,patient_control_number,billing_id,claim_number,bill_type,frequency_code,patient_first_name,patient_middle_name,patient_last_name,patient_birth_date,patient_gender,begin_service_date,end_service_date,date_of_injury,state_of_jurisdiction,physician_first_name,physician_middle_name,physician_last_name,physician_npi,facility_name,facility_npi,payer_id,payer_name,charges,allowance,bill_status,eor,pricing_sheet,paid_amount,paid_date,check_number\n" +
		"987654321,NET1,DOC1,PCN1,ADJ1,WC-77,I,7,Ada,M,Brook,1980-02-03,F,2026-01-05,2026-01-06,2025-12-24,PA,Lee,K,Hand,1234567893,Lake Center,1234567893,P9,Steady Mutual,150.5,120,3,Y,n,100.25,2026-02-01,CHECK7\n",
	"products": "line_of_business,product_code,product_name\nwc,PPO,Primary PPO\n",
	"clients": "client_id,line_of_business,product_code,state,client_name,affiliated_payor,electronic_claims_name,electronic_claims_phone,electronic_claims_payor_id,billing_attention,billing_address,billing_phone\n" +
		"C1,WC,PPO,oh,Steady Mutual,Great Steady,Meridian EDI,(555) 010-0000,P9,Bill Review,\"PO Box 1, Erie, PA 16501\",555-010-0001\n",
	"participations":       "provider_id,tin,line_of_business,product_code,state,effective_date,end_date\n12345,987654321,AUTO,APPO,OH,2020-01-01,2027-12-31\n",
	"taxonomies":           "code,description\n207X00000X,Orthopaedic Surgery\n",
	"provider_tins":        "provider_id,npi,tin\n,1234567893,987654321\n",
	"provider_details":     "provider_id,npi,degrees,birth_date,gender,languages,lines_of_business\n12345,,MD,1960-05-06,F,\"English, Spanish\",WC\n",
	"specialties":          "provider_id,npi,description,rank\n12345,,Hand Surgery,2\n",
	"offices":              "provider_id,npi,office_id,office_name,tin,primary,accepts_wc,address,phone,fax,email\n12345,,A1,Lake Center,987654321,Y,n,1 Shore Rd,555-010-0000,555-010-0001,front@lake.example\n",
	"office_details":       "provider_id,npi,office_id,kind,description\n12345,,A1,focus,Hands\n",
	"licenses":             "provider_id,npi,license_type,state,license_number,issue_date,expiration_date,status\n12345,,Medical,pa,MD1,2001-02-03,2027-02-03,Active\n",
	"exclusions":           "client_id,provider_id,tin\nC1,12345,987654321\n",
	"rate_codes":           "provider_id,tin,line_of_business,national_rate_code,location_name,location_address,location_details,zip\n12345,987654321,dpwc,OH01,Lake Center,1 Shore Rd,Suite 2,16501\n",
	"roster_sources":       "source_id,source_name\n201,Lakes Exchange\n",
	"roster_source_groups": "source_group_id,source_id,group_id,group_name,admin_group\n20101,201,G2010,Valley Physicians,y\n",
	"group_sources":        "group_id,source_id\n1010,201\n",
	"allowances":           "national_rate_code,procedure_code,modifier,description,allowance,effective_date,end_date\nOH01,99213,25,Office visit,92.47,2026-01-01,2026-12-31\n",
}

func TestTablesFillEveryField(t *testing.T) {
	for kind, test := range map[string]struct{ got, want any }{
		"groups": {decodeOne(t, tables["groups"], groupColumns, nil), Group{ID: 1001, Name: "Lakeside Orthopedic", Kind: "PROVIDER"}},
		"users": {decodeOne(t, tables["users"], userColumns, checkUser), User{UserName: "aada", FirstName: "Ada", MiddleName: "M", LastName: "Abel",
			Email: "ada@example.com", Phone: "5550100000", Type: "PRUS", Status: "ACTIV", GroupID: 1001, AffiliationCode: "OTHER",
			AffiliationDesc: "Auditor", JobTitle: "Biller", CompanyName: "Lakeside", CompanyURL: "https://example.com"}},
		"tins": {decodeOne(t, tables["tins"], tinColumns, nil), TIN{GroupID: 1001, FTIN: "987654321", UserName: "aada"}},
		"providers": {decodeOne(t, tables["providers"], providerColumns, checkProvider), Provider{ProviderID: "12345", FTIN: "987654321", Type: "P", NPI: "1234567893",
			FirstName: "Lee", MiddleName: "K", LastName: "Hand", Specialty: "Orthopedics", Address: "1 Shore Rd", City: "Erie", State: "PA", ZIP: "165010001", Phone: "5550100000"}},
		"claims": {decodeOne(t, tables["claims"], claimColumns, nil), Claim{ClaimNumber: "WC-77", PayerID: "P9", PayerName: "Steady Mutual", ClaimantFirstName: "Ada",
			ClaimantLastName: "Brook", ClaimantBirthDate: "1980-02-03", DateOfInjury: "2025-12-24", StateOfJurisdiction: "PA", ClaimantGender: "F"}},
		"bills": {decodeOne(t, tables["bills"], billColumns, checkBill), Bill{FTIN: "987654321", BillControlNumber: "NET1", DocumentID: "DOC1", PatientControlNumber: "PCN1",
			BillingID: "ADJ1", ClaimNumber: "WC-77", BillType: "I", FrequencyCode: "7", PatientFirstName: "Ada", PatientMiddleName: "M", PatientLastName: "Brook",
			PatientBirthDate: "1980-02-03", PatientGender: "F", BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-06", DateOfInjury: "2025-12-24",
			StateOfJurisdiction: "PA", PhysicianFirstName: "Lee", PhysicianMiddleName: "K", PhysicianLastName: "Hand", PhysicianNPI: "1234567893",
			FacilityName: "Lake Center", FacilityNPI: "1234567893", PayerID: "P9", PayerName: "Steady Mutual", Charges: 15050, Allowance: money(12000),
			Status: StatusPaidCorrected, EOR: true, PaidAmount: money(10025), PaidDate: "2026-02-01", CheckNumber: "CHECK7"}},
		"products": {decodeOne(t, tables["products"], productColumns, nil), Product{"WC", "PPO", "Primary PPO"}},
		"clients": {decodeOne(t, tables["clients"], clientColumns, nil), Client{ClientID: "C1", LineOfBusiness: "WC", ProductCode: "PPO", State: "OH", Name: "Steady Mutual",
			AffiliatedPayor: "Great Steady", ECSName: "Meridian EDI", ECSPhone: "5550100000", ECSPayorID: "P9", BillAttention: "Bill Review",
			BillAddress: "PO Box 1, Erie, PA 16501", BillPhone: "5550100001"}},
		"participations": {decodeOne(t, tables["participations"], participationColumns, checkParticipation), Participation{ProviderID: "12345", FTIN: "987654321",
			LineOfBusiness: "AUTO", ProductCode: "APPO", State: "OH", EffectiveDate: "2020-01-01", EndDate: "2027-12-31"}},
		"rate_codes": {decodeOne(t, tables["rate_codes"], rateCodeColumns, nil), RateCode{ProviderID: "12345", FTIN: "987654321", LineOfBusiness: "DPWC",
			NationalRateCode: "OH01", ZIP: "16501", LocationName: "Lake Center", LocationAddress: "1 Shore Rd", LocationDetails: "Suite 2"}},
		"allowances": {decodeOne(t, tables["allowances"], allowanceColumns, nil), Allowance{NationalRateCode: "OH01", ProcedureCode: "99213", Modifier: "25",
			Description: "Office visit", Allowance: 9247, EffectiveDate: "2026-01-01", EndDate: "2026-12-31"}},
		"taxonomies":    {decodeOne(t, tables["taxonomies"], taxonomyColumns, nil), TaxonomyName{"207X00000X", "Orthopaedic Surgery"}},
		"provider_tins": {decodeOne(t, tables["provider_tins"], providerTINColumns, checkPart), ProviderPart{NPI: "1234567893", FTIN: "987654321"}},
		"provider_details": {decodeOne(t, tables["provider_details"], providerDetailColumns, checkPart), ProviderPart{ProviderID: "12345", Degrees: "MD",
			BirthDate: "1960-05-06", Gender: "F", Languages: "English, Spanish", LinesOfBusiness: "WC"}},
		"specialties": {decodeOne(t, tables["specialties"], specialtyColumns, checkPart), ProviderPart{ProviderID: "12345", Description: "Hand Surgery", Rank: 2}},
		"offices": {decodeOne(t, tables["offices"], officeColumns, checkPart), ProviderPart{ProviderID: "12345", OfficeID: "A1", OfficeName: "Lake Center",
			FTIN: "987654321", Primary: true, Address: "1 Shore Rd", Phone: "5550100000", Fax: "5550100001", Email: "front@lake.example"}},
		"office_details": {decodeOne(t, tables["office_details"], officeDetailColumns, checkPart), ProviderPart{ProviderID: "12345", OfficeID: "A1", Kind: "FOCUS", Description: "Hands"}},
		"licenses": {decodeOne(t, tables["licenses"], licenseColumns, checkPart), ProviderPart{ProviderID: "12345", LicenseType: "Medical", State: "PA", Number: "MD1",
			IssueDate: "2001-02-03", ExpirationDate: "2027-02-03", Status: "Active"}},
		"roster_sources": {decodeOne(t, tables["roster_sources"], rosterSourceColumns, nil), RosterSource{SourceID: 201, Name: "Lakes Exchange"}},
		"roster_source_groups": {decodeOne(t, tables["roster_source_groups"], rosterSourceGroupColumns, checkSourceGroup), RosterSourceGroup{
			SourceGroupID: 20101, SourceID: 201, GroupID: "G2010", Name: "Valley Physicians", Admin: true}},
		"group_sources": {decodeOne(t, tables["group_sources"], groupSourceColumns, nil), GroupSource{GroupID: 1010, SourceID: 201}},
		"exclusions":    {decodeOne(t, tables["exclusions"], exclusionColumns, nil), Exclusion{"C1", "12345", "987654321"}},
	} {
		if !reflect.DeepEqual(test.got, test.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", kind, test.got, test.want)
		}
	}
	for _, kind := range Kinds {
		if tables[kind] == "" {
			t.Errorf("no table of %s is tested", kind)
		}
	}
}

func decodeRows[T any](text string, columns []column[T], check func(*T) error) ([]record, error) {
	var d decoded
	err := decodeTable(strings.NewReader(text), collect(&d), columns, check)
	return d.records, err
}

func decodeOne[T any](t *testing.T, text string, columns []column[T], check func(*T) error) T {
	t.Helper()
	records, err := decodeRows(text, columns, check)
	if err != nil || len(records) != 1 || len(records[0].problems) > 0 {
		t.Fatalf("%v %+v", err, records)
	}
	return *records[0].row.(*T)
}

func TestBillsOfATableTakeDefaults(t *testing.T) {
	head := "tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges,"
	row := "987654321,NET1,Ada,Brook,2026-01-05,10,"
	for name, test := range map[string]struct{ columns, values, want string }{
		"received": {"document_id", "D", "P 1 1 D D 2026-01-05"},
		"priced":   {"allowance", "5", "P 1 2 NET1 NET1 2026-01-05"},
		"paid":     {"paid_amount", "5", "P 1 0 NET1 NET1 2026-01-05"},
		"void":     {"frequency_code", "8", "P 8 9 NET1 NET1 2026-01-05"},
	} {
		t.Run(name, func(t *testing.T) {
			b := decodeOne(t, head+test.columns+"\n"+row+test.values+"\n", billColumns, checkBill)
			got := strings.Join([]string{b.BillType, b.FrequencyCode, b.Status, b.DocumentID, b.PatientControlNumber, string(b.EndServiceDate)}, " ")
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Columns come in any order and case, fields hold line ends and quotes, and
// Excel's byte order mark is no part of the first name.
func TestTableForms(t *testing.T) {
	records, err := decodeRows("\xEF\xBB\xBFKIND, Name ,group_id\r\nPROVIDER,\"Lake \"\"Side\"\"\nOrthopedic\",1\r\nROSTER,x,2", groupColumns, nil)
	if err != nil || len(records) != 2 {
		t.Fatalf("%v %+v", err, records)
	}
	if got := *records[0].row.(*Group); got != (Group{1, `Lake "Side" Orthopedic`, "PROVIDER"}) {
		t.Errorf("got %+v", got)
	}
	if got := records[1].at.Line; got != 4 {
		t.Errorf("the second row is on line %d, want 4", got)
	}
}

func TestRowProblems(t *testing.T) {
	user := "first_name,last_name,email,type,status,group_id\n"
	provider := "provider_id,tin,type,first_name,last_name,facility_name,npi,zip,phone\n"
	for name, test := range map[string]struct {
		records func() ([]record, error)
		want    string
		taken   bool
	}{
		"empty":           {rows("group_id,name,kind\n1, ,PROVIDER\n", groupColumns, nil), "error: line 2, name: is empty", false},
		"fields":          {rows("group_id,name,kind\n1,x\n", groupColumns, nil), "error: line 2: the row has 2 fields, the header 3", false},
		"number":          {rows("group_id,name,kind\n0,x,PROVIDER\n", groupColumns, nil), "line 2, group_id: is not a number from 1", false},
		"code":            {rows("group_id,name,kind\n1,x,CLUB\n", groupColumns, nil), "line 2, kind: is none of PROVIDER, NONNETWORK, ROSTER", false},
		"long":            {rows("group_id,name,kind\n1,"+strings.Repeat("x", 129)+",PROVIDER\n", groupColumns, nil), "line 2, name: has more than 128 characters", false},
		"bytes":           {rows("group_id,name,kind\n1,\xff,PROVIDER\n", groupColumns, nil), "line 2, name: is not plain UTF-8 text", false},
		"control":         {rows("group_id,name,kind\n1,a\x00b,PROVIDER\n", groupColumns, nil), "line 2, name: is not plain UTF-8 text", false},
		"tin":             {rows("group_id,tin\n1,12345678\n", tinColumns, nil), "line 2, tin: is not a tax ID of nine digits", false},
		"date":            {rows("claim_number,claimant_first_name,claimant_last_name,claimant_birth_date,date_of_injury\nA,B,C,01/02/1980,2025-01-01\n", claimColumns, nil), "line 2, claimant_birth_date: is not a date: write YYYY-MM-DD", false},
		"money":           {rows("tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges,eor\n987654321,A,B,C,2026-01-05,1.234,x\n", billColumns, checkBill), "line 2, charges: is not an amount of money", false},
		"flag":            {rows("tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges,eor\n987654321,A,B,C,2026-01-05,1,x\n", billColumns, checkBill), "line 2, eor: is neither Y nor N", false},
		"optional money":  {rows("tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges,allowance\n987654321,A,B,C,2026-01-05,1,x\n", billColumns, checkBill), "line 2, allowance: is not an amount", false},
		"period":          {rows("tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,end_service_date,charges\n987654321,A,B,C,2026-01-05,2026-01-01,1\n", billColumns, checkBill), "end_service_date is before begin_service_date", false},
		"email":           {rows(user+"A,B,Ada <a@example.com>,PRUS,ACTIV,1\n", userColumns, checkUser), "line 2, email: is not an e-mail address", false},
		"email, no dot":   {rows(user+"A,B,a@b,PRUS,ACTIV,1\n", userColumns, checkUser), "line 2, email: is not an e-mail address", false},
		"group needed":    {rows(user+"A,B,a@example.com,PRUS,ACTIV,\n", userColumns, checkUser), "group_id is needed", false},
		"group forbidden": {rows(user+"A,B,a@example.com,ISAD,ACTIV,1\n", userColumns, checkUser), "group_id must be empty", false},
		"physician":       {rows(provider+"1,987654321,P,,,Clinic,,,\n", providerColumns, checkProvider), "first_name and last_name are needed", false},
		"facility":        {rows(provider+"1,987654321,F,A,B,,,,\n", providerColumns, checkProvider), "facility_name is needed", false},
		"provider id":     {rows(provider+"123456789,987654321,F,,,C,,,\n", providerColumns, checkProvider), "line 2, provider_id: is not a number of at most 8 digits", false},
		"zip":             {rows(provider+"1,987654321,F,,,C,,123,\n", providerColumns, checkProvider), "line 2, zip: is not a ZIP code", false},
		"phone":           {rows(provider+"1,987654321,F,,,C,,,12\n", providerColumns, checkProvider), "line 2, phone: is not a phone number", false},
		"npi":             {rows(provider+"1,987654321,F,,,C,1234567890,,\n", providerColumns, checkProvider), "warning: line 2, npi: the NPI fails its check digit", true},
		"npi, long":       {rows(provider+"1,987654321,F,,,C,"+strings.Repeat("1", 81)+",,\n", providerColumns, checkProvider), "line 2, npi: has more than 80", false},
	} {
		t.Run(name, func(t *testing.T) {
			records, err := test.records()
			if err != nil || len(records) != 1 || (records[0].row != nil) != test.taken {
				t.Fatalf("%v %+v", err, records)
			}
			if got := records[0].problems[0].String(); !strings.Contains(got, test.want) {
				t.Errorf("problem %q lacks %q", got, test.want)
			}
		})
	}
}

func rows[T any](text string, columns []column[T], check func(*T) error) func() ([]record, error) {
	return func() ([]record, error) { return decodeRows(text, columns, check) }
}

func TestTablesThatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"empty":          {"", "line 1: the file is empty"},
		"unknown column": {"group_id,name,kind,colour\n", "line 1, colour: this column is not known; the columns are group_id, name, kind"},
		"no header":      {"1,Lake 12-3456789,PROVIDER\n", "line 1, 1: this column is not known"},
		"twice":          {"group_id,name,kind,name\n", "line 1, name: this column appears twice"},
		"missing":        {"group_id,name\n", "line 1, kind: this column is missing"},
		"quote":          {"group_id,name,kind\n1,a\"b,PROVIDER\n", "line 2: bare \" in non-quoted-field at character 4"},
		"quote in head":  {"group_id,na\"me,kind\n", "line 1: bare"},
		"open quote":     {"group_id,name,kind\n1,\"" + strings.Repeat("x\n", csvrows.MaxRow), "line 2: the row is longer than 1048576 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decodeRows(test.text, groupColumns, nil)
			var refused *tableError
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestImportCSV(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShelf(t, d)
		for _, kind := range Kinds {
			path := write(t, kind+".csv", tables[kind])
			report, err := s.importer().ImportCSV(t.Context(), kind, path, Options{})
			if err != nil || report.Taken != 1 || report.ExitCode() != ExitAllTaken {
				t.Errorf("%s: %v %+v", kind, err, report)
			}
			again, err := s.importer().ImportCSV(t.Context(), kind, path, Options{Again: true})
			if err != nil || again.Unchanged != 1 {
				t.Errorf("%s again: %v %+v", kind, err, again)
			}
		}
		report, err := s.importer().ImportCSV(t.Context(), "groups", write(t, "bad.csv", "name\nx\n"), Options{})
		if err != nil || report.Refused == nil || report.ExitCode() != ExitRefused {
			t.Errorf("a table without its columns: %v %+v", err, report)
		}
	})
}

// The document names every column, and no other.
func TestDocumentedColumns(t *testing.T) {
	text, err := os.ReadFile("../../docs/feeds.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := regexp.MustCompile(`(?m)^### `).Split(string(text), -1)
	name := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|")
	for kind, columns := range map[string][]string{
		"bills": names(billColumns), "claims": names(claimColumns), "groups": names(groupColumns),
		"users": names(userColumns), "tins": names(tinColumns), "providers": names(providerColumns),
		"products": names(productColumns), "clients": names(clientColumns), "participations": names(participationColumns), "exclusions": names(exclusionColumns),
		"rate_codes": names(rateCodeColumns), "allowances": names(allowanceColumns),
		"taxonomies": names(taxonomyColumns), "provider_tins": names(providerTINColumns), "provider_details": names(providerDetailColumns),
		"specialties": names(specialtyColumns), "offices": names(officeColumns), "office_details": names(officeDetailColumns), "licenses": names(licenseColumns),
	} {
		i := slices.IndexFunc(sections, func(s string) bool { return strings.HasPrefix(s, kind+"\n") })
		if i < 0 {
			t.Errorf("docs/feeds.md has no section %q", kind)
			continue
		}
		var documented []string
		for _, m := range name.FindAllStringSubmatch(sections[i], -1) {
			documented = append(documented, m[1])
		}
		if !slices.Equal(documented, columns) {
			t.Errorf("%s: documented %v\nread %v", kind, documented, columns)
		}
	}
}

func names[T any](columns []column[T]) []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names
}
