package app

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/deadlines"
	"wcpp/internal/directory"
	"wcpp/internal/feeschedules"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/reasoncodes"
	"wcpp/internal/rosters"
)

// tables has a complete row for each table type.
var tables = map[string]string{
	"groups": "group_id,name,kind\n1001,Lakeside Orthopedic,provider\n",
	"users": "user_name,first_name,middle_name,last_name,email,phone,type,status,employee_id,group_id,affiliation," +
		"affiliation_description,job_title,company_name,company_url\n" +
		"aada,Ada,M,Abel,ada@example.com,(555) 010-0000,PRUS,ACTIV,,1001,OTHER,Auditor,Biller,Lakeside,https://example.com\n",
	"tins": "group_id,tin,user_name\n1001,98-7654321,aada\n",
	"providers": "provider_id,tin,type,npi,first_name,middle_name,last_name,facility_name,specialty,address,city,state,zip,phone\n" +
		"12345,987654321,P,1234567893,Lee,K,Hand,,Orthopedics,1 Shore Rd,Erie,pa,16501-0001,555-010-0000\n",
	"claims": "claim_number,payer_id,payer_name,claimant_first_name,claimant_last_name,claimant_birth_date,date_of_injury," +
		"state_of_jurisdiction,claimant_gender\nWC-77,P9,Steady Mutual,Ada,Brook,1980-02-03,2025-12-24,PA,F\n",
	"bills": "tin,bill_control_number,document_id,patient_control_number,billing_id,claim_number,bill_type,frequency_code," +
		"patient_first_name,patient_middle_name,patient_last_name,patient_birth_date,patient_gender,begin_service_date," +
		"end_service_date,date_of_injury,state_of_jurisdiction,physician_first_name,physician_middle_name,physician_last_name," +
		"physician_npi,facility_name,facility_npi,payer_id,payer_name,charges,allowance,bill_status,eor,pricing_sheet,paid_amount," +
		"paid_date,check_number,filing\n" +
		"987654321,NET1,DOC1,PCN1,ADJ1,WC-77,I,7,Ada,M,Brook,1980-02-03,F,2026-01-05,2026-01-06,2025-12-24,PA,Lee,K,Hand,1234567893," +
		"Lake Center,1234567893,P9,Steady Mutual,150.5,120,3,Y,n,100.25,2026-02-01,CHECK7,WC\n",
	"products": "line_of_business,product_code,product_name\nwc,PPO,Primary PPO\n",
	"clients": "client_id,line_of_business,product_code,state,client_name,affiliated_payor,electronic_claims_name," +
		"electronic_claims_phone,electronic_claims_payor_id,billing_attention,billing_address,billing_phone\n" +
		"C1,WC,PPO,oh,Steady Mutual,Great Steady,Meridian EDI,(555) 010-0000,P9,Bill Review,\"PO Box 1, Erie, PA 16501\",555-010-0001\n",
	"participations": "provider_id,tin,line_of_business,product_code,state,effective_date,end_date\n12345,987654321,AUTO,APPO,OH," +
		"2020-01-01,2027-12-31\n",
	"taxonomies":    "code,description\n207X00000X,Orthopaedic Surgery\n",
	"provider_tins": "provider_id,npi,tin\n,1234567893,987654321\n",
	"provider_details": "provider_id,npi,degrees,birth_date,gender,languages,lines_of_business\n12345,,MD,1960-05-06,F,\"English, " +
		"Spanish\",WC\n",
	"specialties": "provider_id,npi,description,rank\n12345,,Hand Surgery,2\n",
	"offices": "provider_id,npi,office_id,office_name,tin,primary,accepts_wc,address,phone,fax,email\n12345,,A1,Lake " +
		"Center,987654321,Y,n,1 Shore Rd,555-010-0000,555-010-0001,front@lake.example\n",
	"office_details": "provider_id,npi,office_id,kind,description\n12345,,A1,focus,Hands\n",
	"licenses": "provider_id,npi,license_type,state,license_number,issue_date,expiration_date,status\n12345,,Medical,pa," +
		"MD1,2001-02-03,2027-02-03,Active\n",
	"exclusions": "client_id,provider_id,tin,effective_date,end_date\nC1,12345,987654321,2020-01-01,2027-12-31\n",
	"rate_codes": "provider_id,tin,line_of_business,national_rate_code,location_name,location_address,location_details,zip\n" +
		"12345,987654321,dpwc,OH01,Lake Center,1 Shore Rd,Suite 2,16501\n",
	"roster_sources":       "source_id,source_name\n201,Lakes Exchange\n",
	"roster_source_groups": "source_group_id,source_id,group_id,group_name,admin_group\n20101,201,G2010,Valley Physicians,y\n",
	"group_sources":        "group_id,source_id\n1010,201\n",
	"reason_codes": "list,code,jurisdiction,title,plain,advice,official,status,effective,ended\nrarc,qx1,ca,A paper is " +
		"missing.,The payer wants it.,Send it.,Theirs.,ended,2020-01-01,2025-12-31\n",
	"jurisdiction_rules": "state,line_of_business,kind,basis,amount,unit,next_workday,condition,rate_bp,citation,url,text,effective," +
		"ended\n" +
		"oh,wc,interest,payer_received,30,business_days,y,paper,150,O.A.C. 1,https://codes.ohio.gov/1,It bears interest.,2020-01-01," +
		"2025-12-31\n",
	"allowances": "national_rate_code,procedure_code,modifier,description,allowance,effective_date,end_date\nOH01,99213,25,Office " +
		"visit,92.47,2026-01-01,2026-12-31\n",
}

func TestTablesFillEveryField(t *testing.T) {
	rows := map[string]struct{ got, want any }{
		"groups": {decodeOne(t, "groups"), users.Group{ID: 1001, Name: "Lakeside Orthopedic", Kind: "PROVIDER"}},
		"users": {decodeOne(t, "users"), users.User{UserName: "aada", FirstName: "Ada", MiddleName: "M", LastName: "Abel",
			Email: "ada@example.com", Phone: "5550100000", TypeCd: "PRUS", StatusCd: "ACTIV", GroupID: 1001, AffiliationCd: "OTHER",
			AffiliationDesc: "Auditor", JobTitle: "Biller", CompanyName: "Lakeside", CompanyURL: "https://example.com"}},
		"tins": {decodeOne(t, "tins"), tins.NamedLink{GroupID: 1001, FTIN: "987654321", UserName: "aada"}},
		"providers": {decodeOne(t, "providers"), directory.ProviderRow{FTIN: "987654321",
			Provider: directory.Provider{ProviderID: "12345", ProviderType: "P", NPI: "1234567893",
				FirstName: "Lee", MiddleName: "K", LastName: "Hand", Specialty: "Orthopedics", Address: "1 Shore Rd", City: "Erie",
				State: "PA",
				ZIP:   "165010001", Phone: "5550100000"}}},
		"claims": {decodeOne(t, "claims"), claims.Claim{ClaimNumber: "WC-77", PayerID: "P9", PayerName: "Steady Mutual",
			ClaimantFirstName: "Ada",
			ClaimantLastName:  "Brook", ClaimantBirthDate: "1980-02-03", DateOfInjury: "2025-12-24", StateOfJurisdiction: "PA",
			ClaimantGender: "F"}},
		"products": {decodeOne(t, "products"), clients.Product{LineOfBusiness: "WC", Code: "PPO", Name: "Primary PPO"}},
		"clients": {decodeOne(t, "clients"), clients.Client{ClientID: "C1", LineOfBusiness: "WC", ProductCode: "PPO", State: "OH",
			Name:            "Steady Mutual",
			AffiliatedPayor: "Great Steady", ECSName: "Meridian EDI", ECSPhone: "5550100000", ECSPayorID: "P9",
			BillAttention: "Bill Review",
			BillAddress:   "PO Box 1, Erie, PA 16501", BillPhone: "5550100001"}},
		"participations": {decodeOne(t, "participations"), clients.Participation{ProviderID: "12345", FTIN: "987654321",
			LineOfBusiness: "AUTO", ProductCode: "APPO", State: "OH", EffectiveDate: "2020-01-01", EndDate: "2027-12-31"}},
		"rate_codes": {decodeOne(t, "rate_codes"), feeschedules.RateCode{ProviderID: "12345", FTIN: "987654321", LineOfBusiness: "DPWC",
			NationalRateCode: "OH01", ZIP: "16501", LocationName: "Lake Center", LocationAddress: "1 Shore Rd",
			LocationDetails: "Suite 2"}},
		"allowances": {decodeOne(t, "allowances"), feeschedules.Allowance{NationalRateCode: "OH01", ProcedureCode: "99213", Modifier: "25",
			Description: "Office visit", Allowance: 9247, EffectiveDate: "2026-01-01", EndDate: "2026-12-31"}},
		"taxonomies":    {decodeOne(t, "taxonomies"), directory.Taxonomy{Code: "207X00000X", Description: "Orthopaedic Surgery"}},
		"provider_tins": {decodeOne(t, "provider_tins"), directory.Part[directory.TIN]{NPI: "1234567893", What: "987654321"}},
		"provider_details": {decodeOne(t, "provider_details"), directory.Part[directory.ProviderDetails]{ProviderID: "12345",
			What: directory.ProviderDetails{Degrees: "MD",
				BirthDate: "1960-05-06", Gender: "F", Languages: "English, Spanish", LinesOfBusiness: "WC"}}},
		"specialties": {decodeOne(t, "specialties"), directory.Part[directory.Specialty]{ProviderID: "12345",
			What: directory.Specialty{Description: "Hand Surgery", Rank: 2}}},
		"offices": {decodeOne(t, "offices"), directory.Part[directory.Office]{ProviderID: "12345",
			What: directory.Office{OfficeID: "A1", Name: "Lake Center",
				FTIN: "987654321", IsPrimary: true, AcceptsWC: new(false), Address: "1 Shore Rd", Phone: "5550100000", Fax: "5550100001",
				Email: "front@lake.example"}}},
		"office_details": {decodeOne(t, "office_details"), directory.Part[directory.Detail]{ProviderID: "12345",
			What: directory.Detail{OfficeID: "A1", Kind: "FOCUS", Description: "Hands"}}},
		"licenses": {decodeOne(t, "licenses"), directory.Part[directory.License]{ProviderID: "12345",
			What: directory.License{LicenseType: "Medical", State: "PA", LicenseNumber: "MD1",
				IssueDate: "2001-02-03", ExpirationDate: "2027-02-03", Status: "Active"}}},
		"roster_sources": {decodeOne(t, "roster_sources"), rosters.Source{SourceID: 201, Name: "Lakes Exchange"}},
		"roster_source_groups": {decodeOne(t, "roster_source_groups"), rosters.SourceGroup{
			SourceGroupID: 20101, SourceID: 201, GroupID: "G2010", Name: "Valley Physicians", IsAdmin: true}},
		"reason_codes": {decodeOne(t, "reason_codes"), reasoncodes.Reason{List: "RARC", Code: "QX1", Jurisdiction: "CA",
			Title: "A paper is missing.", Plain: "The payer wants it.",
			Advice: "Send it.", Official: "Theirs.", Status: "ENDED", Effective: "2020-01-01", Ended: "2025-12-31"}},
		"jurisdiction_rules": {decodeOne(t, "jurisdiction_rules"),
			deadlines.Rule{State: "OH", Line: "WC", Kind: "INTEREST", Basis: "PAYER_RECEIVED", Amount: 30,
				Unit: "BUSINESS_DAYS", NextWorkday: true, Condition: "PAPER", RateBP: 150, Citation: "O.A.C. 1",
				URL: "https://codes.ohio.gov/1", Text: "It bears interest.",
				Status: "DRAFT", Effective: "2020-01-01", Ended: "2025-12-31"}},
		"group_sources": {decodeOne(t, "group_sources"), rosters.GroupSource{GroupID: 1010, SourceID: 201}},
		"exclusions": {decodeOne(t, "exclusions"), clients.Exclusion{ClientID: "C1", ProviderID: "12345", FTIN: "987654321",
			EffectiveDate: "2020-01-01", EndDate: "2027-12-31"}},
	}
	for kind, test := range rows {
		assert.Equalf(t, test.want, test.got, "%s:\ngot  %+v\n", kind, test.got)
	}
	for _, kind := range FeedTables() {
		if _, tested := rows[kind]; !tested && kind != "bills" { // TestFilesCarryEveryField has it
			t.Errorf("no row of %s is compared", kind)
		}
		header, _, _ := strings.Cut(tables[kind], "\n")
		for _, column := range findFeed(kind).Columns() {
			assert.Containsf(t, strings.Split(header, ","), column, "the row of %s has no", kind)
		}
	}
}

func findFeed(kind string) ingest.Feed {
	feeds := allFeeds()
	return feeds[slices.IndexFunc(feeds, func(f ingest.Feed) bool { return f.Name() == kind })]
}

func decodeTable(kind, text string) (records []ingest.Record, err error) {
	err = ingest.Decode(strings.NewReader(text), ingest.Sink{Record: func(r ingest.Record) error {
		records = append(records, r)
		return nil
	}}, findFeed(kind))
	return records, err
}

func decodeOne(t *testing.T, kind string) any {
	t.Helper()
	records, err := decodeTable(kind, tables[kind])
	if err != nil || len(records) != 1 || len(records[0].Problems) > 0 {
		t.Fatalf("%v %+v", err, records)
	}
	return reflect.ValueOf(records[0].Row).Elem().Interface()
}

// The command line and messages list the tables in dependency order.
func TestTablesAreInOrder(t *testing.T) {
	const want = "groups users tins providers claims bills products clients participations exclusions rate_codes allowances " +
		"roster_sources roster_source_groups group_sources taxonomies provider_tins provider_details specialties offices " +
		"office_details licenses reason_codes jurisdiction_rules"
	assert.Equal(t, want, strings.Join(FeedTables(), " "))
}

func TestRowProblems(t *testing.T) {
	user := "first_name,last_name,email,type,status,group_id\n"
	provider := "provider_id,tin,type,first_name,last_name,facility_name,npi,zip,phone\n"
	for name, test := range map[string]struct {
		kind  string
		text  string
		want  string
		taken bool
	}{
		"empty":  {"groups", "group_id,name,kind\n1, ,PROVIDER\n", "error: line 2, name: is empty", false},
		"fields": {"groups", "group_id,name,kind\n1,x\n", "error: line 2: the row has 2 fields, but the header has 3", false},
		"number": {"groups", "group_id,name,kind\n0,x,PROVIDER\n", "line 2, group_id: must be a number between 1", false},
		"code":   {"groups", "group_id,name,kind\n1,x,CLUB\n", "line 2, kind: must be one of PROVIDER, NONNETWORK, ROSTER", false},
		"long": {"groups", "group_id,name,kind\n1," + strings.Repeat("x", 129) + ",PROVIDER\n",
			"line 2, name: has more than 128 characters", false},
		"bytes":   {"groups", "group_id,name,kind\n1,\xff,PROVIDER\n", "line 2, name: must be plain UTF-8 text", false},
		"control": {"groups", "group_id,name,kind\n1,a\x00b,PROVIDER\n", "line 2, name: must be plain UTF-8 text", false},
		"tin":     {"tins", "group_id,tin\n1,12345678\n", "line 2, tin: must be a 9-digit tax ID", false},
		"date": {"claims", "claim_number,claimant_first_name,claimant_last_name,claimant_birth_date,date_of_injury\nA,B,C," +
			"01.02.1980,2025-01-01\n", "line 2, claimant_birth_date: must be a date (YYYY-MM-DD", false},
		"money": {"bills", "tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges,eor\n" +
			"987654321,A,B,C,2026-01-05,1.234,x\n", "line 2, charges: must be an amount in dollars and cents", false},
		"flag": {"bills", "tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges,eor\n" +
			"987654321,A,B,C,2026-01-05,1,x\n", "line 2, eor: must be Y or N", false},
		"optional money": {"bills", "tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,charges," +
			"allowance\n987654321,A,B,C,2026-01-05,1,x\n", "line 2, allowance: must be an amount", false},
		"period": {"bills", "tin,bill_control_number,patient_first_name,patient_last_name,begin_service_date,end_service_date," +
			"charges\n987654321,A,B,C,2026-01-05,2026-01-01,1\n", "end_service_date is before begin_service_date", false},
		"email":           {"users", user + "A,B,Ada <a@example.com>,PRUS,ACTIV,1\n", "line 2, email: isn't an email address", false},
		"email, no dot":   {"users", user + "A,B,a@b,PRUS,ACTIV,1\n", "line 2, email: isn't an email address", false},
		"group needed":    {"users", user + "A,B,a@example.com,PRUS,ACTIV,\n", "group_id is required", false},
		"group forbidden": {"users", user + "A,B,a@example.com,ISAD,ACTIV,1\n", "group_id must be empty", false},
		"physician":       {"providers", provider + "1,987654321,P,,,Clinic,,,\n", "first_name and last_name are required", false},
		"facility":        {"providers", provider + "1,987654321,F,A,B,,,,\n", "facility_name is required", false},
		"provider id": {"providers", provider + "123456789,987654321,F,,,C,,,\n",
			"line 2, provider_id: must be a number of up to 8 digits", false},
		"zip":   {"providers", provider + "1,987654321,F,,,C,,123,\n", "line 2, zip: must be a ZIP code", false},
		"phone": {"providers", provider + "1,987654321,F,,,C,,,12\n", "line 2, phone: must be a phone number", false},
		"npi": {"providers", provider + "1,987654321,F,,,C,1234567890,,\n",
			"warning: line 2, npi: has an invalid NPI check digit", true},
		"npi, long": {"providers", provider + "1,987654321,F,,,C," + strings.Repeat("1", 81) + ",,\n",
			"line 2, npi: has more than 80", false},
	} {
		t.Run(name, func(t *testing.T) {
			records, err := decodeTable(test.kind, test.text)
			if err != nil || len(records) != 1 || (records[0].Row != nil) != test.taken {
				t.Fatalf("%v %+v", err, records)
			}
			assert.Contains(t, records[0].Problems[0].String(), test.want)
		})
	}
}

// A row of each table is imported once and is unchanged the second time.
func TestImportOfEachTable(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		taken := map[string]bool{}
		var feeds []ingest.Feed
		for _, f := range allFeeds() {
			feeds = append(feeds, f.WithImporter(func(_ context.Context, _ *sql.Tx, rows []any) ([]ingest.Outcome, error) {
				outcomes := make([]ingest.Outcome, len(rows))
				for i := range rows {
					outcomes[i] = ingest.Imported
					if taken[f.Name()] {
						outcomes[i] = ingest.Unchanged
					}
				}
				taken[f.Name()] = true
				return outcomes, nil
			}))
		}
		im := ingest.New(ingest.Deps{DB: d, Clock: time.Now, Order: dataOrder}, ingest.Settings{}, feeds...)
		for _, kind := range FeedTables() {
			path := filepath.Join(t.TempDir(), kind+".csv")
			require.NoError(t, os.WriteFile(path, []byte(tables[kind]), 0o600))
			report, err := im.Import(t.Context(), kind, path, ingest.Options{})
			if err != nil || report.Imported != 1 || report.ExitCode() != ingest.ExitAllImported {
				t.Errorf("%s: %v %+v", kind, err, report)
			}
			again, err := im.Import(t.Context(), kind, path, ingest.Options{Again: true})
			if err != nil || again.Unchanged != 1 {
				t.Errorf("%s again: %v %+v", kind, err, again)
			}
		}
	})
}
