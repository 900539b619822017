-- +goose Up
-- The reasons of a bill are those of what explains it, and whether a take-back is open is
-- known: bills are concluded anew.
-- Codes of pharmacies are told with their list: payments with such are read for them again.
UPDATE payments SET reasons = '?' WHERE detail LIKE '%"list":"RX"%';
ALTER TABLE bills ADD COLUMN take_back_open {{.Bool}} NOT NULL DEFAULT FALSE;
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 3;

DROP INDEX bills_open;
CREATE INDEX bills_open ON bills (ftin, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key,
    open_state, begin_service_date, bill_charges, recommended_allowance, paid_amount, next_due, bill_status, take_back_open)
    WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');

-- +goose Down
DROP INDEX bills_open;
CREATE INDEX bills_open ON bills (ftin, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key,
    open_state, begin_service_date, bill_charges, recommended_allowance, paid_amount, next_due)
    WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 2;
ALTER TABLE bills DROP COLUMN take_back_open;
