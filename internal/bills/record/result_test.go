package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/mappingtest"
	"wcpp/internal/platform/seal"
)

// newService creates a service that only seals.
func newService(settings record.Settings) *record.Service {
	kit := platform.Kit{Sealer: seal.New(make([]byte, 32))}
	return record.NewService(record.Deps{Kit: kit, Scopes: tins.NewScopes(kit.DB)}, settings)
}

func TestStateOfABill(t *testing.T) {
	for want, b := range map[string]record.Bill{
		"":         {OpenState: billstate.Priced},
		"denied":   {OpenState: billstate.Denied},
		"void":     {OpenState: billstate.Void},
		"replaced": {OpenState: billstate.Void, ReplacedBy: "bcn-2"},
	} {
		for _, states := range []bool{true, false} {
			r, err := newService(record.Settings{States: states}).NewResult(b)
			if state := r.State; err != nil || states && state != want || !states && state != "" {
				t.Errorf("%+v, with states %v: %q, %v; want %q", b, states, state, err, want)
			}
		}
	}
}

func TestResultCarriesEveryField(t *testing.T) {
	s := newService(record.Settings{ForeignBillURL: "https://payer.example/{billControlNumber}", States: true})
	b := mappingtest.Filled[record.Bill]()
	b.PricingSheet, b.OpenState = false, billstate.Denied
	r, err := s.NewResult(b)
	if empty := mappingtest.ListEmpty(r, "MitchBill", "McpsBill", "ExID"); err != nil || empty != nil {
		t.Errorf("%v, %v", empty, err)
	}
	assert.True(t, strings.HasSuffix(r.ForeignBillIDURL, b.BillControlNumber), r.ForeignBillIDURL)
	b.BillControlNumber = "A #1/2+3&x=4"
	if r, err = s.NewResult(b); err != nil || r.ForeignBillIDURL != "https://payer.example/A%20%231%2F2%2B3%26x%3D4" {
		t.Errorf("with special characters: %s, %v", r.ForeignBillIDURL, err)
	}
	b.PricingSheet = true
	if r, err = s.NewResult(b); err != nil || !r.McpsBill || r.EOR {
		t.Errorf("a pricing sheet: %+v, %v", r, err)
	}
	filledSecond := mappingtest.Filled[secondsystem.Bill]()
	filledSecond.BillStatus = record.StatusVoid
	second, err := s.NewSecondResult(filledSecond)
	if err != nil || !second.MitchBill || second.State != "void" || second.Page == "" || second.ExID == filledSecond.ExID ||
		second.PayerName != filledSecond.PayerName {
		t.Errorf("of the second system: %+v, %v", second, err)
	}
}
