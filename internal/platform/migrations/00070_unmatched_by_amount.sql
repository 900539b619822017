-- +goose Up
-- Payments without a bill, largest first. Staff read them across TINs, so with hash partitions each partition is
-- probed. The index also has what their sums need.
DROP INDEX bills_unmatched;
CREATE INDEX bills_unmatched ON bills ((COALESCE(paid_amount, 0)) DESC, ftin, bill_control_number_key, fact) WHERE source = 'payment';

-- The amount of a payment, 0 for other facts.
ALTER TABLE payee_facts ADD COLUMN paid bigint NOT NULL DEFAULT 0;
{{if eq .Name "sqlite"}}UPDATE payee_facts SET paid = COALESCE(json_extract(body, '$.Payment.Paid'), 0);
{{else}}UPDATE payee_facts SET paid = COALESCE((body::jsonb #>> '{Payment,Paid}')::bigint, 0);
{{end}}DROP INDEX payee_facts_unplaced;
CREATE INDEX payee_facts_unplaced ON payee_facts (paid DESC, npi, remittance, fact, occurrence)
    WHERE ftin = '' AND occurrence > 0 AND NOT dismissed;

-- +goose Down
DROP INDEX payee_facts_unplaced;
CREATE INDEX payee_facts_unplaced ON payee_facts (npi, remittance, fact, occurrence) WHERE ftin = '' AND occurrence > 0 AND NOT dismissed;
ALTER TABLE payee_facts DROP COLUMN paid;
DROP INDEX bills_unmatched;
CREATE INDEX bills_unmatched ON bills (ftin, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key) WHERE source = 'payment';
