package feeschedules

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/ingest"
)

// Feeds returns the tables of rate codes and allowances that can be imported.
func Feeds() []ingest.Feed {
	return []ingest.Feed{
		ingest.Table("rate_codes", rateCodeColumns, nil, ingest.Each(ImportRateCode)).AsOf("feeSchedules"),
		ingest.Table("allowances", allowanceColumns, checkAllowance, ingest.Each(ImportAllowance)).AsOf("feeSchedules"),
	}
}

var rateCodeColumns = []ingest.Column[RateCode]{
	ingest.Required("provider_id", ingest.Digits(func(r *RateCode) *string { return &r.ProviderID }, 8)),
	ingest.Required("tin", ingest.TIN(func(r *RateCode) *string { return &r.FTIN })),
	ingest.Required("line_of_business", ingest.OneOf(func(r *RateCode) *string { return &r.LineOfBusiness }, "DPWC", "DPAUT")),
	ingest.Required("national_rate_code", ingest.Text(func(r *RateCode) *string { return &r.NationalRateCode }, 40)),
	ingest.Required("location_name", ingest.Text(func(r *RateCode) *string { return &r.LocationName }, 128)),
	ingest.Optional("location_address", ingest.Text(func(r *RateCode) *string { return &r.LocationAddress }, 200)),
	ingest.Optional("location_details", ingest.Text(func(r *RateCode) *string { return &r.LocationDetails }, 200)),
	ingest.Optional("zip", ingest.ZIP(func(r *RateCode) *string { return &r.ZIP })),
}

var allowanceColumns = []ingest.Column[Allowance]{
	ingest.Required("national_rate_code", ingest.Text(func(a *Allowance) *string { return &a.NationalRateCode }, 40)),
	ingest.Required("procedure_code", ingest.Text(func(a *Allowance) *string { return &a.ProcedureCode }, 20)),
	ingest.Optional("modifier", ingest.Text(func(a *Allowance) *string { return &a.Modifier }, 10)),
	ingest.Optional("description", ingest.Text(func(a *Allowance) *string { return &a.Description }, 200)),
	ingest.Required("allowance", ingest.Money(func(a *Allowance) *int64 { return &a.Allowance })),
	ingest.Required("effective_date", ingest.Date(func(a *Allowance) *date.Date { return &a.EffectiveDate })),
	ingest.Optional("end_date", ingest.Date(func(a *Allowance) *date.Date { return &a.EndDate })),
}

func checkAllowance(a *Allowance) error { return ingest.CheckPeriod(a.EffectiveDate, a.EndDate) }

// ImportRateCode stores a rate code.
func ImportRateCode(ctx context.Context, tx *sql.Tx, r RateCode) (ingest.Outcome, error) {
	return ingest.Stored(putRateCode(ctx, tx, r))
}

// ImportAllowance stores a rate code's allowance for a procedure, starting on a date.
func ImportAllowance(ctx context.Context, tx *sql.Tx, a Allowance) (ingest.Outcome, error) {
	return ingest.Stored(putAllowance(ctx, tx, a))
}
