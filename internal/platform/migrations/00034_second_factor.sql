-- +goose Up
-- What people show beside their password: passkeys, and apps that make codes.
CREATE TABLE factors (
    id {{.Serial}},
    user_id bigint NOT NULL REFERENCES users (id),
    kind {{.Text}} NOT NULL CHECK (kind IN ('passkey', 'app')),
    name {{.Text}} NOT NULL,
    credential_id {{.Bytes}},
    sealed {{.Text}} NOT NULL,
    last_step bigint NOT NULL DEFAULT 0,
    created_at {{.Instant}} NOT NULL,
    used_at {{.Instant}}
);
CREATE INDEX factors_user ON factors (user_id);
CREATE UNIQUE INDEX factors_credential ON factors (credential_id);

-- A code goes when it is used.
CREATE TABLE recovery_codes (
    user_id bigint NOT NULL REFERENCES users (id),
    code_hash {{.Bytes}} NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- +goose Down
DELETE FROM account_links WHERE purpose = 'FACTORS';
DROP TABLE recovery_codes;
DROP TABLE factors;
