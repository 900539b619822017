package ledger

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// remittanceSets, adjustmentRows and Remittances describe the tables of checks and transfers.
var (
	remittanceSets = db.NewTable("remittance_sets",
		db.Col("ftin", func(s *RemittanceSet) *string { return &s.FTIN }).Key(),
		db.Col("fact", func(s *RemittanceSet) *string { return &s.Fact }).Key(),
		db.Col("remittance", func(s *RemittanceSet) *string { return &s.Remittance }),
		db.Col("written", func(s *RemittanceSet) *string { return &s.Written }),
		db.Col("payee_npi", func(s *RemittanceSet) *string { return &s.PayeeNPI }),
		db.Col("payees", func(s *RemittanceSet) *int { return &s.Payees }),
		db.Col("payer", func(s *RemittanceSet) *string { return &s.Payer }),
		db.Col("payer_tax_id", func(s *RemittanceSet) *string { return &s.PayerTaxID }),
		db.Col("payer_id", func(s *RemittanceSet) *string { return &s.PayerID }),
		db.Col("payer_name", func(s *RemittanceSet) *string { return &s.PayerName }),
		db.Col("trace_number", func(s *RemittanceSet) *string { return &s.TraceNumber }),
		db.Col("paid_on", func(s *RemittanceSet) *date.Date { return &s.PaidOn }),
		db.Col("effective_on", func(s *RemittanceSet) *date.Date { return &s.EffectiveOn }),
		db.Col("produced_on", func(s *RemittanceSet) *date.Date { return &s.ProducedOn }),
		db.Col("handling", func(s *RemittanceSet) *string { return &s.Handling }),
		db.Col("credit_debit", func(s *RemittanceSet) *string { return &s.CreditDebit }),
		db.Col("method", func(s *RemittanceSet) *string { return &s.Method }),
		db.Col("amount", func(s *RemittanceSet) *int64 { return &s.Amount }),
		db.Col("amount_known", func(s *RemittanceSet) *bool { return &s.AmountKnown }),
		db.Col("claims_paid", func(s *RemittanceSet) *int64 { return &s.ClaimsPaid }),
		db.Col("adjusted", func(s *RemittanceSet) *int64 { return &s.Adjusted }),
		db.JSON("payments", func(s *RemittanceSet) *[]FactID { return &s.Payments }),
		db.JSON("adjustments", func(s *RemittanceSet) *[]FactID { return &s.Adjustments }),
		db.JSON("contacts", func(s *RemittanceSet) *[]Contact { return &s.Contacts }),
		db.Col("file_sha256", func(s *RemittanceSet) *string { return &s.File }),
		db.Col("set_offset", func(s *RemittanceSet) *int64 { return &s.Offset }),
		db.Col("set_length", func(s *RemittanceSet) *int64 { return &s.Length }),
	)

	adjustmentRows = db.NewTable("adjustments",
		db.Col("ftin", func(a *ProviderAdjustment) *string { return &a.FTIN }).Key(),
		db.Col("fact", func(a *ProviderAdjustment) *string { return &a.Fact }).Key(),
		db.Col("occurrence", func(a *ProviderAdjustment) *int { return &a.Occurrence }).Key(),
		db.Col("remittance", func(a *ProviderAdjustment) *string { return &a.Remittance }),
		db.Col("provider", func(a *ProviderAdjustment) *string { return &a.Provider }),
		db.Col("period", func(a *ProviderAdjustment) *date.Date { return &a.Period }),
		db.Col("reason", func(a *ProviderAdjustment) *string { return &a.Reason }),
		db.Col("reference", func(a *ProviderAdjustment) *string { return &a.Reference }),
		db.Col("amount", func(a *ProviderAdjustment) *int64 { return &a.Amount }),
	)

	Remittances = db.NewTable("remittances",
		db.Col("ftin", func(r *Remittance) *string { return &r.FTIN }).Key(),
		db.Col("remittance", func(r *Remittance) *string { return &r.Remittance }).Key(),
		db.Col("trace_number", func(r *Remittance) *string { return &r.TraceNumber }),
		db.Computed("trace_number_key", func(r *Remittance) any { return NumberKey(r.TraceNumber) }),
		db.Col("payer", func(r *Remittance) *string { return &r.Payer }),
		db.Col("payer_tax_id", func(r *Remittance) *string { return &r.PayerTaxID }),
		db.Col("payer_id", func(r *Remittance) *string { return &r.PayerID }),
		db.Col("payer_name", func(r *Remittance) *string { return &r.PayerName }),
		db.Computed("payer_name_key", func(r *Remittance) any { return text.Key(r.PayerName) }),
		db.Col("paid_on", func(r *Remittance) *date.Date { return &r.PaidOn }),
		db.Col("effective_on", func(r *Remittance) *date.Date { return &r.EffectiveOn }),
		db.Col("produced_on", func(r *Remittance) *date.Date { return &r.ProducedOn }),
		db.Col("handling", func(r *Remittance) *string { return &r.Handling }),
		db.Col("method", func(r *Remittance) *string { return &r.Method }),
		db.Col("payees", func(r *Remittance) *int { return &r.Payees }),
		db.Nullable("amount", func(r *Remittance) **int64 { return &r.Amount }),
		db.Col("paid", func(r *Remittance) *int64 { return &r.Paid }),
		db.Col("adjusted", func(r *Remittance) *int64 { return &r.Adjusted }),
		db.Col("bills", func(r *Remittance) *int { return &r.Bills }),
		db.Col("reversals", func(r *Remittance) *int { return &r.Reversals }),
		db.Col("balanced", func(r *Remittance) *bool { return &r.Balanced }),
		db.JSON("contacts", func(r *Remittance) *[]Contact { return &r.Contacts }),
		db.Col("file_sha256", func(r *Remittance) *string { return &r.File }),
		db.Col("set_offset", func(r *Remittance) *int64 { return &r.Offset }),
		db.Col("set_length", func(r *Remittance) *int64 { return &r.Length }),
		db.Computed("rules", func(*Remittance) any { return rules }),
		db.Col("duplicate", func(r *Remittance) *DuplicateState { return &r.Duplicate }),
		db.Col("duplicate_of", func(r *Remittance) *string { return &r.DuplicateOf }),
		db.Col("first_seen_at", func(r *Remittance) *db.Instant { return &r.FirstSeenAt }),
	)
)

// remittancesNumbered finds the checks of TINs by their numbers in CheckKey form.
func remittancesNumbered(ctx context.Context, tx *sql.Tx, numbers [][2]string) ([]Remittance, error) {
	return Remittances.SelectByKeys(ctx, tx, []string{"ftin", "ltrim(t.trace_number_key, '0') ="},
		toPairs(numbers, func(n [2]string) (string, string) { return n[0], n[1] }), "")
}

// markPayments records whether payments count when other checks may be the same.
func markPayments(ctx context.Context, tx *sql.Tx, list []Payment) error {
	return paymentsMarked.UpdateAll(ctx, tx, list...)
}

func toCheckPairs(keys []checkRef) [][]any {
	return toPairs(keys, func(k checkRef) (string, string) { return k.ftin, k.remittance })
}

// paymentsOfChecks finds the payments of checks, in the columns that checks are derived from.
func paymentsOfChecks(ctx context.Context, tx *sql.Tx, keys []checkRef) ([]Payment, error) {
	return paymentsCounted.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs(keys), "")
}

func loadSets(ctx context.Context, tx *sql.Tx, keys []factRef) ([]RemittanceSet, error) {
	return remittanceSets.SelectByKeys(ctx, tx, []string{"ftin", "fact"}, toFactPairs(keys), "")
}

func setsAmong(ctx context.Context, tx *sql.Tx, keys []checkRef) ([]RemittanceSet, error) {
	return remittanceSets.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs(keys), "")
}

func putSets(ctx context.Context, tx *sql.Tx, rows []RemittanceSet) error {
	return remittanceSets.Upsert(ctx, tx, rows...)
}

func removeSet(ctx context.Context, tx *sql.Tx, s RemittanceSet) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM remittance_sets WHERE ftin = $1 AND fact = $2`, s.FTIN, s.Fact)
	return err
}

func adjustmentsAmong(ctx context.Context, tx *sql.Tx, keys []checkRef) ([]ProviderAdjustment, error) {
	return adjustmentRows.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs(keys), "")
}

func putAdjustments(ctx context.Context, tx *sql.Tx, rows []ProviderAdjustment) error {
	return adjustmentRows.InsertMissing(ctx, tx, rows...)
}

func removeAdjustment(ctx context.Context, tx *sql.Tx, a ProviderAdjustment) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM adjustments WHERE ftin = $1 AND fact = $2 AND occurrence = $3`, a.FTIN, a.Fact, a.Occurrence)
	return err
}

func remittancesAmong(ctx context.Context, tx *sql.Tx, keys []checkRef) ([]Remittance, error) {
	return Remittances.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs(keys), "")
}

func putRemittances(ctx context.Context, tx *sql.Tx, rows []Remittance) error {
	return Remittances.Upsert(ctx, tx, rows...)
}

func removeRemittance(ctx context.Context, tx *sql.Tx, k checkRef) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM remittances WHERE ftin = $1 AND remittance = $2`, k.ftin, k.remittance)
	return err
}

// paymentsOfCheck returns the payments of one check in full.
func paymentsOfCheck(ctx context.Context, tx *sql.Tx, k checkRef) ([]Payment, error) {
	return payments.SelectByKeys(ctx, tx, []string{"ftin", "remittance"}, toCheckPairs([]checkRef{k}), "")
}

// nextPaid returns the next TIN with checks, or empty if there's none.
func nextPaid(ctx context.Context, q db.Queryer, after string) (string, error) {
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

// checksSince returns the checks of a TIN since a day.
func checksSince(ctx context.Context, q db.Queryer, ftin string, since date.Date) ([]checkSize, error) {
	var list []checkSize
	err := db.Select(ctx, q, &list, `SELECT remittance, bills FROM remittances WHERE ftin = $1 AND paid_on >= $2`, ftin, since)
	return list, err
}

// paymentsReasoned are the columns that explain what was paid, for counted payments.
var paymentsReasoned = payments.Only("ftin", "bill_control_number_key", "paid_date", "claim_status", "detail")

func listReasoned(ctx context.Context, q db.Queryer, ftin string, checks []checkSize) ([]Payment, error) {
	return paymentsReasoned.SelectByKeys(ctx, q, []string{"ftin", "remittance"}, toPairs(checks, func(c checkSize) (string, string) {
		return ftin, c.Remittance
	}), "t.duplicate = ''")
}
