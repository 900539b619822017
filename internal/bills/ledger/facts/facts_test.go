package facts

import "testing"

// A bill known only from a reversal shows its lines with positive amounts.
func TestDetailOfReversal(t *testing.T) {
	for _, nature := range []Nature{Reversal, Money} {
		allowed := int64(-15000)
		p := Payment{Nature: nature, Detail: PaymentDetail{Lines: []PaidLine{{Number: 1, Charge: -18000, Allowed: &allowed}}}}
		want := map[Nature][2]int64{Reversal: {18000, 15000}, Money: {-18000, -15000}}[nature]
		if l := p.ToDetail().Lines[0]; l.Charge != want[0] || *l.Allowance != want[1] || allowed != -15000 {
			t.Errorf("%s: %+v, allowance %d, want %v", nature, l, *l.Allowance, want)
		}
	}
}
