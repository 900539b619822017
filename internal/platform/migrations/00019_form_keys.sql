-- +goose Up
-- What the key of a user's kept forms is derived from. It goes with sign-out.
CREATE TABLE form_keys (
    user_id bigint PRIMARY KEY REFERENCES users (id),
    salt {{.Bytes}} NOT NULL,
    active_at {{.Instant}} NOT NULL
);

-- +goose Down
DROP TABLE form_keys;
