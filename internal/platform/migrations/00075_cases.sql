-- +goose Up
-- Questions of offices to the network.
CREATE TABLE cases (
    id {{.Serial}},
    number {{.Text}} NOT NULL,
    topic {{.Text}} NOT NULL CHECK (topic IN ('PRICE', 'STATUS', 'PAYMENT', 'DENIAL', 'DIRECTORY', 'ACCOUNT', 'OTHER')),
    -- The group and user who asked. Users with the TIN see it, without a TIN only its author and
    -- the group's administrators.
    group_id bigint NOT NULL REFERENCES groups (id),
    opened_by bigint NOT NULL REFERENCES users (id),
    ftin {{.Text}} NOT NULL DEFAULT '',
    -- The remittance that it's about.
    remittance {{.Text}} NOT NULL DEFAULT '',
    owner_id bigint REFERENCES users (id),
    state {{.Text}} NOT NULL CHECK (state IN ('OPEN', 'WAITING', 'ANSWERED', 'CLOSED', 'WITHDRAWN')),
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
    -- The latest entries of each side.
    last_office_id bigint NOT NULL DEFAULT 0,
    last_network_id bigint NOT NULL DEFAULT 0,
    -- The browser's key, so that a repeated request is stored once.
    request_key {{.Text}} NOT NULL,
    version bigint NOT NULL
);
CREATE UNIQUE INDEX cases_number ON cases (number);
CREATE UNIQUE INDEX cases_request ON cases (opened_by, request_key);
CREATE INDEX cases_group ON cases (group_id, id);
CREATE INDEX cases_due ON cases (due_at, id) WHERE state = 'OPEN';
CREATE INDEX cases_owner ON cases (owner_id, due_at, id) WHERE state IN ('OPEN', 'WAITING');
CREATE INDEX cases_waiting ON cases (id) WHERE state = 'WAITING';
CREATE INDEX cases_answered ON cases (answered_at) WHERE state = 'ANSWERED';

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
CREATE INDEX case_bills_case ON case_bills (case_id);
CREATE INDEX case_bills_bill ON case_bills (ftin, bill_control_number_key, case_id);

CREATE TABLE case_entries (
    id {{.Serial}},
    case_id bigint NOT NULL REFERENCES cases (id),
    at {{.Instant}} NOT NULL,
    author_id bigint REFERENCES users (id),
    side {{.Text}} NOT NULL CHECK (side IN ('OFFICE', 'NETWORK', 'SYSTEM')),
    kind {{.Text}} NOT NULL CHECK (kind IN ('MESSAGE', 'ANSWER', 'ASK', 'WITHDRAWN', 'CLOSED')),
    body {{.Text}} NOT NULL
);
CREATE INDEX case_entries_case ON case_entries (case_id, id);

-- The latest entry of the network that a user has read.
CREATE TABLE case_reads (
    case_id bigint NOT NULL REFERENCES cases (id),
    user_id bigint NOT NULL REFERENCES users (id),
    entry_id bigint NOT NULL,
    PRIMARY KEY (case_id, user_id)
);

-- +goose Down
DROP TABLE case_reads;
DROP TABLE case_entries;
DROP TABLE case_bills;
DROP TABLE cases;
