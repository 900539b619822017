-- +goose Up
-- Work, notes and watches follow their bills to other numbers, of whatever group.
CREATE INDEX bill_work_bill ON bill_work (ftin, bill_control_number_key, group_id);
CREATE INDEX bill_notes_number ON bill_notes (ftin, bill_control_number_key);
CREATE INDEX watches_bill ON watches (ftin, number_key, kind, user_id);

-- The fact of the bill on which a note was written, where that became part of another bill.
ALTER TABLE bill_notes ADD COLUMN written_on {{.Text}} NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE bill_notes DROP COLUMN written_on;
DROP INDEX watches_bill;
DROP INDEX bill_notes_number;
DROP INDEX bill_work_bill;
