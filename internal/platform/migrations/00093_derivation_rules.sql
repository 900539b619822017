-- +goose Up
-- Rows that derivation rules before version 8 derived, so that the program finds and updates them.
DROP INDEX bills_rules;
DROP INDEX remittances_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 8;
CREATE INDEX remittances_rules ON remittances (ftin, remittance) WHERE rules < 8;

-- +goose Down
DROP INDEX remittances_rules;
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 7;
CREATE INDEX remittances_rules ON remittances (ftin, remittance) WHERE rules < 7;
