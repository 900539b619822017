-- +goose Up
-- Open bills by due date, charge and payer.
CREATE INDEX bills_open_due ON bills (ftin, (COALESCE(next_due, '0001-01-01')), (COALESCE(begin_service_date, '0001-01-01')),
    bill_control_number_key) WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');
CREATE INDEX bills_open_charge ON bills (ftin, bill_charges, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key)
    WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');
CREATE INDEX bills_open_payer ON bills (ftin, (lower(payer_name)), (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key)
    WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');
-- Positions have changed, so files that aren't ready start again.
UPDATE open_bill_exports SET done = 0, place = '{}', filter = replace(filter, '"Newest":true', '"Order":"newest"') WHERE status = 'waiting';

-- +goose Down
UPDATE open_bill_exports SET done = 0, place = '{}', filter = replace(filter, '"Order":"newest"', '"Newest":true') WHERE status = 'waiting';
DROP INDEX bills_open_payer;
DROP INDEX bills_open_charge;
DROP INDEX bills_open_due;
