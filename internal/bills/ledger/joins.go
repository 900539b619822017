package ledger

import (
	"context"
	"database/sql"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
)

// Join moves the payments of a bill known only from them to another bill of its TIN. The
// arguments are keys of bill numbers. It reads both bills after locking the TIN. It returns
// ErrNotUnmatched if the payment has another bill by then, and db.ErrNotFound if the other bill
// doesn't exist.
func (l *Ledger) Join(ctx context.Context, tx *sql.Tx, ftin, made, sent, by string) (facts.Join, error) {
	w, err := batch.Begin(ctx, l.needs, tx, map[string]bool{ftin: true})
	if err != nil {
		return facts.Join{}, err
	}
	bills := map[string]facts.Bill{}
	list, err := store.LoadBills(ctx, tx, []facts.BillRef{{FTIN: ftin, Key: made}, {FTIN: ftin, Key: sent}})
	for _, b := range list {
		bills[b.Key()] = b
	}
	from, to := bills[made], bills[sent]
	switch {
	case err != nil:
		return facts.Join{}, err
	case from.Source != facts.SourcePayment:
		return facts.Join{}, batch.ErrNotUnmatched
	case to.FTIN == "":
		return facts.Join{}, db.ErrNotFound
	case to.Source != facts.SourceBill:
		return facts.Join{}, batch.ErrNotSent
	}
	j := facts.Join{FTIN: ftin, Payment: from.Fact, Submission: to.Fact, MadeAt: from.FirstSeenAt, By: by, At: w.At}
	if err := w.Join(ctx, &j, from, to); err != nil {
		return j, err
	}
	return j, w.DeriveJoined(ctx, j)
}

// Dismiss dismisses the payments of a bill known only from them.
func (l *Ledger) Dismiss(ctx context.Context, tx *sql.Tx, ftin, made, by string) (facts.Join, error) {
	if _, err := batch.Begin(ctx, l.needs, tx, map[string]bool{ftin: true}); err != nil {
		return facts.Join{}, err
	}
	list, err := store.LoadBills(ctx, tx, []facts.BillRef{{FTIN: ftin, Key: made}})
	switch {
	case err != nil:
		return facts.Join{}, err
	case len(list) == 0 || list[0].Source != facts.SourcePayment:
		return facts.Join{}, batch.ErrNotUnmatched
	}
	j := facts.Join{FTIN: ftin, Payment: list[0].Fact, MadeAt: list[0].FirstSeenAt, By: by, At: db.At(l.needs.Now())}
	return j, batch.StoreJoin(ctx, tx, &j)
}

// Undo undoes a staff decision on a payment and derives its bills again. PlacePayees places a
// payment to a payee known by NPI again. It returns ErrNoJoin if no decision is in force.
func (l *Ledger) Undo(ctx context.Context, tx *sql.Tx, ftin, payment, by string) (facts.Join, error) {
	w, err := batch.Begin(ctx, l.needs, tx, map[string]bool{ftin: true})
	if err != nil {
		return facts.Join{}, err
	}
	j, err := store.GetJoinInForce(ctx, tx, ftin, payment)
	if err != nil {
		return j, db.IfNotFound(err, batch.ErrNoJoin)
	}
	j.UndoneBy, j.UndoneAt = by, w.At
	if err := store.UndoJoin(ctx, tx, j); err != nil {
		return j, err
	}
	if j.NPI != "" {
		return j, placeAgain(ctx, tx, j)
	}
	if j.Submission == "" {
		return j, nil
	}
	return j, w.Separate(ctx, j)
}

// JoinSummary is a join with the fields by which people identify its payment.
type JoinSummary struct {
	facts.Join
	Of   facts.Payment // without details; empty if no file contains it anymore
	Bill string        // number of the payment's current bill; empty if it has none
}

// ListJoins returns the last staff matches, including undone ones, newest first.
func ListJoins(ctx context.Context, tx *sql.Tx, limit int) ([]JoinSummary, error) {
	made, err := store.ListJoins(ctx, tx, limit)
	if err != nil {
		return nil, err
	}
	list, refs := make([]JoinSummary, len(made)), make([]facts.FactRef, len(made))
	for i, j := range made {
		list[i].Join, refs[i] = j, facts.FactRef{FTIN: j.FTIN, Fact: j.Payment}
	}
	paid, err := store.LoadPayments(ctx, tx, refs)
	if err != nil {
		return nil, err
	}
	unplaced, err := loadUnplaced(ctx, tx, made)
	if err != nil {
		return nil, err
	}
	paid = append(paid, unplaced...)
	of, keys := map[facts.FactRef]facts.Payment{}, []facts.BillRef{}
	for _, p := range paid {
		of[p.Ref()] = p
		keys = append(keys, facts.BillRef{FTIN: p.Reported.FTIN, Key: p.Bill})
	}
	bills, err := store.LoadBillsBefore(ctx, tx, keys)
	if err != nil {
		return nil, err
	}
	numbers := map[facts.BillRef]string{}
	for _, b := range bills {
		numbers[b.Ref()] = b.BillControlNumber
	}
	for i, key := range refs {
		list[i].Of = of[key]
		list[i].Bill = numbers[facts.BillRef{FTIN: key.FTIN, Key: of[key].Bill}]
	}
	return list, nil
}
