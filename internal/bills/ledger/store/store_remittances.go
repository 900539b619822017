package store

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// RemittanceSets, AdjustmentRows and Remittances describe the tables of checks and transfers.
var (
	RemittanceSets = db.NewTable("remittance_sets", db.Fields[facts.RemittanceSet]("ftin", "fact")...)

	AdjustmentRows = db.NewTable("adjustments", db.Fields[facts.ProviderAdjustment]("ftin", "fact", "occurrence")...)

	Remittances = db.NewTable("remittances", append(db.Fields[facts.Remittance]("ftin", "remittance"),
		db.Computed("trace_number_key", func(r *facts.Remittance) any { return facts.NumberKey(r.TraceNumber) }),
		db.Computed("payer_name_key", func(r *facts.Remittance) any { return text.Key(r.PayerName) }),
		db.Computed("rules", func(*facts.Remittance) any { return derive.Rules }),
	)...)
)

// FindRemittancesByNumbers finds the checks of TINs by their numbers in CheckKey form.
func FindRemittancesByNumbers(ctx context.Context, tx *sql.Tx, numbers [][2]string) ([]facts.Remittance, error) {
	return Remittances.SelectByKeys(ctx, tx, []string{"ftin", "ltrim(t.trace_number_key, '0') ="},
		toPairs(numbers, func(n [2]string) (string, string) { return n[0], n[1] }), "")
}

// FindContact finds the latest check of a payer to a TIN that has a contact.
func FindContact(ctx context.Context, q db.Queryer, ftin, payerID string) (facts.Remittance, error) {
	return remittanceContacts.Get(ctx, q, `WHERE ftin = $1 AND payer_id = $2 AND paid_on IS NOT NULL AND contacts NOT IN ('null', '[]')
		ORDER BY paid_on DESC, remittance DESC LIMIT 1`, ftin, payerID)
}

var remittanceContacts = Remittances.Only("payer_name", "paid_on", "contacts")

// MarkPayments records whether payments count when other checks may be the same.
func MarkPayments(ctx context.Context, tx *sql.Tx, list []facts.Payment) error {
	return paymentsMarked.UpdateAll(ctx, tx, list...)
}

func toCheckPairs(keys []facts.CheckRef) [][]any {
	return toPairs(keys, func(k facts.CheckRef) (string, string) { return k.FTIN, k.Remittance })
}

// LoadPaymentsOfChecks finds the payments of checks, in the columns that checks are derived from.
func LoadPaymentsOfChecks(ctx context.Context, tx *sql.Tx, keys []facts.CheckRef) ([]facts.Payment, error) {
	return paymentsCounted.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs(keys), "")
}

// LoadSets reads sets.
func LoadSets(ctx context.Context, tx *sql.Tx, keys []facts.FactRef) ([]facts.RemittanceSet, error) {
	return RemittanceSets.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
}

// LoadSetsOfChecks reads the sets of checks.
func LoadSetsOfChecks(ctx context.Context, tx *sql.Tx, keys []facts.CheckRef) ([]facts.RemittanceSet, error) {
	return RemittanceSets.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs(keys), "")
}

// PutSets inserts or replaces sets.
func PutSets(ctx context.Context, tx *sql.Tx, rows []facts.RemittanceSet) error {
	return RemittanceSets.Upsert(ctx, tx, rows...)
}

// RemoveSet deletes a set.
func RemoveSet(ctx context.Context, tx *sql.Tx, s facts.RemittanceSet) error {
	return db.Run(ctx, tx, `DELETE FROM remittance_sets WHERE ftin = $1 AND fact = $2`, s.FTIN, s.Fact)
}

// LoadAdjustments reads the adjustments of checks.
func LoadAdjustments(ctx context.Context, tx *sql.Tx, keys []facts.CheckRef) ([]facts.ProviderAdjustment, error) {
	return AdjustmentRows.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs(keys), "")
}

// PutAdjustments inserts the adjustments that don't exist yet.
func PutAdjustments(ctx context.Context, tx *sql.Tx, rows []facts.ProviderAdjustment) error {
	return AdjustmentRows.InsertMissing(ctx, tx, rows...)
}

// RemoveAdjustment deletes an adjustment.
func RemoveAdjustment(ctx context.Context, tx *sql.Tx, a facts.ProviderAdjustment) error {
	return db.Run(ctx, tx, `DELETE FROM adjustments WHERE ftin = $1 AND fact = $2 AND occurrence = $3`, a.FTIN, a.Fact, a.Occurrence)
}

// LoadRemittances reads checks.
func LoadRemittances(ctx context.Context, tx *sql.Tx, keys []facts.CheckRef) ([]facts.Remittance, error) {
	return Remittances.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs(keys), "")
}

// PutRemittances inserts or replaces checks.
func PutRemittances(ctx context.Context, tx *sql.Tx, rows []facts.Remittance) error {
	return Remittances.Upsert(ctx, tx, rows...)
}

// RemoveRemittance deletes a check.
func RemoveRemittance(ctx context.Context, tx *sql.Tx, k facts.CheckRef) error {
	return db.Run(ctx, tx, `DELETE FROM remittances WHERE ftin = $1 AND remittance = $2`, k.FTIN, k.Remittance)
}

// LoadPaymentsOfCheck returns the payments of one check in full.
func LoadPaymentsOfCheck(ctx context.Context, tx *sql.Tx, k facts.CheckRef) ([]facts.Payment, error) {
	return Payments.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs([]facts.CheckRef{k}), "")
}

// NextPaid returns the next TIN with checks, or empty if there's none.
func NextPaid(ctx context.Context, q db.Queryer, after string) (string, error) {
	var tin string
	err := db.Get(ctx, q, &tin, `SELECT ftin FROM remittances WHERE ftin > $1 ORDER BY ftin LIMIT 1`, after)
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	return tin, err
}

// checkSize is a check and its number of bills.
type checkSize struct {
	Remittance string
	Bills      int
}

// ListChecksSince returns the checks of a TIN since a day.
func ListChecksSince(ctx context.Context, q db.Queryer, ftin string, since date.Date) ([]checkSize, error) {
	return db.List[checkSize](ctx, q, `SELECT remittance, bills FROM remittances WHERE ftin = $1 AND paid_on >= $2`, ftin, since)
}

// paymentsReasoned are the columns that explain what was paid, for counted payments.
var paymentsReasoned = Payments.Only("ftin", "bill_control_number_key", "paid_date", "claim_status", "detail")

// ListReasoned returns the counted payments of checks with what explains them.
func ListReasoned(ctx context.Context, q db.Queryer, ftin string, checks []checkSize) ([]facts.Payment, error) {
	return paymentsReasoned.SelectByKeys(ctx, q, []string{"ftin", "remittance"}, toPairs(checks, func(c checkSize) (string, string) {
		return ftin, c.Remittance
	}), "t.duplicate = ''")
}
