-- +goose Up
-- A bill is known by its TIN and bill control number; every index starts with
-- the TIN, so that the table can be partitioned by it.
CREATE TABLE bills (
    ftin {{.Text}} NOT NULL,
    bill_control_number {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    document_id {{.Text}} NOT NULL,
    document_id_key {{.Text}} NOT NULL,
    patient_control_number {{.Text}} NOT NULL,
    patient_control_number_key {{.Text}} NOT NULL,
    billing_id {{.Text}} NOT NULL DEFAULT '',
    claim_number {{.Text}} NOT NULL DEFAULT '',
    claim_number_key {{.Text}} NOT NULL DEFAULT '',
    patient_first_name {{.Text}} NOT NULL,
    patient_middle_name {{.Text}} NOT NULL DEFAULT '',
    patient_last_name {{.Text}} NOT NULL,
    patient_first_name_key {{.Text}} NOT NULL,
    patient_last_name_key {{.Text}} NOT NULL,
    patient_birth_date {{.Date}},
    patient_gender {{.Text}} NOT NULL DEFAULT '',
    begin_service_date {{.Date}},
    end_service_date {{.Date}},
    date_of_injury {{.Date}},
    state_of_jurisdiction {{.Text}} NOT NULL DEFAULT '',
    physician_first_name {{.Text}} NOT NULL DEFAULT '',
    physician_middle_name {{.Text}} NOT NULL DEFAULT '',
    physician_last_name {{.Text}} NOT NULL DEFAULT '',
    physician_npi {{.Text}} NOT NULL DEFAULT '',
    facility_name {{.Text}} NOT NULL DEFAULT '',
    facility_npi {{.Text}} NOT NULL DEFAULT '',
    bill_type {{.Text}} NOT NULL CHECK (bill_type IN ('P', 'I')),
    frequency_code {{.Text}} NOT NULL DEFAULT '1',
    bill_charges bigint NOT NULL,
    recommended_allowance bigint,
    repricing_method {{.Text}} NOT NULL DEFAULT '',
    bill_status {{.Text}} NOT NULL CHECK (bill_status IN ('0', '1', '2', '3', '4', '9')),
    pricing_sheet {{.Bool}} NOT NULL,
    eor {{.Bool}} NOT NULL,
    payer_id {{.Text}} NOT NULL DEFAULT '',
    payer_name {{.Text}} NOT NULL DEFAULT '',
    paid_amount bigint,
    paid_date {{.Date}},
    check_number {{.Text}} NOT NULL DEFAULT '',
    source {{.Text}} NOT NULL CHECK (source IN ('bill', 'payment')),
    detail {{.Text}} NOT NULL DEFAULT '{}',
    PRIMARY KEY (ftin, bill_control_number_key)
);
CREATE INDEX bills_document ON bills (ftin, document_id_key);
CREATE INDEX bills_patient_control ON bills (ftin, patient_control_number_key);
CREATE INDEX bills_claim ON bills (ftin, claim_number_key, begin_service_date);
CREATE INDEX bills_claimant ON bills (ftin, patient_last_name_key, patient_first_name_key, patient_birth_date, begin_service_date);

CREATE TABLE payments (
    ftin {{.Text}} NOT NULL,
    trace_number {{.Text}} NOT NULL,
    patient_control_number {{.Text}} NOT NULL,
    patient_control_number_key {{.Text}} NOT NULL,
    payer_control_number {{.Text}} NOT NULL,
    payer_control_number_key {{.Text}} NOT NULL,
    occurrence int NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL DEFAULT '',
    claim_status {{.Text}} NOT NULL,
    charge bigint NOT NULL,
    paid bigint NOT NULL,
    patient_responsibility bigint NOT NULL DEFAULT 0,
    paid_date {{.Date}},
    method {{.Text}} NOT NULL DEFAULT '',
    payer_name {{.Text}} NOT NULL DEFAULT '',
    patient_first_name_key {{.Text}} NOT NULL DEFAULT '',
    patient_last_name_key {{.Text}} NOT NULL DEFAULT '',
    begin_service_date {{.Date}},
    detail {{.Text}} NOT NULL DEFAULT '{}',
    PRIMARY KEY (ftin, trace_number, patient_control_number_key, payer_control_number_key, occurrence)
);
CREATE INDEX payments_bill ON payments (ftin, bill_control_number_key);
CREATE INDEX payments_patient_control ON payments (ftin, patient_control_number_key);
CREATE INDEX payments_payer_control ON payments (ftin, payer_control_number_key);

-- +goose Down
DROP TABLE payments;
DROP TABLE bills;
