-- +goose Up
-- Bills are found by the numbers that people type, with or without the hyphens and
-- spaces that files have in them. These indexes hold only numbers that have some;
-- the others are found as they are.
CREATE INDEX bills_number_bare ON bills (ftin, (replace(replace(bill_control_number_key, '-', ''), ' ', '')))
    WHERE bill_control_number_key <> replace(replace(bill_control_number_key, '-', ''), ' ', '');
CREATE INDEX bills_document_bare ON bills (ftin, (replace(replace(document_id_key, '-', ''), ' ', '')))
    WHERE document_id_key <> replace(replace(document_id_key, '-', ''), ' ', '');
CREATE INDEX bills_claim_bare ON bills (ftin, (replace(replace(claim_number_key, '-', ''), ' ', '')))
    WHERE claim_number_key <> replace(replace(claim_number_key, '-', ''), ' ', '');
CREATE INDEX bill_numbers_bare ON bill_numbers (ftin, (replace(replace(number_key, '-', ''), ' ', '')), fact, number_key)
    WHERE number_key <> replace(replace(number_key, '-', ''), ' ', '');
CREATE INDEX remittances_trace_bare ON remittances (ftin, (replace(replace(trace_number_key, '-', ''), ' ', '')))
    WHERE trace_number_key <> replace(replace(trace_number_key, '-', ''), ' ', '');
CREATE INDEX bill_links_bare ON bill_links (ftin, (replace(replace(link, '-', ''), ' ', '')))
    WHERE substr(link, 1, 2) = 'n:' AND link <> replace(replace(link, '-', ''), ' ', '');
-- The office's own number of a bill is looked up here alone.
CREATE INDEX bills_account ON bills (ftin, (replace(replace(patient_control_number_key, '-', ''), ' ', '')));

-- Files whose lines are looked up in the background, and in tins under which bills
-- were found: who has lost one of them since gets no result.
CREATE TABLE lookup_jobs (
    id {{.Text}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    file_name {{.Text}} NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('sent', 'waiting', 'done', 'failed')),
    columns {{.Text}} NOT NULL,
    header_rows int NOT NULL,
    line_count int NOT NULL,
    done int NOT NULL,
    found int NOT NULL,
    tins {{.Text}} NOT NULL,
    created_at {{.Instant}} NOT NULL,
    done_at {{.Instant}}
);
CREATE INDEX lookup_jobs_user ON lookup_jobs (user_id, created_at);
CREATE INDEX lookup_jobs_created ON lookup_jobs (created_at);

-- +goose Down
DROP TABLE lookup_jobs;
DROP INDEX bills_account;
DROP INDEX bill_links_bare;
DROP INDEX remittances_trace_bare;
DROP INDEX bill_numbers_bare;
DROP INDEX bills_claim_bare;
DROP INDEX bills_document_bare;
DROP INDEX bills_number_bare;
