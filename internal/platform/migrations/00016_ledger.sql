-- +goose Up
-- What files say of bills: facts, stored once. A bill is concluded from the
-- facts of its family; bill_links ties these together.
CREATE TABLE submissions (
    ftin {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    version {{.Text}} NOT NULL,
    source {{.Text}} NOT NULL CHECK (source IN ('837', 'table', 'earlier')),
    written {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('P', 'I', 'D')),
    repriced {{.Text}} NOT NULL,
    adjusted {{.Text}} NOT NULL,
    original {{.Text}} NOT NULL,
    clearinghouse {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    document_id {{.Text}} NOT NULL,
    patient_control_number {{.Text}} NOT NULL,
    billing_id {{.Text}} NOT NULL,
    claim_number {{.Text}} NOT NULL,
    patient_first_name {{.Text}} NOT NULL,
    patient_middle_name {{.Text}} NOT NULL,
    patient_last_name {{.Text}} NOT NULL,
    patient_birth_date {{.Date}},
    patient_gender {{.Text}} NOT NULL,
    begin_service_date {{.Date}},
    end_service_date {{.Date}},
    date_of_injury {{.Date}},
    state_of_jurisdiction {{.Text}} NOT NULL,
    physician_first_name {{.Text}} NOT NULL,
    physician_middle_name {{.Text}} NOT NULL,
    physician_last_name {{.Text}} NOT NULL,
    physician_npi {{.Text}} NOT NULL,
    facility_name {{.Text}} NOT NULL,
    facility_npi {{.Text}} NOT NULL,
    bill_type {{.Text}} NOT NULL,
    frequency_code {{.Text}} NOT NULL,
    bill_charges bigint NOT NULL,
    recommended_allowance bigint,
    repricing_method {{.Text}} NOT NULL,
    bill_status {{.Text}} NOT NULL,
    pricing_sheet {{.Bool}} NOT NULL,
    eor {{.Bool}} NOT NULL,
    payer_id {{.Text}} NOT NULL,
    payer_name {{.Text}} NOT NULL,
    paid_amount bigint,
    paid_date {{.Date}},
    check_number {{.Text}} NOT NULL,
    received_on {{.Date}},
    received_basis {{.Text}} NOT NULL,
    detail {{.Text}} NOT NULL,
    PRIMARY KEY (ftin, fact)
);

CREATE TABLE bill_links (
    ftin {{.Text}} NOT NULL,
    link {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    payment {{.Bool}} NOT NULL,
    PRIMARY KEY (ftin, link, fact)
){{if eq .Name "sqlite"}} WITHOUT ROWID{{end}};

-- Links that more facts share than one family can have; they tie nothing.
CREATE TABLE crowded_links (
    ftin {{.Text}} NOT NULL,
    link {{.Text}} NOT NULL,
    PRIMARY KEY (ftin, link)
);

-- Payments of before are kept until they are carried over as facts.
DROP INDEX payments_bill;
DROP INDEX payments_patient_control;
ALTER TABLE payments RENAME TO earlier_payments;
CREATE INDEX earlier_payments_bill ON earlier_payments (ftin, bill_control_number_key);
CREATE TABLE payments (
    ftin {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    occurrence int NOT NULL,
    slot {{.Text}} NOT NULL,
    told_with {{.Text}} NOT NULL,
    source {{.Text}} NOT NULL CHECK (source IN ('835', 'earlier')),
    written {{.Text}} NOT NULL,
    payer {{.Text}} NOT NULL,
    trace_number {{.Text}} NOT NULL,
    paid_date {{.Date}},
    received_on {{.Date}},
    filing {{.Text}} NOT NULL,
    method {{.Text}} NOT NULL,
    patient_control_number {{.Text}} NOT NULL,
    payer_control_number {{.Text}} NOT NULL,
    former_number {{.Text}} NOT NULL,
    repriced {{.Text}} NOT NULL,
    claim_status {{.Text}} NOT NULL,
    charge bigint NOT NULL,
    paid bigint NOT NULL,
    patient_responsibility bigint NOT NULL,
    nature {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    patient_first_name {{.Text}} NOT NULL,
    patient_middle_name {{.Text}} NOT NULL,
    patient_last_name {{.Text}} NOT NULL,
    begin_service_date {{.Date}},
    end_service_date {{.Date}},
    physician_first_name {{.Text}} NOT NULL,
    physician_middle_name {{.Text}} NOT NULL,
    physician_last_name {{.Text}} NOT NULL,
    physician_npi {{.Text}} NOT NULL,
    facility_name {{.Text}} NOT NULL,
    facility_npi {{.Text}} NOT NULL,
    bill_type {{.Text}} NOT NULL,
    frequency_code {{.Text}} NOT NULL,
    payer_id {{.Text}} NOT NULL,
    payer_name {{.Text}} NOT NULL,
    file_sha256 {{.Text}} NOT NULL,
    set_offset bigint NOT NULL,
    remittance {{.Text}} NOT NULL,
    payee_npi {{.Text}} NOT NULL,
    detail {{.Text}} NOT NULL,
    PRIMARY KEY (ftin, fact, occurrence)
);
CREATE INDEX payments_bill ON payments (ftin, bill_control_number_key);
CREATE INDEX payments_remittance ON payments (ftin, remittance);

DROP INDEX bills_patient_control;
ALTER TABLE bills ADD COLUMN open_state {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE bills ADD COLUMN received_on {{.Date}};
ALTER TABLE bills ADD COLUMN received_basis {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE bills ADD COLUMN replaced_by {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE bills ADD COLUMN wanted_key {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE bills ADD COLUMN anchor {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE bills ADD COLUMN fact {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE bills ADD COLUMN rules int NOT NULL DEFAULT 0;
ALTER TABLE bills ADD COLUMN first_seen_at {{.Instant}};
CREATE INDEX bills_wanted ON bills (ftin, wanted_key) WHERE wanted_key <> bill_control_number_key;
-- Bills of before that are no facts yet, and those that other rules concluded:
-- none in the long run.
CREATE INDEX bills_earlier ON bills (ftin, bill_control_number_key) WHERE fact = '';
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 1;

-- Numbers under which bills were shown before they had another.
CREATE TABLE bill_numbers (
    ftin {{.Text}} NOT NULL,
    number_key {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    PRIMARY KEY (ftin, number_key, fact)
);

-- What became of bills, in the order in which it did.
CREATE TABLE bill_changes (
    id {{.Serial}},
    ftin {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('RECEIVED', 'PRICED', 'NOT_PRICED', 'REPRICED', 'PAID', 'PAID_SHORT', 'DENIED', 'REVERSED',
        'VOIDED', 'REPLACED', 'ACKNOWLEDGED', 'REJECTED', 'CASE', 'DOCUMENT')),
    bill_status {{.Text}} NOT NULL,
    occurred_on {{.Date}},
    at {{.Instant}} NOT NULL,
    quiet {{.Bool}} NOT NULL
);
CREATE INDEX bill_changes_tin ON bill_changes (ftin, id);
CREATE INDEX bill_changes_bill ON bill_changes (ftin, bill_control_number_key, id);

-- +goose Down
DROP TABLE bill_changes;
DROP TABLE bill_numbers;
DROP INDEX bills_rules;
DROP INDEX bills_earlier;
DROP INDEX bills_wanted;
ALTER TABLE bills DROP COLUMN first_seen_at;
ALTER TABLE bills DROP COLUMN rules;
ALTER TABLE bills DROP COLUMN fact;
ALTER TABLE bills DROP COLUMN anchor;
ALTER TABLE bills DROP COLUMN wanted_key;
ALTER TABLE bills DROP COLUMN replaced_by;
ALTER TABLE bills DROP COLUMN received_basis;
ALTER TABLE bills DROP COLUMN received_on;
ALTER TABLE bills DROP COLUMN open_state;
CREATE INDEX bills_patient_control ON bills (ftin, patient_control_number_key);
DROP TABLE payments;
DROP INDEX earlier_payments_bill;
ALTER TABLE earlier_payments RENAME TO payments;
CREATE INDEX payments_bill ON payments (ftin, bill_control_number_key);
CREATE INDEX payments_patient_control ON payments (ftin, patient_control_number_key);
DROP TABLE crowded_links;
DROP TABLE bill_links;
DROP TABLE submissions;
