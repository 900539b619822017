package decode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/x12/x12test"
)

// institutionalHead opens an institutional set, up to a patient who isn't the subscriber. The
// subscriber is the employer.
var institutionalHead = []string{
	"BHT*0019*00*1*20260102*0304*CH",
	"HL*1**20*1", "NM1*85*2*ERIE HOSPITAL*****XX*1234567893", "N4*ERIE*PA*16501", "REF*EI*987654321",
	"HL*2*1*22*1", "SBR*P********WC", "NM1*IL*2*MILL WORKS*****MI*POL", "N4*AKRON*OH*44301", "REF*Y4*EMPLOYER",
	"NM1*PR*2*STEADY MUTUAL*****PI*P9",
	"HL*3*2*23*0", "PAT*20", "NM1*QC*1*REED*JON*Q", "DMG*D8*19750809*M", "REF*Y4*WC-88",
}

// shown is the bill derived from one decoded record, with the details for documents.
type shown struct {
	facts.Bill
	Detail facts.Detail
}

func toShown(row any) *shown {
	var f matching.BillGroup
	var detail facts.Detail
	switch row := row.(type) {
	case *facts.Submission:
		f.Submissions, detail = []*facts.Submission{row}, row.Detail
	case *facts.Payment:
		f.Payments = []*facts.Payment{row}
		detail = row.ToDetail()
	default:
		return nil
	}
	list, _ := derive.Bills(f)
	c := list[0]
	b := c.Bill
	b.BillControlNumber, b.Anchor, b.Fact = c.Number, "", ""
	return &shown{b, detail}
}

func decodeBills(t *testing.T, guide string, segments ...string) (decoded, []*shown) {
	t.Helper()
	d, err := decodeText(x12test.Interchange(guide, x12test.Set("837", guide, segments...)))
	require.NoError(t, err)
	var bills []*shown
	for _, r := range d.records {
		bills = append(bills, toShown(r.Row))
	}
	return d, bills
}

// oneBill decodes the only bill of a set and fails the test if it has any problem.
func oneBill(t *testing.T, guide string, segments ...string) *shown {
	t.Helper()
	d, bills := decodeBills(t, guide, segments...)
	if len(bills) != 1 || bills[0] == nil || len(d.records[0].Problems) > 0 || len(d.notes) > 0 {
		t.Fatalf("records %+v, notes %v", d.records, d.notes)
	}
	return bills[0]
}

var fullProfessional = slices.Concat(x12test.ProfessionalHead, []string{
	"CLM*PCN-1*150.5***11:B:1*Y*A*Y*Y**AA:::OH", "DTP*439*D8*20251224",
	"REF*9A*NET123", "REF*9C*ADJ9", "REF*D9*DOC456", "REF*F8*OLD1",
	"REF*G1*AUTH7", "PWK*OZ*FX***AC*PAPER1", "PWK*77*BM",
	"HI*ABK:M5416*ABF:S335XXA", "HI*ABF:M5416", "HCP*03*120.25*30.25*999888777*1.5*********POL1*2",
	"NM1*DN*1*REFERRER*RAY****XX*1234567893", "REF*LU*IGNORED",
	"NM1*82*1*HAND*LEE*K***XX*1234567893",
	"NM1*77*2*LAKE SURGERY CENTER*****XX*1234567893", "N4*ERIE*NY*16501",
	// Another payer's loops must not change the bill.
	"SBR*S*18*******CI", "OI***Y***Y", "NM1*IL*1*OTHER*PERSON****MI*2", "NM1*PR*2*OTHER PAYER*****PI*X", "DTP*573*D8*20260101",
	"REF*F8*THEIRS",
	"LX*1", "SV1*HC:97110:GP:59:::THERAPEUTIC EXERCISE*100*UN*2***1", "PWK*B4*EL***AC*PAPER2", "DTP*472*RD8*20260105-20260107",
	"REF*6R*LINE1", "REF*G1*OF-THE-LINE",
	"HCP*03*80.25*19.75**85.5*********POL2*3", "LIN**N4*1", "REF*6R*OF-THE-DRUG",
	"LX*2", "SV1*HC:97140*50.5*UN*1*12**1", "DTP*472*D8*20260103", "NM1*82*1*OTHER*HAND****XX*1234567893", "HCP*03*40",
})

func TestProfessionalClaim(t *testing.T) {
	got := oneBill(t, "005010X222A1", fullProfessional...)
	want := &shown{Bill: facts.Bill{
		Source: facts.SourceBill,
		FTIN:   "987654321", BillControlNumber: "NET123", DocumentID: "DOC456", PatientControlNumber: "PCN-1", BillingID: "ADJ9",
		ClaimNumber: "WC-77", BillType: "P", FrequencyCode: "1",
		PatientFirstName: "ADA", PatientMiddleName: "M", PatientLastName: "BROOK", PatientBirthDate: "1980-02-03", PatientGender: "F",
		BeginServiceDate: "2026-01-03", EndServiceDate: "2026-01-07", DateOfInjury: "2025-12-24", StateOfJurisdiction: "OH",
		StateBasis: facts.StateGiven, Filing: "WC",
		PhysicianFirstName: "LEE", PhysicianMiddleName: "K", PhysicianLastName: "HAND", PhysicianNPI: "1234567893",
		FacilityName: "LAKE SURGERY CENTER", FacilityNPI: "1234567893",
		PayerID: "P9", PayerName: "STEADY MUTUAL", BillCharges: 15050, RecommendedAllowance: cents(12025), RepricingMethod: "03",
		BillStatus: facts.StatusPriced, EOR: true,
		ReceivedOn: "2026-01-02", ReceivedBasis: facts.ReceivedWithFile, OpenState: billstate.Priced,
	},
		Detail: facts.Detail{BillingName: "LAKE ORTHOPEDICS", BillingNPI: "1234567893", RepricerID: "999888777", PlaceOfService: "11",
			Diagnoses:     []string{"M5416", "S335XXA"},
			Authorization: "AUTH7", Attachments: []facts.Attachment{{Report: "OZ", Sent: "FX", Control: "PAPER1"},
				{Report: "77", Sent: "BM", Control: ""}},
			Pricing: facts.Pricing{Savings: cents(3025), Rate: "1.5", Policy: "POL1", Exception: "2"},
			Lines: []facts.Line{
				{Number: 1, Procedure: "97110", Qualifier: "HC", Modifiers: []string{"GP", "59"}, Description: "THERAPEUTIC EXERCISE",
					Charge: 10000,
					Units:  "2", UnitBasis: "UN", PlaceOfService: "11", BeginDate: "2026-01-05", EndDate: "2026-01-07",
					Allowance: cents(8025), RepricingMethod: "03",
					Control: "LINE1", Attachments: []facts.Attachment{{Report: "B4", Sent: "EL", Control: "PAPER2"}},
					Pricing: facts.Pricing{Savings: cents(1975), Rate: "85.5", Policy: "POL2", Exception: "3"}},
				// The HCP after the line's provider belongs to another loop.
				{Number: 2, Procedure: "97140", Qualifier: "HC", Charge: 5050, Units: "1", UnitBasis: "UN", PlaceOfService: "12",
					BeginDate: "2026-01-03", EndDate: "2026-01-03"},
			}},
	}
	assert.Equal(t, want, got)
}

var fullInstitutional = slices.Concat(institutionalHead, []string{
	"CLM*HOSP-1*300***13:A:7**A*Y*Y", "DTP*434*RD8*20260105-20260109", "DTP*435*DT*202601050800", "CL1*1*1*01", "PWK*DS*BM", "REF*G1*AUTH8",
	"REF*F8*NET55",
	"HI*ABK:S72001A", "HI*APR:S72001A", "HI*BH:04:D8:20260104*BH:11:D8:20251201", "HI*BE:01:::100",
	"NM1*71*1*BONE*AMY****XX*1234567893", "NM1*82*1*SECOND*BEN****XX*1234567893",
	"LX*1", "SV2*0450*HC:99283:25*200*UN*1", "PWK*B4*EL", "DTP*472*D8*20260105", "REF*6R*H1", "HCP*02*150*50",
	"LX*2", "SV2*0300**100*UN*3", "HCP*02*60.5",
})

func TestInstitutionalClaim(t *testing.T) {
	got := oneBill(t, "005010X223A2", fullInstitutional...)
	want := &shown{Bill: facts.Bill{
		Source: facts.SourceBill,
		FTIN:   "987654321", BillControlNumber: "NET55", DocumentID: "HOSP-1", PatientControlNumber: "HOSP-1",
		ClaimNumber: "WC-88", BillType: "I", FrequencyCode: "7",
		PatientFirstName: "JON", PatientMiddleName: "Q", PatientLastName: "REED", PatientBirthDate: "1975-08-09", PatientGender: "M",
		BeginServiceDate: "2026-01-05", EndServiceDate: "2026-01-09", DateOfInjury: "2026-01-04", StateOfJurisdiction: "OH",
		StateBasis: facts.StateEmployer, Filing: "WC",
		PhysicianFirstName: "AMY", PhysicianLastName: "BONE", PhysicianNPI: "1234567893",
		FacilityName: "ERIE HOSPITAL", FacilityNPI: "1234567893",
		PayerID: "P9", PayerName: "STEADY MUTUAL", BillCharges: 30000, RecommendedAllowance: cents(21050), RepricingMethod: "02",
		BillStatus: facts.StatusPriced, EOR: true,
		ReceivedOn: "2026-01-02", ReceivedBasis: facts.ReceivedWithFile, OpenState: billstate.Priced,
	},
		Detail: facts.Detail{BillingName: "ERIE HOSPITAL", BillingNPI: "1234567893", PlaceOfService: "13", Diagnoses: []string{"S72001A"},
			Authorization: "AUTH8", Attachments: []facts.Attachment{{Report: "DS", Sent: "BM"}},
			Lines: []facts.Line{
				{Number: 1, Revenue: "0450", Procedure: "99283", Qualifier: "HC", Modifiers: []string{"25"}, Charge: 20000, Units: "1",
					UnitBasis: "UN",
					BeginDate: "2026-01-05", EndDate: "2026-01-05", Allowance: cents(15000), RepricingMethod: "02",
					Control: "H1", Attachments: []facts.Attachment{{Report: "B4", Sent: "EL"}},
					Pricing: facts.Pricing{Savings: cents(5000)}},
				{Number: 2, Revenue: "0300", Charge: 10000, Units: "3", UnitBasis: "UN", Allowance: cents(6050), RepricingMethod: "02"},
			}},
	}
	assert.Equal(t, want, got)
}

// replaced returns the header with one segment replaced, or removed if by is "". It finds the
// segment by its prefix.
func replaced(head []string, beginning string, by ...string) []string {
	i := slices.IndexFunc(head, func(s string) bool { return strings.HasPrefix(s, beginning) })
	if by[0] == "" {
		return slices.Concat(head[:i], head[i+1:])
	}
	return slices.Concat(head[:i], by, head[i+1:])
}

func TestClaimRules(t *testing.T) {
	const p, i = "005010X222A1", "005010X223A2"
	for name, test := range map[string]struct {
		guide    string
		segments []string
		got      func(*shown) any
		want     any
	}{
		"a tax ID may be a person's number": {p, slices.Concat(replaced(x12test.ProfessionalHead, "REF*EI", "REF*SY*123456789"),
			x12test.ProfessionalClaim("A")),
			func(b *shown) any { return b.FTIN }, "123456789"},
		"4010 names the tax ID in NM1": {"004010X098A1", slices.Concat(replaced(replaced(x12test.ProfessionalHead, "REF*EI", ""), "NM1*85",
			"NM1*85*2*LAKE*****24*555667777"), x12test.ProfessionalClaim("A")),
			func(b *shown) any { return b.FTIN }, "555667777"},
		"4010 names it in REF*EI beside an NPI": {"004010X098A1", slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A")),
			func(b *shown) any { return b.FTIN }, "987654321"},
		"the pay-to plan's tax ID is not the provider's": {p, slices.Concat(x12test.ProfessionalHead[:9],
			[]string{"NM1*PE*2*PLAN*****PI*1", "REF*EI*111111111"}, x12test.ProfessionalHead[9:], x12test.ProfessionalClaim("A")),
			func(b *shown) any { return b.FTIN }, "987654321"},
		"without other numbers the patient control number names the bill": {p,
			slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A-1")),
			func(b *shown) any { return b.BillControlNumber + " " + b.DocumentID }, "A-1 A-1"},
		"the clearinghouse's number is next": {p, slices.Concat(x12test.ProfessionalHead, []string{"CLM*A-1*100***11:B:1", "REF*D9*CH1"},
			x12test.ProfessionalClaim("")[1:]),
			func(b *shown) any { return b.BillControlNumber + " " + b.DocumentID }, "CH1 CH1"},
		"a bill nobody priced has no allowance": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A")),
			func(b *shown) any {
				return fmt.Sprint(b.RecommendedAllowance == nil, b.BillStatus, b.EOR, b.PricingSheet)
			}, "true1false false"},
		"an allowance of zero is one": {p, slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1", "HCP*03*0"},
			x12test.ProfessionalClaim("")[1:]),
			func(b *shown) any { return fmt.Sprint(*b.RecommendedAllowance, b.BillStatus, b.EOR) }, "02true"},
		"what the network refused to price recommends nothing": {p,
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1", "HCP*00*0**999*********T1"},
				x12test.ProfessionalClaim("")[1:]),
			func(b *shown) any {
				return fmt.Sprint(b.RecommendedAllowance == nil, b.BillStatus, b.EOR, b.Detail.RejectReason)
			}, "true1trueT1"},
		"without an amount of the claim, its lines recommend": {p,
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1", "HCP*03***999"},
				x12test.ProfessionalClaim("")[1:], []string{"HCP*03*80"}),
			func(b *shown) any {
				return fmt.Sprint(b.RecommendedAllowance != nil && *b.RecommendedAllowance == 8000, b.BillStatus)
			}, "true2"},
		"lines of which one has no amount recommend nothing": {p,
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*1100***11:B:1", "HCP*03***999"}, x12test.ProfessionalClaim("")[1:],
				[]string{"HCP*03", "LX*2", "SV1*HC:99213*1000*UN*1***1", "DTP*472*D8*20260105", "HCP*03*80"}),
			func(b *shown) any { return fmt.Sprint(b.RecommendedAllowance == nil, b.BillStatus) }, "true1"},
		"lines of which only the last ones have an amount recommend nothing": {p,
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*1100***11:B:1"}, x12test.ProfessionalClaim("")[1:],
				[]string{"LX*2", "SV1*HC:99213*1000*UN*1***1", "DTP*472*D8*20260105", "HCP*03*80"}),
			func(b *shown) any { return fmt.Sprint(b.RecommendedAllowance == nil, b.BillStatus) }, "true1"},
		"lines without a charge need no amount": {p,
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1", "HCP*03***999"}, x12test.ProfessionalClaim("")[1:],
				[]string{"HCP*03*80", "LX*2", "SV1*HC:99213*0*UN*1***1", "DTP*472*D8*20260105"}),
			func(b *shown) any {
				return fmt.Sprint(b.RecommendedAllowance != nil && *b.RecommendedAllowance == 8000, b.BillStatus)
			}, "true2"},
		"what the network refused to price recommends nothing by lines": {p,
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1", "HCP*00*0**999*********T1"},
				x12test.ProfessionalClaim("")[1:], []string{"HCP*03*80"}),
			func(b *shown) any { return fmt.Sprint(b.RecommendedAllowance == nil, b.BillStatus) }, "true1"},
		"reported and priced makes a pricing sheet": {p, slices.Concat(replaced(x12test.ProfessionalHead, "BHT",
			"BHT*0019*00*1*20260102*0304*RP"), []string{"CLM*A*100***11:B:1", "HCP*03*90"}, x12test.ProfessionalClaim("")[1:]),
			func(b *shown) any { return fmt.Sprint(b.PricingSheet) }, "true"},
		"reported without prices makes none": {p, slices.Concat(replaced(x12test.ProfessionalHead, "BHT", "BHT*0019*00*1*20260102*0304*RP"),
			x12test.ProfessionalClaim("A")),
			func(b *shown) any { return fmt.Sprint(b.PricingSheet) }, "false"},
		"a void": {p, slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:8", "HCP*03*90"},
			x12test.ProfessionalClaim("")[1:]),
			func(b *shown) any { return b.FrequencyCode + b.BillStatus }, "89"},
		"the physician of a line stands in": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A"),
			[]string{"NM1*82*1*LINE*DOC****XX*1234567893"}),
			func(b *shown) any { return b.PhysicianLastName }, "LINE"},
		"a billing person treats and has no facility": {p, slices.Concat(replaced(x12test.ProfessionalHead, "NM1*85",
			"NM1*85*1*SOLO*SUE*T***XX*1234567893"), x12test.ProfessionalClaim("A")),
			func(b *shown) any {
				return b.PhysicianFirstName + b.PhysicianMiddleName + b.PhysicianLastName + "/" + b.FacilityName + "/" +
					b.Detail.BillingName
			}, "SUETSOLO//SUE SOLO"},
		"an organisation that renders is no physician": {p, slices.Concat(x12test.ProfessionalHead,
			[]string{"CLM*A*100***11:B:1", "NM1*82*2*GROUP*****XX*1234567893"}, x12test.ProfessionalClaim("")[1:]),
			func(b *shown) any { return b.PhysicianLastName }, ""},
		"the place of an auto accident": {i, slices.Concat(institutionalHead,
			[]string{"CLM*A*5***13:A:1", "DTP*434*D8*20260101", "REF*LU*MI", "LX*1", "SV2*0300**5*UN*1"}),
			func(b *shown) any { return b.StateOfJurisdiction + b.StateBasis }, "MI" + facts.StateGiven},
		"without it and an employer the state where care was given": {p,
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1", "NM1*77*2*FAR CLINIC", "N4*RENO*NV*89501"},
				x12test.ProfessionalClaim("")[1:]),
			func(b *shown) any { return b.StateOfJurisdiction + b.StateBasis }, "NV" + facts.StateCare},
		"the kind of insurance is that of the subscriber before": {p,
			slices.Concat(replaced(x12test.ProfessionalHead, "SBR", "SBR*P*18*******AM"), x12test.ProfessionalClaim("A")),
			func(b *shown) any { return b.Filing }, "AM"},
		"another subscriber has one of its own": {p, slices.Concat(x12test.ProfessionalHead,
			[]string{"HL*3*1*22*0", "NM1*IL*1*BROOK*ADA*M***MI*M1"}, x12test.ProfessionalClaim("A")),
			func(b *shown) any { return b.Filing }, ""},
		"the claim number of the subscriber serves the patient": {i,
			slices.Concat(institutionalHead[:15], []string{"CLM*A*5***13:A:1", "DTP*434*D8*20260101", "LX*1", "SV2*0300**5*UN*1"}),
			func(b *shown) any { return b.ClaimNumber }, "EMPLOYER"},
		"4010 dates the claim instead of its lines": {"004010X098A1",
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1", "DTP*472*D8*20260102", "LX*1", "SV1*HC:99213*100*UN*1"}),
			func(b *shown) any { return string(b.BeginServiceDate + b.EndServiceDate) }, "2026-01-022026-01-02"},
		"a statement with a time": {i, slices.Concat(institutionalHead,
			[]string{"CLM*A*5***13:A:1", "DTP*434*DT*202601050800", "LX*1", "SV2*0300**5*UN*1"}),
			func(b *shown) any { return b.BeginServiceDate }, date.Date("2026-01-05")},
		"a dental claim has procedures of its own": {"005010X224A2", slices.Concat(x12test.ProfessionalHead, []string{
			"CLM*A*130***11:B:1", "DTP*472*D8*20260105", "NM1*82*1*TOOTH*TIM****XX*1234567893",
			"LX*1", "SV3*AD:D2150:::::two surfaces*100****1", "TOO*JP*12*L:O", "LX*2", "SV3*AD:D0120*30*22***2"}),
			func(b *shown) any {
				text := fmt.Sprint(b.BillType, b.BeginServiceDate, " ", b.PhysicianLastName)
				for _, l := range b.Detail.Lines {
					text += fmt.Sprint(" ", l.Qualifier, l.Procedure, l.Description, " ", l.Charge, l.UnitBasis, l.Units, " ",
						l.PlaceOfService)
				}
				return text
			}, "P2026-01-05 TOOTH ADD2150two surfaces 10000UN1 11 ADD0120 3000UN2 22"},
		"a dental claim of 4010": {"004010X097A1", slices.Concat(x12test.ProfessionalHead,
			[]string{"CLM*A*30***11:B:1", "LX*1", "SV3*AD:D0120*30", "DTP*472*D8*20260105"}),
			func(b *shown) any {
				return fmt.Sprint(b.Detail.Lines[0].Charge, b.Detail.Lines[0].Units, b.BeginServiceDate)
			}, "300012026-01-05"},
		"a dental claim says what stands beside it": {"005010X224A2",
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*30***11:B:1", "PWK*RB*EL***AC*XRAY", "REF*G1*AUTH",
				"HCP*03*20*10**1", "LX*1", "SV3*AD:D0120*30", "DTP*472*D8*20260105", "REF*6R*L1", "HCP*03*20*10"}), extras,
			"AUTH RB EL XRAY 1000 1 L1 1000"},
		"a claim of 4010 says what stands beside it": {"004010X098A1",
			slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*30***11:B:1", "PWK*RB*EL***AC*XRAY", "REF*G1*AUTH",
				"HCP*03*20*10**1", "LX*1", "SV1*HC:99213*30*UN*1", "DTP*472*D8*20260105", "REF*6R*L1", "HCP*03*20*10"}), extras,
			"AUTH RB EL XRAY 1000 1 L1 1000"},
		"an institutional claim of 4010 too": {"004010X096A1", slices.Concat(institutionalHead,
			[]string{"CLM*A*30***13:A:1", "DTP*434*D8*20260105", "PWK*RB*EL***AC*XRAY", "REF*G1*AUTH",
				"HCP*03*20*10**1", "LX*1", "SV2*0300**30*UN*1", "REF*6R*L1", "HCP*03*20*10"}), extras, "AUTH RB EL XRAY 1000 1 L1 1000"},
		"a dental claim of 4010 too": {"004010X097A1", slices.Concat(x12test.ProfessionalHead,
			[]string{"CLM*A*30***11:B:1", "PWK*RB*EL***AC*XRAY", "REF*G1*AUTH",
				"HCP*03*20*10**1", "LX*1", "SV3*AD:D0120*30", "DTP*472*D8*20260105", "REF*6R*L1", "HCP*03*20*10"}), extras,
			"AUTH RB EL XRAY 1000 1 L1 1000"},
		"at most ten attachments are kept": {p, slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1"},
			slices.Repeat([]string{"PWK*OZ*FX"}, 11), x12test.ProfessionalClaim("")[1:]),
			func(b *shown) any { return len(b.Detail.Attachments) }, 10},
		"names are trimmed and NFC": {p, slices.Concat(replaced(x12test.ProfessionalHead, "NM1*IL", "NM1*IL*1*  GARCI\u0301A   LOPEZ *ADA"),
			x12test.ProfessionalClaim("A")),
			func(b *shown) any { return b.PatientLastName }, "GARC\u00cdA LOPEZ"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.got(oneBill(t, test.guide, test.segments...)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// extras returns the fields of a claim with one line, in addition to its price.
func extras(b *shown) any {
	d := b.Detail
	l, a := d.Lines[0], d.Attachments[0]
	return fmt.Sprint(d.Authorization, " ", a.Report, " ", a.Sent, " ", a.Control, " ", *d.Pricing.Savings, " ", d.Pricing.Rate, " ",
		l.Control, " ", *l.Pricing.Savings)
}

func TestClaimProblems(t *testing.T) {
	const p, i = "005010X222A1", "005010X223A2"
	line := x12test.ProfessionalClaim("")[1:]
	for name, test := range map[string]struct {
		guide    string
		segments []string
		want     string // the problem
		taken    bool
	}{
		"no tax ID": {p, slices.Concat(replaced(x12test.ProfessionalHead, "REF*EI", ""), x12test.ProfessionalClaim("A")),
			"error: segment 9, loop 2010AA, NM1: the billing provider's tax ID is missing", false},
		"no provider": {p, slices.Concat(x12test.ProfessionalHead[:4], x12test.ProfessionalHead[9:], x12test.ProfessionalClaim("A")),
			"loop 2010AA, CLM: the billing provider's tax ID is missing", false},
		"bad tax ID": {p, slices.Concat(replaced(x12test.ProfessionalHead, "REF*EI", "REF*EI*12345"), x12test.ProfessionalClaim("A")),
			"loop 2010AA, NM1: the billing provider's tax ID must have 9 digits", false},
		"no patient": {p, slices.Concat(replaced(x12test.ProfessionalHead, "NM1*IL", ""), x12test.ProfessionalClaim("A")),
			"loop 2010BA, CLM: the patient's last name is missing", false},
		"patient level without name": {i, slices.Concat(institutionalHead[:12],
			[]string{"CLM*A*5***13:A:1", "DTP*434*D8*20260101", "LX*1", "SV2*0300**5*UN*1"}),
			"the patient's last name is missing", false},
		"no charge": {p, slices.Concat(x12test.ProfessionalHead, []string{"CLM*A****11:B:1"}, line),
			"loop 2300, CLM02: the charge must be an amount in dollars and cents", false},
		"no number": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("")),
			"loop 2300, CLM01: the patient control number is missing", false},
		"no date": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A")[:3]),
			"loop 2300, CLM: the service date is missing", false},
		"bad date": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A")[:3],
			[]string{"DTP*472*D8*20260231"}), "loop 2400, DTP03: isn't a date", false},
		"backward period": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A")[:3],
			[]string{"DTP*472*RD8*20260109-20260105"}), "loop 2400, DTP03: is a period that ends before it begins", false},
		"strange date format": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A")[:3],
			[]string{"DTP*472*D6*260109"}), "loop 2400, DTP03: has a date format other than", false},
		"bad allowance": {p, slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1", "HCP*03*x"}, line),
			"loop 2300, HCP02: the allowed amount must be an amount", false},
		"bad line charge": {p, slices.Concat(x12test.ProfessionalHead,
			[]string{"CLM*A*100***11:B:1", "LX*1", "SV1*HC:1*1e2*UN*1", "DTP*472*D8*20260105"}),
			"loop 2400, SV102: the line's charge must be an amount", false},
		"lines beyond the limit": {p, slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*99900***11:B:1"}, slices.Repeat(line, 1001)),
			"loop 2400, LX: exceeds the limit of 999 service lines", false},
		"sum of lines": {p, slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*101***11:B:1"}, line),
			"warning: segment 20, loop 2300, CLM02: the charge isn't the sum", true},
		"no lines": {i, slices.Concat(institutionalHead, []string{"CLM*A*5***13:A:1", "DTP*434*D8*20260101"}),
			"warning: segment 20, loop 2300, CLM: the service lines are missing", true},
		"NPI of the physician": {p, slices.Concat(x12test.ProfessionalHead,
			[]string{"CLM*A*100***11:B:1", "NM1*82*1*HAND*LEE****XX*1234567890"}, line),
			"warning: segment 21, loop 2310B, NM109: the NPI fails its check digit", true},
		"birth date": {p, slices.Concat(replaced(x12test.ProfessionalHead, "DMG", "DMG*D8*19801350*F"),
			x12test.ProfessionalClaim("A")), "warning: segment 15, loop 2010BA, DMG02: the birth date isn't a date", true},
		"long control number": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A2345678901234567890123")),
			"more than 22 characters", true},
		"a year before 1900": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A")[:3],
			[]string{"DTP*472*D8*18000105"}), "error: segment 23, loop 2400, DTP03: is before the year 1900", false},
		"a year to come": {p, slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A")[:3],
			[]string{"DTP*472*D8*29990105"}), "error: segment 23, loop 2400, DTP03: is more than 1 year in the future", false},
		"a period into the year 2999": {i, slices.Concat(institutionalHead,
			[]string{"CLM*A*5***13:A:1", "DTP*434*RD8*20260101-29990101", "LX*1", "SV2*0300**5*UN*1"}),
			"loop 2300, DTP03: is more than 1 year in the future", false},
		"an injury before 1900": {p, slices.Concat(x12test.ProfessionalHead, []string{"CLM*A*100***11:B:1", "DTP*439*D8*18991231"}, line),
			"loop 2300, DTP03: is before the year 1900", false},
		"a dental line of a hospital": {i, slices.Concat(institutionalHead,
			[]string{"CLM*A*5***13:A:1", "DTP*434*D8*20260101", "LX*1", "SV3*AD:D0120*5"}),
			"error: segment 23, loop 2400, SV3: isn't a line of this guide, which has SV2", false},
		"a hospital's line of a physician": {p, slices.Concat(x12test.ProfessionalHead,
			[]string{"CLM*A*5***11:B:1", "LX*1", "SV2*0300**5*UN*1", "DTP*472*D8*20260105"}),
			"error: segment 22, loop 2400, SV2: isn't a line of this guide, which has SV1", false},
		"a line without a service": {p, slices.Concat(x12test.ProfessionalHead,
			[]string{"CLM*A*5***11:B:1", "LX*1", "DTP*472*D8*20260105"}),
			"error: segment 21, loop 2400, LX: has no SV1 behind it, and so no charge", false},
		"bad occurrence": {i, slices.Concat(institutionalHead, []string{"CLM*A*5***13:A:1", "DTP*434*D8*20260101", "HI*BH:04:D8:99", "LX*1",
			"SV2*0300**5*UN*1"}), "warning: segment 22, loop 2300, HI01: the occurrence isn't a date", true},
	} {
		t.Run(name, func(t *testing.T) {
			d, bills := decodeBills(t, test.guide, test.segments...)
			if len(bills) != 1 || (bills[0] != nil) != test.taken {
				t.Fatalf("records %+v", d.records)
			}
			for _, p := range d.records[0].Problems {
				if strings.Contains(p.String(), test.want) {
					return
				}
			}
			t.Errorf("problems %v lack %q", d.records[0].Problems, test.want)
		})
	}
}

// A problem with the billing provider is reported once, not for each claim.
func TestProviderProblemsAreReportedOnce(t *testing.T) {
	d, bills := decodeBills(t, "005010X222A1", slices.Concat(
		replaced(x12test.ProfessionalHead, "NM1*85", "NM1*85*2*LAKE*****XX*1234567890"), x12test.ProfessionalClaim("A"),
		x12test.ProfessionalClaim("B"))...)
	if len(bills) != 2 || len(d.notes) != 1 || len(d.records[0].Problems)+len(d.records[1].Problems) != 0 {
		t.Fatalf("%d bills, notes %v, %+v", len(bills), d.notes, d.records)
	}
	if got, want := d.notes[0].String(), "warning: segment 9, loop 2010AA, NM109: the NPI fails its check digit"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// One patient's data must not be used for the next level.
func TestLevelsAreApart(t *testing.T) {
	_, bills := decodeBills(t, "005010X222A1", slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A"),
		[]string{"HL*3*1*22*1", "SBR*P********WC", "NM1*IL*2*MILL*****MI*9", "NM1*PR*2*OTHER MUTUAL*****PI*P8",
			"HL*4*3*23*0", "PAT*20", "NM1*QC*1*REED*JON", "DMG*D8*19750809*M"}, x12test.ProfessionalClaim("B"),
		[]string{"HL*5*3*23*0", "PAT*20", "NM1*QC*1*FERN*KIM"}, x12test.ProfessionalClaim("C"), x12test.ProfessionalClaim("D"),
		[]string{"HL*6**20*1", "NM1*85*1*SOLO*SUE", "REF*EI*222333444", "HL*7*6*22*0", "SBR*P*18", "NM1*IL*1*POND*LIV"},
		x12test.ProfessionalClaim("E"))...)
	var got []string
	for _, b := range bills {
		got = append(got, strings.Join([]string{b.PatientControlNumber, b.FTIN, b.PatientLastName, string(b.PatientBirthDate),
			b.ClaimNumber, b.PayerID}, " "))
	}
	want := []string{
		"A 987654321 BROOK 1980-02-03 WC-77 P9", "B 987654321 REED 1975-08-09  P8", "C 987654321 FERN   P8", "D 987654321 FERN   P8",
		"E 222333444 POND   ",
	}
	assert.Equal(t, want, got)
}

func TestOtherSetsAreReportedAndPassedOver(t *testing.T) {
	for _, other := range []string{
		x12test.Set("837", "005010X298", x12test.ProfessionalHead...), x12test.Set("837", "005010", x12test.ProfessionalHead...),
		x12test.Set("277", "005010X214", "BHT*0085*08*1*20260101*1200*TH"),
	} {
		d, err := decodeText(x12test.Interchange("005010X222A1", other,
			x12test.Set("837", "005010X222A1", slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A"))...)))
		if err != nil || len(d.records) != 1 || d.records[0].Row == nil || len(d.notTaken) != 1 || d.notTaken[0].Segment != 3 {
			t.Errorf("%v: %+v", err, d)
		}
	}
}

// A set that yields no claims without a problem may have lost all of its content.
func TestEmptySetsAreReported(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"no claims": {x12test.Interchange("005010X222A1", x12test.Set("837", "005010X222A1", x12test.ProfessionalHead...)),
			"error: segment 3, ST: no data found in this transaction set"},
		"no payments": {x12test.Interchange("005010X221A1", x12test.Set("835", "005010X221A1", "BPR*I*0*C*NON", "TRN*1*CHECK7*1512345678")),
			"no data found in this transaction set"},
	} {
		d, err := decodeText(test.text)
		if err != nil || len(d.notTaken) != 1 || !strings.Contains(d.notTaken[0].String(), test.want) {
			t.Errorf("%s: %v, %v", name, err, d.notTaken)
		}
	}
}

// A claim with a misspelled segment name is lost, so the report must mention it.
func TestSegmentsOfOtherNamesAreReported(t *testing.T) {
	d, err := decodeText(x12test.Interchange("005010X222A1", x12test.Set("837", "005010X222A1",
		slices.Concat(x12test.ProfessionalHead, x12test.ProfessionalClaim("A"),
			[]string{"CML*B*100***11:B:1", "SVC*HC:99213*100", "ZZ9*1"})...)))
	if err != nil || len(d.records) != 1 || len(d.unknown) != 3 ||
		d.unknown[0].String() != "error: segment 24, CML: an 837 doesn't have this segment, so it was skipped" {
		t.Errorf("%v, %+v", err, d)
	}
	assert.NotContains(t, fmt.Sprint(d.unknown), "99213")
}

func cents(n int64) *int64 { return &n }
