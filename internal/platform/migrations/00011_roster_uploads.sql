-- +goose Up
CREATE TABLE roster_uploads (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    source_id bigint NOT NULL REFERENCES roster_sources (source_id),
    source_group_id bigint NOT NULL REFERENCES roster_source_groups (source_group_id),
    update_type {{.Text}} NOT NULL CHECK (update_type IN ('full', 'delta')),
    status {{.Text}} NOT NULL CHECK (status IN ('RECEIVING', 'DONE')),
    uploaded_at {{.Instant}} NOT NULL,
    uploaded_by {{.Text}} NOT NULL
);
CREATE INDEX roster_uploads_group ON roster_uploads (group_id, status, id);
CREATE INDEX roster_uploads_status ON roster_uploads (status, uploaded_at);

CREATE TABLE roster_files (
    upload_id bigint NOT NULL REFERENCES roster_uploads (id),
    number int NOT NULL,
    name {{.Text}} NOT NULL,
    storage_key {{.Text}} NOT NULL,
    size bigint NOT NULL,
    sha256 {{.Text}} NOT NULL,
    report {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (upload_id, number)
);

-- The providers of the last roster of a provider group: what they were told to be, as a sum over their rows.
CREATE TABLE roster_providers (
    source_group_id bigint NOT NULL REFERENCES roster_source_groups (source_group_id),
    npi {{.Text}} NOT NULL,
    digest bigint NOT NULL,
    PRIMARY KEY (source_group_id, npi)
);

-- Files that were checked before they were sent, kept for an hour for their corrected copy.
CREATE TABLE roster_checks (
    id {{.Text}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    name {{.Text}} NOT NULL,
    update_type {{.Text}} NOT NULL,
    storage_key {{.Text}} NOT NULL,
    checked_at {{.Instant}} NOT NULL
);
CREATE INDEX roster_checks_age ON roster_checks (checked_at);

-- +goose Down
DROP TABLE roster_checks;
DROP TABLE roster_providers;
DROP TABLE roster_files;
DROP TABLE roster_uploads;
