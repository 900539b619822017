-- +goose Up
-- Remittances are listed by day and payer, and found by the number of their check
-- or transfer, folded.
ALTER TABLE remittances ADD COLUMN trace_number_key {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE remittances ADD COLUMN payer_name_key {{.Text}} NOT NULL DEFAULT '';
UPDATE remittances SET trace_number_key = replace(replace(lower(trace_number), ' ', ''), '-', ''), payer_name_key = lower(payer_name);
CREATE INDEX remittances_paid ON remittances (ftin, paid_on, remittance);
CREATE INDEX remittances_trace ON remittances (ftin, trace_number_key);

-- The groups' own ticks: what they have posted to their books.
CREATE TABLE remittance_marks (
    group_id bigint NOT NULL,
    ftin {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    posted_by {{.Text}} NOT NULL,
    posted_at {{.Instant}} NOT NULL,
    PRIMARY KEY (group_id, ftin, remittance)
);

-- Several remittances in one file, made in the background.
CREATE TABLE remittance_exports (
    id {{.Serial}},
    user_id bigint NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('QUEUED', 'DONE', 'FAILED')),
    remittances {{.Text}} NOT NULL, -- TINs and what identifies them
    ready int NOT NULL,             -- of them, so far
    shown {{.Text}} NOT NULL,       -- what the file tells of: by what that is audited
    storage_key {{.Text}} NOT NULL,
    created_at {{.Instant}} NOT NULL,
    worked_at {{.Instant}},
    done_at {{.Instant}}
);
CREATE INDEX remittance_exports_age ON remittance_exports (created_at);

-- +goose Down
DROP TABLE remittance_exports;
DROP TABLE remittance_marks;
DROP INDEX remittances_trace;
DROP INDEX remittances_paid;
ALTER TABLE remittances DROP COLUMN payer_name_key;
ALTER TABLE remittances DROP COLUMN trace_number_key;
