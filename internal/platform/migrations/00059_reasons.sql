-- +goose Up
-- The reasons of a bill are those of what explains it: bills are concluded anew.
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 3;

-- +goose Down
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 2;
