package claims

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

const claimColumns = `claim_number, payer_id, payer_name, claimant_first_name, claimant_last_name, claimant_birth_date,
	date_of_injury, state_of_jurisdiction, claimant_gender`

// byClaimant finds by an index that ends with the first name, so that its
// beginning is enough.
func byClaimant(ctx context.Context, q db.Queryer, s Search, limit int) ([]Claim, error) {
	from, to := text.Key(s.FirstName), text.Key(s.FirstName)
	if s.Wildcard {
		to = text.Beyond(from)
	}
	var list []Claim
	err := db.Select(ctx, q, &list, `
		SELECT `+claimColumns+` FROM claims
		WHERE claimant_last_name_key = $1 AND claimant_birth_date = $2 AND date_of_injury = $3
		  AND claimant_first_name_key >= $4 AND claimant_first_name_key <= $5
		ORDER BY claim_number_key, payer_id LIMIT $6`,
		text.Key(s.LastName), s.BirthDate, s.DateOfInjury, from, to, limit)
	return list, err
}

func byNumber(ctx context.Context, tx *sql.Tx, claimNumber, payerID string) (Claim, error) {
	var c Claim
	err := db.Get(ctx, tx, &c, `
		SELECT `+claimColumns+` FROM claims WHERE claim_number_key = $1 AND payer_id = $2`, text.Key(claimNumber), payerID)
	return c, err
}

// ofNumber are the claims of a number: each payer may have one.
func ofNumber(ctx context.Context, q db.Queryer, claimNumber string, limit int) ([]Claim, error) {
	var list []Claim
	err := db.Select(ctx, q, &list, `
		SELECT `+claimColumns+` FROM claims WHERE claim_number_key = $1 ORDER BY payer_id LIMIT $2`, text.Key(claimNumber), limit)
	return list, err
}

func save(ctx context.Context, tx *sql.Tx, c Claim) error {
	_, err := db.Exec(ctx, tx, `
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
	return err
}
