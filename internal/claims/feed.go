package claims

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/intake"
)

// Feeds are tables of claims.
func Feeds() []intake.Feed {
	return []intake.Feed{intake.Table("claims", fileColumns, nil, intake.Each(Take)).AsOf("claims")}
}

var fileColumns = []intake.Column[Claim]{
	intake.Required("claim_number", intake.Text(func(c *Claim) *string { return &c.ClaimNumber }, 40)),
	intake.Optional("payer_id", intake.Text(func(c *Claim) *string { return &c.PayerID }, 80)),
	intake.Optional("payer_name", intake.Text(func(c *Claim) *string { return &c.PayerName }, 128)),
	intake.Required("claimant_first_name", intake.Text(func(c *Claim) *string { return &c.ClaimantFirstName }, 40)),
	intake.Required("claimant_last_name", intake.Text(func(c *Claim) *string { return &c.ClaimantLastName }, 60)),
	intake.Required("claimant_birth_date", intake.Date(func(c *Claim) *date.Date { return &c.ClaimantBirthDate })),
	intake.Required("date_of_injury", intake.Date(func(c *Claim) *date.Date { return &c.DateOfInjury })),
	intake.Optional("state_of_jurisdiction", intake.OneOf(func(c *Claim) *string { return &c.StateOfJurisdiction }, identifiers.States...)),
	intake.Optional("claimant_gender", intake.OneOf(func(c *Claim) *string { return &c.ClaimantGender }, "F", "M", "U")),
}

// Take stores a claim by claim number and payer.
func Take(ctx context.Context, tx *sql.Tx, c Claim) (intake.Outcome, error) {
	old, err := byNumber(ctx, tx, c.ClaimNumber, c.PayerID)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return intake.Taken, save(ctx, tx, c)
	case err != nil:
		return intake.Outcome{}, err
	case old == c:
		return intake.Unchanged, nil
	default:
		return intake.Updated, save(ctx, tx, c)
	}
}
