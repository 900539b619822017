-- +goose Up
-- Files of an entry. Without a case, a file was uploaded for a message that isn't sent yet.
CREATE TABLE case_files (
    id {{.Serial}},
    case_id bigint REFERENCES cases (id),
    entry_id bigint,
    added_by bigint NOT NULL REFERENCES users (id),
    name {{.Text}} NOT NULL,
    media_type {{.Text}} NOT NULL,
    size bigint NOT NULL,
    sha256 {{.Text}} NOT NULL,
    storage_key {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL
);
CREATE UNIQUE INDEX case_files_stored ON case_files (storage_key);
CREATE INDEX case_files_case ON case_files (case_id, id);
CREATE INDEX case_files_unsent ON case_files (added_by, at) WHERE case_id IS NULL;

-- +goose Down
DROP TABLE case_files;
