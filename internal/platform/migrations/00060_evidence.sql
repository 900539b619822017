-- +goose Up
-- A reversal takes money back whatever the sign of its amounts.
UPDATE payments SET nature = 'takeback', charge = CASE WHEN charge > 0 THEN -charge ELSE charge END,
    patient_responsibility = CASE WHEN charge > 0 THEN -patient_responsibility ELSE patient_responsibility END, paid = -paid
    WHERE claim_status = '22' AND paid > 0;
-- Payments to payees known by NPI stand under the TIN whose own bill proves them: all are
-- placed anew. Those that no bill proves are listed to the staff, until they dismiss them.
ALTER TABLE payee_facts ADD COLUMN dismissed {{.Bool}} NOT NULL DEFAULT FALSE;
CREATE INDEX payee_facts_unplaced ON payee_facts (npi, remittance, fact, occurrence) WHERE ftin = '' AND occurrence > 0 AND NOT dismissed;
INSERT INTO payee_todo (npi, remittance) SELECT DISTINCT npi, remittance FROM payee_facts WHERE TRUE ON CONFLICT (npi, remittance) DO NOTHING;
ALTER TABLE payment_joins ADD COLUMN npi {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE payment_joins ADD COLUMN remittance {{.Text}} NOT NULL DEFAULT '';
-- Bills are concluded anew.
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 4;

-- +goose Down
ALTER TABLE payment_joins DROP COLUMN remittance;
ALTER TABLE payment_joins DROP COLUMN npi;
DROP INDEX payee_facts_unplaced;
ALTER TABLE payee_facts DROP COLUMN dismissed;
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 3;
