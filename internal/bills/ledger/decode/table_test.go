package decode

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/ingest"
)

const fullTable = "tin,bill_control_number,document_id,patient_control_number,billing_id,claim_number,bill_type,frequency_code," +
	"patient_first_name,patient_middle_name,patient_last_name,patient_birth_date,patient_gender,begin_service_date,end_service_date," +
	"date_of_injury,state_of_jurisdiction,filing,physician_first_name,physician_middle_name,physician_last_name,physician_npi," +
	"facility_name,facility_npi,payer_id,payer_name,charges,allowance,bill_status,eor,pricing_sheet,paid_amount,paid_date,check_number\n" +
	"987654321,NET1,DOC1,PCN1,ADJ1,WC-77,I,7,Ada,M,Brook,1980-02-03,F,2026-01-05,2026-01-06,2025-12-24,PA,WC,Lee,K,Hand,1234567893," +
	"Lake Center,1234567893,P9,Steady Mutual,150.5,120,3,Y,n,100.25,2026-02-01,CHECK7\n"

func decodeTable(text string) ([]ingest.Record, error) {
	var d decoded
	err := ingest.Decode(strings.NewReader(text), collect(&d), NewTableFeed(nil))
	return d.records, err
}

func decodeRow(t *testing.T, text string) facts.Bill {
	t.Helper()
	records, err := decodeTable(text)
	if err != nil || len(records) != 1 || len(records[0].Problems) > 0 {
		t.Fatalf("%v %+v", err, records)
	}
	return toShown(records[0].Row).Bill
}

func TestTableFillsEveryField(t *testing.T) {
	got := decodeRow(t, fullTable)
	want := facts.Bill{Source: facts.SourceBill, FTIN: "987654321", BillControlNumber: "NET1", DocumentID: "DOC1",
		PatientControlNumber: "PCN1", BillingID: "ADJ1", ClaimNumber: "WC-77", BillType: "I", FrequencyCode: "7",
		PatientFirstName: "Ada", PatientMiddleName: "M",
		PatientLastName:  "Brook",
		PatientBirthDate: "1980-02-03", PatientGender: "F", BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-06",
		DateOfInjury:        "2025-12-24",
		StateOfJurisdiction: "PA", StateBasis: facts.StateGiven, Filing: "WC", PhysicianFirstName: "Lee", PhysicianMiddleName: "K",
		PhysicianLastName: "Hand", PhysicianNPI: "1234567893",
		FacilityName: "Lake Center", FacilityNPI: "1234567893", PayerID: "P9", PayerName: "Steady Mutual", BillCharges: 15050,
		RecommendedAllowance: cents(12000),
		BillStatus:           facts.StatusPaidCorrected, EOR: true, PaidAmount: cents(10025), PaidDate: "2026-02-01", CheckNumber: "CHECK7",
		OpenState: billstate.Short}
	assert.Equal(t, want, got)
}

// A row that differs in any column must be another fact. Otherwise, the change would be skipped
// as known. The TIN is stored next to the fact.
func TestEachColumnIdentifiesRow(t *testing.T) {
	head, line, _ := strings.Cut(strings.TrimSpace(fullTable), "\n")
	names, values := strings.Split(head, ","), strings.Split(line, ",")
	factOf := func(values []string) string {
		t.Helper()
		records, err := decodeTable(head + "\n" + strings.Join(values, ",") + "\n")
		if err != nil || len(records) != 1 || len(records[0].Problems) > 0 {
			t.Fatalf("%v %+v", err, records)
		}
		return records[0].Row.(*facts.Submission).Fact
	}
	// Columns that can't be empty, and columns with the same meaning when empty.
	otherValues := map[string]string{"bill_control_number": "NET2", "patient_first_name": "Eve", "patient_last_name": "Reed",
		"begin_service_date": "2026-01-04", "charges": "151", "pricing_sheet": "Y"}
	whole := factOf(values)
	for i, name := range names {
		if name == "tin" {
			continue
		}
		changed := slices.Clone(values)
		changed[i] = otherValues[name]
		if factOf(changed) == whole {
			t.Errorf("%s: %q and %q make one fact", name, values[i], changed[i])
		}
	}
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
			b := decodeRow(t, head+test.columns+"\n"+row+test.values+"\n")
			got := strings.Join([]string{b.BillType, b.FrequencyCode, b.BillStatus, b.DocumentID, b.PatientControlNumber,
				string(b.EndServiceDate)}, " ")
			assert.Equal(t, test.want, got)
		})
	}
}

// Impossible service dates reject a row, as they reject a claim.
func TestTableRefusesImpossibleDays(t *testing.T) {
	for day, want := range map[string]string{
		"1800-01-05": "error: line 2, begin_service_date: is before the year 1900",
		"2999-01-05": "error: line 2: a service date is more than 1 year in the future",
	} {
		records, err := decodeTable(strings.Replace(fullTable, "2026-01-05,2026-01-06", day+",2999-01-06", 1))
		if err != nil || len(records) != 1 || records[0].Row != nil || records[0].Problems[0].String() != want {
			t.Errorf("%s: %v %+v", day, err, records)
		}
	}
}

// No amount of a row can be negative.
func TestTableRefusesNegativeAmounts(t *testing.T) {
	for column, value := range map[string]string{"charges": "150.5", "allowance": "120", "paid_amount": "100.25"} {
		want := "error: line 2, " + column + ": must be 0 or more"
		records, err := decodeTable(strings.Replace(fullTable, ","+value+",", ",("+value+"),", 1))
		if err != nil || len(records) != 1 || len(records[0].Problems) != 1 || records[0].Problems[0].String() != want {
			t.Errorf("%s: %v %+v", column, err, records)
		}
	}
}
