-- +goose Up
-- The totals of open bills with a group's work are read from this index alone. Its expression keeps
-- SQLite from using the primary key, which has none of the amounts.
CREATE INDEX bills_open_work ON bills (ftin, (bill_control_number_key || ''), bill_control_number_key, open_state, begin_service_date,
    bill_charges, recommended_allowance, paid_amount, next_due, bill_status, take_back_open) WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');

-- +goose Down
DROP INDEX bills_open_work;
