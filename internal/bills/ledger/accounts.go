package ledger

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
)

// CheckRecord is everything known about one check or transfer to a TIN.
type CheckRecord struct {
	facts.Remittance
	Payments    []facts.Payment   // counted payments with details, in order
	Superseded  []facts.Payment   // replaced by a later report, no longer counted
	Counts      *facts.Remittance // the check that counts instead of this one or of some of its payments; see duplicates.go
	Adjustments []facts.ProviderAdjustment
	Parts       int    // transaction sets that are added up
	Written     string // when the highest-ranked one was written: date and time, as GS04, T and GS05
	Off         int64  // announced amount minus the total of the sets, in cents, for all payees together
	AmountKnown bool   // every set gives its amount (BPR02); otherwise Off says nothing
}

// LoadCheckRecord reads everything known about a check or transfer, within the transaction.
func LoadCheckRecord(ctx context.Context, tx *sql.Tx, ftin, remittance string) (CheckRecord, error) {
	k := facts.CheckRef{FTIN: ftin, Remittance: remittance}
	found, err := store.LoadRemittances(ctx, tx, []facts.CheckRef{k})
	if err != nil {
		return CheckRecord{}, err
	}
	if len(found) == 0 {
		return CheckRecord{}, db.ErrNotFound
	}
	sets, err := store.LoadSetsOfChecks(ctx, tx, []facts.CheckRef{k})
	if err != nil {
		return CheckRecord{}, err
	}
	paid, err := store.LoadPaymentsOfCheck(ctx, tx, k)
	if err != nil {
		return CheckRecord{}, err
	}
	adjustments, err := store.LoadAdjustments(ctx, tx, []facts.CheckRef{k})
	if err != nil {
		return CheckRecord{}, err
	}
	payments := make([]*facts.Payment, len(paid))
	for i := range paid {
		payments[i] = &paid[i]
	}
	c := matching.SelectCounted(sets, payments, adjustments)
	a := CheckRecord{Remittance: found[0], Adjustments: c.Adjustments, Parts: len(c.Sets)}
	for _, p := range c.Payments {
		a.Payments = append(a.Payments, *p)
	}
	for _, p := range slices.SortedFunc(maps.Keys(c.Superseded), (*facts.Payment).Compare) {
		a.Superseded = append(a.Superseded, *p)
	}
	if a.DuplicateOf != "" {
		others, err := store.LoadRemittances(ctx, tx, []facts.CheckRef{{FTIN: ftin, Remittance: a.DuplicateOf}})
		if err != nil {
			return CheckRecord{}, err
		}
		if len(others) > 0 {
			a.Counts = &others[0]
		}
	}
	if a.Parts > 0 {
		a.Written = c.Sets[0].Written
	}
	a.AmountKnown = true
	for _, s := range c.Sets {
		a.Off += s.Amount - s.ClaimsPaid + s.Adjusted
		a.AmountKnown = a.AmountKnown && s.AmountKnown
	}
	if a.Amount != nil {
		a.Off = *a.Amount - a.Paid + a.Adjusted
	}
	return a, nil
}

// LoadSharedAmounts returns the whole amounts of checks that pay several payees, as far as their
// sets give them. They are only for comparing, because an office may not see what others are paid.
func LoadSharedAmounts(ctx context.Context, tx *sql.Tx, checks []facts.CheckRef) (map[facts.CheckRef]int64, error) {
	sets, err := store.LoadSetsOfChecks(ctx, tx, checks)
	if err != nil {
		return nil, err
	}
	paid, err := store.LoadPaymentsOfChecks(ctx, tx, checks)
	if err != nil {
		return nil, err
	}
	setsOf, paidOf := map[facts.CheckRef][]facts.RemittanceSet{}, map[facts.CheckRef][]*facts.Payment{}
	for _, s := range sets {
		k := facts.CheckRef{FTIN: s.FTIN, Remittance: s.Remittance}
		setsOf[k] = append(setsOf[k], s)
	}
	for i := range paid {
		k := facts.CheckRef{FTIN: paid[i].Reported.FTIN, Remittance: paid[i].Remittance}
		paidOf[k] = append(paidOf[k], &paid[i])
	}
	amounts := map[facts.CheckRef]int64{}
	for k, list := range setsOf {
		var total int64
		known := true
		for _, s := range matching.SelectCounted(list, paidOf[k], nil).Sets {
			total += s.Amount
			known = known && s.AmountKnown
		}
		if known {
			amounts[k] = total
		}
	}
	return amounts, nil
}

// FindRemittance returns the totals of a check or transfer to a TIN, or nothing if it's gone.
func FindRemittance(ctx context.Context, tx *sql.Tx, ftin, remittance string) (facts.Remittance, error) {
	found, err := store.LoadRemittances(ctx, tx, []facts.CheckRef{{FTIN: ftin, Remittance: remittance}})
	if err != nil || len(found) == 0 {
		return facts.Remittance{}, err
	}
	return found[0], nil
}

// maxReferenced limits how many references of one remittance are looked up.
const maxReferenced = 100

// FindReferenced finds the bills of a TIN by references: the network's number, the payer's
// number or the patient account number. A reference that fits several bills finds none.
func FindReferenced(ctx context.Context, tx *sql.Tx, ftin string, references []string) (map[string]facts.Bill, error) {
	found := map[string]facts.Bill{}
	for i, reference := range references {
		n := facts.FoldOrEmpty(reference)
		if i == maxReferenced {
			break
		}
		if _, known := found[reference]; n == "" || known {
			continue
		}
		ties, err := store.FindLinks(ctx, tx, []facts.LinkRef{{FTIN: ftin, Link: facts.ByNumber + n}})
		if err == nil && len(ties) == 0 {
			k := facts.LinkRef{FTIN: ftin, Link: facts.AccountPrefix(n)}
			var beginning map[facts.LinkRef][]facts.Link
			beginning, err = store.FindLinksByPrefix(ctx, tx, []facts.LinkRef{k})
			ties = beginning[k]
		}
		if err != nil {
			return nil, err
		}
		refs := make([]facts.FactRef, len(ties))
		for i, l := range ties {
			refs[i] = facts.FactRef{FTIN: ftin, Fact: l.Fact}
		}
		places, err := store.LoadPlaces(ctx, tx, refs)
		if err != nil {
			return nil, err
		}
		keys := slices.Compact(slices.Sorted(maps.Values(places)))
		if len(keys) != 1 {
			continue
		}
		list, err := store.SelectByNumbers(ctx, tx, ftin, keys)
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			found[reference] = b
		}
	}
	return found, nil
}
