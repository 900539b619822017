-- +goose Up
-- A reversal takes money back whatever the sign of its amounts.
UPDATE payments SET nature = 'takeback', charge = CASE WHEN charge > 0 THEN -charge ELSE charge END,
    patient_responsibility = CASE WHEN charge > 0 THEN -patient_responsibility ELSE patient_responsibility END, paid = -paid
    WHERE claim_status = '22' AND paid > 0;
-- Bills are concluded anew.
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 4;

-- +goose Down
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 3;
