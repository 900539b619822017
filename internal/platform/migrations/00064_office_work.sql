-- +goose Up
-- Work, notes and watches follow their bills to other numbers, of whatever group.
CREATE INDEX bill_work_bill ON bill_work (ftin, bill_control_number_key, group_id);
CREATE INDEX bill_notes_number ON bill_notes (ftin, bill_control_number_key);
CREATE INDEX watches_bill ON watches (ftin, number_key, kind, user_id);

-- The fact of the bill on which a note was written, where that became part of another bill.
ALTER TABLE bill_notes ADD COLUMN written_on {{.Text}} NOT NULL DEFAULT '';

-- What a mark of posted was set on: what is told of the remittance later changes it. Marks of
-- before are set on what is told by now.
ALTER TABLE remittance_marks ADD COLUMN amount bigint NOT NULL DEFAULT 0;
ALTER TABLE remittance_marks ADD COLUMN paid bigint NOT NULL DEFAULT 0;
ALTER TABLE remittance_marks ADD COLUMN adjusted bigint NOT NULL DEFAULT 0;
ALTER TABLE remittance_marks ADD COLUMN bills int NOT NULL DEFAULT 0;
ALTER TABLE remittance_marks ADD COLUMN reversals int NOT NULL DEFAULT 0;
UPDATE remittance_marks SET amount = COALESCE(r.amount, r.paid - r.adjusted), paid = r.paid, adjusted = r.adjusted, bills = r.bills, reversals = r.reversals
FROM remittances r WHERE r.ftin = remittance_marks.ftin AND r.remittance = remittance_marks.remittance;

-- +goose Down
ALTER TABLE remittance_marks DROP COLUMN reversals;
ALTER TABLE remittance_marks DROP COLUMN bills;
ALTER TABLE remittance_marks DROP COLUMN adjusted;
ALTER TABLE remittance_marks DROP COLUMN paid;
ALTER TABLE remittance_marks DROP COLUMN amount;
ALTER TABLE bill_notes DROP COLUMN written_on;
DROP INDEX watches_bill;
DROP INDEX bill_notes_number;
DROP INDEX bill_work_bill;
