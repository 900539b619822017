package store

import (
	"context"
	"database/sql"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/db"
)

var decisions = db.NewTable("check_decisions", db.Fields[facts.Decision]("id")...)

var newDecision = decisions.Without("id")

// LoadDecisions returns the decisions in force for checks of a TIN, by pair.
func LoadDecisions(ctx context.Context, tx *sql.Tx, ftin string, checks []facts.CheckRef) (map[[2]string]facts.DuplicateState, error) {
	list, err := decisions.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs(checks), "t.undone_at IS NULL")
	found := make(map[[2]string]facts.DuplicateState, len(list))
	for _, d := range list {
		found[facts.SortPair(d.Remittance, d.Other)] = facts.Counted
		if d.Same {
			found[facts.SortPair(d.Remittance, d.Other)] = facts.SameCheck
		}
	}
	return found, err
}

// GetDecisionInForce returns the decision in force about a pair of checks.
func GetDecisionInForce(ctx context.Context, tx *sql.Tx, ftin string, pair [2]string) (facts.Decision, error) {
	return decisions.Get(ctx, tx, `WHERE ftin = $1 AND remittance = $2 AND other = $3 AND undone_at IS NULL`, ftin, pair[0], pair[1])
}

// GetDecision reads a decision, including an undone one.
func GetDecision(ctx context.Context, tx *sql.Tx, id int64) (facts.Decision, error) {
	return decisions.Get(ctx, tx, `WHERE id = $1`, id)
}

// ListDecisions returns the last decisions, newest first.
func ListDecisions(ctx context.Context, q db.Queryer, limit int) ([]facts.Decision, error) {
	return decisions.Select(ctx, q, `ORDER BY id DESC LIMIT $1`, limit)
}

// ListPossibleDuplicates returns checks that may be duplicates, by TIN.
func ListPossibleDuplicates(ctx context.Context, q db.Queryer, limit int) ([]facts.Remittance, error) {
	return Remittances.Select(ctx, q, `WHERE duplicate = 'POSSIBLE' ORDER BY ftin, remittance LIMIT $1`, limit)
}

// AddDecision inserts a decision and returns its id.
func AddDecision(ctx context.Context, tx *sql.Tx, d facts.Decision) (int64, error) {
	return newDecision.Add(ctx, tx, d, "id")
}

// PutDecision replaces a decision.
func PutDecision(ctx context.Context, tx *sql.Tx, d facts.Decision) error {
	_, err := decisions.Update(ctx, tx, d)
	return err
}
