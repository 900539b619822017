-- +goose Up
CREATE TABLE secrets (
    name {{.Text}} PRIMARY KEY,
    value {{.Bytes}} NOT NULL,
    created_at {{.Instant}} NOT NULL
);

CREATE TABLE groups (
    id {{.Serial}},
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('PROVIDER', 'NONNETWORK', 'ROSTER')),
    created_at {{.Instant}} NOT NULL,
    created_by {{.Text}} NOT NULL
);
CREATE INDEX groups_name ON groups (name_key);

CREATE TABLE users (
    id {{.Serial}},
    user_name {{.Text}} NOT NULL,
    user_name_key {{.Text}} NOT NULL UNIQUE,
    first_name {{.Text}} NOT NULL,
    middle_name {{.Text}} NOT NULL DEFAULT '',
    last_name {{.Text}} NOT NULL,
    first_name_key {{.Text}} NOT NULL,
    last_name_key {{.Text}} NOT NULL,
    email {{.Text}} NOT NULL,
    email_key {{.Text}} NOT NULL,
    phone {{.Text}} NOT NULL DEFAULT '',
    type_cd {{.Text}} NOT NULL CHECK (type_cd IN ('PRUS', 'PRAD', 'NNUS', 'ROAD', 'ROUS', 'IRAD', 'ISAD')),
    status_cd {{.Text}} NOT NULL CHECK (status_cd IN ('NEW', 'DRAFT', 'ACTIV', 'INACT', 'LOCK', 'DISABL', 'TERM')),
    employee_id {{.Text}} NOT NULL DEFAULT '',
    group_id bigint REFERENCES groups (id),
    affiliation_cd {{.Text}} NOT NULL DEFAULT '',
    affiliation_desc {{.Text}} NOT NULL DEFAULT '',
    job_title {{.Text}} NOT NULL DEFAULT '',
    company_name {{.Text}} NOT NULL DEFAULT '',
    company_url {{.Text}} NOT NULL DEFAULT '',
    password_hash {{.Text}} NOT NULL DEFAULT '',
    locked_until {{.Instant}},
    last_login_at {{.Instant}},
    sso_issuer {{.Text}} NOT NULL DEFAULT '',
    sso_subject {{.Text}} NOT NULL DEFAULT '',
    created_at {{.Instant}} NOT NULL,
    created_by {{.Text}} NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL
);
-- The e-mail of a terminated account is free again.
CREATE UNIQUE INDEX users_email ON users (email_key) WHERE status_cd <> 'TERM';
CREATE UNIQUE INDEX users_sso ON users (sso_issuer, sso_subject) WHERE sso_subject <> '';
CREATE INDEX users_group ON users (group_id, first_name_key);
CREATE INDEX users_status ON users (status_cd, locked_until);

CREATE TABLE group_tins (
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    added_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    PRIMARY KEY (group_id, ftin)
);
CREATE INDEX group_tins_ftin ON group_tins (ftin);

CREATE TABLE user_tins (
    user_id bigint NOT NULL REFERENCES users (id),
    ftin {{.Text}} NOT NULL,
    added_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    PRIMARY KEY (user_id, ftin)
);
CREATE INDEX user_tins_ftin ON user_tins (ftin);

CREATE TABLE sign_in_attempts (
    name_key {{.Text}} PRIMARY KEY,
    failures int NOT NULL,
    last_failed_at {{.Instant}} NOT NULL,
    locked_until {{.Instant}}
);
CREATE INDEX sign_in_attempts_age ON sign_in_attempts (last_failed_at);

CREATE TABLE sso_codes (
    code_hash {{.Bytes}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    browser_hash {{.Bytes}} NOT NULL,
    expires_at {{.Instant}} NOT NULL
);
CREATE INDEX sso_codes_age ON sso_codes (expires_at);

CREATE TABLE sessions (
    token_hash {{.Bytes}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    mirrored_user_id bigint REFERENCES users (id),
    created_at {{.Instant}} NOT NULL,
    last_active_at {{.Instant}} NOT NULL,
    id_token {{.Text}} NOT NULL DEFAULT ''
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_mirrored ON sessions (mirrored_user_id);
CREATE INDEX sessions_age ON sessions (last_active_at);

CREATE TABLE audit_log (
    id {{.Serial}},
    at {{.Instant}} NOT NULL,
    actor {{.Text}} NOT NULL,
    acting_for {{.Text}} NOT NULL DEFAULT '',
    operation {{.Text}} NOT NULL,
    subject {{.Text}} NOT NULL DEFAULT '',
    result {{.Text}} NOT NULL,
    detail {{.Text}} NOT NULL DEFAULT '',
    request_id {{.Text}} NOT NULL DEFAULT ''
);
CREATE INDEX audit_log_actor ON audit_log (actor, at);
CREATE INDEX audit_log_subject ON audit_log (subject, at);
{{if eq .Name "postgres"}}
-- +goose StatementBegin
CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_no_change BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_append_only();
{{else}}
-- +goose StatementBegin
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
{{end}}
CREATE TABLE feed_runs (
    id {{.Serial}},
    kind {{.Text}} NOT NULL,
    file_name {{.Text}} NOT NULL,
    sha256 {{.Text}} NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('running', 'done', 'failed')),
    position bigint NOT NULL DEFAULT 0,
    records bigint NOT NULL DEFAULT 0,
    taken bigint NOT NULL DEFAULT 0,
    updated bigint NOT NULL DEFAULT 0,
    unchanged bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0,
    started_at {{.Instant}} NOT NULL,
    finished_at {{.Instant}},
    UNIQUE (kind, sha256)
);

-- +goose Down
DROP TABLE feed_runs;
DROP TABLE audit_log;
{{if eq .Name "postgres"}}DROP FUNCTION audit_log_append_only();{{end}}
DROP TABLE sessions;
DROP TABLE sso_codes;
DROP TABLE sign_in_attempts;
DROP TABLE user_tins;
DROP TABLE group_tins;
DROP TABLE users;
DROP TABLE groups;
DROP TABLE secrets;
