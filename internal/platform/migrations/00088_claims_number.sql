-- +goose Up
-- The service desk finds claims by number without regard to hyphens and spaces.
CREATE INDEX claims_number ON claims ((replace(replace(claim_number_key, '-', ''), ' ', '')), claim_number_key, payer_id);

-- +goose Down
DROP INDEX claims_number;
