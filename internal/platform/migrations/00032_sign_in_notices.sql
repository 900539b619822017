-- +goose Up
-- What people are mailed of sign-ins to their accounts: when, by which browser,
-- from where.
CREATE TABLE sign_in_notices (
    id {{.Serial}},
    user_id bigint NOT NULL REFERENCES users (id),
    kind {{.Text}} NOT NULL CHECK (kind IN ('DEVICE', 'FAILURES', 'LOCK')),
    at {{.Instant}} NOT NULL,
    browser {{.Text}} NOT NULL,
    source {{.Text}} NOT NULL
);
CREATE INDEX sign_in_notices_user ON sign_in_notices (user_id, kind, at);
CREATE INDEX sign_in_notices_age ON sign_in_notices (at);

-- +goose Down
DROP TABLE sign_in_notices;
