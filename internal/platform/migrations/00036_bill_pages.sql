-- +goose Up
-- A bill's page tells the numbers that it had before.
CREATE INDEX bill_numbers_fact ON bill_numbers (ftin, fact, number_key);

-- What was opened of a bill is found by the bill, not only by its TIN.
INSERT INTO audit_keys (key, at, entry)
SELECT 'about ' || lower(subject), at, id FROM audit_log
WHERE operation IN ('open-image', 'open-eor', 'open-pricing-sheet', 'open-second', 'findPaymentInfo') AND subject LIKE '% %'
ON CONFLICT (key, at, entry) DO NOTHING;

-- +goose Down
DROP INDEX bill_numbers_fact;
