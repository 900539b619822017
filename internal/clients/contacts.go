package clients

import (
	"cmp"
	"context"
	"slices"

	"wcpp/internal/platform/text"
)

// Billing is the billing phone and address of a client.
type Billing struct {
	Client
	// Sure reports whether all clients that the question fits have this phone.
	Sure bool
}

// maxBilling limits the clients that are compared. A payor ID has hundreds at most.
const maxBilling = 500

// FindBilling finds the billing contact of a payor ID, or of a client's name without one. Clients of the
// state and line of business come first. It's not sure if they have different phones.
func (s *Service) FindBilling(ctx context.Context, payorID, name, state, lob string) (Billing, bool, error) {
	var list []Client
	var err error
	if payorID != "" {
		list, err = listByPayor(ctx, s.db.Reader, payorID, state, maxBilling)
	} else {
		list, err = listByName(ctx, s.db.Reader, name, state, maxBilling)
	}
	if err != nil || len(list) == 0 {
		return Billing{}, false, err
	}
	return chooseBilling(list, name, state, lob), true, nil
}

// chooseBilling returns the best match of a list that isn't empty.
func chooseBilling(list []Client, name, state, lob string) Billing {
	fit := func(c Client) int {
		n := 0
		for i, is := range []bool{c.LineOfBusiness == lob, c.State == state, key(c.Name) == key(name)} {
			if is {
				n |= 1 << i
			}
		}
		return n
	}
	best := slices.MaxFunc(list, func(a, b Client) int { return cmp.Compare(fit(a), fit(b)) })
	differs := func(c Client) bool {
		return fit(c) == fit(best) && text.Digits(c.BillPhone) != text.Digits(best.BillPhone)
	}
	return Billing{best, !slices.ContainsFunc(list, differs)}
}
