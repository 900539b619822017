-- +goose Up
-- When the password in force was chosen; unused accounts are counted from it too.
ALTER TABLE users ADD COLUMN password_set_at {{.Instant}};

-- Every mail that is to go out, is out, or could not be sent. What it says is
-- written when it is sent, from what it is about.
CREATE TABLE mails (
    id {{.Serial}},
    kind {{.Text}} NOT NULL,
    to_address {{.Text}} NOT NULL,
    subject_id bigint NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('waiting', 'sent', 'dropped', 'failed')),
    attempts int NOT NULL DEFAULT 0,
    last_error {{.Text}} NOT NULL DEFAULT '',
    created_at {{.Instant}} NOT NULL,
    done_at {{.Instant}}
);
CREATE INDEX mails_status ON mails (status, created_at);

-- A stranger's request for an account; one that is open per address.
CREATE TABLE account_requests (
    id {{.Serial}},
    email {{.Text}} NOT NULL,
    email_key {{.Text}} NOT NULL,
    campaign {{.Text}} NOT NULL DEFAULT '',
    status {{.Text}} NOT NULL CHECK (status IN ('STARTED', 'SUBMITTED', 'CLOSED')),
    affiliation_cd {{.Text}} NOT NULL DEFAULT '',
    affiliation_desc {{.Text}} NOT NULL DEFAULT '',
    first_name {{.Text}} NOT NULL DEFAULT '',
    last_name {{.Text}} NOT NULL DEFAULT '',
    middle_initial {{.Text}} NOT NULL DEFAULT '',
    phone {{.Text}} NOT NULL DEFAULT '',
    job_title {{.Text}} NOT NULL DEFAULT '',
    company_name {{.Text}} NOT NULL DEFAULT '',
    company_url {{.Text}} NOT NULL DEFAULT '',
    provider_ftin {{.Text}} NOT NULL DEFAULT '',
    provider_name {{.Text}} NOT NULL DEFAULT '',
    created_at {{.Instant}} NOT NULL,
    submitted_at {{.Instant}},
    closed_at {{.Instant}},
    closed_by {{.Text}} NOT NULL DEFAULT '',
    user_id bigint REFERENCES users (id)
);
CREATE UNIQUE INDEX account_requests_open ON account_requests (email_key) WHERE status <> 'CLOSED';
CREATE INDEX account_requests_status ON account_requests (status, submitted_at);

-- A link that was mailed. Its token is made when the mail is written and kept
-- as a hash; one without anybody behind it stands for an unknown account.
CREATE TABLE account_links (
    id {{.Serial}},
    purpose {{.Text}} NOT NULL CHECK (purpose IN ('RESET', 'REGISTRATION', 'REQUEST')),
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
CREATE UNIQUE INDEX account_links_token ON account_links (token_hash);
CREATE INDEX account_links_user ON account_links (user_id, purpose);
CREATE INDEX account_links_request ON account_links (request_id);
CREATE INDEX account_links_age ON account_links (created_at);

-- Tries by name or address, shared by all instances.
CREATE TABLE tries (
    key_hash {{.Bytes}} PRIMARY KEY,
    tries int NOT NULL,
    since {{.Instant}} NOT NULL
);
CREATE INDEX tries_age ON tries (since);

-- +goose Down
DROP TABLE tries;
DROP TABLE account_links;
DROP TABLE account_requests;
DROP TABLE mails;
ALTER TABLE users DROP COLUMN password_set_at;
