-- +goose Up
-- Who sends files, and when they are expected.
CREATE TABLE feed_sources (
    id {{.Serial}},
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL,
    pattern {{.Text}} NOT NULL,
    expected_cron {{.Text}} NOT NULL,
    grace_minutes int NOT NULL,
    owner_mail {{.Text}} NOT NULL,
    expected_from {{.Instant}} NOT NULL,
    told_for {{.Instant}}
);
CREATE UNIQUE INDEX feed_sources_name ON feed_sources (name_key);

-- Each file that came, however often its content did, and what became of it.
CREATE TABLE feed_files (
    id {{.Serial}},
    source_id bigint REFERENCES feed_sources (id),
    kind {{.Text}} NOT NULL,
    file_name {{.Text}} NOT NULL,
    file_name_key {{.Text}} NOT NULL,
    sha256 {{.Text}} NOT NULL,
    via {{.Text}} NOT NULL CHECK (via IN ('FOLDER', 'COMMAND', 'DESK')),
    started_by {{.Text}} NOT NULL,
    check_only {{.Bool}} NOT NULL,
    again {{.Bool}} NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('WAITING', 'RUNNING', 'DONE', 'SAME', 'REFUSED', 'CHECKED', 'FAILED')),
    phase {{.Text}} NOT NULL,
    bytes bigint NOT NULL,
    total bigint NOT NULL,
    records bigint NOT NULL,
    taken bigint NOT NULL,
    updated bigint NOT NULL,
    unchanged bigint NOT NULL,
    rejected bigint NOT NULL,
    warnings bigint NOT NULL,
    more_problems bigint NOT NULL,
    refused {{.Text}} NOT NULL,
    began_at {{.Instant}} NOT NULL,
    touched_at {{.Instant}} NOT NULL,
    ended_at {{.Instant}}
);
CREATE INDEX feed_files_began ON feed_files (began_at);
CREATE INDEX feed_files_source ON feed_files (source_id, began_at);
CREATE INDEX feed_files_open ON feed_files (sha256, id) WHERE status IN ('WAITING', 'RUNNING', 'FAILED');

-- What was found in a file; no value of it is repeated.
CREATE TABLE feed_problems (
    file_id bigint NOT NULL REFERENCES feed_files (id),
    n int NOT NULL,
    severity {{.Text}} NOT NULL,
    segment bigint NOT NULL,
    line bigint NOT NULL,
    loop {{.Text}} NOT NULL,
    element {{.Text}} NOT NULL,
    reason {{.Text}} NOT NULL,
    PRIMARY KEY (file_id, n)
);

-- What the staff say of payments whose bill nothing else finds: to which submission
-- they belong, or, without one, that they are left as they are.
CREATE TABLE payment_joins (
    id {{.Serial}},
    ftin {{.Text}} NOT NULL,
    payment {{.Text}} NOT NULL,
    submission {{.Text}} NOT NULL,
    difference {{.Text}} NOT NULL,
    made_at {{.Instant}} NOT NULL,
    joined_by {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    undone_by {{.Text}} NOT NULL,
    undone_at {{.Instant}}
);
CREATE UNIQUE INDEX payment_joins_force ON payment_joins (ftin, payment) WHERE undone_at IS NULL;
CREATE INDEX bills_unmatched ON bills (ftin, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key) WHERE source = 'payment';

-- +goose Down
DROP INDEX bills_unmatched;
DROP TABLE payment_joins;
DROP TABLE feed_problems;
DROP TABLE feed_files;
DROP TABLE feed_sources;
