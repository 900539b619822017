package ledger

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/platform/db"
)

// ListUnplaced lists payments that no bill proves and staff haven't dismissed, by payee.
func ListUnplaced(ctx context.Context, q db.Queryer, after Unplaced, limit int) ([]UnplacedPayment, error) {
	all, err := unplacedAfter(ctx, q, after, limit)
	list := make([]UnplacedPayment, len(all))
	for i, f := range all {
		list[i] = f.toUnplaced()
	}
	return list, err
}

// FindUnplaced reads a payment that still has no TIN. It returns ErrNotUnmatched if the payment
// has one or is dismissed.
func FindUnplaced(ctx context.Context, q db.Queryer, u Unplaced) (UnplacedPayment, error) {
	f, err := findUnplaced(ctx, q, u)
	if err != nil {
		return UnplacedPayment{}, err
	}
	return f.toUnplaced(), nil
}

func findUnplaced(ctx context.Context, q db.Queryer, u Unplaced) (payeeFact, error) {
	all, err := findPayeeFacts(ctx, q, []payeeFact{{NPI: u.NPI, Remittance: u.Remittance, Fact: u.Fact}})
	if err != nil {
		return payeeFact{}, err
	}
	i := slices.IndexFunc(all, func(f payeeFact) bool { return f.Occurrence == u.Occurrence })
	if i < 0 || all[i].FTIN != "" || all[i].Dismissed || all[i].Body.Payment == nil {
		return payeeFact{}, ErrNotUnmatched
	}
	return all[i], nil
}

// FindUnplacedCandidates returns bills that the payment may belong to, under the payee's TINs.
func FindUnplacedCandidates(ctx context.Context, q db.Queryer, u UnplacedPayment, days int) ([]Bill, error) {
	tins, err := payeeTINs(ctx, q, u.NPI)
	if err != nil {
		return nil, err
	}
	var list []Bill
	for _, tin := range tins {
		made := u.Made
		made.FTIN = tin
		found, err := FindCandidates(ctx, q, made, days)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// JoinUnplaced matches a payment that no bill proves to a bill under one of the payee's TINs, by
// number key. The errors are those of Join.
func (l *Ledger) JoinUnplaced(ctx context.Context, tx *sql.Tx, u Unplaced, ftin, sent, by string) (Join, error) {
	tins, err := payeeTINs(ctx, tx, u.NPI)
	if err != nil {
		return Join{}, err
	}
	held := map[string]bool{u.NPI: true}
	for _, tin := range tins {
		held[tin] = true
	}
	w, err := l.begin(ctx, tx, held)
	if err != nil {
		return Join{}, err
	}
	f, err := findUnplaced(ctx, tx, u)
	if err != nil {
		return Join{}, err
	}
	list, err := wholeBills(ctx, tx, []billRef{{ftin, sent}})
	switch {
	case err != nil:
		return Join{}, err
	case len(list) == 0 || !slices.Contains(tins, ftin):
		return Join{}, db.ErrNotFound
	case list[0].Source != SourceBill:
		return Join{}, ErrNotSent
	}
	j := Join{FTIN: ftin, Payment: u.Fact, Submission: list[0].Fact, NPI: u.NPI, Remittance: u.Remittance, MadeAt: w.at, By: by, At: w.at}
	if err := w.join(ctx, &j, f.toUnplaced().Made, list[0]); err != nil {
		return j, err
	}
	return j, l.placeCheck(ctx, w, payeeRef{u.NPI, u.Remittance}, tins)
}

// DismissUnplaced dismisses a payment that no bill proves.
func (l *Ledger) DismissUnplaced(ctx context.Context, tx *sql.Tx, u Unplaced, by string) (Join, error) {
	w, err := l.begin(ctx, tx, map[string]bool{u.NPI: true})
	if err != nil {
		return Join{}, err
	}
	f, err := findUnplaced(ctx, tx, u)
	if err != nil {
		return Join{}, err
	}
	j := Join{Payment: u.Fact, NPI: u.NPI, Remittance: u.Remittance, MadeAt: w.at, By: by, At: w.at}
	if err := storeJoin(ctx, tx, &j); err != nil {
		return j, err
	}
	f.Dismissed = true
	return j, movePayeeFacts(ctx, tx, []payeeFact{f})
}

// placeAgain places the payment of an undone join again, or lists it again.
func placeAgain(ctx context.Context, tx *sql.Tx, j Join) error {
	all, err := findPayeeFacts(ctx, tx, []payeeFact{{NPI: j.NPI, Remittance: j.Remittance, Fact: j.Payment}})
	if err != nil {
		return err
	}
	for i := range all {
		all[i].Dismissed = false
	}
	if err := movePayeeFacts(ctx, tx, all); err != nil {
		return err
	}
	return addPending(ctx, tx, map[payeeRef]bool{{j.NPI, j.Remittance}: true})
}

// loadUnplaced returns the payments of joins that are under no TIN.
func loadUnplaced(ctx context.Context, tx *sql.Tx, list []Join) ([]Payment, error) {
	var asked []payeeFact
	for _, j := range list {
		if j.NPI != "" {
			asked = append(asked, payeeFact{NPI: j.NPI, Remittance: j.Remittance, Fact: j.Payment})
		}
	}
	all, err := findPayeeFacts(ctx, tx, asked)
	var paid []Payment
	for _, f := range all {
		if f.FTIN == "" && f.Body.Payment != nil {
			paid = append(paid, *f.Body.Payment)
		}
	}
	return paid, err
}
