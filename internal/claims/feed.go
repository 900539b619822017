package claims

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// Take stores a claim that came in by feed, by claim number and payer, and
// tells whether it was taken, updated or unchanged.
func Take(ctx context.Context, tx *sql.Tx, c Claim) (string, error) {
	var old Claim
	err := db.Get(ctx, tx, &old, `
		SELECT claim_number, payer_id, payer_name, claimant_first_name, claimant_last_name, claimant_birth_date,
		       date_of_injury, state_of_jurisdiction, claimant_gender
		FROM claims WHERE claim_number_key = $1 AND payer_id = $2`, text.Key(c.ClaimNumber), c.PayerID)
	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return "", err
	}
	if known && old == c {
		return "unchanged", nil
	}
	_, err = db.Exec(ctx, tx, `
		INSERT INTO claims (claim_number, claim_number_key, payer_id, payer_name, claimant_first_name, claimant_last_name,
		                    claimant_first_name_key, claimant_last_name_key, claimant_birth_date, date_of_injury,
		                    state_of_jurisdiction, claimant_gender)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		ON CONFLICT (claim_number_key, payer_id) DO UPDATE
		SET claim_number = excluded.claim_number, payer_name = excluded.payer_name,
		    claimant_first_name = excluded.claimant_first_name, claimant_last_name = excluded.claimant_last_name,
		    claimant_first_name_key = excluded.claimant_first_name_key, claimant_last_name_key = excluded.claimant_last_name_key,
		    claimant_birth_date = excluded.claimant_birth_date, date_of_injury = excluded.date_of_injury,
		    state_of_jurisdiction = excluded.state_of_jurisdiction, claimant_gender = excluded.claimant_gender`,
		c.ClaimNumber, text.Key(c.ClaimNumber), c.PayerID, c.PayerName, c.ClaimantFirstName, c.ClaimantLastName,
		text.Key(c.ClaimantFirstName), text.Key(c.ClaimantLastName), c.ClaimantBirthDate, c.DateOfInjury,
		c.StateOfJurisdiction, c.ClaimantGender)
	if known {
		return "updated", err
	}
	return "taken", err
}
