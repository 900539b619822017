-- +goose Up
-- The address that a call came from; empty where none did.
ALTER TABLE audit_log ADD COLUMN client {{.Text}} NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE audit_log DROP COLUMN client;
