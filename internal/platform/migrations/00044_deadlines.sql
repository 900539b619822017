-- +goose Up
-- The times that the law of a state, or the network's contract, sets for bills. The
-- portal brings drafts of its own; here stand those that the network has changed,
-- confirmed or added. Only what is ACTIVE counts.
CREATE TABLE jurisdiction_rules (
    id {{.Text}} PRIMARY KEY,
    state {{.Text}} NOT NULL,
    line_of_business {{.Text}} NOT NULL CHECK (line_of_business IN ('WC', 'AUTO')),
    kind {{.Text}} NOT NULL CHECK (kind IN ('PAYER_ANSWER', 'PAYER_PAY', 'FOLLOW_UP_FROM', 'OFFICE_RECONSIDER', 'PAYER_RECONSIDER', 'OFFICE_DISPUTE', 'INTEREST')),
    basis {{.Text}} NOT NULL CHECK (basis IN ('SERVICE', 'RECEIVED', 'PAYER_RECEIVED', 'EOR_AVAILABLE', 'EOR_OPENED', 'PAID', 'CASE_SENT')),
    amount int NOT NULL,
    unit {{.Text}} NOT NULL CHECK (unit IN ('DAYS', 'BUSINESS_DAYS', 'MONTHS')),
    next_workday {{.Bool}} NOT NULL,
    condition_cd {{.Text}} NOT NULL CHECK (condition_cd IN ('', 'ELECTRONIC', 'PAPER', 'PUBLIC', 'NON_NETWORK', 'CONTRACT')),
    -- Hundredths of a percent a month.
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

-- Days on which a state does not work, beside the federal ones.
CREATE TABLE holidays (
    state {{.Text}} NOT NULL,
    day {{.Date}} NOT NULL,
    name {{.Text}} NOT NULL,
    PRIMARY KEY (state, day)
);
INSERT INTO holidays (state, day, name) VALUES
    ('CA', '2025-03-31', 'Cesar Chavez Day'), ('CA', '2025-11-28', 'Day after Thanksgiving'),
    ('CA', '2026-03-31', 'Cesar Chavez Day'), ('CA', '2026-11-27', 'Day after Thanksgiving'),
    ('CA', '2027-03-31', 'Cesar Chavez Day'), ('CA', '2027-11-26', 'Day after Thanksgiving'),
    ('CA', '2028-03-31', 'Cesar Chavez Day'), ('CA', '2028-11-24', 'Day after Thanksgiving'),
    ('CA', '2029-03-31', 'Cesar Chavez Day'), ('CA', '2029-11-23', 'Day after Thanksgiving'),
    ('CA', '2030-04-01', 'Cesar Chavez Day'), ('CA', '2030-11-29', 'Day after Thanksgiving');

-- Counts the changes of rules and holidays that count. Whoever concludes bills shares
-- this row, so that a change waits for those who go by what was before.
CREATE TABLE deadline_versions (
    id int PRIMARY KEY CHECK (id = 1),
    version bigint NOT NULL
);
INSERT INTO deadline_versions (id, version) VALUES (1, 0);

-- How far the open bills follow: all of them the version done; up to a place among them
-- the version running.
CREATE TABLE deadline_runs (
    id int PRIMARY KEY CHECK (id = 1),
    done bigint NOT NULL,
    running bigint NOT NULL,
    after_tin {{.Text}} NOT NULL,
    after_since {{.Date}},
    after_key {{.Text}} NOT NULL
);
INSERT INTO deadline_runs (id, done, running, after_tin, after_key) VALUES (1, 0, 0, '', '');

-- +goose Down
DROP TABLE deadline_runs;
DROP TABLE deadline_versions;
DROP TABLE holidays;
DROP TABLE jurisdiction_rules;
