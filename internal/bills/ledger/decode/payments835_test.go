package decode

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/x12/x12test"
)

// remittance is one decoded payment and the bill derived from it alone.
type remittance struct {
	Payment facts.Payment
	Bill    shown
}

func paymentFile(segments []string) string {
	return x12test.Interchange("005010X221A1", x12test.Set("835", "005010X221A1", segments...))
}

func decodeRemittances(t *testing.T, segments ...string) (decoded, []*remittance) {
	t.Helper()
	d, err := decodeText(paymentFile(segments))
	require.NoError(t, err)
	var payments []*remittance
	for _, r := range d.records {
		row, _ := r.Row.(*facts.Remitted)
		switch {
		case row == nil:
			payments = append(payments, nil)
		case row.Payment != nil:
			payments = append(payments, &remittance{*row.Payment, *toShown(row.Payment)})
		}
	}
	return d, payments
}

var fullPayment = slices.Concat(replaced(replaced(x12test.PaymentHead, "BPR", "BPR*I*-6.5*C*ACH*CCP***********20260201"), "REF*2U",
	"REF*2U*P9",
	"PER*CX*ANN ADJUSTER*TE*5550100001*EX*7*FX*5550100009", "PER*BL**TE*5550100002", "PER*IC**UR*steady.example", "PER*ZZ**TE*5550100003"),
	[]string{
		"CLP*PCN-1*1*150.5*80*20.5*WC*ICN1*11*1", "CAS*CO*45*30*1*96*0*2", "NM1*QC*1*BROOK*ADA*M", "NM1*IL*1*OTHER",
		"NM1*82*1*HAND*LEE*K***XX*1234567893",
		"MIA*0****N1***************N2*N3**N4", "MOA***M1*M2***M3",
		"REF*9A*NET123", "REF*F8*OLD9", "REF*CE*PPO", "DTM*232*20260105", "DTM*233*20260106", "DTM*050*20260110",
		"PER*CX**TE*5550100004*EX*8*UR*claims.example", "AMT*I*2.5", "AMT*AU*140", "AMT*D8*1",
		"SVC*HC:97110:GP*100.5*50*0420*2*HC:97530:59:GO*3", "DTM*150*20260105", "DTM*151*20260108", "CAS*CO*45*20*1*97*10*1",
		"CAS*PR*1*20.5",
		"REF*6R*LINE1", "REF*0K*RULE9", "AMT*B6*70.5", "AMT*KH*-1.5", "LQ*HE*N362", "LQ*RX*70", "LQ*ZZ*1",
		"SVC*NU:0300*50*30", "DTM*472*20260104", "CAS*PR*3*-10",
		"CLP*PCN-1*22*-100*-80**12*ICN1", "CAS*CO*45*-20", "NM1*QC*1*BROOK*ADA",
		"PLB*1234567893*20261231*WO:1*6.5**0",
	})

func TestPayment(t *testing.T) {
	d, payments := decodeRemittances(t, fullPayment...)
	require.Len(t, payments, 2)
	require.Empty(t, d.notes)
	reported := facts.Bill{
		FTIN: "987654321", BillType: "I", FrequencyCode: "1", PatientFirstName: "ADA", PatientMiddleName: "M", PatientLastName: "BROOK",
		PhysicianFirstName: "LEE", PhysicianMiddleName: "K", PhysicianLastName: "HAND", PhysicianNPI: "1234567893",
		FacilityName: "LAKE ORTHOPEDICS", FacilityNPI: "1234567893", PayerID: "P9", PayerName: "STEADY MUTUAL",
		BeginServiceDate: "2026-01-04", EndServiceDate: "2026-01-08",
	}
	want := facts.Payment{
		Source: facts.FromRemittance, Written: "20260102T0304", Payer: "512345678", TraceNumber: "CHECK7", Method: "ACH",
		PaidDate:   "2026-02-01",
		Occurrence: 1,
		ReceivedOn: "2026-01-10", Filing: "WC", Offset: int64(strings.Index(paymentFile(fullPayment), "ST*")),
		PatientControlNumber: "PCN-1", PayerControlNumber: "ICN1", FormerNumber: "OLD9", Repriced: "NET123",
		ClaimStatus: "1", Charge: 15050, Paid: 8000, PatientResponsibility: 2050, Nature: facts.Money, Reported: reported,
		Detail: facts.PaymentDetail{
			PlaceOfService: "11",
			Adjustments: []facts.Adjustment{{Group: "CO", Reason: "45", Amount: 3000, Quantity: "1", Unknown: false},
				{Group: "CO", Reason: "96", Amount: 0, Quantity: "2", Unknown: false}},
			Remarks: []facts.Remark{{List: "HE", Code: "N1"}, {List: "HE", Code: "N2"}, {List: "HE", Code: "N3"},
				{List: "HE", Code: "N4"}, {List: "HE", Code: "M1"}, {List: "HE", Code: "M2"}, {List: "HE", Code: "M3"}},
			Amounts: facts.Amounts{Interest: 250, Coverage: 14000}, Contract: "PPO",
			Contacts: []facts.Contact{{For: "CX", Telephone: "5550100004", Extension: "8", Web: "claims.example"}},
			Lines: []facts.PaidLine{
				{Number: 1, Revenue: "0420", Procedure: "97110", Qualifier: "HC", Modifiers: []string{"GP"}, Charge: 10050, Paid: 5000,
					Allowed: cents(7050), Units: "2",
					BeginDate: "2026-01-05", EndDate: "2026-01-08", Adjustments: []facts.Adjustment{{Group: "CO", Reason: "45",
						Amount: 2000, Quantity: "1", Unknown: false},
						{Group: "CO", Reason: "97", Amount: 1000, Quantity: "1", Unknown: false},
						{Group: "PR", Reason: "1", Amount: 2050, Quantity: "", Unknown: false}},
					Remarks:       []facts.Remark{{List: "HE", Code: "N362"}, {List: "RX", Code: "70"}},
					BilledAs:      facts.Procedure{Qualifier: "HC", Code: "97530", Modifiers: []string{"59", "GO"}},
					BilledUnits:   "3",
					LateReduction: -150, Control: "LINE1", Policy: "RULE9"},
				{Number: 2, Revenue: "0300", Charge: 5000, Paid: 3000, BeginDate: "2026-01-04", EndDate: "2026-01-04",
					Adjustments: []facts.Adjustment{{Group: "PR", Reason: "3", Amount: -1000, Quantity: "", Unknown: false}}},
			},
		},
	}
	got := payments[0].Payment
	want.Fact, want.Slot, want.Remittance = got.Fact, got.Slot, facts.IdentifyRemittance("512345678", "CHECK7", "2026-02-01")
	want.EncodeDetail()
	if !reflect.DeepEqual(got, want) || len(got.Fact) != 32 || len(got.Slot) != 32 {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	bill := reported
	bill.Source, bill.BillControlNumber, bill.DocumentID, bill.PatientControlNumber = facts.SourcePayment, "NET123", "PCN-1", "PCN-1"
	bill.Filing = "WC"
	bill.BillStatus, bill.EOR, bill.BillCharges, bill.OpenState = facts.StatusPaid, true, 15050, billstate.Settled
	bill.PaidAmount, bill.PaidDate, bill.CheckNumber = cents(8000), "2026-02-01", "CHECK7"
	detail := facts.Detail{
		PlaceOfService: "11", BillingName: "LAKE ORTHOPEDICS", BillingNPI: "1234567893",
		Lines: []facts.Line{
			{Number: 1, Revenue: "0420", Procedure: "97530", Qualifier: "HC", Modifiers: []string{"59", "GO"}, Charge: 10050, Units: "3",
				BeginDate: "2026-01-05", EndDate: "2026-01-08", Allowance: cents(7050), Control: "LINE1"},
			{Number: 2, Revenue: "0300", Charge: 5000, BeginDate: "2026-01-04", EndDate: "2026-01-04"},
		},
	}
	assert.Equal(t, shown{bill, detail}, payments[0].Bill)
	second := payments[1].Payment
	if second.ClaimStatus != facts.ClaimReversed || second.Paid != -8000 || second.Occurrence != 1 || second.Nature != facts.Reversal {
		t.Errorf("reversal: %+v", second)
	}
	assert.Empty(t, d.records[1].Problems)
}

func TestPaymentRules(t *testing.T) {
	claim := []string{"CLP*A*1*100*80**12*I", "CAS*CO*45*20"}
	for name, test := range map[string]struct {
		segments []string
		got      func(*remittance) any
		want     any
	}{
		"the payee's tax ID in N1": {slices.Concat(replaced(replaced(x12test.PaymentHead, "REF*TJ", ""), "N1*PE",
			"N1*PE*LAKE*FI*12-3456789"), claim),
			func(p *remittance) any { return p.Payment.Reported.FTIN + p.Bill.FacilityNPI }, "123456789"},
		"the tax ID of who treated stands in": {slices.Concat(replaced(x12test.PaymentHead, "REF*TJ", ""), claim,
			[]string{"NM1*82*2*LAKE*****FI*123456789"}),
			func(p *remittance) any { return p.Payment.Reported.FTIN }, "123456789"},
		"without a date of payment the file's": {slices.Concat(replaced(x12test.PaymentHead, "BPR", "BPR*I*80*C*CHK"), claim),
			func(p *remittance) any { return string(p.Payment.PaidDate) }, "2026-02-03"},
		"the payer's ID in N1": {slices.Concat(replaced(x12test.PaymentHead, "N1*PR", "N1*PR*STEADY*XV*PLAN1"), claim),
			func(p *remittance) any { return p.Bill.PayerID }, "PLAN1"},
		"a claim's begin is its end": {slices.Concat(x12test.PaymentHead, claim, []string{"DTM*232*20260105"}),
			func(p *remittance) any { return string(p.Bill.EndServiceDate) }, "2026-01-05"},
		"nothing paid, nothing covered": {slices.Concat(replaced(x12test.PaymentHead, "BPR", "BPR*I*0*C*NON************20260201"),
			[]string{"CLP*A*1*100*0**12*I", "CAS*CO*96*100", "AMT*AU*0"}), func(p *remittance) any { return p.Payment.Nature },
			facts.Denial},
		"nothing due of what is covered": {slices.Concat(replaced(x12test.PaymentHead, "BPR", "BPR*I*0*C*NON************20260201"),
			[]string{"CLP*A*1*100*0**12*I", "CAS*CO*96*100", "AMT*AU*80"}), func(p *remittance) any { return p.Payment.Nature },
			facts.Zero},
		"at most 99 remarks are kept": {slices.Concat(x12test.PaymentHead, claim, []string{"SVC*HC:1*0*0"},
			slices.Repeat([]string{"LQ*HE*N1"}, 100)), func(p *remittance) any { return len(p.Payment.Detail.Lines[0].Remarks) }, 99},
		"at most five contacts for a claim": {slices.Concat(x12test.PaymentHead, claim, slices.Repeat([]string{"PER*CX**TE*1"}, 6),
			[]string{"PER*CX*NAME*FX*2"}), func(p *remittance) any { return len(p.Payment.Detail.Contacts) }, 5},
		"denied": {slices.Concat(x12test.PaymentHead, []string{"CLP*A*4*80*80**12*I"}), func(p *remittance) any {
			return p.Payment.ClaimStatus
		}, "4"},
		"passed on": {slices.Concat(x12test.PaymentHead, []string{"CLP*A*23*80*80**12*I"}),
			func(p *remittance) any { return p.Payment.ClaimStatus }, "23"},
		"without lines": {slices.Concat(x12test.PaymentHead, claim), func(p *remittance) any {
			return p.Bill.BillType + p.Bill.BillControlNumber
		}, "PI"},
	} {
		t.Run(name, func(t *testing.T) {
			d, payments := decodeRemittances(t, test.segments...)
			if len(payments) != 1 || payments[0] == nil || len(d.notes)+len(d.records[0].Problems) > 0 {
				t.Fatalf("%+v", d)
			}
			if got := test.got(payments[0]); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestPaymentProblems(t *testing.T) {
	claim := []string{"CLP*A*1*100*80**12*I", "CAS*CO*45*20"}
	for name, test := range map[string]struct {
		segments []string
		want     string
		taken    bool
	}{
		"no tax ID": {slices.Concat(replaced(replaced(x12test.PaymentHead, "REF*TJ", ""), "N1*PE", "N1*PE*LAKE*XV*77"), claim),
			"error: segment 9, loop 1000B, N104: the payee's tax ID is missing", false},
		"bad NPI alone": {slices.Concat(replaced(replaced(x12test.PaymentHead, "REF*TJ", ""), "N1*PE", "N1*PE*LAKE*XX*1234567890"),
			claim), "error: segment 9, loop 1000B, N104: the payee's NPI fails its check digit, and the tax ID is missing", false},
		"no payee": {slices.Concat(x12test.PaymentHead[:5], claim), "loop 1000B, CLP: the payee's tax ID is missing", false},
		"bad tax ID": {slices.Concat(replaced(x12test.PaymentHead, "REF*TJ", "REF*TJ*77"), claim),
			"loop 1000B, N104: the payee's tax ID must have 9 digits", false},
		"no trace": {slices.Concat(replaced(x12test.PaymentHead, "TRN", ""), claim), "TRN02 is required", false},
		"no control number": {slices.Concat(x12test.PaymentHead, []string{"CLP**1*80*80"}),
			"loop 2100, CLP01: the patient control number is missing", false},
		"no status": {slices.Concat(x12test.PaymentHead, []string{"CLP*A**80*80"}),
			"loop 2100, CLP02: the claim's status is missing", false},
		"bad charge": {slices.Concat(x12test.PaymentHead, []string{"CLP*A*1*x*80"}),
			"loop 2100, CLP03: the charge must be an amount in dollars and cents", false},
		"bad line charge": {slices.Concat(x12test.PaymentHead, claim, []string{"SVC*HC:1*x*1"}), "loop 2110, SVC02: the line's charge",
			false},
		"bad line payment": {slices.Concat(x12test.PaymentHead, claim, []string{"SVC*HC:1*1*x"}), "loop 2110, SVC03: the line's payment",
			false},
		"too many lines": {slices.Concat(x12test.PaymentHead, claim, slices.Repeat([]string{"SVC*HC:1*1*1"}, 1001)),
			"loop 2110, SVC: exceeds the limit of 999 service lines", false},
		"does not balance": {slices.Concat(x12test.PaymentHead, []string{"CLP*A*1*100*80**12*I"}),
			"warning: segment 12, loop 2100, CLP04: the payment isn't the charge minus", true},
		"bad adjustment": {slices.Concat(x12test.PaymentHead, claim, []string{"CAS*PR*1*x"}),
			"warning: segment 14, loop 2100, CAS03: the adjustment", true},
		"bad allowed": {slices.Concat(x12test.PaymentHead, claim, []string{"SVC*HC:1*1*1", "AMT*B6*x"}),
			"warning: segment 15, loop 2110, AMT02: the allowed", true},
		"bad date": {slices.Concat(x12test.PaymentHead, claim, []string{"DTM*232*2026"}),
			"warning: segment 14, loop 2100, DTM02: isn't a date", true},
		"a year before 1900": {slices.Concat(x12test.PaymentHead, claim, []string{"DTM*232*18000105"}),
			"error: segment 14, loop 2100, DTM02: is before the year 1900", false},
		"a year to come": {slices.Concat(x12test.PaymentHead, claim, []string{"SVC*HC:1*1*1", "DTM*472*29990105"}),
			"error: segment 15, loop 2110, DTM02: is more than 1 year in the future", false},
		"bad interest": {slices.Concat(x12test.PaymentHead, claim, []string{"AMT*I*x"}),
			"warning: segment 14, loop 2100, AMT02: the interest", true},
		"bad coverage": {slices.Concat(x12test.PaymentHead, claim, []string{"AMT*AU*x"}),
			"warning: segment 14, loop 2100, AMT02: the coverage", true},
		"bad reduction": {slices.Concat(x12test.PaymentHead, claim, []string{"SVC*HC:1*1*1", "AMT*KH*x"}),
			"warning: segment 15, loop 2110, AMT02: the reduction", true},
		"bad day of receipt": {slices.Concat(x12test.PaymentHead, claim, []string{"DTM*050*18000105"}),
			"warning: segment 14, loop 2100, DTM02: is before the year 1900", true},
		"bad NPI": {slices.Concat(x12test.PaymentHead, claim, []string{"NM1*82*1*H*L****XX*1"}),
			"warning: segment 14, loop 2100, NM109: the NPI", true},
	} {
		t.Run(name, func(t *testing.T) {
			d, payments := decodeRemittances(t, test.segments...)
			if len(payments) != 1 || (payments[0] != nil) != test.taken {
				t.Fatalf("%+v", d)
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

func TestProblemsOfThePaymentFile(t *testing.T) {
	claim := []string{"CLP*A*1*100*80**12*I", "CAS*CO*45*20"}
	for name, test := range map[string]struct {
		segments []string
		want     string
	}{
		"total": {slices.Concat(replaced(x12test.PaymentHead, "BPR", "BPR*I*81*C*CHK************20260201"), claim),
			"warning: segment 4, loop header, BPR02: the total isn't the sum"},
		"total, bad": {slices.Concat(replaced(x12test.PaymentHead, "BPR", "BPR*I*x*C*CHK************20260201"), claim),
			"warning: segment 4, loop header, BPR02: the total must be an amount"},
		"date of payment": {slices.Concat(replaced(x12test.PaymentHead, "BPR", "BPR*I*80*C*CHK************2026"), claim),
			"BPR16: the date of payment isn't a date"},
		"payee's NPI": {slices.Concat(replaced(x12test.PaymentHead, "N1*PE", "N1*PE*LAKE*XX*1234567890"), claim),
			"loop 1000B, N104: the NPI fails"},
		"adjustment": {slices.Concat(x12test.PaymentHead, claim, []string{"PLB*1*20261231*WO*x"}),
			"loop summary, PLB04: the adjustment"},
	} {
		t.Run(name, func(t *testing.T) {
			d, payments := decodeRemittances(t, test.segments...)
			if len(payments) != 1 || payments[0] == nil || len(d.notes) != 1 || !strings.Contains(d.notes[0].String(), test.want) {
				t.Errorf("notes %v lack %q; %+v", d.notes, test.want, d.records)
			}
		})
	}
}

// All the fields we read are the same in version 4010.
func TestPayment4010(t *testing.T) {
	text := x12test.Interchange("004010X091A1", x12test.Set("835", "", fullPayment...))
	d, err := decodeText(text)
	if err != nil || len(d.records) != 3 || len(d.notes) > 0 {
		t.Fatalf("%v %+v", err, d)
	}
	got := *d.records[0].Row.(*facts.Remitted).Payment
	_, payments := decodeRemittances(t, fullPayment...)
	assert.Equal(t, payments[0].Payment, got)
}

// Segments after a party other than payer or payee don't belong to a claim.
func TestSegmentsOfOtherPartiesOfAPayment(t *testing.T) {
	_, payments := decodeRemittances(t, slices.Concat(x12test.PaymentHead,
		[]string{"CLP*A*1*80*80**12*I", "SVC*HC:1*80*80", "N1*ZZ*OTHER", "REF*9A*X", "REF*6R*X", "PER*CX**TE*1"})...)
	if len(payments) != 1 || payments[0].Payment.Repriced != "" || payments[0].Payment.Detail.Contacts != nil {
		t.Errorf("%+v", payments)
	}
}

// A reversal makes the amounts negative regardless of their signs, and its set balances.
func TestReversalWithPositiveAmounts(t *testing.T) {
	segments := slices.Concat(replaced(x12test.PaymentHead, "BPR", "BPR*I*-80*C*ACH*CCP***********20260201"), []string{
		"CLP*PCN-1*22*150*80*20*12*ICN1*11*1", "NM1*QC*1*BROOK*ADA", "DTM*232*20260105", "SVC*HC:97110*150*80", "CAS*CR*45*50",
		"CAS*PR*1*20",
	})
	d, payments := decodeRemittances(t, segments...)
	p := payments[0].Payment
	if p.Nature != facts.Reversal || p.Paid != -8000 || p.Charge != -15000 || p.PatientResponsibility != -2000 {
		t.Errorf("%+v", p)
	}
	if l := p.Detail.Lines[0]; l.Charge != -15000 || l.Paid != -8000 || l.Adjustments[0].Amount != -5000 || l.Adjustments[1].Amount !=
		-2000 {
		t.Errorf("%+v", p.Detail)
	}
	if set := d.records[1].Row.(*facts.Remitted).Parts[0].Set; !set.IsBalanced() {
		t.Errorf("%+v", set)
	}
	if len(d.notes) > 0 || len(d.records[0].Problems) == 0 || !strings.Contains(d.records[0].Problems[0].Reason, "was reversed anyway") {
		t.Errorf("%v %v", d.notes, d.records[0].Problems)
	}
}

// An adjustment that names the NPI of several payees belongs to none of them.
func TestAdjustmentOfSharedNPI(t *testing.T) {
	head := slices.DeleteFunc(slices.Clone(x12test.PaymentHead), func(s string) bool { return strings.HasPrefix(s, "LX") })
	claim := func(account string) []string {
		return []string{"LX*1", "CLP*" + account + "*1*40*40**12*ICN1*11*1", "NM1*QC*1*BROOK*ADA", "DTM*232*20260105"}
	}
	for npi, want := range map[string]string{"1234567893": "", "1679576722": "987654322"} { // of the second payee
		segments := slices.Concat(head, claim("A"), []string{"N1*PE*SHORE CLINIC*XX*" + npi, "REF*TJ*987654322"}, claim("B"),
			[]string{"PLB*" + npi + "*20261231*WO:1*5"})
		for range 20 {
			d, _ := decodeRemittances(t, segments...)
			got := ""
			for _, part := range d.records[2].Row.(*facts.Remitted).Parts {
				for _, a := range part.Adjustments {
					got += a.FTIN
				}
			}
			require.Equalf(t, want, got, "%s: of", npi)
		}
	}
}

// A missing amount is unknown, not 0, and is reported.
func TestAbsentAmounts(t *testing.T) {
	head := slices.DeleteFunc(slices.Clone(x12test.PaymentHead), func(s string) bool { return strings.HasPrefix(s, "BPR") })
	segments := slices.Concat(head, []string{
		"CLP*PCN-1*1*150*100**12*ICN1*11*1", "CAS*CO*45", "NM1*QC*1*BROOK*ADA", "DTM*232*20260105",
		"SVC*HC:97110*100", "CAS*PR*1", "SVC*HC:97140*50", "CAS*CO*97*40", "CAS*PR*2*10", "PLB*1234567893*20261231*WO:1",
	})
	d, payments := decodeRemittances(t, segments...)
	p := payments[0].Payment
	if got := p.Detail.Adjustments; len(got) != 1 || !got[0].Unknown || got[0].Reason != "45" {
		t.Errorf("%+v", got)
	}
	if l := p.Detail.Lines; !l[0].PaidUnknown || !l[0].Adjustments[0].Unknown || l[1].PaidUnknown || l[1].Paid != 0 {
		t.Errorf("%+v", l)
	}
	if p.PatientResponsibility != 1000 || p.Reasons != "" || !strings.Contains(p.Detail.Reasons(), "PR-1") {
		t.Errorf("%+v", p)
	}
	if set := d.records[1].Row.(*facts.Remitted).Parts[0].Set; set.AmountKnown || set.IsBalanced() {
		t.Errorf("%+v", set)
	}
	var reported []string
	for _, problem := range append(slices.Clone(d.notes), d.records[0].Problems...) {
		reported = append(reported, problem.Reason)
	}
	for _, want := range []string{"BPR02 is empty", "provider-level adjustment's amount is missing", "adjustment's amount is missing",
		"line's payment is missing"} {
		assert.Containsf(t, strings.Join(reported, "; "), want, "the report does not say %q: %v", want, reported)
	}
}

// A set without claims that no office will see is reported.
func TestSetWithoutClaims(t *testing.T) {
	plb := []string{"PLB*1234567893*20261231*WO*-80"}
	npiOnly := replaced(x12test.PaymentHead, "REF*TJ", "REF*ZZ*1")
	for name, test := range map[string]struct {
		segments []string
		taken    int
		want     string
	}{
		"tax ID":   {slices.Concat(x12test.PaymentHead, plb), 1, ""},
		"NPI only": {slices.Concat(npiOnly, plb), 1, "names its payee by NPI only"},
		"bad NPI":  {slices.Concat(replaced(npiOnly, "N1*PE", "N1*PE*LAKE*XX*1234567890"), plb), 0, "NPI fails its check digit"},
		"nobody":   {slices.Concat(replaced(npiOnly, "N1*PE", "N1*PE*LAKE"), plb), 0, "nor a payee tax ID"},
		"no trace": {slices.Concat(replaced(x12test.PaymentHead, "TRN", ""), plb), 0, "nor a trace number"},
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := decodeRemittances(t, test.segments...)
			notes := fmt.Sprint(d.notes)
			if len(d.records) != test.taken || (test.want == "") != (len(d.notes) == 0) || !strings.Contains(notes, test.want) {
				t.Errorf("%d records, %s", len(d.records), notes)
			}
		})
	}
}

// A line can have a period instead of a day.
func TestPeriodOfLine(t *testing.T) {
	segments := slices.Concat(x12test.PaymentHead, []string{
		"CLP*PCN-1*1*150*150**12*ICN1*11*1", "NM1*QC*1*BROOK*ADA", "SVC*HC:97110*150*150", "DTM*472****RD8*20260105-20260107",
	})
	_, payments := decodeRemittances(t, segments...)
	if l := payments[0].Payment.Detail.Lines[0]; l.BeginDate != "2026-01-05" || l.EndDate != "2026-01-07" ||
		payments[0].Payment.Reported.EndServiceDate != "2026-01-07" {
		t.Errorf("%+v", payments[0].Payment)
	}
}
