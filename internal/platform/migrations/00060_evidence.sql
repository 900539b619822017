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
-- One check that came by two ways is counted once. What is only likely is decided by staff.
ALTER TABLE payments ADD COLUMN duplicate {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE payments ADD COLUMN twin {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE remittances ADD COLUMN duplicate {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE remittances ADD COLUMN duplicate_of {{.Text}} NOT NULL DEFAULT '';
CREATE INDEX remittances_possible ON remittances (ftin, remittance) WHERE duplicate = 'POSSIBLE';
CREATE TABLE check_decisions (
    id {{.Serial}},
    ftin {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    other {{.Text}} NOT NULL, -- the greater of the two
    same {{.Bool}} NOT NULL,
    decided_by {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    undone_by {{.Text}} NOT NULL,
    undone_at {{.Instant}}
);
CREATE UNIQUE INDEX check_decisions_force ON check_decisions (ftin, remittance, other) WHERE undone_at IS NULL;
-- Checks on file are judged anew.
ALTER TABLE remittances ADD COLUMN rules int NOT NULL DEFAULT 0;
CREATE INDEX remittances_rules ON remittances (ftin, remittance) WHERE rules < 4;
-- A file without BPR02 does not tell the amount of its payment.
ALTER TABLE remittance_sets ADD COLUMN amount_known {{.Bool}} NOT NULL DEFAULT TRUE;
-- Bills are concluded anew.
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 4;

-- +goose Down
ALTER TABLE remittance_sets DROP COLUMN amount_known;
DROP INDEX remittances_rules;
ALTER TABLE remittances DROP COLUMN rules;
DROP TABLE check_decisions;
DROP INDEX remittances_possible;
ALTER TABLE remittances DROP COLUMN duplicate_of;
ALTER TABLE remittances DROP COLUMN duplicate;
ALTER TABLE payments DROP COLUMN twin;
ALTER TABLE payments DROP COLUMN duplicate;
ALTER TABLE payment_joins DROP COLUMN remittance;
ALTER TABLE payment_joins DROP COLUMN npi;
DROP INDEX payee_facts_unplaced;
ALTER TABLE payee_facts DROP COLUMN dismissed;
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 3;
