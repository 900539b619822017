package ledger

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/platform/db"
)

// Why a decision about checks isn't possible.
var (
	ErrNoDuplicate = errors.New("the check isn't a possible duplicate")
	ErrNoDecision  = errors.New("the decision doesn't exist or was undone")
)

// DuplicatePair are a check that doesn't count and the check that counts instead.
type DuplicatePair struct{ Check, Counts facts.Remittance }

// ListPossibleDuplicates lists up to limit checks that may be duplicates.
func ListPossibleDuplicates(ctx context.Context, tx *sql.Tx, limit int) ([]DuplicatePair, error) {
	list, err := store.ListPossibleDuplicates(ctx, tx, limit)
	if err != nil {
		return nil, err
	}
	keys := make([]facts.CheckRef, len(list))
	for i, r := range list {
		keys[i] = facts.CheckRef{FTIN: r.FTIN, Remittance: r.DuplicateOf}
	}
	others, err := store.LoadRemittances(ctx, tx, keys)
	twins := make([]DuplicatePair, len(list))
	for i, r := range list {
		twins[i].Check = r
		if at := slices.IndexFunc(others, func(o facts.Remittance) bool {
			return o.FTIN == r.FTIN && o.Remittance == r.DuplicateOf
		}); at >= 0 {
			twins[i].Counts = others[at]
		}
	}
	return twins, err
}

// Decide records a decision about a possible duplicate and the check that counts, and derives
// both again. It returns ErrNoDuplicate if the check isn't a possible duplicate, or no longer
// is.
func (l *Ledger) Decide(
	ctx context.Context, tx *sql.Tx, ftin, remittance string, same bool, by string,
) (facts.Decision, facts.Remittance, error) {
	w, err := batch.Begin(ctx, l.needs, tx, map[string]bool{ftin: true})
	if err != nil {
		return facts.Decision{}, facts.Remittance{}, err
	}
	list, err := store.LoadRemittances(ctx, tx, []facts.CheckRef{{FTIN: ftin, Remittance: remittance}})
	if err != nil {
		return facts.Decision{}, facts.Remittance{}, err
	}
	if len(list) == 0 || list[0].Duplicate != facts.PossibleDuplicate {
		return facts.Decision{}, facts.Remittance{}, ErrNoDuplicate
	}
	pair := facts.SortPair(remittance, list[0].DuplicateOf)
	d := facts.Decision{FTIN: ftin, Remittance: pair[0], Other: pair[1], Same: same, By: by, At: w.At}
	if _, err := store.GetDecisionInForce(ctx, tx, ftin, pair); !errors.Is(err, db.ErrNotFound) {
		return d, list[0], errors.Join(ErrNoDuplicate, err)
	}
	if d.ID, err = store.AddDecision(ctx, tx, d); err != nil {
		return d, list[0], err
	}
	return d, list[0], w.CompareDecided(ctx, d)
}

// UndoDecision undoes a decision. Both checks are compared as if there had been none. It returns
// ErrNoDecision if the decision isn't in force.
func (l *Ledger) UndoDecision(ctx context.Context, tx *sql.Tx, id int64, by string) (facts.Decision, error) {
	d, err := store.GetDecision(ctx, tx, id)
	if err != nil {
		return d, db.IfNotFound(err, ErrNoDecision)
	}
	w, err := batch.Begin(ctx, l.needs, tx, map[string]bool{d.FTIN: true})
	if err != nil {
		return d, err
	}
	if d, err = store.GetDecisionInForce(ctx, tx, d.FTIN, facts.SortPair(d.Remittance, d.Other)); err != nil || d.ID != id {
		return d, ErrNoDecision
	}
	d.UndoneBy, d.UndoneAt = by, w.At
	if err := store.PutDecision(ctx, tx, d); err != nil {
		return d, err
	}
	return d, w.CompareDecided(ctx, d)
}

// ListDecisions returns the last decisions with their checks, newest first.
func ListDecisions(ctx context.Context, tx *sql.Tx, limit int) ([]Decided, error) {
	made, err := store.ListDecisions(ctx, tx, limit)
	if err != nil {
		return nil, err
	}
	keys := make([]facts.CheckRef, len(made))
	for i, d := range made {
		keys[i] = d.Check()
	}
	checks, err := store.LoadRemittances(ctx, tx, keys)
	list := make([]Decided, len(made))
	for i, d := range made {
		list[i].Decision = d
		if at := slices.IndexFunc(checks, func(r facts.Remittance) bool {
			return r.FTIN == d.FTIN && r.Remittance == d.Remittance
		}); at >= 0 {
			list[i].Check = checks[at]
		}
	}
	return list, err
}

// Decided is a decision and one of its two checks, which have the same number.
type Decided struct {
	facts.Decision
	Check facts.Remittance
}
