-- +goose Up
-- A repeated request for a question is told from another one with its key by its content, and the bills
-- that a call added to a question can be removed with it.
ALTER TABLE cases ADD COLUMN request_hash {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE case_bills ADD COLUMN call_id bigint;

-- +goose Down
ALTER TABLE case_bills DROP COLUMN call_id;
ALTER TABLE cases DROP COLUMN request_hash;
