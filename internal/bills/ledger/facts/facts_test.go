package facts

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

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

// A bill known only from its payment shows what was billed, not what was paid instead.
func TestDetailOfRecodedLines(t *testing.T) {
	paid := PaidLine{Number: 1, Qualifier: "HC", Procedure: "99213", Modifiers: []string{"25"}, Units: "1", Revenue: "0510"}
	as := func(change func(l *PaidLine)) PaidLine {
		l := paid
		change(&l)
		return l
	}
	p := Payment{Detail: PaymentDetail{Lines: []PaidLine{
		paid,
		as(func(l *PaidLine) { l.BilledAs, l.BilledUnits = Procedure{"HC", "99214", []string{"57"}}, "2" }),
		as(func(l *PaidLine) { l.BilledAs = Procedure{"HC", "99214", nil} }),
		as(func(l *PaidLine) { l.BilledUnits = "3" }),
		as(func(l *PaidLine) { l.BilledAs = Procedure{"NU", "0450", nil} }),
	}}}
	assert.Equal(t, []Line{
		{Number: 1, Qualifier: "HC", Procedure: "99213", Modifiers: []string{"25"}, Units: "1", Revenue: "0510"},
		{Number: 1, Qualifier: "HC", Procedure: "99214", Modifiers: []string{"57"}, Units: "2", Revenue: "0510"},
		{Number: 1, Qualifier: "HC", Procedure: "99214", Units: "1", Revenue: "0510"},
		{Number: 1, Qualifier: "HC", Procedure: "99213", Modifiers: []string{"25"}, Units: "3", Revenue: "0510"},
		{Number: 1, Units: "1", Revenue: "0450"},
	}, p.ToDetail().Lines)
}
