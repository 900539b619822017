-- +goose Up
-- Calls from offices to payers, each about up to 50 bills. Only the office's group sees them.
CREATE TABLE payer_calls (
    id {{.Serial}},
    author_id bigint NOT NULL REFERENCES users (id),
    -- The browser's key, so that a repeated request is stored once.
    request_key {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    called_on {{.Date}} NOT NULL,
    payer {{.Text}} NOT NULL,
    person {{.Text}} NOT NULL,
    outcome {{.Text}} NOT NULL CHECK (outcome IN ('promised', 'notOnFile', 'resend', 'denied', 'other')),
    promised_on {{.Date}},
    reference {{.Text}} NOT NULL,
    follow_up_on {{.Date}},
    body {{.Text}} NOT NULL
);
CREATE UNIQUE INDEX payer_calls_request ON payer_calls (author_id, request_key);

CREATE TABLE payer_call_bills (
    id {{.Serial}},
    call_id bigint NOT NULL REFERENCES payer_calls (id),
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    -- The fact of the bill that was called about, if it was merged into another bill.
    written_on {{.Text}} NOT NULL DEFAULT ''
);
CREATE INDEX payer_call_bills_bill ON payer_call_bills (group_id, ftin, bill_control_number_key, call_id);
CREATE INDEX payer_call_bills_number ON payer_call_bills (ftin, bill_control_number_key);

-- +goose Down
DROP TABLE payer_call_bills;
DROP TABLE payer_calls;
