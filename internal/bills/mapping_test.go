package bills

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/mappingtest"
)

// filledBill is a bill with all fields set and valid for the table.
func filledBill() Bill {
	b := mappingtest.Filled[Bill]()
	b.BillType, b.BillStatus, b.Source = "I", StatusPriced, ledger.SourcePayment
	return b
}

func TestResultCarriesEveryField(t *testing.T) {
	s := newService(t, migrated(t), nil, Settings{ForeignBillURL: "https://payer.example/{billControlNumber}"})
	b := filledBill()
	b.PricingSheet, b.OpenState = false, billstate.Denied
	r, err := s.result(b)
	if empty := mappingtest.ListEmpty(r, "MitchBill", "McpsBill", "ExID"); err != nil || empty != nil {
		t.Errorf("%v, %v", empty, err)
	}
	if !strings.HasSuffix(r.ForeignBillIDURL, b.BillControlNumber) {
		t.Errorf("%s", r.ForeignBillIDURL)
	}
	b.PricingSheet = true
	if r, err = s.result(b); err != nil || !r.McpsBill || r.EOR {
		t.Errorf("a pricing sheet: %+v, %v", r, err)
	}
	filledSecond := mappingtest.Filled[SecondBill]()
	filledSecond.BillStatus = StatusVoid
	second, err := s.secondResult(filledSecond)
	if empty := mappingtest.ListEmpty(second, "McpsBill", "BillImageURL", "EORImageURL", "ForeignBillIDURL", "BillingID"); err != nil ||
		empty != nil {
		t.Errorf("of the second system: %v, %v", empty, err)
	}
}

// A search reads only the columns of a bill that it returns.
func TestSearchReadsAllThatItAnswers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newService(t, d, nil, Settings{ForeignBillURL: "https://payer.example/{billControlNumber}"})
		for _, state := range []billstate.State{billstate.Denied, billstate.Void} {
			whole := filledBill()
			whole.FTIN, whole.OpenState, whole.PricingSheet, whole.BillControlNumber = ours, state, false, "B "+string(state)
			if err := ledger.Bills.Insert(t.Context(), d.Writer, whole); err != nil {
				t.Fatal(err)
			}
			found, err := search(t.Context(), d.Reader, access.NewScope([]string{ours}), ours, ByBillControlNumber{whole.BillControlNumber})
			if err != nil || len(found) != 1 {
				t.Fatalf("%v, %v", found, err)
			}
			s.states = true
			got, failed := s.result(found[0])
			want, err := s.result(whole)
			if failed != nil || err != nil || want.Page == "" || want.EORImageURL == "" {
				t.Fatal(failed, err)
			}
			// Sealing the same value gives different texts.
			for _, sealed := range []*string{&got.Page, &want.Page, &got.BillImageURL, &want.BillImageURL, &got.EORImageURL,
				&want.EORImageURL} {
				if *sealed != "" {
					*sealed = "sealed"
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\ngot  %+v\nwant %+v", state, got, want)
			}
		}
	})
}

// Each way to search uses all of its request fields, binds them all, and passes them to the
// second system.
func TestCriteriaCarryEveryField(t *testing.T) {
	all := mappingtest.Filled[SearchParams]()
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
		if err != nil || validateCriteria(c) != nil || mappingtest.ListEmpty(c) != nil {
			t.Fatalf("%+v of %+v: %v", c, p, err)
		}
		conditions := c.conditions()
		old := conditions[len(conditions)-1]
		if _, isClaimant := c.(ByClaimant); isClaimant {
			old = conditions[0] // the one with last and first name as two arguments
		}
		if len(old.Args) != max(1, fields) || slices.Contains(old.Args, any("")) {
			t.Errorf("%+v is bound by %v", c, old.Args)
		}
		c.fillSearch(&asked)
	}
	if empty := mappingtest.ListEmpty(asked); empty != nil {
		t.Errorf("the second system is not asked for %v", empty)
	}
}
