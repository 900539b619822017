package ledger

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"wcpp/internal/platform/db"
)

// Account is all that is known of one check or transfer to a TIN.
type Account struct {
	Remittance
	Payments    []Payment   // that count, whole, in their order
	Superseded  []Payment   // that were told anew, and count no longer
	Counts      *Remittance // in its place, or in that of some of its payments; see twins.go
	Adjustments []ProviderAdjustment
	Parts       int    // transaction sets that count together
	Written     string // when the one that counts most was written: day and time, as GS04, T and GS05
	Off         int64  // what was announced less what the sets come to, cents: all their payees together
}

// TakesBack tells whether the payment is a reversal.
func (p *Payment) TakesBack() bool { return p.Nature == TakeBack || p.Nature == ZeroTakeBack }

// AccountOf reads all that is known of a check or transfer, as the transaction sees
// it.
func AccountOf(ctx context.Context, tx *sql.Tx, ftin, remittance string) (Account, error) {
	k := checkKey{ftin, remittance}
	found, err := remittancesAmong(ctx, tx, []checkKey{k})
	if err != nil {
		return Account{}, err
	}
	if len(found) == 0 {
		return Account{}, db.ErrNotFound
	}
	sets, err := setsAmong(ctx, tx, []checkKey{k})
	if err != nil {
		return Account{}, err
	}
	paid, err := paymentsOfCheck(ctx, tx, k)
	if err != nil {
		return Account{}, err
	}
	adjustments, err := adjustmentsAmong(ctx, tx, []checkKey{k})
	if err != nil {
		return Account{}, err
	}
	c := whatCounts(sets, pointers(paid), adjustments)
	a := Account{Remittance: found[0], Adjustments: c.adjustments, Parts: len(c.sets)}
	for _, p := range c.payments {
		a.Payments = append(a.Payments, *p)
	}
	for _, p := range slices.SortedFunc(maps.Keys(c.superseded), (*Payment).compare) {
		a.Superseded = append(a.Superseded, *p)
	}
	if a.DuplicateOf != "" {
		others, err := remittancesAmong(ctx, tx, []checkKey{{ftin, a.DuplicateOf}})
		if err != nil {
			return Account{}, err
		}
		if len(others) > 0 {
			a.Counts = &others[0]
		}
	}
	if a.Parts > 0 {
		a.Written = c.sets[0].Written
	}
	for _, s := range c.sets {
		a.Off += s.Amount - s.ClaimsPaid + s.Adjusted
	}
	if a.Amount != nil {
		a.Off = *a.Amount - a.Paid + a.Adjusted
	}
	return a, nil
}

// FindRemittance is what a check or transfer to a TIN comes to; nothing of one that is gone.
func FindRemittance(ctx context.Context, tx *sql.Tx, ftin, remittance string) (Remittance, error) {
	found, err := remittancesAmong(ctx, tx, []checkKey{{ftin, remittance}})
	if err != nil || len(found) == 0 {
		return Remittance{}, err
	}
	return found[0], nil
}

// mostReferred bounds how many references of one remittance are looked up.
const mostReferred = 100

// Referred finds the bills of a TIN that references name: by the network's or the
// payer's number, or the office's own. A reference that fits several bills names none.
func Referred(ctx context.Context, tx *sql.Tx, ftin string, references []string) (map[string]Bill, error) {
	found := map[string]Bill{}
	for i, reference := range references {
		n := number(reference)
		if i == mostReferred {
			break
		}
		if _, known := found[reference]; n == "" || known {
			continue
		}
		ties, err := linked(ctx, tx, []linkKey{{ftin, byNumber + n}})
		if err == nil && len(ties) == 0 {
			k := linkKey{ftin, byAccount + n + between}
			var beginning map[linkKey][]link
			beginning, err = linkedBeginning(ctx, tx, []linkKey{k})
			ties = beginning[k]
		}
		if err != nil {
			return nil, err
		}
		facts := make([]factKey, len(ties))
		for i, l := range ties {
			facts[i] = factKey{ftin, l.Fact}
		}
		places, err := placesOf(ctx, tx, facts)
		if err != nil {
			return nil, err
		}
		keys := slices.Compact(slices.Sorted(maps.Values(places)))
		if len(keys) != 1 {
			continue
		}
		list, err := Named(ctx, tx, ftin, keys)
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			found[reference] = b
		}
	}
	return found, nil
}
