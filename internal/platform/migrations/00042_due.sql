-- +goose Up
-- How the state of jurisdiction is known, and the kind of insurance: what is due
-- when goes by both.
ALTER TABLE submissions ADD COLUMN state_basis {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN filing {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE bills ADD COLUMN state_basis {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE bills ADD COLUMN filing {{.Text}} NOT NULL DEFAULT '';

-- Why less was paid than charged. Payments of before are still to be read for it; bills
-- are concluded anew.
ALTER TABLE payments ADD COLUMN reasons {{.Text}} NOT NULL DEFAULT '?';
CREATE INDEX payments_unread ON payments (ftin, fact, occurrence) WHERE reasons = '?';
ALTER TABLE bills ADD COLUMN reasons {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE bills ADD COLUMN next_due {{.Date}};

DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 2;

DROP INDEX bills_open;
CREATE INDEX bills_open ON bills (ftin, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key,
    open_state, begin_service_date, bill_charges, recommended_allowance, paid_amount, next_due)
    WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');

-- How often it was counted anew when something is due about bills of a TIN, and was
-- another day for some.
CREATE TABLE due_recounts (
    ftin {{.Text}} PRIMARY KEY,
    recounts bigint NOT NULL
);

-- +goose Down
DROP TABLE due_recounts;
DROP INDEX bills_open;
CREATE INDEX bills_open ON bills (ftin, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key,
    open_state, begin_service_date, bill_charges, recommended_allowance, paid_amount)
    WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');
DROP INDEX bills_rules;
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 1;
ALTER TABLE bills DROP COLUMN next_due;
ALTER TABLE bills DROP COLUMN reasons;
DROP INDEX payments_unread;
ALTER TABLE payments DROP COLUMN reasons;
ALTER TABLE bills DROP COLUMN filing;
ALTER TABLE bills DROP COLUMN state_basis;
ALTER TABLE submissions DROP COLUMN filing;
ALTER TABLE submissions DROP COLUMN state_basis;
