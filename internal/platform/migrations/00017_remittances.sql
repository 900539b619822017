-- +goose Up
-- What transaction sets say of a check or transfer, as far as each TIN is
-- concerned, and what a payer adds or takes beside the bills: facts, stored once.
CREATE TABLE remittance_sets (
    ftin {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    written {{.Text}} NOT NULL,
    payee_npi {{.Text}} NOT NULL,
    payees int NOT NULL,
    payer {{.Text}} NOT NULL,
    payer_tax_id {{.Text}} NOT NULL,
    payer_id {{.Text}} NOT NULL,
    payer_name {{.Text}} NOT NULL,
    trace_number {{.Text}} NOT NULL,
    paid_on {{.Date}},
    effective_on {{.Date}},
    produced_on {{.Date}},
    handling {{.Text}} NOT NULL,
    credit_debit {{.Text}} NOT NULL,
    method {{.Text}} NOT NULL,
    amount bigint NOT NULL,
    claims_paid bigint NOT NULL,
    adjusted bigint NOT NULL,
    payments {{.Text}} NOT NULL,
    adjustments {{.Text}} NOT NULL,
    contacts {{.Text}} NOT NULL,
    file_sha256 {{.Text}} NOT NULL,
    set_offset bigint NOT NULL,
    set_length bigint NOT NULL,
    PRIMARY KEY (ftin, fact)
);
CREATE INDEX remittance_sets_remittance ON remittance_sets (ftin, remittance);

CREATE TABLE adjustments (
    ftin {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    occurrence int NOT NULL,
    remittance {{.Text}} NOT NULL,
    provider {{.Text}} NOT NULL,
    period {{.Date}},
    reason {{.Text}} NOT NULL,
    reference {{.Text}} NOT NULL,
    amount bigint NOT NULL,
    PRIMARY KEY (ftin, fact, occurrence)
);
CREATE INDEX adjustments_remittance ON adjustments (ftin, remittance);

-- Checks and transfers as all sets together tell them: concluded.
CREATE TABLE remittances (
    ftin {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    trace_number {{.Text}} NOT NULL,
    payer {{.Text}} NOT NULL,
    payer_tax_id {{.Text}} NOT NULL,
    payer_id {{.Text}} NOT NULL,
    payer_name {{.Text}} NOT NULL,
    paid_on {{.Date}},
    effective_on {{.Date}},
    produced_on {{.Date}},
    handling {{.Text}} NOT NULL,
    method {{.Text}} NOT NULL,
    payees int NOT NULL,
    amount bigint,
    paid bigint NOT NULL,
    adjusted bigint NOT NULL,
    bills int NOT NULL,
    reversals int NOT NULL,
    balanced {{.Bool}} NOT NULL,
    contacts {{.Text}} NOT NULL,
    file_sha256 {{.Text}} NOT NULL,
    set_offset bigint NOT NULL,
    set_length bigint NOT NULL,
    first_seen_at {{.Instant}} NOT NULL,
    PRIMARY KEY (ftin, remittance)
);

-- The tax IDs under which providers send bills, by their NPIs.
CREATE TABLE payee_tins (
    npi {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL,
    PRIMARY KEY (npi, ftin)
);

-- What remittances say to payees of whom they tell the NPI only, and under which
-- TIN it stands; '' while none is known.
CREATE TABLE payee_facts (
    npi {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    occurrence int NOT NULL,
    ftin {{.Text}} NOT NULL,
    body {{.Text}} NOT NULL,
    PRIMARY KEY (npi, remittance, fact, occurrence)
);

-- By these a submission finds the remittances that it may place.
CREATE TABLE payee_links (
    link {{.Text}} NOT NULL,
    npi {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    PRIMARY KEY (link, npi, remittance)
);

-- Remittances to be placed anew.
CREATE TABLE payee_todo (
    npi {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    PRIMARY KEY (npi, remittance)
);

-- Files are kept as they came, for as long as the settings say.
ALTER TABLE feed_runs ADD COLUMN kept {{.Bool}} NOT NULL DEFAULT false;
CREATE INDEX feed_runs_kept ON feed_runs (started_at) WHERE kept;

-- +goose Down
DROP INDEX feed_runs_kept;
ALTER TABLE feed_runs DROP COLUMN kept;
DROP TABLE payee_todo;
DROP TABLE payee_links;
DROP TABLE payee_facts;
DROP TABLE payee_tins;
DROP TABLE remittances;
DROP TABLE adjustments;
DROP TABLE remittance_sets;
