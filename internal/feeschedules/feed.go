package feeschedules

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

func changed(n int64, err error) (string, error) {
	if n > 0 {
		return "taken", err
	}
	return "unchanged", err
}

// TakeRateCode stores a rate code that came in by feed.
func TakeRateCode(ctx context.Context, tx *sql.Tx, r RateCode) (string, error) {
	return changed(db.Exec(ctx, tx, `
		INSERT INTO rate_codes (provider_id, line_of_business, ftin, national_rate_code, zip, location_name, location_address, location_details)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (provider_id, line_of_business, ftin, national_rate_code, zip, location_name) DO UPDATE
		SET location_address = excluded.location_address, location_details = excluded.location_details
		WHERE rate_codes.location_address <> excluded.location_address OR rate_codes.location_details <> excluded.location_details`,
		r.ProviderID, r.LineOfBusiness, r.FTIN, r.NationalRateCode, r.ZIP, r.LocationName, r.LocationAddress, r.LocationDetails))
}

// TakeAllowance stores what a rate code allows for a procedure from a date on.
func TakeAllowance(ctx context.Context, tx *sql.Tx, a Allowance) (string, error) {
	return changed(db.Exec(ctx, tx, `
		INSERT INTO rate_allowances (national_rate_code, procedure_code, modifier, description, allowance, effective_date, end_date)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (national_rate_code, procedure_code, modifier, effective_date) DO UPDATE
		SET description = excluded.description, allowance = excluded.allowance, end_date = excluded.end_date
		WHERE rate_allowances.description <> excluded.description OR rate_allowances.allowance <> excluded.allowance
		   OR coalesce(rate_allowances.end_date, '0001-01-01') <> coalesce(excluded.end_date, '0001-01-01')`,
		a.NationalRateCode, a.ProcedureCode, a.Modifier, a.Description, a.Allowance, a.EffectiveDate, a.EndDate))
}
