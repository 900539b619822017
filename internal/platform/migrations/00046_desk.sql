-- +goose Up
-- Why somebody of the staff looks at what is of offices, and from when to when.
CREATE TABLE desk_access (
    id {{.Serial}},
    user_id bigint NOT NULL REFERENCES users (id),
    reason {{.Text}} NOT NULL CHECK (reason IN ('CALL', 'CASE', 'FEED', 'COMPLAINT', 'OTHER')),
    reference {{.Text}} NOT NULL,
    text {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    ended_at {{.Instant}}
);
CREATE INDEX desk_access_open ON desk_access (user_id, id) WHERE ended_at IS NULL;

-- Callers name a bill or a check, and no TIN. These are the only indexes of the two
-- tables that do not begin with it; with hash partitions they are probed in each.
CREATE INDEX bills_any_number ON bills ((replace(replace(bill_control_number_key, '-', ''), ' ', '')));
CREATE INDEX remittances_any_trace ON remittances (trace_number_key);

-- The last mail to somebody tells why they cannot go on.
CREATE INDEX mails_to ON mails (to_address, id);

-- +goose Down
DROP INDEX mails_to;
DROP INDEX remittances_any_trace;
DROP INDEX bills_any_number;
DROP TABLE desk_access;
