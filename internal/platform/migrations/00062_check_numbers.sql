-- +goose Up
-- Checks are found by their numbers with and without the zeros in front of them.
DROP INDEX remittances_any_trace;
DROP INDEX remittances_trace;
CREATE INDEX remittances_number ON remittances (ftin, (ltrim(trace_number_key, '0')));
CREATE INDEX remittances_any_number ON remittances ((ltrim(trace_number_key, '0')));

-- +goose Down
DROP INDEX remittances_any_number;
DROP INDEX remittances_number;
CREATE INDEX remittances_trace ON remittances (ftin, trace_number_key);
CREATE INDEX remittances_any_trace ON remittances (trace_number_key);
