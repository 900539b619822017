-- +goose Up
-- Calls, complaints, internal notes and merged questions. SQLite can't change the checks of
-- a table, so the tables are made anew.
DROP INDEX cases_number;
DROP INDEX cases_request;
DROP INDEX cases_group;
DROP INDEX cases_due;
DROP INDEX cases_owner;
DROP INDEX cases_waiting;
DROP INDEX cases_answered;
DROP INDEX case_bills_case;
DROP INDEX case_bills_bill;
DROP INDEX case_entries_case;
ALTER TABLE cases RENAME TO earlier_cases;
ALTER TABLE case_bills RENAME TO earlier_case_bills;
ALTER TABLE case_entries RENAME TO earlier_case_entries;
ALTER TABLE case_reads RENAME TO earlier_case_reads;

CREATE TABLE cases (
    id {{.Serial}},
    number {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('QUESTION', 'CALL', 'COMPLAINT')),
    topic {{.Text}} NOT NULL CHECK (topic IN ('PRICE', 'STATUS', 'PAYMENT', 'DENIAL', 'DIRECTORY', 'ACCOUNT', 'OTHER')),
    -- The group that it concerns. Users with the TIN see it, without a TIN only its author and the
    -- group's administrators. NULL: someone without an account.
    group_id bigint REFERENCES groups (id),
    opened_by bigint NOT NULL REFERENCES users (id),
    ftin {{.Text}} NOT NULL DEFAULT '',
    -- The remittance that it's about.
    remittance {{.Text}} NOT NULL DEFAULT '',
    owner_id bigint REFERENCES users (id),
    state {{.Text}} NOT NULL CHECK (state IN ('OPEN', 'WAITING', 'ANSWERED', 'CLOSED', 'WITHDRAWN', 'MERGED')),
    -- The entry that answers it.
    answer_id bigint,
    -- The office's reply to "Did this answer your question?"
    helpful {{.Text}} NOT NULL DEFAULT '' CHECK (helpful IN ('', 'YES', 'NO')),
    opened_at {{.Instant}} NOT NULL,
    answered_at {{.Instant}},
    closed_at {{.Instant}},
    -- The promised time of the answer, and the business time that remains of the promise while the
    -- network waits for the office.
    due_at {{.Instant}},
    left_seconds bigint NOT NULL DEFAULT 0,
    -- The latest entries of each side that the office sees.
    last_office_id bigint NOT NULL DEFAULT 0,
    last_network_id bigint NOT NULL DEFAULT 0,
    -- The case that it was merged into.
    merged_into bigint,
    -- The browser's key, so that a repeated request is stored once.
    request_key {{.Text}} NOT NULL,
    version bigint NOT NULL
);
INSERT INTO cases (id, number, kind, topic, group_id, opened_by, ftin, remittance, owner_id, state, answer_id, helpful, opened_at,
    answered_at, closed_at, due_at, left_seconds, last_office_id, last_network_id, request_key, version)
SELECT id, number, 'QUESTION', topic, group_id, opened_by, ftin, remittance, owner_id, state, answer_id, helpful, opened_at,
    answered_at, closed_at, due_at, left_seconds, last_office_id, last_network_id, request_key, version FROM earlier_cases;

CREATE TABLE case_bills (
    id {{.Serial}},
    case_id bigint NOT NULL REFERENCES cases (id),
    ftin {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    -- The bill's number when the office asked.
    number {{.Text}} NOT NULL,
    -- The fact of the bill that was asked about, if it was merged into another bill.
    written_on {{.Text}} NOT NULL DEFAULT ''
);
INSERT INTO case_bills (id, case_id, ftin, bill_control_number_key, number, written_on)
SELECT id, case_id, ftin, bill_control_number_key, number, written_on FROM earlier_case_bills;

CREATE TABLE case_entries (
    id {{.Serial}},
    case_id bigint NOT NULL REFERENCES cases (id),
    at {{.Instant}} NOT NULL,
    author_id bigint REFERENCES users (id),
    side {{.Text}} NOT NULL CHECK (side IN ('OFFICE', 'NETWORK', 'SYSTEM')),
    -- Who reads it. The network's notes never reach an office.
    visible {{.Text}} NOT NULL CHECK (visible IN ('BOTH', 'NETWORK')),
    kind {{.Text}} NOT NULL CHECK (kind IN ('MESSAGE', 'ANSWER', 'ASK', 'WITHDRAWN', 'CLOSED', 'NOTE', 'CALL', 'MERGE', 'LETTER')),
    body {{.Text}} NOT NULL
);
INSERT INTO case_entries (id, case_id, at, author_id, side, visible, kind, body)
SELECT id, case_id, at, author_id, side, 'BOTH', kind, body FROM earlier_case_entries;

-- The latest entry of the network that a user has read.
CREATE TABLE case_reads (
    case_id bigint NOT NULL REFERENCES cases (id),
    user_id bigint NOT NULL REFERENCES users (id),
    entry_id bigint NOT NULL,
    PRIMARY KEY (case_id, user_id)
);
INSERT INTO case_reads (case_id, user_id, entry_id) SELECT case_id, user_id, entry_id FROM earlier_case_reads;

DROP TABLE earlier_case_reads;
DROP TABLE earlier_case_entries;
DROP TABLE earlier_case_bills;
DROP TABLE earlier_cases;
{{if eq .Name "postgres"}}
SELECT setval(pg_get_serial_sequence('cases', 'id'), COALESCE((SELECT MAX(id) FROM cases), 0) + 1, false);
SELECT setval(pg_get_serial_sequence('case_bills', 'id'), COALESCE((SELECT MAX(id) FROM case_bills), 0) + 1, false);
SELECT setval(pg_get_serial_sequence('case_entries', 'id'), COALESCE((SELECT MAX(id) FROM case_entries), 0) + 1, false);
{{end}}
CREATE UNIQUE INDEX cases_number ON cases (number);
CREATE UNIQUE INDEX cases_request ON cases (opened_by, request_key);
CREATE INDEX cases_group ON cases (group_id, id);
CREATE INDEX cases_due ON cases (due_at, id) WHERE state = 'OPEN';
CREATE INDEX cases_owner ON cases (owner_id, due_at, id) WHERE state IN ('OPEN', 'WAITING');
CREATE INDEX cases_waiting ON cases (id) WHERE state = 'WAITING';
CREATE INDEX cases_answered ON cases (answered_at) WHERE state = 'ANSWERED';
CREATE INDEX case_bills_case ON case_bills (case_id);
CREATE INDEX case_bills_bill ON case_bills (ftin, bill_control_number_key, case_id);
CREATE INDEX case_entries_case ON case_entries (case_id, id);

-- +goose Down
DELETE FROM case_reads WHERE case_id IN (SELECT id FROM cases WHERE kind <> 'QUESTION' OR state = 'MERGED');
DELETE FROM case_bills WHERE case_id IN (SELECT id FROM cases WHERE kind <> 'QUESTION' OR state = 'MERGED');
DELETE FROM case_entries WHERE case_id IN (SELECT id FROM cases WHERE kind <> 'QUESTION' OR state = 'MERGED');
DELETE FROM cases WHERE kind <> 'QUESTION' OR state = 'MERGED';
DELETE FROM case_entries WHERE visible <> 'BOTH' OR kind IN ('NOTE', 'CALL', 'MERGE', 'LETTER');
ALTER TABLE case_entries DROP COLUMN visible;
ALTER TABLE cases DROP COLUMN merged_into;
ALTER TABLE cases DROP COLUMN kind;
