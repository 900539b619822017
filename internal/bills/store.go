package bills

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

const billColumns = `ftin, bill_control_number, document_id, patient_control_number, billing_id, claim_number,
	patient_first_name, patient_middle_name, patient_last_name, patient_birth_date, patient_gender,
	begin_service_date, end_service_date, date_of_injury, state_of_jurisdiction,
	physician_first_name, physician_middle_name, physician_last_name, physician_npi, facility_name, facility_npi,
	bill_type, frequency_code, bill_charges, recommended_allowance, repricing_method, bill_status, pricing_sheet, eor,
	payer_id, payer_name, paid_amount, paid_date, check_number, source`

// search answers in order of the claimant's name. Each way of searching has an
// index that starts with the TIN.
func search(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, how mode, c Criteria) ([]Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	var found []Bill
	var err error
	switch how {
	case byClaim:
		err = db.Select(ctx, q, &found, `
			SELECT `+billColumns+` FROM bills
			WHERE ftin = $1 AND claim_number_key = $2 AND begin_service_date <= $3 AND end_service_date >= $4
			ORDER BY patient_last_name_key, patient_first_name_key, begin_service_date, bill_control_number_key`,
			ftin, text.Key(c.ClaimNumber), c.End, c.Begin)
	case byClaimant:
		err = db.Select(ctx, q, &found, `
			SELECT `+billColumns+` FROM bills
			WHERE ftin = $1 AND patient_last_name_key = $2 AND patient_first_name_key = $3 AND patient_birth_date = $4
			  AND begin_service_date <= $5 AND end_service_date >= $6
			ORDER BY begin_service_date, bill_control_number_key`,
			ftin, text.Key(c.LastName), text.Key(c.FirstName), c.BirthDate, c.End, c.Begin)
	default:
		if c.BillControlNumber != "" {
			err = db.Select(ctx, q, &found, `
				SELECT `+billColumns+` FROM bills WHERE ftin = $1 AND bill_control_number_key = $2`,
				ftin, text.Key(c.BillControlNumber))
			break
		}
		err = db.Select(ctx, q, &found, `
			SELECT `+billColumns+` FROM bills WHERE ftin = $1 AND document_id_key = $2
			ORDER BY patient_last_name_key, patient_first_name_key, begin_service_date, bill_control_number_key`,
			ftin, text.Key(c.DocumentID))
	}
	return found, err
}

func sample(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, n int) ([]Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	var list []Bill
	err := db.Select(ctx, q, &list, `
		SELECT `+billColumns+` FROM bills WHERE ftin = $1 AND claim_number_key > '' ORDER BY claim_number_key, begin_service_date LIMIT $2`, ftin, n)
	return list, err
}

func byKey(ctx context.Context, q db.Queryer, scope access.Scope, ftin, key string) (Bill, error) {
	var b Bill
	if !scope.Has(ftin) {
		return b, db.ErrNotFound
	}
	err := db.Get(ctx, q, &b, `
		SELECT `+billColumns+`, detail FROM bills WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, key)
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

func paymentsOf(ctx context.Context, q db.Queryer, scope access.Scope, ftin, key string) ([]Payment, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	var list []Payment
	err := db.Select(ctx, q, &list, `
		SELECT `+paymentColumns+` FROM payments WHERE ftin = $1 AND bill_control_number_key = $2
		ORDER BY paid_date, trace_number, occurrence`, ftin, key)
	return list, err
}

func value(v any) (driver.Value, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

func scan(src, dst any) error {
	switch v := src.(type) {
	case string:
		return json.Unmarshal([]byte(v), dst)
	case []byte:
		return json.Unmarshal(v, dst)
	default:
		return fmt.Errorf("cannot read %T", src)
	}
}

// Value stores the detail as JSON.
func (d Detail) Value() (driver.Value, error) { return value(d) }

// Scan reads the stored JSON.
func (d *Detail) Scan(src any) error { return scan(src, d) }
