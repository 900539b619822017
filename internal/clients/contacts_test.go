package clients

import "testing"

func TestChooseBilling(t *testing.T) {
	of := func(name, state, lob, phone string) Client {
		return Client{Name: name, State: state, LineOfBusiness: lob, BillPhone: phone}
	}
	acme, other := of("Acme", "OH", WorkersComp, "6145550101"), of("Other", "OH", WorkersComp, "6145550102")
	for name, c := range map[string]struct {
		list  []Client
		name  string
		phone string
		sure  bool
	}{
		"one":               {[]Client{acme}, "", "6145550101", true},
		"same phone":        {[]Client{acme, of("Other", "OH", WorkersComp, "614-555-0101")}, "", "6145550101", true},
		"different phones":  {[]Client{acme, other}, "", "6145550101", false},
		"the name decides":  {[]Client{acme, other}, "OTHER", "6145550102", true},
		"the state decides": {[]Client{of("A", "PA", WorkersComp, "1"), acme}, "", "6145550101", true},
		"the line decides":  {[]Client{of("A", "OH", Auto, "1"), acme}, "", "6145550101", true},
	} {
		if b := chooseBilling(c.list, c.name, "OH", WorkersComp); b.BillPhone != c.phone || b.Sure != c.sure {
			t.Errorf("%s: %+v", name, b)
		}
	}
}
