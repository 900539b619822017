package store

import (
	"context"
	"database/sql"
	"strconv"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/db"
)

// ListOutdatedBills returns some bills derived by other rules. Its index contains only those. With
// another version number, it would need a scan.
func ListOutdatedBills(ctx context.Context, tx *sql.Tx) ([]facts.Bill, error) {
	return Bills.Select(ctx, tx, `WHERE rules < `+strconv.Itoa(derive.Rules)+` ORDER BY ftin, bill_control_number_key LIMIT $1`,
		rowsPerStep)
}

// ListOutdatedChecks returns some checks derived by other rules.
func ListOutdatedChecks(ctx context.Context, tx *sql.Tx) ([]facts.Remittance, error) {
	return Remittances.Select(ctx, tx, `WHERE rules < `+strconv.Itoa(derive.Rules)+` ORDER BY ftin, remittance LIMIT $1`, rowsPerStep)
}

var remittanceRules = Remittances.Only("ftin", "remittance", "rules")

// NoteRules records that checks are derived by the current rules.
func NoteRules(ctx context.Context, tx *sql.Tx, list []facts.Remittance) error {
	return remittanceRules.UpdateAll(ctx, tx, list...)
}

// ListUnnamed returns some old bills without a claimant name key. Its index contains only those.
func ListUnnamed(ctx context.Context, tx *sql.Tx) ([]facts.Bill, error) {
	return billsUnnamed.Select(ctx, tx, `
		WHERE patient_name_key = ''
		ORDER BY ftin, patient_last_name_key, patient_first_name_key, patient_birth_date, begin_service_date LIMIT $1`, rowsPerStep)
}

// PutNames writes the claimant name keys.
func PutNames(ctx context.Context, tx *sql.Tx, bills []facts.Bill) error {
	return billsPeople.UpdateAll(ctx, tx, bills...)
}

// rowsPerStep is how many rows one step migrates.
const rowsPerStep = db.StepRows
