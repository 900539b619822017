-- +goose Up
-- A check or transfer is found by its number, in any case.
ALTER TABLE remittances ADD COLUMN trace_number_key {{.Text}} NOT NULL DEFAULT '';
UPDATE remittances SET trace_number_key = lower(trace_number);
CREATE INDEX remittances_trace ON remittances (ftin, trace_number_key);

-- +goose Down
DROP INDEX remittances_trace;
ALTER TABLE remittances DROP COLUMN trace_number_key;
