-- +goose Up
-- Complaints: what a case of kind COMPLAINT has besides.
-- Its categories of 28 TAC 10.121(d), separated by spaces.
ALTER TABLE cases ADD COLUMN categories {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE cases ADD COLUMN origin {{.Text}} NOT NULL DEFAULT '' CHECK (origin IN ('', 'PORTAL', 'PHONE', 'MAIL'));
ALTER TABLE cases ADD COLUMN received_on {{.Date}};
-- The state whose law applies. Empty: none is known.
ALTER TABLE cases ADD COLUMN law_state {{.Text}} NOT NULL DEFAULT '';
-- The name of someone without an account.
ALTER TABLE cases ADD COLUMN complainant {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE cases ADD COLUMN outcome {{.Text}} NOT NULL DEFAULT '' CHECK (outcome IN ('', 'UPHELD', 'PARTLY', 'NOT_UPHELD', 'NONE'));
-- The days by which law requires an acknowledgment and a resolution, and when each reached the
-- complainant. They stay as they were when the complaint was received.
ALTER TABLE cases ADD COLUMN ack_due {{.Date}};
ALTER TABLE cases ADD COLUMN ack_citation {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE cases ADD COLUMN ack_on {{.Date}};
ALTER TABLE cases ADD COLUMN resolve_due {{.Date}};
ALTER TABLE cases ADD COLUMN resolve_citation {{.Text}} NOT NULL DEFAULT '';
-- The rule's summary, for the letter.
ALTER TABLE cases ADD COLUMN resolve_text {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE cases ADD COLUMN resolve_on {{.Date}};
-- The earlier of the days that is still required.
ALTER TABLE cases ADD COLUMN legal_due {{.Date}};
CREATE INDEX cases_legal ON cases (legal_due, id) WHERE legal_due IS NOT NULL;
CREATE INDEX cases_complaints ON cases (received_on, id) WHERE kind = 'COMPLAINT';

CREATE TABLE case_letters (
    id {{.Serial}},
    case_id bigint NOT NULL REFERENCES cases (id),
    kind {{.Text}} NOT NULL CHECK (kind IN ('ACK', 'RESOLVE')),
    made_at {{.Instant}} NOT NULL,
    storage_key {{.Text}} NOT NULL,
    sha256 {{.Text}} NOT NULL,
    mailed_on {{.Date}}
);
CREATE INDEX case_letters_case ON case_letters (case_id, id);
CREATE UNIQUE INDEX case_letters_file ON case_letters (storage_key);

-- Rules for complaints. SQLite can't change the checks of a table, so the table is made anew.
ALTER TABLE jurisdiction_rules RENAME TO earlier_rules;
{{if eq .Name "postgres"}}
ALTER TABLE earlier_rules RENAME CONSTRAINT jurisdiction_rules_pkey TO earlier_rules_pkey;
{{end}}
CREATE TABLE jurisdiction_rules (
    id {{.Text}} PRIMARY KEY,
    state {{.Text}} NOT NULL,
    line_of_business {{.Text}} NOT NULL CHECK (line_of_business IN ('WC', 'AUTO')),
    kind {{.Text}} NOT NULL CHECK (kind IN ('PAYER_ANSWER', 'PAYER_PAY', 'FOLLOW_UP_FROM', 'OFFICE_RECONSIDER', 'PAYER_RECONSIDER',
        'OFFICE_DISPUTE', 'INTEREST', 'COMPLAINT_ACK', 'COMPLAINT_RESOLVE')),
    basis {{.Text}} NOT NULL CHECK (basis IN ('SERVICE', 'RECEIVED', 'PAYER_RECEIVED', 'EOR_AVAILABLE', 'EOR_OPENED', 'PAID', 'CASE_SENT')),
    amount int NOT NULL,
    unit {{.Text}} NOT NULL CHECK (unit IN ('DAYS', 'BUSINESS_DAYS', 'MONTHS')),
    next_workday {{.Bool}} NOT NULL,
    condition_cd {{.Text}} NOT NULL CHECK (condition_cd IN ('', 'ELECTRONIC', 'PAPER', 'PUBLIC', 'NON_NETWORK', 'CONTRACT')),
    -- Hundredths of a percent per month.
    rate_bp int NOT NULL,
    citation {{.Text}} NOT NULL,
    url {{.Text}} NOT NULL,
    text {{.Text}} NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('DRAFT', 'ACTIVE')),
    effective {{.Date}} NOT NULL,
    ended {{.Date}},
    reviewed_by {{.Text}} NOT NULL,
    reviewed_on {{.Date}},
    version bigint NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL
);
INSERT INTO jurisdiction_rules (id, state, line_of_business, kind, basis, amount, unit, next_workday, condition_cd, rate_bp, citation, url,
    text, status, effective, ended, reviewed_by, reviewed_on, version, updated_at, updated_by)
SELECT id, state, line_of_business, kind, basis, amount, unit, next_workday, condition_cd, rate_bp, citation, url,
    text, status, effective, ended, reviewed_by, reviewed_on, version, updated_at, updated_by FROM earlier_rules;
DROP TABLE earlier_rules;

-- +goose Down
DELETE FROM jurisdiction_rules WHERE kind IN ('COMPLAINT_ACK', 'COMPLAINT_RESOLVE');
DROP TABLE case_letters;
DROP INDEX cases_complaints;
DROP INDEX cases_legal;
ALTER TABLE cases DROP COLUMN legal_due;
ALTER TABLE cases DROP COLUMN resolve_on;
ALTER TABLE cases DROP COLUMN resolve_text;
ALTER TABLE cases DROP COLUMN resolve_citation;
ALTER TABLE cases DROP COLUMN resolve_due;
ALTER TABLE cases DROP COLUMN ack_on;
ALTER TABLE cases DROP COLUMN ack_citation;
ALTER TABLE cases DROP COLUMN ack_due;
ALTER TABLE cases DROP COLUMN outcome;
ALTER TABLE cases DROP COLUMN complainant;
ALTER TABLE cases DROP COLUMN law_state;
ALTER TABLE cases DROP COLUMN received_on;
ALTER TABLE cases DROP COLUMN origin;
ALTER TABLE cases DROP COLUMN categories;
