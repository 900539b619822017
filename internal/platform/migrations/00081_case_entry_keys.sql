-- +goose Up
-- The browser's key, so that a repeated request stores an entry once.
ALTER TABLE case_entries ADD COLUMN request_key {{.Text}} NOT NULL DEFAULT '';
CREATE INDEX case_entries_request ON case_entries (author_id, request_key) WHERE request_key <> '';

-- +goose Down
DROP INDEX case_entries_request;
ALTER TABLE case_entries DROP COLUMN request_key;
