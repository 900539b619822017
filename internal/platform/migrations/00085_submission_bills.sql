-- +goose Up
-- A bill is derived with all submissions that it had before. payments_bill does the same for payments.
CREATE INDEX submissions_bill ON submissions (ftin, bill_control_number_key);

-- +goose Down
DROP INDEX submissions_bill;
