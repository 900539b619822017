package bills

import (
	"cmp"
	"context"
	"errors"

	"wcpp/internal/access"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

func (c ByClaim) condition() (string, []any) {
	return `AND claim_number_key = $2 AND begin_service_date <= $3 AND end_service_date >= $4
		ORDER BY patient_last_name_key, patient_first_name_key, begin_service_date, bill_control_number_key`,
		[]any{text.Key(c.ClaimNumber), c.End, c.Begin}
}

func (c ByClaimant) condition() (string, []any) {
	return `AND patient_last_name_key = $2 AND patient_first_name_key = $3 AND patient_birth_date = $4
		  AND begin_service_date <= $5 AND end_service_date >= $6
		ORDER BY begin_service_date, bill_control_number_key`,
		[]any{text.Key(c.LastName), text.Key(c.FirstName), c.BirthDate, c.End, c.Begin}
}

func (c ByBillControlNumber) condition() (string, []any) {
	return `AND bill_control_number_key = $2`, []any{text.Key(c.Number)}
}

// The order is that of an expression: asked for that of the column, SQLite
// would walk the whole TIN by its claimants.
func (c ByDocument) condition() (string, []any) {
	return `AND document_id_key = $2
		ORDER BY patient_last_name_key || '', patient_first_name_key, begin_service_date, bill_control_number_key`, []any{text.Key(c.ID)}
}

// answered is what a search answers of a bill (result), and no more: of twenty rows the
// columns that nobody sees would cost more than finding them.
var answered = ledger.Bills.Only("ftin", "bill_control_number", "document_id", "billing_id", "claim_number",
	"patient_first_name", "patient_middle_name", "patient_last_name", "begin_service_date", "end_service_date", "date_of_injury",
	"physician_first_name", "physician_middle_name", "physician_last_name", "facility_name", "payer_id", "payer_name",
	"bill_charges", "recommended_allowance", "bill_status", "pricing_sheet", "eor", "paid_amount", "paid_date", "check_number",
	"open_state", "replaced_by")

// search answers bills that have no more than what a search answers of them.
func search(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, c Criteria) ([]Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	rest, args := c.condition()
	found, err := answered.Select(ctx, q, "WHERE ftin = $1 "+rest, append([]any{ftin}, args...)...)
	if byNumber, is := c.(ByBillControlNumber); is && err == nil && len(found) == 0 {
		return formerly(ctx, q, answered, ftin, text.Key(byNumber.Number))
	}
	return found, err
}

// formerly finds the bill that was shown under a number before, with the columns of a
// table of bills.
func formerly(ctx context.Context, q db.Queryer, bills *db.Table[Bill], ftin, key string) ([]Bill, error) {
	key, err := ledger.KeyOfFormer(ctx, q, ftin, key)
	if err != nil || key == "" {
		return nil, err
	}
	return bills.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, key)
}

// ofClaim finds the bills of a claim under the TINs in scope, the newest service
// first.
func ofClaim(ctx context.Context, q db.Queryer, scope access.Scope, claimNumber string, limit int) ([]Bill, error) {
	tins := scope.TINs()
	if len(tins) == 0 {
		return nil, nil
	}
	args := []any{text.Key(claimNumber), limit}
	for _, ftin := range tins {
		args = append(args, ftin)
	}
	return ledger.Bills.Select(ctx, q, `
		WHERE ftin IN (`+db.In(3, len(tins))+`) AND claim_number_key = $1
		ORDER BY begin_service_date DESC, ftin, bill_control_number_key LIMIT $2`, args...)
}

func sample(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, n int) ([]Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	return ledger.Bills.Select(ctx, q, `
		WHERE ftin = $1 AND claim_number_key > '' ORDER BY claim_number_key, begin_service_date LIMIT $2`, ftin, n)
}

func byKey(ctx context.Context, q db.Queryer, scope access.Scope, ftin, key string) (Bill, error) {
	if !scope.Has(ftin) {
		return Bill{}, db.ErrNotFound
	}
	b, err := ledger.Bills.Get(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, key)
	if errors.Is(err, db.ErrNotFound) {
		found, err := formerly(ctx, q, ledger.Bills, ftin, key)
		if err != nil || len(found) == 0 {
			return Bill{}, cmp.Or(err, db.ErrNotFound)
		}
		return found[0], nil
	}
	return b, err
}

func hasBill(ctx context.Context, q db.Queryer, ftin, key string) (bool, error) {
	var found []string
	err := db.Select(ctx, q, &found, `
		SELECT ftin FROM bills WHERE ftin = $1 AND ($2 = '' OR bill_control_number_key = $2) LIMIT 1`, ftin, key)
	return len(found) > 0, err
}

func pricingSheetByKey(ctx context.Context, q db.Queryer, scope access.Scope, key string) (Bill, error) {
	for _, ftin := range scope.TINs() {
		b, err := byKey(ctx, q, scope, ftin, key)
		if err == nil && b.PricingSheet {
			return b, nil
		}
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return b, err
		}
	}
	return Bill{}, db.ErrNotFound
}
