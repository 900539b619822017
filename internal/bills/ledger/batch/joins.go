package batch

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/matching"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
)

// Why a payment isn't matched to a bill.
var (
	ErrNotUnmatched   = errors.New("the bill isn't known from its payment only")
	ErrNotSent        = errors.New("the other bill was never submitted")
	ErrDiffersMore    = errors.New("they differ in more than one value")
	ErrAlreadyDecided = errors.New("the payment was already matched or dismissed")
	ErrNoJoin         = errors.New("the match doesn't exist or was undone")
)

// Join stores a match between a payment and a submitted bill. It returns ErrDiffersMore if they
// differ in more than one field.
func (w *Batch) Join(ctx context.Context, j *facts.Join, made, sent facts.Bill) error {
	differ := matching.FindDifferences(made, sent)
	switch {
	case len(differ) > 1:
		return ErrDiffersMore
	case len(differ) == 1:
		j.Difference = differ[0].What
	}
	return w.AddJoin(ctx, j)
}

// AddJoin stores a join, and counts it in the batch.
func (w *Batch) AddJoin(ctx context.Context, j *facts.Join) error {
	if err := StoreJoin(ctx, w.Tx, j); err != nil {
		return err
	}
	w.joins.add(*j)
	return nil
}

// StoreJoin stores a join, unless the payment has one in force.
func StoreJoin(ctx context.Context, tx *sql.Tx, j *facts.Join) error {
	_, err := store.GetJoinInForce(ctx, tx, j.FTIN, j.Payment)
	if err == nil {
		return ErrAlreadyDecided
	}
	if errors.Is(err, db.ErrNotFound) {
		j.ID, err = store.AddJoin(ctx, tx, *j)
	}
	return err
}

// DeriveJoined derives the bills at both ends of a join.
func (w *Batch) DeriveJoined(ctx context.Context, j facts.Join) error {
	if err := w.loadFacts(ctx, j.EndLinks()); err != nil {
		return err
	}
	return w.derive(ctx)
}

// joins are the joins in force for the TINs of a batch.
type joins struct {
	byTIN  map[string][]facts.Join
	byFact map[facts.FactRef][]facts.Link // the other ends
}

func newJoins(list []facts.Join) joins {
	js := joins{map[string][]facts.Join{}, map[facts.FactRef][]facts.Link{}}
	for _, j := range list {
		js.add(j)
	}
	return js
}

func (js joins) add(j facts.Join) {
	js.byTIN[j.FTIN] = append(js.byTIN[j.FTIN], j)
	for i, end := range j.EndLinks() {
		k := facts.FactRef{FTIN: j.FTIN, Fact: end.Fact}
		js.byFact[k] = append(js.byFact[k], j.EndLinks()[1-i])
	}
}

func (js joins) remove(j facts.Join) {
	same := func(o facts.Join) bool { return o.Payment == j.Payment && o.Submission == j.Submission }
	js.byTIN[j.FTIN] = slices.DeleteFunc(js.byTIN[j.FTIN], same)
	for i, end := range j.EndLinks() {
		k, other := facts.FactRef{FTIN: j.FTIN, Fact: end.Fact}, j.EndLinks()[1-i]
		js.byFact[k] = slices.DeleteFunc(js.byFact[k], func(l facts.Link) bool { return l == other })
	}
}

// Separate derives the bills at both ends of an undone join.
func (w *Batch) Separate(ctx context.Context, j facts.Join) error {
	w.joins.remove(j)
	w.former.madeAt = map[facts.FactRef]db.Instant{{FTIN: j.FTIN, Fact: j.Payment}: j.MadeAt}
	return w.DeriveJoined(ctx, j)
}
