package ledger

import (
	"context"
	"database/sql"
	"slices"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
)

// ListUnplaced lists payments that no bill proves and staff haven't dismissed, largest first. The
// payments are of $0.00 or they aren't.
func ListUnplaced(
	ctx context.Context, q db.Queryer, after store.UnplacedPlace, isZero bool, limit int,
) ([]facts.UnplacedPayment, error) {
	all, err := store.ListUnplaced(ctx, q, after, isZero, limit)
	list := make([]facts.UnplacedPayment, len(all))
	for i, f := range all {
		list[i] = f.ToUnplaced()
	}
	return list, err
}

// FindUnplaced reads a payment that still has no TIN. It returns ErrNotUnmatched if the payment
// has one or is dismissed.
func FindUnplaced(ctx context.Context, q db.Queryer, u facts.Unplaced) (facts.UnplacedPayment, error) {
	f, err := findUnplaced(ctx, q, u)
	if err != nil {
		return facts.UnplacedPayment{}, err
	}
	return f.ToUnplaced(), nil
}

func findUnplaced(ctx context.Context, q db.Queryer, u facts.Unplaced) (facts.PayeeFact, error) {
	all, err := store.FindPayeeFacts(ctx, q, []facts.PayeeFact{{NPI: u.NPI, Remittance: u.Remittance, Fact: u.Fact}})
	if err != nil {
		return facts.PayeeFact{}, err
	}
	i := slices.IndexFunc(all, func(f facts.PayeeFact) bool { return f.Occurrence == u.Occurrence })
	if i < 0 || all[i].FTIN != "" || all[i].Dismissed || all[i].Body.Payment == nil {
		return facts.PayeeFact{}, batch.ErrNotUnmatched
	}
	return all[i], nil
}

// FindUnplacedCandidates returns bills that the payment may belong to, under the payee's TINs.
func FindUnplacedCandidates(ctx context.Context, q db.Queryer, u facts.UnplacedPayment, days int) ([]facts.Bill, error) {
	tins, err := store.ListPayeeTINs(ctx, q, u.NPI)
	if err != nil {
		return nil, err
	}
	var list []facts.Bill
	for _, tin := range tins {
		made := u.Made
		made.FTIN = tin
		found, err := store.FindCandidates(ctx, q, made, days)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// JoinUnplaced matches a payment that no bill proves to a bill under one of the payee's TINs, by
// number key. The errors are those of Join.
func (l *Ledger) JoinUnplaced(ctx context.Context, tx *sql.Tx, u facts.Unplaced, ftin, sent, by string) (facts.Join, error) {
	tins, err := store.ListPayeeTINs(ctx, tx, u.NPI)
	if err != nil {
		return facts.Join{}, err
	}
	held := map[string]bool{u.NPI: true}
	for _, tin := range tins {
		held[tin] = true
	}
	w, err := batch.Begin(ctx, l.needs, tx, held)
	if err != nil {
		return facts.Join{}, err
	}
	f, err := findUnplaced(ctx, tx, u)
	if err != nil {
		return facts.Join{}, err
	}
	list, err := store.LoadBills(ctx, tx, []facts.BillRef{{FTIN: ftin, Key: sent}})
	switch {
	case err != nil:
		return facts.Join{}, err
	case len(list) == 0 || !slices.Contains(tins, ftin):
		return facts.Join{}, db.ErrNotFound
	case list[0].Source != facts.SourceBill:
		return facts.Join{}, batch.ErrNotSent
	}
	j := facts.Join{FTIN: ftin, Payment: u.Fact, Submission: list[0].Fact, NPI: u.NPI, Remittance: u.Remittance, MadeAt: w.At, By: by,
		At: w.At}
	if err := w.Join(ctx, &j, f.ToUnplaced().Made, list[0]); err != nil {
		return j, err
	}
	return j, w.PlaceCheck(ctx, facts.PayeeRef{NPI: u.NPI, Remittance: u.Remittance}, tins)
}

// DismissUnplaced dismisses a payment that no bill proves.
func (l *Ledger) DismissUnplaced(ctx context.Context, tx *sql.Tx, u facts.Unplaced, by string) (facts.Join, error) {
	w, err := batch.Begin(ctx, l.needs, tx, map[string]bool{u.NPI: true})
	if err != nil {
		return facts.Join{}, err
	}
	f, err := findUnplaced(ctx, tx, u)
	if err != nil {
		return facts.Join{}, err
	}
	j := facts.Join{Payment: u.Fact, NPI: u.NPI, Remittance: u.Remittance, MadeAt: w.At, By: by, At: w.At}
	if err := batch.StoreJoin(ctx, tx, &j); err != nil {
		return j, err
	}
	f.Dismissed = true
	return j, store.MovePayeeFacts(ctx, tx, []facts.PayeeFact{f})
}

// placeAgain places the payment of an undone join again, or lists it again.
func placeAgain(ctx context.Context, tx *sql.Tx, j facts.Join) error {
	all, err := store.FindPayeeFacts(ctx, tx, []facts.PayeeFact{{NPI: j.NPI, Remittance: j.Remittance, Fact: j.Payment}})
	if err != nil {
		return err
	}
	for i := range all {
		all[i].Dismissed = false
	}
	if err := store.MovePayeeFacts(ctx, tx, all); err != nil {
		return err
	}
	return store.AddPending(ctx, tx, map[facts.PayeeRef]bool{{NPI: j.NPI, Remittance: j.Remittance}: true})
}

// loadUnplaced returns the payments of joins that are under no TIN.
func loadUnplaced(ctx context.Context, tx *sql.Tx, list []facts.Join) ([]facts.Payment, error) {
	var asked []facts.PayeeFact
	for _, j := range list {
		if j.NPI != "" {
			asked = append(asked, facts.PayeeFact{NPI: j.NPI, Remittance: j.Remittance, Fact: j.Payment})
		}
	}
	all, err := store.FindPayeeFacts(ctx, tx, asked)
	var paid []facts.Payment
	for _, f := range all {
		if f.FTIN == "" && f.Body.Payment != nil {
			paid = append(paid, *f.Body.Payment)
		}
	}
	return paid, err
}
