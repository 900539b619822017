-- +goose Up
-- A mailed link that binds an account keeps to whom: the outside provider's
-- issuer and subject.
{{if eq .Name "sqlite"}}
DROP INDEX account_links_age;
DROP INDEX account_links_request;
DROP INDEX account_links_user;
DROP INDEX account_links_token;
ALTER TABLE account_links RENAME TO account_links_before;
CREATE TABLE account_links (
    id {{.Serial}},
    purpose {{.Text}} NOT NULL CHECK (purpose IN ('RESET', 'REGISTRATION', 'REQUEST', 'BIND', 'FACTORS')),
    user_id bigint REFERENCES users (id),
    request_id bigint REFERENCES account_requests (id),
    token_hash {{.Bytes}},
    code_hash {{.Bytes}},
    created_at {{.Instant}} NOT NULL,
    created_by {{.Text}} NOT NULL,
    expires_at {{.Instant}},
    used_at {{.Instant}},
    ended_at {{.Instant}}
);
INSERT INTO account_links SELECT * FROM account_links_before;
DROP TABLE account_links_before;
CREATE UNIQUE INDEX account_links_token ON account_links (token_hash);
CREATE INDEX account_links_user ON account_links (user_id, purpose);
CREATE INDEX account_links_request ON account_links (request_id);
CREATE INDEX account_links_age ON account_links (created_at);
{{else}}
ALTER TABLE account_links DROP CONSTRAINT account_links_purpose_check;
ALTER TABLE account_links ADD CONSTRAINT account_links_purpose_check CHECK (purpose IN ('RESET', 'REGISTRATION', 'REQUEST', 'BIND', 'FACTORS'));
{{end}}
ALTER TABLE account_links ADD COLUMN sso_issuer {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE account_links ADD COLUMN sso_subject {{.Text}} NOT NULL DEFAULT '';

-- Whoever was bound before, was so when they last signed in.
ALTER TABLE users ADD COLUMN sso_bound_at {{.Instant}};
UPDATE users SET sso_bound_at = coalesce(last_login_at, created_at) WHERE sso_subject <> '';

-- Identity tokens are kept sealed from now on; those in plain text are dropped:
-- signing out of their sessions leaves the provider's own session as it is.
UPDATE sessions SET id_token = '' WHERE id_token <> '';
-- The provider's own session, which it can end.
ALTER TABLE sessions ADD COLUMN sso_sid {{.Text}} NOT NULL DEFAULT '';
CREATE INDEX sessions_sid ON sessions (sso_sid) WHERE sso_sid <> '';

-- Logout tokens that were taken; each is taken once.
CREATE TABLE sso_logouts (
    jti_hash {{.Bytes}} PRIMARY KEY,
    expires_at {{.Instant}} NOT NULL
);

-- +goose Down
DROP TABLE sso_logouts;
DROP INDEX sessions_sid;
ALTER TABLE sessions DROP COLUMN sso_sid;
UPDATE sessions SET id_token = '' WHERE id_token <> '';
ALTER TABLE users DROP COLUMN sso_bound_at;
DELETE FROM account_links WHERE purpose = 'BIND';
ALTER TABLE account_links DROP COLUMN sso_subject;
ALTER TABLE account_links DROP COLUMN sso_issuer;
