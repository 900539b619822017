package bills

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/filltest"
)

// filledBill is a bill that lacks nothing and that the table takes.
func filledBill() Bill {
	b := filltest.Filled[Bill]()
	b.BillType, b.BillStatus, b.Source = "I", StatusPriced, SourcePayment
	return b
}

func TestBillRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := filledBill()
		scope := access.ScopeOf([]string{want.FTIN})
		read := func(when string) {
			t.Helper()
			filltest.Row(t, d, "bills")
			got, err := byKey(t.Context(), d.Writer, scope, want.FTIN, keyOf(want))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v\ngot  %+v\nwant %+v", when, err, got, want)
			}
			found, err := search(t.Context(), d.Writer, scope, want.FTIN, ByDocument{want.DocumentID})
			if err != nil || len(found) != 1 {
				t.Fatalf("%s: %d found, %v", when, len(found), err)
			}
			searched := want
			searched.Detail = Detail{}
			if !reflect.DeepEqual(found[0], searched) {
				t.Errorf("%s, searched:\ngot  %+v\nwant %+v", when, found[0], searched)
			}
		}
		if err := billTable.Insert(t.Context(), d.Writer, want); err != nil {
			t.Fatal(err)
		}
		read("inserted")
		key := want
		want = filltest.Other[Bill]()
		want.FTIN, want.BillControlNumber = key.FTIN, key.BillControlNumber
		want.BillType, want.BillStatus, want.Source = "P", StatusDenied, SourceBill
		if n, err := billTable.Update(t.Context(), d.Writer, want); err != nil || n != 1 {
			t.Fatalf("%d rows, %v", n, err)
		}
		read("updated")
	})
}

func TestSettledBillCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := filledBill()
		if err := billTable.Insert(t.Context(), d.Writer, b); err != nil {
			t.Fatal(err)
		}
		paid := filltest.Other[Bill]()
		b.BillStatus, b.EOR, b.PaidAmount, b.PaidDate, b.CheckNumber = StatusDenied, false, paid.PaidAmount, paid.PaidDate, paid.CheckNumber
		tx, err := d.Writer.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := setPaid(t.Context(), tx, b.FTIN, keyOf(b), b); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if got, err := byKey(t.Context(), d.Writer, access.ScopeOf([]string{b.FTIN}), b.FTIN, keyOf(b)); err != nil || !reflect.DeepEqual(got, b) {
			t.Errorf("%v\ngot  %+v\nwant %+v", err, got, b)
		}
	})
}

func TestPaymentRowCarriesEveryField(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := filltest.Filled[Payment]()
		second := filltest.Other[Payment]()
		second.FTIN, second.TraceNumber, second.PatientControlNumber = first.FTIN, first.TraceNumber, first.PatientControlNumber
		second.PayerControlNumber, second.Occurrence = first.PayerControlNumber, first.Occurrence
		for _, want := range []Payment{first, second} {
			if err := paymentTable.Upsert(t.Context(), d.Writer, want); err != nil {
				t.Fatal(err)
			}
			filltest.Row(t, d, "payments")
			got, err := paymentsOf(t.Context(), d.Writer, access.ScopeOf([]string{want.FTIN}), want.FTIN, want.BillControlNumberKey)
			if err != nil || !reflect.DeepEqual(got, []Payment{want}) {
				t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
			}
		}
	})
}

// The tables have no column that their descriptions lack.
func TestTablesAreDescribedWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		filltest.Described(t, d, "bills", billTable.Names())
		filltest.Described(t, d, "payments", paymentTable.Names())
	})
}

func TestResultCarriesEveryField(t *testing.T) {
	s := newService(t, dbtest.Open(t, "sqlite"), nil, Settings{ForeignBillURL: "https://payer.example/{billControlNumber}"})
	b := filledBill()
	b.PricingSheet = false
	r, err := s.result(b)
	if empty := filltest.Empty(r, "MitchBill", "McpsBill", "ExID"); err != nil || empty != nil {
		t.Errorf("%v, %v", empty, err)
	}
	if !strings.HasSuffix(r.ForeignBillIDURL, b.BillControlNumber) {
		t.Errorf("%s", r.ForeignBillIDURL)
	}
	b.PricingSheet = true
	if r, err = s.result(b); err != nil || !r.McpsBill || r.EOR {
		t.Errorf("a pricing sheet: %+v, %v", r, err)
	}
	second, err := s.secondResult(filltest.Filled[SecondBill]())
	if empty := filltest.Empty(second, "McpsBill", "BillImageURL", "EORImageURL", "ForeignBillIDURL", "BillingID"); err != nil || empty != nil {
		t.Errorf("of the second system: %v, %v", empty, err)
	}
}

// Each way of searching takes all its fields from the call, binds them all, and
// hands them on to the second system.
func TestCriteriaCarryEveryField(t *testing.T) {
	all := filltest.Filled[SearchParams]()
	begin, end := all.BeginServiceDate, all.EndServiceDate
	asked := SecondSearch{TINs: []string{ours}}
	for fields, p := range map[int]SearchParams{
		3: {ClaimNumber: all.ClaimNumber, BeginServiceDate: begin, EndServiceDate: end},
		5: {ClaimantFirstName: all.ClaimantFirstName, ClaimantLastName: all.ClaimantLastName, ClaimantDateOfBirth: all.ClaimantDateOfBirth,
			BeginServiceDate: begin, EndServiceDate: end},
		1: {BillControlNumber: all.BillControlNumber},
		0: {DocumentID: all.DocumentID},
	} {
		c, err := p.criteria()
		if err != nil || validate(c) != nil || filltest.Empty(c) != nil {
			t.Fatalf("%+v of %+v: %v", c, p, err)
		}
		_, args := c.condition()
		if len(args) != max(1, fields) || slices.Contains(args, any("")) {
			t.Errorf("%+v is bound by %v", c, args)
		}
		c.ask(&asked)
	}
	if empty := filltest.Empty(asked); empty != nil {
		t.Errorf("the second system is not asked for %v", empty)
	}
}

func TestFilesCarryEveryField(t *testing.T) {
	_, professional := billsOf(t, "005010X222A1", fullProfessional...)
	_, institutional := billsOf(t, "005010X223A2", fullInstitutional...)
	// An 837 tells nothing of payments; the table nothing of lines.
	of837 := filltest.Empty(*professional[0], "PricingSheet", "PaidAmount", "PaidDate", "CheckNumber", "Detail.RejectReason")
	of837 = slices.DeleteFunc(of837, func(f string) bool { return !slices.Contains(filltest.Empty(*institutional[0]), f) })
	if len(of837) > 0 {
		t.Errorf("837: %v", of837)
	}
	if empty := filltest.Empty(decodeRow(t, fullTable), "PricingSheet", "RepricingMethod", "Detail"); empty != nil {
		t.Errorf("table: %v", empty)
	}
	if b := decodeRow(t, strings.Replace(fullTable, ",Y,n,", ",n,Y,", 1)); !b.PricingSheet || b.EOR {
		t.Errorf("table: %+v", b)
	}
	_, payments := remittancesOf(t, fullPayment...)
	none := []string{"ClaimNumber", "BillingID", "PatientBirthDate", "PatientGender", "DateOfInjury", "StateOfJurisdiction", "RecommendedAllowance",
		"RepricingMethod", "PricingSheet", "PaidAmount", "PaidDate", "CheckNumber", "Detail.Diagnoses", "Detail.OriginalReference", "Detail.RepricerID",
		"Detail.RejectReason", "Detail.Lines.Description", "Detail.Lines.UnitBasis", "Detail.Lines.PlaceOfService", "Detail.Lines.RepricingMethod"}
	for i := range none {
		none[i] = "Bill." + none[i]
	}
	if empty := filltest.Empty(*payments[0], append(none, "Payment.BillControlNumberKey")...); empty != nil {
		t.Errorf("835: %v", empty)
	}
}
