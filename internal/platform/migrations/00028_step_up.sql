-- +goose Up
-- When the person of a session last showed who they are; unknown of earlier ones.
ALTER TABLE sessions ADD COLUMN proved_at {{.Instant}};

-- The address that an account is to get, once the link that was sent to it is
-- opened. The token is made when the mail is written and kept as a hash.
CREATE TABLE email_changes (
    id {{.Serial}},
    user_id bigint NOT NULL UNIQUE REFERENCES users (id),
    email {{.Text}} NOT NULL,
    token_hash {{.Bytes}},
    asked_at {{.Instant}} NOT NULL,
    asked_by {{.Text}} NOT NULL,
    expires_at {{.Instant}}
);
CREATE UNIQUE INDEX email_changes_token ON email_changes (token_hash);

-- +goose Down
DROP TABLE email_changes;
ALTER TABLE sessions DROP COLUMN proved_at;
