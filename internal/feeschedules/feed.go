package feeschedules

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/intake"
)

// Feeds are tables of rate codes and of what they allow.
func Feeds() []intake.Feed {
	return []intake.Feed{
		intake.Table("rate_codes", rateCodeColumns, nil, intake.Each(TakeRateCode)).AsOf("feeSchedules"),
		intake.Table("allowances", allowanceColumns, nil, intake.Each(TakeAllowance)).AsOf("feeSchedules"),
	}
}

var rateCodeColumns = []intake.Column[RateCode]{
	intake.Required("provider_id", intake.Digits(func(r *RateCode) *string { return &r.ProviderID }, 8)),
	intake.Required("tin", intake.TIN(func(r *RateCode) *string { return &r.FTIN })),
	intake.Required("line_of_business", intake.OneOf(func(r *RateCode) *string { return &r.LineOfBusiness }, "DPWC", "DPAUT")),
	intake.Required("national_rate_code", intake.Text(func(r *RateCode) *string { return &r.NationalRateCode }, 40)),
	intake.Required("location_name", intake.Text(func(r *RateCode) *string { return &r.LocationName }, 128)),
	intake.Optional("location_address", intake.Text(func(r *RateCode) *string { return &r.LocationAddress }, 200)),
	intake.Optional("location_details", intake.Text(func(r *RateCode) *string { return &r.LocationDetails }, 200)),
	intake.Optional("zip", intake.ZIP(func(r *RateCode) *string { return &r.ZIP })),
}

var allowanceColumns = []intake.Column[Allowance]{
	intake.Required("national_rate_code", intake.Text(func(a *Allowance) *string { return &a.NationalRateCode }, 40)),
	intake.Required("procedure_code", intake.Text(func(a *Allowance) *string { return &a.ProcedureCode }, 20)),
	intake.Optional("modifier", intake.Text(func(a *Allowance) *string { return &a.Modifier }, 10)),
	intake.Optional("description", intake.Text(func(a *Allowance) *string { return &a.Description }, 200)),
	intake.Required("allowance", intake.Money(func(a *Allowance) *int64 { return &a.Allowance })),
	intake.Required("effective_date", intake.Date(func(a *Allowance) *date.Date { return &a.EffectiveDate })),
	intake.Optional("end_date", intake.Date(func(a *Allowance) *date.Date { return &a.EndDate })),
}

// TakeRateCode stores a rate code.
func TakeRateCode(ctx context.Context, tx *sql.Tx, r RateCode) (intake.Outcome, error) {
	return intake.Stored(putRateCode(ctx, tx, r))
}

// TakeAllowance stores what a rate code allows for a procedure from a date on.
func TakeAllowance(ctx context.Context, tx *sql.Tx, a Allowance) (intake.Outcome, error) {
	return intake.Stored(putAllowance(ctx, tx, a))
}
