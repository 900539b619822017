-- +goose Up
CREATE TABLE claims (
    claim_number {{.Text}} NOT NULL,
    claim_number_key {{.Text}} NOT NULL,
    payer_id {{.Text}} NOT NULL DEFAULT '',
    payer_name {{.Text}} NOT NULL DEFAULT '',
    claimant_first_name {{.Text}} NOT NULL,
    claimant_last_name {{.Text}} NOT NULL,
    claimant_first_name_key {{.Text}} NOT NULL,
    claimant_last_name_key {{.Text}} NOT NULL,
    claimant_birth_date {{.Date}},
    date_of_injury {{.Date}},
    state_of_jurisdiction {{.Text}} NOT NULL DEFAULT '',
    claimant_gender {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (claim_number_key, payer_id)
);
CREATE INDEX claims_claimant ON claims (claimant_last_name_key, claimant_birth_date, date_of_injury, claimant_first_name_key);

CREATE TABLE providers (
    provider_id {{.Text}} PRIMARY KEY,
    provider_type {{.Text}} NOT NULL CHECK (provider_type IN ('P', 'F', 'A', 'H')),
    npi {{.Text}} NOT NULL DEFAULT '',
    first_name {{.Text}} NOT NULL DEFAULT '',
    middle_name {{.Text}} NOT NULL DEFAULT '',
    last_name {{.Text}} NOT NULL DEFAULT '',
    facility_name {{.Text}} NOT NULL DEFAULT '',
    name_key {{.Text}} NOT NULL,
    first_name_key {{.Text}} NOT NULL DEFAULT '',
    last_name_key {{.Text}} NOT NULL DEFAULT '',
    specialty {{.Text}} NOT NULL DEFAULT '',
    address {{.Text}} NOT NULL DEFAULT '',
    city {{.Text}} NOT NULL DEFAULT '',
    state {{.Text}} NOT NULL DEFAULT '',
    zip {{.Text}} NOT NULL DEFAULT '',
    phone {{.Text}} NOT NULL DEFAULT ''
);
CREATE INDEX providers_npi ON providers (npi);

CREATE TABLE provider_tins (
    ftin {{.Text}} NOT NULL,
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    PRIMARY KEY (ftin, provider_id)
);
CREATE INDEX provider_tins_provider ON provider_tins (provider_id);

-- +goose Down
DROP TABLE provider_tins;
DROP TABLE providers;
DROP TABLE claims;
