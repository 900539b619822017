package claims

import (
	"context"
	"database/sql"
	"strings"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/text"
)

const claimColumns = `claim_number, payer_id, payer_name, claimant_first_name, claimant_last_name, claimant_birth_date,
	date_of_injury, state_of_jurisdiction, claimant_gender`

func (c Claim) name() names.Name { return names.Of(c.ClaimantLastName, c.ClaimantFirstName) }

// byClaimant finds claims by the claimant's name key, or by the old keys if a claim has none
// yet. Both indexes end with the first name, so a prefix search uses them.
func byClaimant(ctx context.Context, q db.Queryer, s Search, limit int) ([]Claim, error) {
	asked := names.Of(s.LastName, s.FirstName)
	named, keys := `claimant_name_key IN (`+db.In(4, len(asked.Keys()))+`)`, db.Args(asked.Keys())
	from, to := text.Key(s.FirstName), text.Key(s.FirstName)
	if s.Wildcard {
		begin, end := asked.FirstKeys()
		named, keys = `claimant_name_key >= $4 AND claimant_name_key < $5`, []any{begin, end}
		to = text.PrefixEnd(from)
	}
	var list, old []Claim
	if err := db.Select(ctx, q, &list, `
		SELECT `+claimColumns+` FROM claims
		WHERE claimant_birth_date = $1 AND date_of_injury = $2 AND `+named+` AND claimant_name_key <> ''
		ORDER BY claim_number_key, payer_id LIMIT $3`,
		append([]any{s.BirthDate, s.DateOfInjury, limit}, keys...)...); err != nil {
		return nil, err
	}
	if err := db.Select(ctx, q, &old, `
		SELECT `+claimColumns+` FROM claims
		WHERE claimant_last_name_key = $1 AND claimant_birth_date = $2 AND date_of_injury = $3
		  AND claimant_first_name_key >= $4 AND claimant_first_name_key <= $5 AND claimant_name_key = ''
		ORDER BY claim_number_key, payer_id LIMIT $6`,
		text.Key(s.LastName), s.BirthDate, s.DateOfInjury, from, to, limit); err != nil {
		return nil, err
	}
	return append(list, old...), nil
}

// lockUnnamed returns and locks one batch of older claims without a name key. A partial index covers
// exactly these claims.
func lockUnnamed(ctx context.Context, tx *sql.Tx, d db.Dialect) ([]Claim, error) {
	return db.List[Claim](ctx, tx, `
		SELECT `+claimColumns+` FROM claims WHERE claimant_name_key = ''
		ORDER BY claimant_last_name_key, claimant_birth_date, date_of_injury, claimant_first_name_key LIMIT $1`+d.ForUpdate, db.StepRows)
}

// named writes the name keys of claimants.
var named = db.NewTable("claims",
	db.Computed("claim_number_key", func(c *Claim) any { return text.Key(c.ClaimNumber) }).Key(),
	db.Col("payer_id", func(c *Claim) *string { return &c.PayerID }).Key(),
	db.Computed("claimant_name_key", func(c *Claim) any { return c.name().Key() }),
)

func putNames(ctx context.Context, tx *sql.Tx, list []Claim) error {
	return named.UpdateAll(ctx, tx, list...)
}

func byNumber(ctx context.Context, tx *sql.Tx, claimNumber, payerID string) (Claim, error) {
	return db.One[Claim](ctx, tx, `
		SELECT `+claimColumns+` FROM claims WHERE claim_number_key = $1 AND payer_id = $2`, text.Key(claimNumber), payerID)
}

// ungrouped removes what the index of claim numbers removes.
var ungrouped = strings.NewReplacer("-", "", " ", "")

// listByNumber returns the claims with a number, without regard to case, hyphens and spaces. Each payer can have one.
// A number stored with another dash is only found with it.
func listByNumber(ctx context.Context, q db.Queryer, claimNumber string, limit int) ([]Claim, error) {
	var list []Claim
	key := text.Key(claimNumber)
	folded := text.TIN(key)
	if folded == "" {
		return nil, nil
	}
	err := db.Select(ctx, q, &list, `
		SELECT `+claimColumns+` FROM claims WHERE replace(replace(claim_number_key, '-', ''), ' ', '') IN ($1, $2)
		ORDER BY claim_number_key, payer_id LIMIT $3`, folded, ungrouped.Replace(key), limit)
	return list, err
}

func save(ctx context.Context, tx *sql.Tx, c Claim) error {
	return db.Run(ctx, tx, `
		INSERT INTO claims (claim_number, claim_number_key, payer_id, payer_name, claimant_first_name, claimant_last_name,
		                    claimant_first_name_key, claimant_last_name_key, claimant_birth_date, date_of_injury,
		                    state_of_jurisdiction, claimant_gender, claimant_name_key)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (claim_number_key, payer_id) DO UPDATE
		SET claim_number = excluded.claim_number, payer_name = excluded.payer_name,
		    claimant_first_name = excluded.claimant_first_name, claimant_last_name = excluded.claimant_last_name,
		    claimant_first_name_key = excluded.claimant_first_name_key, claimant_last_name_key = excluded.claimant_last_name_key,
		    claimant_birth_date = excluded.claimant_birth_date, date_of_injury = excluded.date_of_injury,
		    state_of_jurisdiction = excluded.state_of_jurisdiction, claimant_gender = excluded.claimant_gender,
		    claimant_name_key = excluded.claimant_name_key`,
		c.ClaimNumber, text.Key(c.ClaimNumber), c.PayerID, c.PayerName, c.ClaimantFirstName, c.ClaimantLastName,
		text.Key(c.ClaimantFirstName), text.Key(c.ClaimantLastName), c.ClaimantBirthDate, c.DateOfInjury,
		c.StateOfJurisdiction, c.ClaimantGender, c.name().Key())
}
