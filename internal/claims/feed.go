package claims

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
)

// Feeds returns the claim tables that can be imported.
func Feeds() []ingest.Feed {
	return []ingest.Feed{ingest.Table("claims", fileColumns, nil, ingest.Each(ImportClaim)).AsOf("claims")}
}

var fileColumns = []ingest.Column[Claim]{
	ingest.Required("claim_number", ingest.Text(func(c *Claim) *string { return &c.ClaimNumber }, 40)),
	ingest.Optional("payer_id", ingest.Text(func(c *Claim) *string { return &c.PayerID }, 80)),
	ingest.Optional("payer_name", ingest.Text(func(c *Claim) *string { return &c.PayerName }, 128)),
	ingest.Required("claimant_first_name", ingest.Text(func(c *Claim) *string { return &c.ClaimantFirstName }, 40)),
	ingest.Required("claimant_last_name", ingest.Text(func(c *Claim) *string { return &c.ClaimantLastName }, 60)),
	ingest.Required("claimant_birth_date", ingest.Date(func(c *Claim) *date.Date { return &c.ClaimantBirthDate })),
	ingest.Required("date_of_injury", ingest.Date(func(c *Claim) *date.Date { return &c.DateOfInjury })),
	ingest.Optional("state_of_jurisdiction", ingest.OneOf(func(c *Claim) *string { return &c.StateOfJurisdiction }, identifiers.States...)),
	ingest.Optional("claimant_gender", ingest.OneOf(func(c *Claim) *string { return &c.ClaimantGender }, "F", "M", "U")),
}

// ImportClaim stores a claim, keyed by claim number and payer.
func ImportClaim(ctx context.Context, tx *sql.Tx, c Claim) (ingest.Outcome, error) {
	old, err := byNumber(ctx, tx, c.ClaimNumber, c.PayerID)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return ingest.Imported, save(ctx, tx, c)
	case err != nil:
		return ingest.Outcome{}, err
	case old == c:
		return ingest.Unchanged, nil
	default:
		return ingest.Updated, save(ctx, tx, c)
	}
}
