package feeschedules

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/paging"
)

func listRateCodes(ctx context.Context, q db.Queryer, providerID, lob, ftin string, limit int) ([]RateCode, error) {
	return db.List[RateCode](ctx, q, `
		SELECT provider_id, line_of_business, ftin, national_rate_code, zip, location_name, location_address, location_details
		FROM rate_codes WHERE provider_id = $1 AND line_of_business = $2 AND ftin = $3
		ORDER BY location_name, national_rate_code, zip LIMIT $4`, providerID, lob, ftin, limit)
}

var rateCodePageColumns = paging.Columns{
	"code": paging.Text("lower(national_rate_code)"), "location": paging.Name("lower(location_name)"),
	"address": paging.Name("lower(location_address)"),
	"details": paging.Name("lower(location_details)"), "zip": paging.Text("lower(zip)"), "provider": paging.Text("lower(provider_id)"),
}

// selectRateCodes returns the statement for pages of a provider's rate codes under a TIN.
func selectRateCodes(providerID, lob, ftin string) paging.Statement {
	return paging.Statement{
		Select: "provider_id, line_of_business, ftin, national_rate_code, zip, location_name, location_address, location_details",
		From:   "FROM rate_codes WHERE provider_id = $1 AND line_of_business = $2 AND ftin = $3",
		Args:   []any{providerID, lob, ftin}, Columns: rateCodePageColumns, Order: "location_name, national_rate_code, zip",
	}
}

// rateCodePage returns a page of rate codes and the total number.
func rateCodePage(ctx context.Context, q db.Queryer, d db.Dialect, t paging.Table, s paging.Statement) ([]RateCode, int, error) {
	return paging.Select(ctx, q, d, t, s, paging.Rows[RateCode])
}

// rateCodesOfProvider lists the TINs, lines of business and locations where a provider has the
// rate code.
func rateCodesOfProvider(ctx context.Context, q db.Queryer, providerID, rateCode string) ([]RateCode, error) {
	return db.List[RateCode](ctx, q, `
		SELECT ftin, line_of_business, location_name, zip FROM rate_codes WHERE provider_id = $1
			AND national_rate_code = $2`, providerID, rateCode)
}

// requests describes the table of requests.
var requests = fileexport.NewTable("fee_schedule_requests", statuses, func(r *Request) *fileexport.Row[int64] { return &r.Row })

// finished is the condition for requests that are done or failed.
const finished = ` AND status IN ('DONE', 'FAILED')`

// recent finds an identical request that is in progress or was just made.
func recent(ctx context.Context, q db.Queryer, r Request, since db.Instant) (int64, error) {
	return db.One[int64](ctx, q, `
		SELECT id FROM fee_schedule_requests
		WHERE user_id = $1 AND national_rate_code = $2 AND provider_id = $3 AND location_name = $4 AND zip = $5 AND ftin = $6
			AND line_of_business = $7
		  AND (status = 'QUEUED' OR status = 'DONE' AND created_at > $8)
		ORDER BY id DESC LIMIT 1`, r.UserID, r.NationalRateCode, r.ProviderID, r.LocationName, r.ZIP, r.FTIN, r.LineOfBusiness, since)
}

func insertRequest(ctx context.Context, tx *sql.Tx, r Request, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO fee_schedule_requests (user_id, national_rate_code, provider_id, location_name, zip, ftin, line_of_business, status,
			created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 'QUEUED', $8) ON CONFLICT DO NOTHING`,
		r.UserID, r.NationalRateCode, r.ProviderID, r.LocationName, r.ZIP, r.FTIN, r.LineOfBusiness, now)
}

func listDone(ctx context.Context, q db.Queryer, userID int64, limit int) ([]Request, error) {
	return requests.Select(ctx, q, `WHERE user_id = $1 AND status = 'DONE' ORDER BY id DESC LIMIT $2`, userID, limit)
}

func countDone(ctx context.Context, q db.Queryer, userID int64) (int, error) {
	return db.One[int](ctx, q, `SELECT count(*) FROM fee_schedule_requests WHERE user_id = $1 AND status = 'DONE'`, userID)
}

// listFailed lists permanently failed requests that are still shown.
func listFailed(ctx context.Context, q db.Queryer, userID int64, limit int) ([]Request, error) {
	return requests.Select(ctx, q, `WHERE user_id = $1 AND status = 'FAILED' AND over_at IS NULL ORDER BY id DESC LIMIT $2`, userID, limit)
}

// hideRepeated hides failed requests that were repeated, and returns their number.
func hideRepeated(ctx context.Context, tx *sql.Tx, r Request, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE fee_schedule_requests SET over_at = $8
		WHERE user_id = $1 AND national_rate_code = $2 AND provider_id = $3 AND location_name = $4 AND zip = $5 AND ftin = $6
			AND line_of_business = $7
		  AND status = 'FAILED' AND over_at IS NULL`,
		r.UserID, r.NationalRateCode, r.ProviderID, r.LocationName, r.ZIP, r.FTIN, r.LineOfBusiness, now)
}

// dismiss returns 0 if the request was already hidden or didn't fail.
func dismiss(ctx context.Context, tx *sql.Tx, id int64, now db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `UPDATE fee_schedule_requests SET over_at = $2 WHERE id = $1 AND status = 'FAILED'
		AND over_at IS NULL`, id, now)
}

// listRequests lists the requests of some users, newest first.
func listRequests(ctx context.Context, q db.Queryer, users []int64, limit int) ([]Request, error) {
	args := []any{limit}
	args = append(args, db.Args(users)...)
	return requests.Select(ctx, q, `WHERE user_id IN (`+db.In(2, len(users))+`) ORDER BY id DESC LIMIT $1`, args...)
}

func noteViewed(ctx context.Context, q db.Queryer, id int64, now db.Instant) error {
	return db.Run(ctx, q, `UPDATE fee_schedule_requests SET viewed_at = $2 WHERE id = $1 AND viewed_at IS NULL`, id, now)
}

func noteAllViewed(ctx context.Context, q db.Queryer, userID int64, now db.Instant) error {
	return db.Run(ctx, q, `
		UPDATE fee_schedule_requests SET viewed_at = $2 WHERE user_id = $1 AND status = 'DONE' AND viewed_at IS NULL`, userID, now)
}

// allowances iterates over a rate code's allowances, in the order of the file.
func allowances(ctx context.Context, q db.Queryer, rateCode string, row func(Allowance) error) error {
	var after Allowance
	for {
		var page []Allowance
		err := db.Select(ctx, q, &page, `
			SELECT national_rate_code, procedure_code, modifier, description, allowance, effective_date, end_date FROM rate_allowances
			WHERE national_rate_code = $1
				AND (procedure_code > $2 OR procedure_code = $2 AND (modifier > $3 OR modifier = $3 AND effective_date > $4))
			ORDER BY procedure_code, modifier, effective_date LIMIT 1000`,
			rateCode, after.ProcedureCode, after.Modifier, orDate(after.EffectiveDate, "0001-01-01"))
		if err != nil {
			return err
		}
		for _, a := range page {
			if err := row(a); err != nil {
				return err
			}
		}
		if len(page) < 1000 {
			return nil
		}
		after = page[len(page)-1]
	}
}

// MoveProvider moves a provider's rate codes and requests to another id. A rate code that the other id has is
// dropped. A queued request stays if the user has another one queued for the other id, because it could be the same.
func MoveProvider(ctx context.Context, tx *sql.Tx, old, id string) error {
	if _, err := db.Exec(ctx, tx, `
		INSERT INTO rate_codes (provider_id, line_of_business, ftin, national_rate_code, zip, location_name, location_address,
			location_details)
		SELECT $2, line_of_business, ftin, national_rate_code, zip, location_name, location_address, location_details
		FROM rate_codes WHERE provider_id = $1
		ON CONFLICT (provider_id, line_of_business, ftin, national_rate_code, zip, location_name) DO NOTHING`, old, id); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, tx, `DELETE FROM rate_codes WHERE provider_id = $1`, old); err != nil {
		return err
	}
	return db.Run(ctx, tx, `
		UPDATE fee_schedule_requests SET provider_id = $2
		WHERE provider_id = $1 AND (status <> 'QUEUED' OR NOT EXISTS (SELECT 1 FROM fee_schedule_requests o
			WHERE o.user_id = fee_schedule_requests.user_id AND o.provider_id = $2 AND o.status = 'QUEUED'))`, old, id)
}

// putRateCode returns the number of rows changed.
func putRateCode(ctx context.Context, tx *sql.Tx, r RateCode) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO rate_codes (provider_id, line_of_business, ftin, national_rate_code, zip, location_name, location_address,
			location_details)
		VALUES (coalesce((SELECT f.provider_id FROM former_provider_ids f WHERE f.former_id = $1), $1), $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (provider_id, line_of_business, ftin, national_rate_code, zip, location_name) DO UPDATE
		SET location_address = excluded.location_address, location_details = excluded.location_details
		WHERE rate_codes.location_address <> excluded.location_address OR rate_codes.location_details <> excluded.location_details`,
		r.ProviderID, r.LineOfBusiness, r.FTIN, r.NationalRateCode, r.ZIP, r.LocationName, r.LocationAddress, r.LocationDetails)
}

// putAllowance returns the number of rows changed.
func putAllowance(ctx context.Context, tx *sql.Tx, a Allowance) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO rate_allowances (national_rate_code, procedure_code, modifier, description, allowance, effective_date, end_date)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (national_rate_code, procedure_code, modifier, effective_date) DO UPDATE
		SET description = excluded.description, allowance = excluded.allowance, end_date = excluded.end_date
		WHERE rate_allowances.description <> excluded.description OR rate_allowances.allowance <> excluded.allowance
		   OR coalesce(rate_allowances.end_date, '0001-01-01') <> coalesce(excluded.end_date, '0001-01-01')`,
		a.NationalRateCode, a.ProcedureCode, a.Modifier, a.Description, a.Allowance, a.EffectiveDate, a.EndDate)
}
