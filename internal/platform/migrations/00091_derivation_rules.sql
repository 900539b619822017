-- +goose Up
-- Rows that derivation rules before version 7 derived, so that the program finds and updates them.
DROP INDEX bills_rules;
DROP INDEX remittances_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 7;
CREATE INDEX remittances_rules ON remittances (ftin, remittance) WHERE rules < 7;
-- The sum of unmatched payments reads whether a reversal is open.
DROP INDEX bills_unmatched;
CREATE INDEX bills_unmatched ON bills ((COALESCE(paid_amount, 0)) DESC, ftin, bill_control_number_key, fact, take_back_open)
    WHERE source = 'payment';

-- +goose Down
DROP INDEX bills_unmatched;
CREATE INDEX bills_unmatched ON bills ((COALESCE(paid_amount, 0)) DESC, ftin, bill_control_number_key, fact) WHERE source = 'payment';
DROP INDEX remittances_rules;
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 6;
CREATE INDEX remittances_rules ON remittances (ftin, remittance) WHERE rules < 6;
