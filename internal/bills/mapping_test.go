package bills

import (
	"slices"
	"strings"
	"testing"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/filltest"
)

// filledBill is a bill that lacks nothing and that the table takes.
func filledBill() Bill {
	b := filltest.Filled[Bill]()
	b.BillType, b.BillStatus, b.Source = "I", StatusPriced, ledger.SourcePayment
	return b
}

func TestResultCarriesEveryField(t *testing.T) {
	s := newService(t, dbtest.Open(t, "sqlite"), nil, Settings{ForeignBillURL: "https://payer.example/{billControlNumber}"})
	b := filledBill()
	b.PricingSheet, b.OpenState = false, ledger.OpenDenied
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
	filledSecond := filltest.Filled[SecondBill]()
	filledSecond.BillStatus = StatusVoid
	second, err := s.secondResult(filledSecond)
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
