-- +goose Up
-- Bills are found by account numbers without hyphens, blanks and leading zeros, also by the
-- beginning of one: some payers cut it.
DROP INDEX bills_account;
CREATE INDEX bills_account ON bills (ftin, (ltrim(replace(replace(patient_control_number_key, '-', ''), ' ', ''), '0'))) WHERE patient_control_number_key <> '';

-- +goose Down
DROP INDEX bills_account;
CREATE INDEX bills_account ON bills (ftin, (replace(replace(patient_control_number_key, '-', ''), ' ', '')));
