-- +goose Up
CREATE TABLE secrets (
    name {{.Text}} PRIMARY KEY,
    value {{.Bytes}} NOT NULL,
    created_at {{.Instant}} NOT NULL
);

CREATE TABLE groups (
    id {{.Serial}},
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('PROVIDER', 'NONNETWORK', 'ROSTER')),
    created_at {{.Instant}} NOT NULL,
    created_by {{.Text}} NOT NULL,
    status_cd {{.Text}} NOT NULL DEFAULT 'ACTIV',
    -- The staff user who named the group. Empty if a feed or the portal did.
    named_by {{.Text}} NOT NULL DEFAULT ''
);

CREATE TABLE users (
    id {{.Serial}},
    user_name {{.Text}} NOT NULL,
    user_name_key {{.Text}} NOT NULL UNIQUE,
    first_name {{.Text}} NOT NULL,
    middle_name {{.Text}} NOT NULL DEFAULT '',
    last_name {{.Text}} NOT NULL,
    first_name_key {{.Text}} NOT NULL,
    last_name_key {{.Text}} NOT NULL,
    email {{.Text}} NOT NULL,
    email_key {{.Text}} NOT NULL,
    phone {{.Text}} NOT NULL DEFAULT '',
    type_cd {{.Text}} NOT NULL CHECK (type_cd IN ('PRUS', 'PRAD', 'NNUS', 'ROAD', 'ROUS', 'IRAD', 'ISAD')),
    status_cd {{.Text}} NOT NULL CHECK (status_cd IN ('NEW', 'DRAFT', 'ACTIV', 'INACT', 'LOCK', 'DISABL', 'TERM')),
    employee_id {{.Text}} NOT NULL DEFAULT '',
    group_id bigint REFERENCES groups (id),
    affiliation_cd {{.Text}} NOT NULL DEFAULT '',
    affiliation_desc {{.Text}} NOT NULL DEFAULT '',
    job_title {{.Text}} NOT NULL DEFAULT '',
    company_name {{.Text}} NOT NULL DEFAULT '',
    company_url {{.Text}} NOT NULL DEFAULT '',
    password_hash {{.Text}} NOT NULL DEFAULT '',
    locked_until {{.Instant}},
    last_login_at {{.Instant}},
    sso_issuer {{.Text}} NOT NULL DEFAULT '',
    sso_subject {{.Text}} NOT NULL DEFAULT '',
    created_at {{.Instant}} NOT NULL,
    created_by {{.Text}} NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    -- Unused accounts also expire by this.
    password_set_at {{.Instant}},
    -- Fields of a draft without a column, as JSON.
    draft {{.Text}} NOT NULL DEFAULT '',
    -- The administrator who created or terminated the user.
    manager_id bigint,
    sso_bound_at {{.Instant}},
    -- The group is inactive, so none of its users can sign in.
    group_ended {{.Bool}} NOT NULL DEFAULT false,
    first_name_letters {{.Text}} NOT NULL DEFAULT '',
    last_name_letters {{.Text}} NOT NULL DEFAULT '',
    name_words {{.Text}} NOT NULL DEFAULT ''
);
-- A terminated user's email address is free again.
CREATE UNIQUE INDEX users_email ON users (email_key) WHERE status_cd <> 'TERM';
CREATE UNIQUE INDEX users_sso ON users (sso_issuer, sso_subject) WHERE sso_subject <> '';
CREATE INDEX users_group ON users (group_id, first_name_key);
CREATE INDEX users_status ON users (status_cd, locked_until);
-- Terminated users are also found by email address.
CREATE INDEX users_email_any ON users (email_key);
CREATE INDEX users_status_name ON users (status_cd, user_name_key);
-- The service desk lists drafts, oldest first.
CREATE INDEX users_status_created ON users (status_cd, created_at, id);
CREATE INDEX users_first_letters ON users ((first_name_letters || last_name_letters)) WHERE name_words <> '';
CREATE INDEX users_last_letters ON users ((last_name_letters || first_name_letters)) WHERE name_words <> '';
-- Rows without name keys. These two indexes are empty once the job users-names has filled the keys.
CREATE INDEX users_first_name ON users (first_name_key) WHERE name_words = '';
CREATE INDEX users_last_name ON users (last_name_key) WHERE name_words = '';

CREATE TABLE group_tins (
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    added_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    PRIMARY KEY (group_id, ftin)
);
CREATE INDEX group_tins_ftin ON group_tins (ftin);

CREATE TABLE user_tins (
    user_id bigint NOT NULL REFERENCES users (id),
    ftin {{.Text}} NOT NULL,
    added_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    PRIMARY KEY (user_id, ftin)
);
CREATE INDEX user_tins_ftin ON user_tins (ftin);

CREATE TABLE sign_in_attempts (
    name_key {{.Text}} PRIMARY KEY,
    failures int NOT NULL,
    last_failed_at {{.Instant}} NOT NULL,
    locked_until {{.Instant}},
    day_failures int NOT NULL DEFAULT 0,
    day_began {{.Instant}}
);
CREATE INDEX sign_in_attempts_age ON sign_in_attempts (last_failed_at);

CREATE TABLE sso_codes (
    code_hash {{.Bytes}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    browser_hash {{.Bytes}} NOT NULL,
    expires_at {{.Instant}} NOT NULL
);
CREATE INDEX sso_codes_age ON sso_codes (expires_at);

CREATE TABLE audit_log (
    id {{.Serial}},
    at {{.Instant}} NOT NULL,
    actor {{.Text}} NOT NULL,
    acting_for {{.Text}} NOT NULL DEFAULT '',
    operation {{.Text}} NOT NULL,
    subject {{.Text}} NOT NULL DEFAULT '',
    result {{.Text}} NOT NULL,
    detail {{.Text}} NOT NULL DEFAULT '',
    request_id {{.Text}} NOT NULL DEFAULT '',
    -- The caller's address.
    client {{.Text}} NOT NULL DEFAULT '',
    -- The search values, sealed.
    searched {{.Text}} NOT NULL DEFAULT '',
    -- The bill and claim numbers of the response, as a JSON list.
    answered {{.Text}} NOT NULL DEFAULT '[]',
    -- The entry is found by these texts, a JSON list that also fills audit_keys.
    keys {{.Text}} NOT NULL DEFAULT '[]',
    segment bigint NOT NULL DEFAULT 1
);
CREATE INDEX audit_log_segment ON audit_log (segment, id);
-- The log is read newest first, in whole or by operation.
CREATE INDEX audit_log_at ON audit_log (at, id);
CREATE INDEX audit_log_operation ON audit_log (operation, at, id);

CREATE TABLE feed_runs (
    id {{.Serial}},
    kind {{.Text}} NOT NULL,
    file_name {{.Text}} NOT NULL,
    sha256 {{.Text}} NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('running', 'done', 'failed')),
    position bigint NOT NULL DEFAULT 0,
    records bigint NOT NULL DEFAULT 0,
    taken bigint NOT NULL DEFAULT 0,
    updated bigint NOT NULL DEFAULT 0,
    unchanged bigint NOT NULL DEFAULT 0,
    rejected bigint NOT NULL DEFAULT 0,
    started_at {{.Instant}} NOT NULL,
    finished_at {{.Instant}},
    kept {{.Bool}} NOT NULL DEFAULT false,
    UNIQUE (kind, sha256)
);
CREATE INDEX feed_runs_last ON feed_runs (status, kind, finished_at);
CREATE INDEX feed_runs_kept ON feed_runs (started_at) WHERE kept;
CREATE INDEX feed_runs_content ON feed_runs (sha256);

-- A bill's key is its TIN and bill control number. Every index starts with the TIN, so the table can be
-- partitioned by it.
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
    open_state {{.Text}} NOT NULL DEFAULT '',
    received_on {{.Date}},
    received_basis {{.Text}} NOT NULL DEFAULT '',
    replaced_by {{.Text}} NOT NULL DEFAULT '',
    wanted_key {{.Text}} NOT NULL DEFAULT '',
    anchor {{.Text}} NOT NULL DEFAULT '',
    fact {{.Text}} NOT NULL DEFAULT '',
    rules int NOT NULL DEFAULT 0,
    first_seen_at {{.Instant}},
    state_basis {{.Text}} NOT NULL DEFAULT '',
    filing {{.Text}} NOT NULL DEFAULT '',
    reasons {{.Text}} NOT NULL DEFAULT '',
    next_due {{.Date}},
    take_back_open {{.Bool}} NOT NULL DEFAULT FALSE,
    patient_name_key {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (ftin, bill_control_number_key)
);
CREATE INDEX bills_document ON bills (ftin, document_id_key);
CREATE INDEX bills_claim ON bills (ftin, claim_number_key, begin_service_date);
CREATE INDEX bills_wanted ON bills (ftin, wanted_key) WHERE wanted_key <> bill_control_number_key;
-- Bills without a fact, from before the ledger. Empty in the long run.
CREATE INDEX bills_earlier ON bills (ftin, bill_control_number_key) WHERE fact = '';
-- Users type numbers with or without the hyphens and spaces of files. These indexes contain only numbers that
-- have some.
CREATE INDEX bills_number_bare ON bills (ftin, (replace(replace(bill_control_number_key, '-', ''), ' ', '')))
    WHERE bill_control_number_key <> replace(replace(bill_control_number_key, '-', ''), ' ', '');
CREATE INDEX bills_document_bare ON bills (ftin, (replace(replace(document_id_key, '-', ''), ' ', '')))
    WHERE document_id_key <> replace(replace(document_id_key, '-', ''), ' ', '');
CREATE INDEX bills_claim_bare ON bills (ftin, (replace(replace(claim_number_key, '-', ''), ' ', '')))
    WHERE claim_number_key <> replace(replace(claim_number_key, '-', ''), ' ', '');
-- Callers have a bill or check number but no TIN. This index and remittances_any_number are the only ones of
-- their tables that don't start with the TIN. With hash partitions, each partition is probed.
CREATE INDEX bills_any_number ON bills ((replace(replace(bill_control_number_key, '-', ''), ' ', '')));
CREATE INDEX bills_unmatched ON bills (ftin, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key) WHERE source = 'payment';
-- Bills that need follow-up, oldest service first.
CREATE INDEX bills_open ON bills (ftin, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key,
    open_state, begin_service_date, bill_charges, recommended_allowance, paid_amount, next_due, bill_status, take_back_open)
    WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');
CREATE INDEX bills_rules ON bills (ftin, bill_control_number_key) WHERE rules < 4;
CREATE INDEX bills_person ON bills (ftin, patient_name_key, patient_birth_date, begin_service_date) WHERE patient_name_key <> '';
-- Rows without name keys. Empty once the job ledger-carry-over has filled them.
CREATE INDEX bills_claimant ON bills (ftin, patient_last_name_key, patient_first_name_key, patient_birth_date, begin_service_date)
    WHERE patient_name_key = '';
-- Patient account numbers without hyphens, spaces and leading zeros. Some payers cut them, so searches also
-- match a prefix.
CREATE INDEX bills_account ON bills (ftin, (ltrim(replace(replace(patient_control_number_key, '-', ''), ' ', ''), '0'))) WHERE patient_control_number_key <> '';

-- Payments from before the ledger.
CREATE TABLE earlier_payments (
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
CREATE INDEX earlier_payments_bill ON earlier_payments (ftin, bill_control_number_key);

CREATE TABLE claims (
    claim_number {{.Text}} NOT NULL,
    claim_number_key {{.Text}} NOT NULL,
    payer_id {{.Text}} NOT NULL DEFAULT '',
    payer_name {{.Text}} NOT NULL DEFAULT '',
    claimant_first_name {{.Text}} NOT NULL,
    claimant_last_name {{.Text}} NOT NULL,
    claimant_first_name_key {{.Text}} NOT NULL,
    claimant_last_name_key {{.Text}} NOT NULL,
    claimant_birth_date {{.Date}},
    date_of_injury {{.Date}},
    state_of_jurisdiction {{.Text}} NOT NULL DEFAULT '',
    claimant_gender {{.Text}} NOT NULL DEFAULT '',
    claimant_name_key {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (claim_number_key, payer_id)
);
CREATE INDEX claims_person ON claims (claimant_birth_date, date_of_injury, claimant_name_key) WHERE claimant_name_key <> '';
-- Rows without name keys. Empty once the job claims-names has filled them.
CREATE INDEX claims_claimant ON claims (claimant_last_name_key, claimant_birth_date, date_of_injury, claimant_first_name_key)
    WHERE claimant_name_key = '';

CREATE TABLE providers (
    provider_id {{.Text}} PRIMARY KEY,
    provider_type {{.Text}} NOT NULL CHECK (provider_type IN ('P', 'F', 'A', 'H')),
    npi {{.Text}} NOT NULL DEFAULT '',
    first_name {{.Text}} NOT NULL DEFAULT '',
    middle_name {{.Text}} NOT NULL DEFAULT '',
    last_name {{.Text}} NOT NULL DEFAULT '',
    facility_name {{.Text}} NOT NULL DEFAULT '',
    name_key {{.Text}} NOT NULL,
    first_name_key {{.Text}} NOT NULL DEFAULT '',
    last_name_key {{.Text}} NOT NULL DEFAULT '',
    specialty {{.Text}} NOT NULL DEFAULT '',
    address {{.Text}} NOT NULL DEFAULT '',
    city {{.Text}} NOT NULL DEFAULT '',
    state {{.Text}} NOT NULL DEFAULT '',
    zip {{.Text}} NOT NULL DEFAULT '',
    phone {{.Text}} NOT NULL DEFAULT '',
    degrees {{.Text}} NOT NULL DEFAULT '',
    birth_date {{.Date}},
    gender {{.Text}} NOT NULL DEFAULT '',
    languages {{.Text}} NOT NULL DEFAULT '',
    lines_of_business {{.Text}} NOT NULL DEFAULT '',
    deactivated_on {{.Date}}
);
CREATE INDEX providers_npi ON providers (npi);
CREATE INDEX providers_state ON providers (state);

CREATE TABLE provider_tins (
    ftin {{.Text}} NOT NULL,
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    PRIMARY KEY (ftin, provider_id)
);
CREATE INDEX provider_tins_provider ON provider_tins (provider_id);

-- Emails that are waiting, sent, dropped or failed. The text is written when the email is sent.
CREATE TABLE mails (
    id {{.Serial}},
    kind {{.Text}} NOT NULL,
    to_address {{.Text}} NOT NULL,
    subject_id bigint NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('waiting', 'sent', 'dropped', 'failed')),
    attempts int NOT NULL DEFAULT 0,
    last_error {{.Text}} NOT NULL DEFAULT '',
    created_at {{.Instant}} NOT NULL,
    done_at {{.Instant}}
);
CREATE INDEX mails_status ON mails (status, created_at);
-- The last email to an address shows why its user is stuck.
CREATE INDEX mails_to ON mails (to_address, id);

-- Requests for accounts, one open request per address.
CREATE TABLE account_requests (
    id {{.Serial}},
    email {{.Text}} NOT NULL,
    email_key {{.Text}} NOT NULL,
    campaign {{.Text}} NOT NULL DEFAULT '',
    status {{.Text}} NOT NULL CHECK (status IN ('STARTED', 'SUBMITTED', 'CLOSED')),
    affiliation_cd {{.Text}} NOT NULL DEFAULT '',
    affiliation_desc {{.Text}} NOT NULL DEFAULT '',
    first_name {{.Text}} NOT NULL DEFAULT '',
    last_name {{.Text}} NOT NULL DEFAULT '',
    middle_initial {{.Text}} NOT NULL DEFAULT '',
    phone {{.Text}} NOT NULL DEFAULT '',
    job_title {{.Text}} NOT NULL DEFAULT '',
    company_name {{.Text}} NOT NULL DEFAULT '',
    company_url {{.Text}} NOT NULL DEFAULT '',
    provider_ftin {{.Text}} NOT NULL DEFAULT '',
    provider_name {{.Text}} NOT NULL DEFAULT '',
    created_at {{.Instant}} NOT NULL,
    submitted_at {{.Instant}},
    closed_at {{.Instant}},
    closed_by {{.Text}} NOT NULL DEFAULT '',
    user_id bigint REFERENCES users (id),
    -- A closed request without a user was declined.
    decline_reason {{.Text}} NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX account_requests_open ON account_requests (email_key) WHERE status <> 'CLOSED';
CREATE INDEX account_requests_status ON account_requests (status, submitted_at);

-- Counters of the shared rate limiter.
CREATE TABLE rate_limits (
    key_hash {{.Bytes}} PRIMARY KEY,
    attempts int NOT NULL,
    since {{.Instant}} NOT NULL
);
CREATE INDEX rate_limits_since ON rate_limits (since);

CREATE TABLE products (
    line_of_business {{.Text}} NOT NULL CHECK (line_of_business IN ('WC', 'AUTO')),
    code {{.Text}} NOT NULL,
    name {{.Text}} NOT NULL,
    PRIMARY KEY (line_of_business, code)
);

-- Where a client's bills go, by product and state.
CREATE TABLE clients (
    client_id {{.Text}} NOT NULL,
    line_of_business {{.Text}} NOT NULL,
    product_code {{.Text}} NOT NULL,
    state {{.Text}} NOT NULL,
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL,
    affiliated_payor {{.Text}} NOT NULL DEFAULT '',
    ecs_name {{.Text}} NOT NULL DEFAULT '',
    ecs_phone {{.Text}} NOT NULL DEFAULT '',
    ecs_payor_id {{.Text}} NOT NULL DEFAULT '',
    bill_attention {{.Text}} NOT NULL DEFAULT '',
    bill_address {{.Text}} NOT NULL DEFAULT '',
    bill_phone {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (client_id, line_of_business, product_code, state)
);
CREATE INDEX clients_found ON clients (line_of_business, state, product_code, name_key, client_id);

CREATE TABLE client_list_agreements (
    user_id bigint NOT NULL REFERENCES users (id),
    version {{.Text}} NOT NULL,
    accepted_at {{.Instant}} NOT NULL,
    PRIMARY KEY (user_id, version)
);

-- The national rate code that prices a provider's bills at a location.
CREATE TABLE rate_codes (
    provider_id {{.Text}} NOT NULL,
    line_of_business {{.Text}} NOT NULL CHECK (line_of_business IN ('DPWC', 'DPAUT')),
    ftin {{.Text}} NOT NULL,
    national_rate_code {{.Text}} NOT NULL,
    zip {{.Text}} NOT NULL DEFAULT '',
    location_name {{.Text}} NOT NULL,
    location_address {{.Text}} NOT NULL DEFAULT '',
    location_details {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (provider_id, line_of_business, ftin, national_rate_code, zip, location_name)
);

-- The allowance of a rate code for a procedure.
CREATE TABLE rate_allowances (
    national_rate_code {{.Text}} NOT NULL,
    procedure_code {{.Text}} NOT NULL,
    modifier {{.Text}} NOT NULL DEFAULT '',
    description {{.Text}} NOT NULL DEFAULT '',
    allowance bigint NOT NULL,
    effective_date {{.Date}} NOT NULL,
    end_date {{.Date}},
    PRIMARY KEY (national_rate_code, procedure_code, modifier, effective_date)
);

-- The TIN and line of business are empty for earlier requests, and if the rate code belongs to several.
CREATE TABLE fee_schedule_requests (
    id {{.Serial}},
    user_id bigint NOT NULL REFERENCES users (id),
    national_rate_code {{.Text}} NOT NULL,
    provider_id {{.Text}} NOT NULL,
    location_name {{.Text}} NOT NULL DEFAULT '',
    zip {{.Text}} NOT NULL DEFAULT '',
    status {{.Text}} NOT NULL CHECK (status IN ('QUEUED', 'DONE', 'FAILED')),
    file_name {{.Text}} NOT NULL DEFAULT '',
    storage_key {{.Text}} NOT NULL DEFAULT '',
    created_at {{.Instant}} NOT NULL,
    worked_at {{.Instant}},
    done_at {{.Instant}},
    viewed_at {{.Instant}},
    -- When the user retried or dismissed a failed request.
    over_at {{.Instant}},
    ftin {{.Text}} NOT NULL DEFAULT '',
    line_of_business {{.Text}} NOT NULL DEFAULT ''
);
CREATE INDEX fee_schedule_requests_user ON fee_schedule_requests (user_id, status, id);
CREATE INDEX fee_schedule_requests_status ON fee_schedule_requests (status, created_at);
CREATE UNIQUE INDEX fee_schedule_requests_open ON fee_schedule_requests (user_id, national_rate_code, provider_id, location_name, zip, ftin, line_of_business)
    WHERE status = 'QUEUED';

-- Descriptions of the national registry's taxonomy codes.
CREATE TABLE taxonomies (
    code {{.Text}} PRIMARY KEY,
    description {{.Text}} NOT NULL
);

CREATE TABLE provider_specialties (
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    description {{.Text}} NOT NULL,
    taxonomy_code {{.Text}} NOT NULL DEFAULT '',
    rank int NOT NULL,
    PRIMARY KEY (provider_id, description)
);

CREATE TABLE provider_offices (
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    office_id {{.Text}} NOT NULL,
    name {{.Text}} NOT NULL,
    is_primary {{.Bool}} NOT NULL,
    accepts_wc {{.Bool}} NOT NULL,
    ftin {{.Text}} NOT NULL DEFAULT '',
    address {{.Text}} NOT NULL DEFAULT '',
    phone {{.Text}} NOT NULL DEFAULT '',
    fax {{.Text}} NOT NULL DEFAULT '',
    email {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (provider_id, office_id)
);
-- The names of a TIN's offices.
CREATE INDEX provider_offices_tin ON provider_offices (ftin, name, is_primary);

CREATE TABLE provider_office_details (
    provider_id {{.Text}} NOT NULL,
    office_id {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('SERVICE', 'SPECIALTY', 'FOCUS', 'LANGUAGE')),
    description {{.Text}} NOT NULL,
    PRIMARY KEY (provider_id, office_id, kind, description)
);

CREATE TABLE provider_licenses (
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    license_type {{.Text}} NOT NULL,
    state {{.Text}} NOT NULL,
    license_number {{.Text}} NOT NULL,
    issue_date {{.Date}},
    expiration_date {{.Date}},
    status {{.Text}} NOT NULL DEFAULT '',
    -- From the national registry. Its next row replaces the license.
    registered {{.Bool}} NOT NULL DEFAULT false,
    PRIMARY KEY (provider_id, license_type, state, license_number)
);

CREATE TABLE notifications (
    id {{.Serial}},
    name {{.Text}} NOT NULL,
    campaign {{.Text}} NOT NULL DEFAULT '',
    requested_by {{.Text}} NOT NULL DEFAULT '',
    link {{.Text}} NOT NULL DEFAULT '',
    send_date {{.Date}},
    status {{.Text}} NOT NULL CHECK (status IN ('DRAFT', 'READY', 'SCHEDULED', 'SENT')),
    created_at {{.Instant}} NOT NULL,
    created_by {{.Text}} NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    sent_at {{.Instant}},
    -- Recipients as JSON if they are determined when it's sent.
    audience {{.Text}} NOT NULL DEFAULT '',
    sent_to bigint
);
CREATE INDEX notifications_status ON notifications (status, send_date);
CREATE INDEX notifications_created ON notifications (created_by, created_at);
CREATE INDEX notifications_status_created ON notifications (status, created_at);

CREATE TABLE notification_recipients (
    notification_id bigint NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES users (id),
    PRIMARY KEY (notification_id, user_id)
);

-- The notifications of each user.
CREATE TABLE user_notifications (
    user_id bigint NOT NULL REFERENCES users (id),
    notification_id bigint NOT NULL REFERENCES notifications (id),
    sent_at {{.Instant}} NOT NULL,
    viewed_at {{.Instant}},
    PRIMARY KEY (user_id, notification_id)
);
CREATE INDEX user_notifications_notification ON user_notifications (notification_id);

-- Systems that send rosters.
CREATE TABLE roster_sources (
    source_id bigint PRIMARY KEY,
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL
);

-- The provider groups of each roster source.
CREATE TABLE roster_source_groups (
    source_group_id bigint PRIMARY KEY,
    source_id bigint NOT NULL REFERENCES roster_sources (source_id),
    group_id {{.Text}} NOT NULL,
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL,
    is_admin {{.Bool}} NOT NULL,
    group_id_key {{.Text}} NOT NULL DEFAULT ''
);
CREATE INDEX roster_source_groups_source ON roster_source_groups (source_id, name_key, source_group_id);
CREATE INDEX roster_source_groups_group ON roster_source_groups (group_id_key);

-- The sources that a roster group can send rosters of.
CREATE TABLE group_roster_sources (
    group_id bigint NOT NULL REFERENCES groups (id),
    source_id bigint NOT NULL REFERENCES roster_sources (source_id),
    added_at {{.Instant}} NOT NULL,
    added_by {{.Text}} NOT NULL,
    PRIMARY KEY (group_id, source_id)
);
CREATE INDEX group_roster_sources_source ON group_roster_sources (source_id, group_id);

CREATE TABLE roster_uploads (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    source_id bigint NOT NULL REFERENCES roster_sources (source_id),
    source_group_id bigint NOT NULL REFERENCES roster_source_groups (source_group_id),
    update_type {{.Text}} NOT NULL CHECK (update_type IN ('full', 'delta')),
    status {{.Text}} NOT NULL CHECK (status IN ('RECEIVING', 'DONE')),
    uploaded_at {{.Instant}} NOT NULL,
    uploaded_by {{.Text}} NOT NULL,
    -- What the network does with the roster.
    handling {{.Text}} NOT NULL DEFAULT 'NEW' CHECK (handling IN ('NEW', 'TAKEN', 'DONE', 'RETURNED')),
    handled_at {{.Instant}},
    handled_by {{.Text}} NOT NULL DEFAULT '',
    returned_for {{.Text}} NOT NULL DEFAULT '',
    handed_at {{.Instant}},
    providers_before int,
    providers_added int,
    providers_changed int,
    providers_ended int,
    -- Progress of the directory update.
    directory_state {{.Text}} NOT NULL DEFAULT '' CHECK (directory_state IN ('', 'WAITING', 'DONE')),
    directory_rows int NOT NULL DEFAULT 0,
    directory_unknown int NOT NULL DEFAULT 0,
    directory_ended int NOT NULL DEFAULT 0
);
CREATE INDEX roster_uploads_group ON roster_uploads (group_id, status, id);
CREATE INDEX roster_uploads_status ON roster_uploads (status, uploaded_at);
-- A roster is in the history of every group that has its source.
CREATE INDEX roster_uploads_source ON roster_uploads (source_id, id);
CREATE INDEX roster_uploads_directory ON roster_uploads (id) WHERE directory_state = 'WAITING';
CREATE INDEX roster_uploads_listed ON roster_uploads (source_group_id, id) WHERE directory_state <> '';
CREATE INDEX roster_uploads_handling ON roster_uploads (handling, uploaded_at) WHERE status = 'DONE';
CREATE INDEX roster_uploads_to_hand ON roster_uploads (id) WHERE status <> 'RECEIVING' AND handed_at IS NULL AND handling IN ('NEW', 'TAKEN');

CREATE TABLE roster_files (
    upload_id bigint NOT NULL REFERENCES roster_uploads (id),
    number int NOT NULL,
    name {{.Text}} NOT NULL,
    storage_key {{.Text}} NOT NULL,
    size bigint NOT NULL,
    sha256 {{.Text}} NOT NULL,
    report {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (upload_id, number)
);

-- The providers of a provider group's last roster, with a digest of their rows.
CREATE TABLE roster_providers (
    source_group_id bigint NOT NULL REFERENCES roster_source_groups (source_group_id),
    npi {{.Text}} NOT NULL,
    digest bigint NOT NULL,
    PRIMARY KEY (source_group_id, npi)
);

-- Checked files, stored for an hour for their corrected copies.
CREATE TABLE roster_checks (
    id {{.Text}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    name {{.Text}} NOT NULL,
    update_type {{.Text}} NOT NULL,
    storage_key {{.Text}} NOT NULL,
    checked_at {{.Instant}} NOT NULL,
    layout TEXT NOT NULL DEFAULT ''
);
CREATE INDEX roster_checks_age ON roster_checks (checked_at);
-- The number of checked files per user is limited.
CREATE INDEX roster_checks_user ON roster_checks (user_id, checked_at);

-- What files report about bills: facts, stored once. A bill is derived from the facts of its group, which
-- bill_links connects.
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
    state_basis {{.Text}} NOT NULL DEFAULT '',
    filing {{.Text}} NOT NULL DEFAULT '',
    file_sha256 {{.Text}} NOT NULL DEFAULT '',
    set_offset bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (ftin, fact)
);

CREATE TABLE bill_links (
    ftin {{.Text}} NOT NULL,
    link {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    payment {{.Bool}} NOT NULL,
    PRIMARY KEY (ftin, link, fact)
){{if eq .Name "sqlite"}} WITHOUT ROWID{{end}};
CREATE INDEX bill_links_bare ON bill_links (ftin, (replace(replace(link, '-', ''), ' ', '')))
    WHERE substr(link, 1, 2) = 'n:' AND link <> replace(replace(link, '-', ''), ' ', '');

-- Links that more facts share than one group can have. They connect nothing.
CREATE TABLE crowded_links (
    ftin {{.Text}} NOT NULL,
    link {{.Text}} NOT NULL,
    PRIMARY KEY (ftin, link)
);

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
    -- '?' if the reason codes are still to be read.
    reasons {{.Text}} NOT NULL DEFAULT '?',
    duplicate {{.Text}} NOT NULL DEFAULT '',
    twin {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (ftin, fact, occurrence)
);
CREATE INDEX payments_bill ON payments (ftin, bill_control_number_key);
CREATE INDEX payments_remittance ON payments (ftin, remittance);
CREATE INDEX payments_unread ON payments (ftin, fact, occurrence) WHERE reasons = '?';

-- Former numbers of bills.
CREATE TABLE bill_numbers (
    ftin {{.Text}} NOT NULL,
    number_key {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    PRIMARY KEY (ftin, number_key, fact)
);
-- A bill's page shows its former numbers.
CREATE INDEX bill_numbers_fact ON bill_numbers (ftin, fact, number_key);
CREATE INDEX bill_numbers_bare ON bill_numbers (ftin, (replace(replace(number_key, '-', ''), ' ', '')), fact, number_key)
    WHERE number_key <> replace(replace(number_key, '-', ''), ' ', '');

-- What happened to bills, in order.
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

-- What transaction sets report about a check or transfer for each TIN, with its provider-level adjustments:
-- facts, stored once.
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
    -- A file without BPR02 doesn't contain the amount.
    amount_known {{.Bool}} NOT NULL DEFAULT TRUE,
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

-- Checks and transfers, derived from their sets.
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
    trace_number_key {{.Text}} NOT NULL DEFAULT '',
    payer_name_key {{.Text}} NOT NULL DEFAULT '',
    duplicate {{.Text}} NOT NULL DEFAULT '',
    duplicate_of {{.Text}} NOT NULL DEFAULT '',
    rules int NOT NULL DEFAULT 0,
    PRIMARY KEY (ftin, remittance)
);
CREATE INDEX remittances_paid ON remittances (ftin, paid_on, remittance);
CREATE INDEX remittances_possible ON remittances (ftin, remittance) WHERE duplicate = 'POSSIBLE';
CREATE INDEX remittances_rules ON remittances (ftin, remittance) WHERE rules < 4;
CREATE INDEX remittances_number ON remittances (ftin, (ltrim(trace_number_key, '0')));
CREATE INDEX remittances_any_number ON remittances ((ltrim(trace_number_key, '0')));

-- The TINs that providers bill under, by NPI.
CREATE TABLE payee_tins (
    npi {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL,
    PRIMARY KEY (npi, ftin)
);

-- What remittances report to payees known only by NPI, with the TIN that they were placed under. The TIN is
-- empty if none is known.
CREATE TABLE payee_facts (
    npi {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    fact {{.Text}} NOT NULL,
    occurrence int NOT NULL,
    ftin {{.Text}} NOT NULL,
    body {{.Text}} NOT NULL,
    dismissed {{.Bool}} NOT NULL DEFAULT FALSE,
    PRIMARY KEY (npi, remittance, fact, occurrence)
);
CREATE INDEX payee_facts_unplaced ON payee_facts (npi, remittance, fact, occurrence) WHERE ftin = '' AND occurrence > 0 AND NOT dismissed;

-- The remittances that a submission can place.
CREATE TABLE payee_links (
    link {{.Text}} NOT NULL,
    npi {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    PRIMARY KEY (link, npi, remittance)
);

-- Remittances to place again.
CREATE TABLE payee_todo (
    npi {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    PRIMARY KEY (npi, remittance)
);

-- The key of a user's stored forms is derived from this. Sign-out deletes it.
CREATE TABLE form_keys (
    user_id bigint PRIMARY KEY REFERENCES users (id),
    salt {{.Bytes}} NOT NULL,
    active_at {{.Instant}} NOT NULL
);

CREATE TABLE audit_keys (
    key {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    entry bigint NOT NULL,
    PRIMARY KEY (key, at, entry)
){{if eq .Name "sqlite"}} WITHOUT ROWID{{end}};

-- Entries belong to segments. The newest segment is open. Each earlier one has a signed head, which includes the
-- head before it.
CREATE TABLE audit_segments (id {{.Serial}});

CREATE TABLE audit_heads (
    segment bigint PRIMARY KEY,
    entries bigint NOT NULL,
    last_at {{.Instant}},
    sealed_at {{.Instant}} NOT NULL,
    previous {{.Bytes}} NOT NULL,
    content {{.Bytes}} NOT NULL,
    head {{.Bytes}} NOT NULL,
    signature {{.Bytes}} NOT NULL
);

-- Segments whose entries were deleted after their retention period.
CREATE TABLE audit_pruned (
    segment bigint PRIMARY KEY,
    pruned_at {{.Instant}} NOT NULL,
    signature {{.Bytes}} NOT NULL
);

-- Failed sign-ins per source: an address, or a device that the user has signed in from.
CREATE TABLE sign_in_sources (
    name_key {{.Text}} NOT NULL,
    source {{.Text}} NOT NULL,
    failures int NOT NULL,
    last_failed_at {{.Instant}} NOT NULL,
    locked_until {{.Instant}},
    PRIMARY KEY (name_key, source)
);
CREATE INDEX sign_in_sources_age ON sign_in_sources (last_failed_at);

CREATE TABLE sign_in_devices (
    user_id bigint NOT NULL REFERENCES users (id),
    device_hash {{.Bytes}} NOT NULL,
    first_at {{.Instant}} NOT NULL,
    last_at {{.Instant}} NOT NULL,
    PRIMARY KEY (user_id, device_hash)
);
CREATE INDEX sign_in_devices_age ON sign_in_devices (last_at);

-- The new address of a user, until the link sent to it is opened. The token is created with the email and stored
-- as a hash.
CREATE TABLE email_changes (
    id {{.Serial}},
    user_id bigint NOT NULL UNIQUE REFERENCES users (id),
    email {{.Text}} NOT NULL,
    token_hash {{.Bytes}},
    asked_at {{.Instant}} NOT NULL,
    asked_by {{.Text}} NOT NULL,
    expires_at {{.Instant}}
);
CREATE UNIQUE INDEX email_changes_token ON email_changes (token_hash);

-- A TIN that a group got or requested while other groups had it. The ID is random.
CREATE TABLE tin_sharings (
    id {{.Text}} PRIMARY KEY,
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    status_cd {{.Text}} NOT NULL,
    -- The holders see the group's name.
    named {{.Bool}} NOT NULL,
    added_at {{.Instant}} NOT NULL,
    added_by {{.Text}} NOT NULL,
    -- The proof is one of the next two, or neither.
    bill_control_number {{.Text}} NOT NULL,
    provider_id {{.Text}} NOT NULL,
    decided_at {{.Instant}},
    decided_by {{.Text}} NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX tin_sharings_group ON tin_sharings (group_id, ftin);
CREATE INDEX tin_sharings_status ON tin_sharings (status_cd, added_at);

-- The groups that were notified because they had the TIN, and their objections.
CREATE TABLE tin_sharing_holders (
    sharing_id {{.Text}} NOT NULL REFERENCES tin_sharings (id),
    group_id bigint NOT NULL REFERENCES groups (id),
    objection_cd {{.Text}} NOT NULL DEFAULT '',
    reason {{.Text}} NOT NULL DEFAULT '',
    objected_at {{.Instant}},
    objected_by {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (sharing_id, group_id)
);
CREATE INDEX tin_sharing_holders_group ON tin_sharing_holders (group_id);

-- Emailed links. The token is created with the email and stored as a hash. A link without a user was requested
-- for an unknown account.
CREATE TABLE account_links (
    id {{.Serial}},
    purpose {{.Text}} NOT NULL CHECK (purpose IN ('RESET', 'REGISTRATION', 'REQUEST', 'BIND', 'FACTORS')),
    user_id bigint REFERENCES users (id),
    request_id bigint REFERENCES account_requests (id),
    token_hash {{.Bytes}},
    code_hash {{.Bytes}},
    created_at {{.Instant}} NOT NULL,
    created_by {{.Text}} NOT NULL,
    expires_at {{.Instant}},
    used_at {{.Instant}},
    ended_at {{.Instant}},
    sso_issuer {{.Text}} NOT NULL DEFAULT '',
    sso_subject {{.Text}} NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX account_links_token ON account_links (token_hash);
CREATE INDEX account_links_user ON account_links (user_id, purpose);
CREATE INDEX account_links_request ON account_links (request_id);
CREATE INDEX account_links_age ON account_links (created_at);

-- Used logout tokens. Each is accepted once.
CREATE TABLE sso_logouts (
    jti_hash {{.Bytes}} PRIMARY KEY,
    expires_at {{.Instant}} NOT NULL
);

-- Sign-ins that users are notified of by email.
CREATE TABLE sign_in_notices (
    id {{.Serial}},
    user_id bigint NOT NULL REFERENCES users (id),
    kind {{.Text}} NOT NULL CHECK (kind IN ('DEVICE', 'FAILURES', 'LOCK')),
    at {{.Instant}} NOT NULL,
    browser {{.Text}} NOT NULL,
    source {{.Text}} NOT NULL
);
CREATE INDEX sign_in_notices_user ON sign_in_notices (user_id, kind, at);
CREATE INDEX sign_in_notices_age ON sign_in_notices (at);

-- Passkeys and authenticator apps.
CREATE TABLE factors (
    id {{.Serial}},
    user_id bigint NOT NULL REFERENCES users (id),
    kind {{.Text}} NOT NULL CHECK (kind IN ('passkey', 'app')),
    name {{.Text}} NOT NULL,
    credential_id {{.Bytes}},
    sealed {{.Text}} NOT NULL,
    last_step bigint NOT NULL DEFAULT 0,
    created_at {{.Instant}} NOT NULL,
    used_at {{.Instant}}
);
CREATE INDEX factors_user ON factors (user_id);
CREATE UNIQUE INDEX factors_credential ON factors (credential_id);

-- Each code is deleted when it's used.
CREATE TABLE recovery_codes (
    user_id bigint NOT NULL REFERENCES users (id),
    code_hash {{.Bytes}} NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- Documents of bills. The last one of each kind is shown, and earlier ones are kept.
CREATE TABLE bill_documents (
    ftin {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('image', 'eor', 'pricing-sheet')),
    sha256 {{.Text}} NOT NULL,
    media_type {{.Text}} NOT NULL,
    size bigint NOT NULL,
    archive {{.Text}} NOT NULL, -- SHA-256 of the last file with it
    taken_at {{.Instant}} NOT NULL,
    PRIMARY KEY (ftin, bill_control_number_key, kind, sha256)
);
CREATE INDEX bill_documents_content ON bill_documents (sha256);

-- The network's own texts for reason codes, which replace the built-in ones. A text without a jurisdiction
-- applies to all.
CREATE TABLE reason_codes (
    list {{.Text}} NOT NULL CHECK (list IN ('CAGC', 'CARC', 'RARC', 'PLB', 'CLP02', 'HCP13', 'LOCAL')),
    code {{.Text}} NOT NULL,
    jurisdiction {{.Text}} NOT NULL,
    title {{.Text}} NOT NULL,
    plain {{.Text}} NOT NULL,
    advice {{.Text}} NOT NULL,
    official {{.Text}} NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('ACTIVE', 'ENDED')),
    effective {{.Date}},
    ended {{.Date}},
    version bigint NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    PRIMARY KEY (list, code, jurisdiction)
);

-- Counts of the reason codes on recent payments, TIN by TIN. A stopped run continues after its last TIN.
CREATE TABLE reason_count_runs (
    id {{.Serial}},
    since {{.Date}} NOT NULL,
    after_tin {{.Text}} NOT NULL,
    started_at {{.Instant}} NOT NULL,
    done_at {{.Instant}}
);

CREATE TABLE reason_counts (
    run bigint NOT NULL REFERENCES reason_count_runs (id),
    list {{.Text}} NOT NULL,
    code {{.Text}} NOT NULL,
    bills bigint NOT NULL,
    last_seen {{.Date}},
    PRIMARY KEY (run, list, code)
);

-- The groups' posted marks, with the amounts at that time.
CREATE TABLE remittance_marks (
    group_id bigint NOT NULL,
    ftin {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    posted_by {{.Text}} NOT NULL,
    posted_at {{.Instant}} NOT NULL,
    amount bigint NOT NULL DEFAULT 0,
    paid bigint NOT NULL DEFAULT 0,
    adjusted bigint NOT NULL DEFAULT 0,
    bills int NOT NULL DEFAULT 0,
    reversals int NOT NULL DEFAULT 0,
    PRIMARY KEY (group_id, ftin, remittance)
);

-- Exports of several remittances in one file.
CREATE TABLE remittance_exports (
    id {{.Serial}},
    user_id bigint NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('QUEUED', 'DONE', 'FAILED')),
    remittances {{.Text}} NOT NULL, -- TINs and remittance keys
    ready int NOT NULL, -- completed so far
    shown {{.Text}} NOT NULL, -- contents of the file, for the audit entry
    storage_key {{.Text}} NOT NULL,
    created_at {{.Instant}} NOT NULL,
    worked_at {{.Instant}},
    done_at {{.Instant}}
);
CREATE INDEX remittance_exports_age ON remittance_exports (created_at);

-- Bulk lookups. A user who has since lost one of the TINs gets no result.
CREATE TABLE lookup_jobs (
    id {{.Text}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    file_name {{.Text}} NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('sent', 'waiting', 'done', 'failed')),
    columns {{.Text}} NOT NULL,
    header_rows int NOT NULL,
    line_count int NOT NULL,
    done int NOT NULL,
    found int NOT NULL,
    tins {{.Text}} NOT NULL,
    created_at {{.Instant}} NOT NULL,
    done_at {{.Instant}}
);
CREATE INDEX lookup_jobs_user ON lookup_jobs (user_id, created_at);
CREATE INDEX lookup_jobs_created ON lookup_jobs (created_at);

-- A group's work on bills. Other groups with the TIN don't see it.
CREATE TABLE bill_work (
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    assigned_to bigint REFERENCES users (id),
    follow_up_on {{.Date}},
    state_cd {{.Text}} NOT NULL CHECK (state_cd IN ('OPEN', 'DONE', 'PARKED')),
    parked_until {{.Date}},
    -- The bill's last change when the work was marked as done.
    done_change bigint NOT NULL,
    notes int NOT NULL,
    version bigint NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    lost_id bigint,
    PRIMARY KEY (group_id, ftin, bill_control_number_key)
);
CREATE INDEX bill_work_assigned ON bill_work (group_id, assigned_to, follow_up_on);
-- Work, notes and follows move with their bills to other numbers, in any group.
CREATE INDEX bill_work_bill ON bill_work (ftin, bill_control_number_key, group_id);

CREATE TABLE bill_notes (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    author_id bigint NOT NULL REFERENCES users (id),
    at {{.Instant}} NOT NULL,
    body {{.Text}} NOT NULL,
    edited_at {{.Instant}},
    struck_at {{.Instant}},
    -- The fact of the bill with the note, if it was merged into another bill.
    written_on {{.Text}} NOT NULL DEFAULT ''
);
CREATE INDEX bill_notes_bill ON bill_notes (group_id, ftin, bill_control_number_key, id);
CREATE INDEX bill_notes_number ON bill_notes (ftin, bill_control_number_key);

-- How often the deadlines of a TIN's bills changed.
CREATE TABLE due_recounts (
    ftin {{.Text}} PRIMARY KEY,
    recounts bigint NOT NULL
);

-- Saved views of open bills, personal or shared. The definition is JSON.
CREATE TABLE saved_views (
    id {{.Text}} PRIMARY KEY,
    owner_id bigint NOT NULL REFERENCES users (id),
    group_id bigint NOT NULL REFERENCES groups (id),
    shared {{.Bool}} NOT NULL,
    pinned {{.Bool}} NOT NULL,
    name {{.Text}} NOT NULL,
    definition {{.Text}} NOT NULL,
    position int NOT NULL,
    version bigint NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL
);
CREATE INDEX saved_views_group ON saved_views (group_id, owner_id, position);

-- Exports of open bills. A stopped export continues at its place. A user who has since lost one of the TINs gets
-- no file.
CREATE TABLE open_bill_exports (
    id {{.Text}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    status {{.Text}} NOT NULL CHECK (status IN ('waiting', 'done', 'failed')),
    filter {{.Text}} NOT NULL,
    columns {{.Text}} NOT NULL,
    tins {{.Text}} NOT NULL,
    bill_count int NOT NULL,
    done int NOT NULL,
    place {{.Text}} NOT NULL,
    created_at {{.Instant}} NOT NULL,
    done_at {{.Instant}}
);
CREATE INDEX open_bill_exports_user ON open_bill_exports (user_id, created_at);
CREATE INDEX open_bill_exports_created ON open_bill_exports (created_at);

-- Users who lost a TIN with bills assigned to them, until an administrator of the group has seen it.
CREATE TABLE lost_assignments (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    user_id bigint NOT NULL REFERENCES users (id),
    ftin {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL
);
CREATE INDEX lost_assignments_group ON lost_assignments (group_id, id);
CREATE INDEX lost_assignments_at ON lost_assignments (at);

-- Deadline rules of states and contracts that the network has changed, confirmed or added to the built-in
-- drafts. Only active rules apply.
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

-- State holidays in addition to the federal ones.
CREATE TABLE holidays (
    state {{.Text}} NOT NULL,
    day {{.Date}} NOT NULL,
    name {{.Text}} NOT NULL,
    PRIMARY KEY (state, day)
);

-- Counts the changes of rules and holidays. Transactions that derive bills lock the row for sharing, so a change
-- waits for them.
CREATE TABLE deadline_versions (
    id int PRIMARY KEY CHECK (id = 1),
    version bigint NOT NULL
);

-- Progress of recalculating open bills: all have the version done, and those up to a place have the version
-- running.
CREATE TABLE deadline_runs (
    id int PRIMARY KEY CHECK (id = 1),
    done bigint NOT NULL,
    running bigint NOT NULL,
    after_tin {{.Text}} NOT NULL,
    after_since {{.Date}},
    after_key {{.Text}} NOT NULL
);

-- Bills or claims that users follow.
CREATE TABLE watches (
    user_id bigint NOT NULL REFERENCES users (id),
    ftin {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('BILL', 'CLAIM')),
    number_key {{.Text}} NOT NULL,
    number {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    PRIMARY KEY (user_id, ftin, kind, number_key)
);
CREATE INDEX watches_bill ON watches (ftin, number_key, kind, user_id);

-- What each user had seen when they marked Today as seen.
CREATE TABLE alerts_seen (
    user_id bigint PRIMARY KEY REFERENCES users (id),
    change_id bigint NOT NULL,
    day {{.Date}} NOT NULL,
    at {{.Instant}} NOT NULL
);

-- Email settings of users. There is no digest without next_at, and no email about followed bills without
-- watch_at.
CREATE TABLE alert_settings (
    user_id bigint PRIMARY KEY REFERENCES users (id),
    digest {{.Text}} NOT NULL CHECK (digest IN ('daily', 'mondays', 'never')),
    days {{.Text}} NOT NULL,
    hour int NOT NULL CHECK (hour BETWEEN 0 AND 23),
    kinds {{.Text}} NOT NULL,
    tins {{.Text}} NOT NULL,
    quiet_weeks {{.Bool}} NOT NULL,
    next_at {{.Instant}},
    delivered_change bigint NOT NULL,
    delivered_day {{.Date}} NOT NULL,
    mailed_on {{.Date}} NOT NULL,
    watch_at {{.Instant}},
    watch_change bigint NOT NULL
);
CREATE INDEX alert_settings_due ON alert_settings (next_at);
CREATE INDEX alert_settings_watching ON alert_settings (watch_at);

-- Shared office mailboxes, active once their link is opened.
CREATE TABLE group_mailboxes (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    email {{.Text}} NOT NULL,
    email_key {{.Text}} NOT NULL,
    added_at {{.Instant}} NOT NULL,
    token_hash {{.Bytes}},
    confirmed_at {{.Instant}},
    stopped_at {{.Instant}},
    stopped_why {{.Text}} NOT NULL CHECK (stopped_why IN ('', 'link', 'refused')),
    digest {{.Text}} NOT NULL CHECK (digest IN ('daily', 'mondays')),
    days {{.Text}} NOT NULL,
    hour int NOT NULL CHECK (hour BETWEEN 0 AND 23),
    kinds {{.Text}} NOT NULL,
    tins {{.Text}} NOT NULL,
    quiet_weeks {{.Bool}} NOT NULL,
    next_at {{.Instant}},
    delivered_change bigint NOT NULL,
    delivered_day {{.Date}} NOT NULL,
    mailed_on {{.Date}} NOT NULL
);
CREATE UNIQUE INDEX group_mailboxes_email ON group_mailboxes (group_id, email_key);
CREATE UNIQUE INDEX group_mailboxes_token ON group_mailboxes (token_hash);
CREATE INDEX group_mailboxes_due ON group_mailboxes (next_at);
CREATE INDEX group_mailboxes_added ON group_mailboxes (added_at) WHERE confirmed_at IS NULL;

-- One digest per owner and period.
CREATE TABLE digests_sent (
    id {{.Serial}},
    user_id bigint REFERENCES users (id),
    mailbox_id bigint REFERENCES group_mailboxes (id),
    period {{.Text}} NOT NULL,
    from_change bigint NOT NULL,
    to_change bigint NOT NULL,
    from_day {{.Date}} NOT NULL,
    to_day {{.Date}} NOT NULL,
    at {{.Instant}} NOT NULL
);
CREATE UNIQUE INDEX digests_sent_user ON digests_sent (user_id, period);
CREATE UNIQUE INDEX digests_sent_mailbox ON digests_sent (mailbox_id, period);
CREATE INDEX digests_sent_at ON digests_sent (at);

-- Why and when a service desk user looked at an office's data.
CREATE TABLE desk_access (
    id {{.Serial}},
    user_id bigint NOT NULL REFERENCES users (id),
    reason {{.Text}} NOT NULL CHECK (reason IN ('CALL', 'CASE', 'FEED', 'COMPLAINT', 'OTHER')),
    reference {{.Text}} NOT NULL,
    text {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    ended_at {{.Instant}},
    -- How many records were opened.
    openings integer NOT NULL DEFAULT 0
);
CREATE INDEX desk_access_open ON desk_access (user_id, id) WHERE ended_at IS NULL;
CREATE INDEX desk_access_at ON desk_access (at);

-- The status line above all screens.
CREATE TABLE status_lines (
    id {{.Serial}},
    text {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('INFO', 'WARNING')),
    starts_at {{.Instant}} NOT NULL,
    ends_at {{.Instant}} NOT NULL,
    created_at {{.Instant}} NOT NULL,
    created_by {{.Text}} NOT NULL
);
CREATE INDEX status_lines_end ON status_lines (ends_at);

-- Senders of files, and when their files are expected.
CREATE TABLE feed_sources (
    id {{.Serial}},
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL,
    pattern {{.Text}} NOT NULL,
    expected_cron {{.Text}} NOT NULL,
    grace_minutes int NOT NULL,
    owner_mail {{.Text}} NOT NULL,
    expected_from {{.Instant}} NOT NULL,
    alerted_for {{.Instant}}
);
CREATE UNIQUE INDEX feed_sources_name ON feed_sources (name_key);

-- Each received file and its outcome, even if the content was received before.
CREATE TABLE feed_files (
    id {{.Serial}},
    source_id bigint REFERENCES feed_sources (id),
    kind {{.Text}} NOT NULL,
    file_name {{.Text}} NOT NULL,
    file_name_key {{.Text}} NOT NULL,
    sha256 {{.Text}} NOT NULL,
    via {{.Text}} NOT NULL CHECK (via IN ('FOLDER', 'COMMAND', 'DESK')),
    started_by {{.Text}} NOT NULL,
    check_only {{.Bool}} NOT NULL,
    again {{.Bool}} NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('WAITING', 'RUNNING', 'DONE', 'SAME', 'REFUSED', 'CHECKED', 'FAILED')),
    phase {{.Text}} NOT NULL,
    bytes bigint NOT NULL,
    total bigint NOT NULL,
    records bigint NOT NULL,
    taken bigint NOT NULL,
    updated bigint NOT NULL,
    unchanged bigint NOT NULL,
    rejected bigint NOT NULL,
    warnings bigint NOT NULL,
    more_problems bigint NOT NULL,
    refused {{.Text}} NOT NULL,
    began_at {{.Instant}} NOT NULL,
    touched_at {{.Instant}} NOT NULL,
    ended_at {{.Instant}}
);
CREATE INDEX feed_files_began ON feed_files (began_at);
CREATE INDEX feed_files_source ON feed_files (source_id, began_at);
CREATE INDEX feed_files_open ON feed_files (sha256, id) WHERE status IN ('WAITING', 'RUNNING', 'FAILED');

-- Problems in files, without values.
CREATE TABLE feed_problems (
    file_id bigint NOT NULL REFERENCES feed_files (id),
    n int NOT NULL,
    severity {{.Text}} NOT NULL,
    segment bigint NOT NULL,
    line bigint NOT NULL,
    loop {{.Text}} NOT NULL,
    element {{.Text}} NOT NULL,
    reason {{.Text}} NOT NULL,
    PRIMARY KEY (file_id, n)
);

-- The staff's matches of unmatched payments to submissions. A row without a submission dismisses the payment.
CREATE TABLE payment_joins (
    id {{.Serial}},
    ftin {{.Text}} NOT NULL,
    payment {{.Text}} NOT NULL,
    submission {{.Text}} NOT NULL,
    difference {{.Text}} NOT NULL,
    made_at {{.Instant}} NOT NULL,
    joined_by {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    undone_by {{.Text}} NOT NULL,
    undone_at {{.Instant}},
    npi {{.Text}} NOT NULL DEFAULT '',
    remittance {{.Text}} NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX payment_joins_force ON payment_joins (ftin, payment) WHERE undone_at IS NULL;

-- The providers that a roster changed. A group's first roster has none, because it would have all.
CREATE TABLE roster_changes (
    upload_id bigint NOT NULL REFERENCES roster_uploads (id),
    npi {{.Text}} NOT NULL,
    change {{.Text}} NOT NULL CHECK (change IN ('ADDED', 'CHANGED', 'ENDED')),
    PRIMARY KEY (upload_id, npi)
);

-- The directory's entries from rosters, so that the next roster ends only those that this one added.
CREATE TABLE provider_listings (
    source_group_id bigint NOT NULL,
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    ftin {{.Text}} NOT NULL,
    office_id {{.Text}} NOT NULL,
    upload_id bigint NOT NULL,
    brought_tin {{.Bool}} NOT NULL,
    PRIMARY KEY (source_group_id, provider_id, ftin, office_id)
);
CREATE INDEX provider_listings_provider ON provider_listings (provider_id, ftin);
CREATE INDEX provider_listings_upload ON provider_listings (source_group_id, upload_id);

-- Quarterly access reviews of provider groups. A group has one open review at a time.
CREATE TABLE access_reviews (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    due_on {{.Date}} NOT NULL,
    opened_at {{.Instant}} NOT NULL,
    -- Number of reminders sent to the administrators.
    reminded int NOT NULL DEFAULT 0,
    finished_at {{.Instant}},
    finished_by {{.Text}} NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX access_reviews_group ON access_reviews (group_id, due_on);
CREATE UNIQUE INDEX access_reviews_one ON access_reviews (group_id) WHERE finished_at IS NULL;
CREATE INDEX access_reviews_open ON access_reviews (due_on, id) WHERE finished_at IS NULL;
-- Finished reviews whose retention period is over.
CREATE INDEX access_reviews_finished ON access_reviews (finished_at) WHERE finished_at IS NOT NULL;

-- The users of a review. Their details are stored when it's finished.
CREATE TABLE access_review_items (
    review_id bigint NOT NULL REFERENCES access_reviews (id),
    user_id bigint NOT NULL REFERENCES users (id),
    version bigint NOT NULL DEFAULT 0,
    kept_at {{.Instant}},
    kept_by {{.Text}} NOT NULL DEFAULT '',
    outcome {{.Text}} NOT NULL DEFAULT '' CHECK (outcome IN ('', 'KEPT', 'ENDED')),
    user_name {{.Text}} NOT NULL DEFAULT '',
    name {{.Text}} NOT NULL DEFAULT '',
    type_cd {{.Text}} NOT NULL DEFAULT '',
    tins int NOT NULL DEFAULT 0,
    last_sign_in {{.Instant}},
    opened int NOT NULL DEFAULT 0,
    PRIMARY KEY (review_id, user_id)
);

-- How many bills a user opened on a day, from the audit log.
CREATE TABLE bills_opened (
    user_id bigint NOT NULL REFERENCES users (id),
    day {{.Date}} NOT NULL,
    bills int NOT NULL,
    PRIMARY KEY (user_id, day)
);
CREATE INDEX bills_opened_day ON bills_opened (day);

-- The days that bills_opened covers.
CREATE TABLE bills_opened_days (
    day {{.Date}} PRIMARY KEY
);

-- Running instances of the program.
CREATE TABLE instances (
    id {{.Text}} PRIMARY KEY,
    version {{.Text}} NOT NULL,
    started_at {{.Instant}} NOT NULL,
    seen_at {{.Instant}} NOT NULL
);

-- The last success and failure of each system that the program uses.
CREATE TABLE system_outcomes (
    system {{.Text}} PRIMARY KEY,
    ok_at {{.Instant}},
    failed_at {{.Instant}},
    failure {{.Text}} NOT NULL
);

-- Data quality of a file on a day: good records out of those counted.
CREATE TABLE feed_measures (
    day {{.Date}} NOT NULL,
    file_id bigint NOT NULL REFERENCES feed_files (id),
    measure {{.Text}} NOT NULL,
    counted bigint NOT NULL,
    good bigint NOT NULL,
    PRIMARY KEY (day, file_id, measure)
);
CREATE INDEX feed_measures_file ON feed_measures (file_id);

-- Data quality of all files of a kind and source. Source 0 means no source. It outlives files and sources.
CREATE TABLE feed_quality (
    day {{.Date}} NOT NULL,
    kind {{.Text}} NOT NULL,
    source_id bigint NOT NULL,
    measure {{.Text}} NOT NULL,
    counted bigint NOT NULL,
    good bigint NOT NULL,
    PRIMARY KEY (day, kind, source_id, measure)
);

-- The days that feed_quality covers. Complete days don't change.
CREATE TABLE feed_quality_days (
    day {{.Date}} PRIMARY KEY,
    counted_at {{.Instant}} NOT NULL,
    complete {{.Bool}} NOT NULL
);

-- Network access sessions. The group is the user's at that time.
CREATE TABLE visits (
    id {{.Serial}},
    group_id bigint REFERENCES groups (id),
    user_id bigint NOT NULL REFERENCES users (id),
    mirrored_user_id bigint NOT NULL REFERENCES users (id),
    reason {{.Text}} NOT NULL DEFAULT '',
    -- The group wants requests first but hadn't approved this session.
    override {{.Bool}} NOT NULL DEFAULT false,
    started_at {{.Instant}} NOT NULL,
    ended_at {{.Instant}}
);
CREATE INDEX visits_group ON visits (group_id, started_at, id);
CREATE INDEX visits_started ON visits (started_at, id);

CREATE TABLE sessions (
    token_hash {{.Bytes}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    mirrored_user_id bigint REFERENCES users (id),
    created_at {{.Instant}} NOT NULL,
    last_active_at {{.Instant}} NOT NULL,
    id_token {{.Text}} NOT NULL DEFAULT '',
    -- When the user last proved their identity, if known.
    proved_at {{.Instant}},
    sso_sid {{.Text}} NOT NULL DEFAULT '',
    -- Whose mirroring ended by itself, until the staff user has seen it.
    mirror_ended_user_id bigint REFERENCES users (id),
    device {{.Text}} NOT NULL DEFAULT '',
    visit_id bigint REFERENCES visits (id),
    mirror_until {{.Instant}},
    mirror_time_over {{.Bool}} NOT NULL DEFAULT false
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_mirrored ON sessions (mirrored_user_id);
CREATE INDEX sessions_sid ON sessions (sso_sid) WHERE sso_sid <> '';
CREATE INDEX sessions_visit ON sessions (visit_id) WHERE visit_id IS NOT NULL;

-- An office's settings for network access. Without a row, the defaults apply.
CREATE TABLE visit_settings (
    group_id bigint PRIMARY KEY REFERENCES groups (id),
    mails {{.Text}} NOT NULL DEFAULT 'weekly' CHECK (mails IN ('weekly', 'at-once', 'never')),
    -- Staff must request access to act as the group's users.
    asks_first {{.Bool}} NOT NULL DEFAULT false,
    version bigint NOT NULL
);

-- Requests of the staff to act as users of a group, one waiting at a time.
CREATE TABLE mirror_requests (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    user_id bigint NOT NULL REFERENCES users (id),
    mirrored_user_id bigint NOT NULL REFERENCES users (id),
    reason {{.Text}} NOT NULL,
    state {{.Text}} NOT NULL CHECK (state IN ('ASKED', 'APPROVED', 'REFUSED', 'EXPIRED', 'NEEDLESS', 'OVERRIDE')),
    asked_at {{.Instant}} NOT NULL,
    answered_at {{.Instant}},
    answered_by {{.Text}} NOT NULL DEFAULT '',
    words {{.Text}} NOT NULL DEFAULT '',
    until {{.Instant}}
);
CREATE UNIQUE INDEX mirror_requests_one ON mirror_requests (user_id, group_id) WHERE state = 'ASKED';
CREATE INDEX mirror_requests_user ON mirror_requests (user_id, group_id, id);
CREATE INDEX mirror_requests_group ON mirror_requests (group_id, id);
CREATE INDEX mirror_requests_asked ON mirror_requests (asked_at);

-- Progress of counting and reporting failed jobs and emails, in one row.
CREATE TABLE given_up_watch (
    id bigint PRIMARY KEY CHECK (id = 1),
    counted_until {{.Instant}} NOT NULL,
    mailed_until {{.Instant}} NOT NULL,
    -- The last email covers mailed_from to mailed_until.
    mailed_from {{.Instant}},
    mailed_at {{.Instant}}
);

-- The staff's decisions whether two checks are the same.
CREATE TABLE check_decisions (
    id {{.Serial}},
    ftin {{.Text}} NOT NULL,
    remittance {{.Text}} NOT NULL,
    other {{.Text}} NOT NULL, -- the greater of the two
    same {{.Bool}} NOT NULL,
    decided_by {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    undone_by {{.Text}} NOT NULL,
    undone_at {{.Instant}}
);
CREATE UNIQUE INDEX check_decisions_force ON check_decisions (ftin, remittance, other) WHERE undone_at IS NULL;

CREATE TABLE provider_products (
    provider_id {{.Text}} NOT NULL,
    line_of_business {{.Text}} NOT NULL,
    state {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL,
    product_code {{.Text}} NOT NULL,
    effective_date {{.Date}} NOT NULL,
    end_date {{.Date}} NOT NULL,
    PRIMARY KEY (provider_id, line_of_business, state, ftin, product_code, effective_date)
);

CREATE TABLE client_exclusions (
    client_id {{.Text}} NOT NULL,
    provider_id {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL DEFAULT '',
    effective_date {{.Date}} NOT NULL,
    end_date {{.Date}} NOT NULL,
    PRIMARY KEY (client_id, provider_id, ftin, effective_date)
);

-- The audit log only grows. Entries are deleted only with their segment.
{{if eq .Name "postgres"}}
-- audit_open is the segment of this transaction's entries. The transaction locks it for sharing, so an
-- exclusive lock means that the segment is complete.
-- +goose StatementBegin
CREATE FUNCTION audit_open_segment() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE s bigint;
BEGIN
    FOR i IN 1..100 LOOP
        SELECT max(id) INTO s FROM audit_segments;
        PERFORM pg_advisory_xact_lock_shared(7723503, s::integer);
        IF s = (SELECT max(id) FROM audit_segments) THEN
            RETURN s;
        END IF;
    END LOOP;
    RAISE EXCEPTION 'no segment of the audit log stays open';
END $$;
-- +goose StatementEnd
CREATE VIEW audit_open AS SELECT audit_open_segment() AS segment;

-- +goose StatementBegin
CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF EXISTS (SELECT FROM audit_pruned p WHERE p.segment = OLD.segment) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION audit_keys_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT FROM audit_log l WHERE l.id = OLD.entry) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_no_change BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_append_only();
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log EXECUTE FUNCTION audit_append_only();
CREATE TRIGGER audit_keys_no_change BEFORE UPDATE OR DELETE ON audit_keys FOR EACH ROW EXECUTE FUNCTION audit_keys_append_only();
CREATE TRIGGER audit_keys_no_truncate BEFORE TRUNCATE ON audit_keys EXECUTE FUNCTION audit_append_only();
CREATE TRIGGER audit_segments_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_segments EXECUTE FUNCTION audit_append_only();
CREATE TRIGGER audit_heads_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_heads EXECUTE FUNCTION audit_append_only();
CREATE TRIGGER audit_pruned_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_pruned EXECUTE FUNCTION audit_append_only();
-- +goose StatementBegin
CREATE FUNCTION audit_log_index() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_keys (key, at, entry)
    SELECT k, f.at, f.id FROM fresh f, json_array_elements_text(f.keys::json) k;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_index AFTER INSERT ON audit_log
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION audit_log_index();
{{else}}
CREATE VIEW audit_open AS SELECT max(id) AS segment FROM audit_segments;
-- +goose StatementBegin
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM audit_pruned p WHERE p.segment = OLD.segment)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- REPLACE deletes a row without DELETE triggers.
-- +goose StatementBegin
CREATE TRIGGER audit_log_no_replace BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log l WHERE l.id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_keys_no_update BEFORE UPDATE ON audit_keys
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_keys_no_delete BEFORE DELETE ON audit_keys
WHEN EXISTS (SELECT 1 FROM audit_log l WHERE l.id = OLD.entry)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_segments_no_update BEFORE UPDATE ON audit_segments
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_segments_no_delete BEFORE DELETE ON audit_segments
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_heads_no_update BEFORE UPDATE ON audit_heads
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_heads_no_delete BEFORE DELETE ON audit_heads
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_heads_no_replace BEFORE INSERT ON audit_heads
WHEN EXISTS (SELECT 1 FROM audit_heads h WHERE h.segment = NEW.segment)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_pruned_no_update BEFORE UPDATE ON audit_pruned
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_pruned_no_delete BEFORE DELETE ON audit_pruned
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_pruned_no_replace BEFORE INSERT ON audit_pruned
WHEN EXISTS (SELECT 1 FROM audit_pruned p WHERE p.segment = NEW.segment)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_log_index AFTER INSERT ON audit_log
BEGIN
    INSERT INTO audit_keys (key, at, entry) SELECT value, NEW.at, NEW.id FROM json_each(NEW.keys);
END;
-- +goose StatementEnd
{{end}}

-- wcpp_letters folds a name like names.Fold of internal/platform/names. PostgreSQL's lower knows only the
-- letters of the database's locale, so this lists those of Latin, Greek, Cyrillic and Armenian. On SQLite,
-- the program provides the function.
{{if eq .Name "postgres"}}
-- +goose StatementBegin
CREATE FUNCTION wcpp_letters(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(name) = char_length(name) THEN
        translate(lower(name), ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '')
    ELSE
        translate(
            lower(regexp_replace(
                replace(replace(replace(replace(replace(replace(replace(normalize(name, NFKD),
                    'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'), 'ß', 'ss'),
                -- Accents, what stands for an apostrophe among the letters, and punctuation.
                '[\u0300-\u036f\u02b0-\u02ff\u2010-\u205e ¡-©«-±´-¹»-¿×÷!-/:-@[-`{-~]', '', 'g')),
            'ÐØðøĐđĦħıĸŁłŊŋŦŧƀƁƂƄƆƇƈƉƊƋƎƏƐƑƓƔƖƗƘƙƚƝƥƬƭƲƳƴƵƶǝǤǥȺȻȼȾɁɃɄɅɆɇɈɌɍɎɏɓɔɖɗəɛɠɨɲɵʉʋΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςϏЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҚҢҮҰҺӘӨԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
            'dododdhhikllnnttbbƃƅoccddƌeeeƒgɣɩikklnpttvyyzzeggacctɂbuʌeeɉrryyboddeeginouvαβγδεζηθικλμνξοπρστυφχψωσϗђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғқңүұһәөաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ')
    END
$$;
-- +goose StatementEnd
{{end}}

-- First rows.
INSERT INTO audit_segments DEFAULT VALUES;
INSERT INTO deadline_versions (id, version) VALUES (1, 0);
INSERT INTO deadline_runs (id, done, running, after_tin, after_key) VALUES (1, 0, 0, '', '');
INSERT INTO holidays (state, day, name) VALUES
    ('CA', '2025-03-31', 'Cesar Chavez Day'), ('CA', '2025-11-28', 'Day after Thanksgiving'),
    ('CA', '2026-03-31', 'Cesar Chavez Day'), ('CA', '2026-11-27', 'Day after Thanksgiving'),
    ('CA', '2027-03-31', 'Cesar Chavez Day'), ('CA', '2027-11-26', 'Day after Thanksgiving'),
    ('CA', '2028-03-31', 'Cesar Chavez Day'), ('CA', '2028-11-24', 'Day after Thanksgiving'),
    ('CA', '2029-03-31', 'Cesar Chavez Day'), ('CA', '2029-11-23', 'Day after Thanksgiving'),
    ('CA', '2030-04-01', 'Cesar Chavez Day'), ('CA', '2030-11-29', 'Day after Thanksgiving');

{{if eq .Name "postgres"}}
-- Databases from before the baseline have these names.
ALTER INDEX payments_pkey RENAME TO payments_pkey1;
ALTER INDEX earlier_payments_pkey RENAME TO payments_pkey;
ALTER INDEX client_exclusions_pkey RENAME TO client_exclusions_pkey1;
ALTER INDEX provider_products_pkey RENAME TO provider_products_pkey1;
{{end}}
-- +goose Down
DROP VIEW audit_open;
DROP TABLE client_exclusions;
DROP TABLE provider_products;
DROP TABLE check_decisions;
DROP TABLE given_up_watch;
DROP TABLE mirror_requests;
DROP TABLE visit_settings;
DROP TABLE sessions;
DROP TABLE visits;
DROP TABLE feed_quality_days;
DROP TABLE feed_quality;
DROP TABLE feed_measures;
DROP TABLE system_outcomes;
DROP TABLE instances;
DROP TABLE bills_opened_days;
DROP TABLE bills_opened;
DROP TABLE access_review_items;
DROP TABLE access_reviews;
DROP TABLE provider_listings;
DROP TABLE roster_changes;
DROP TABLE payment_joins;
DROP TABLE feed_problems;
DROP TABLE feed_files;
DROP TABLE feed_sources;
DROP TABLE status_lines;
DROP TABLE desk_access;
DROP TABLE digests_sent;
DROP TABLE group_mailboxes;
DROP TABLE alert_settings;
DROP TABLE alerts_seen;
DROP TABLE watches;
DROP TABLE deadline_runs;
DROP TABLE deadline_versions;
DROP TABLE holidays;
DROP TABLE jurisdiction_rules;
DROP TABLE lost_assignments;
DROP TABLE open_bill_exports;
DROP TABLE saved_views;
DROP TABLE due_recounts;
DROP TABLE bill_notes;
DROP TABLE bill_work;
DROP TABLE lookup_jobs;
DROP TABLE remittance_exports;
DROP TABLE remittance_marks;
DROP TABLE reason_counts;
DROP TABLE reason_count_runs;
DROP TABLE reason_codes;
DROP TABLE bill_documents;
DROP TABLE recovery_codes;
DROP TABLE factors;
DROP TABLE sign_in_notices;
DROP TABLE sso_logouts;
DROP TABLE account_links;
DROP TABLE tin_sharing_holders;
DROP TABLE tin_sharings;
DROP TABLE email_changes;
DROP TABLE sign_in_devices;
DROP TABLE sign_in_sources;
DROP TABLE audit_pruned;
DROP TABLE audit_heads;
DROP TABLE audit_segments;
DROP TABLE audit_keys;
DROP TABLE form_keys;
DROP TABLE payee_todo;
DROP TABLE payee_links;
DROP TABLE payee_facts;
DROP TABLE payee_tins;
DROP TABLE remittances;
DROP TABLE adjustments;
DROP TABLE remittance_sets;
DROP TABLE bill_changes;
DROP TABLE bill_numbers;
DROP TABLE payments;
DROP TABLE crowded_links;
DROP TABLE bill_links;
DROP TABLE submissions;
DROP TABLE roster_checks;
DROP TABLE roster_providers;
DROP TABLE roster_files;
DROP TABLE roster_uploads;
DROP TABLE group_roster_sources;
DROP TABLE roster_source_groups;
DROP TABLE roster_sources;
DROP TABLE user_notifications;
DROP TABLE notification_recipients;
DROP TABLE notifications;
DROP TABLE provider_licenses;
DROP TABLE provider_office_details;
DROP TABLE provider_offices;
DROP TABLE provider_specialties;
DROP TABLE taxonomies;
DROP TABLE fee_schedule_requests;
DROP TABLE rate_allowances;
DROP TABLE rate_codes;
DROP TABLE client_list_agreements;
DROP TABLE clients;
DROP TABLE products;
DROP TABLE rate_limits;
DROP TABLE account_requests;
DROP TABLE mails;
DROP TABLE provider_tins;
DROP TABLE providers;
DROP TABLE claims;
DROP TABLE earlier_payments;
DROP TABLE bills;
DROP TABLE feed_runs;
DROP TABLE audit_log;
DROP TABLE sso_codes;
DROP TABLE sign_in_attempts;
DROP TABLE user_tins;
DROP TABLE group_tins;
DROP TABLE users;
DROP TABLE groups;
DROP TABLE secrets;
{{if eq .Name "postgres"}}DROP FUNCTION audit_open_segment();
DROP FUNCTION audit_log_append_only();
DROP FUNCTION audit_keys_append_only();
DROP FUNCTION audit_append_only();
DROP FUNCTION audit_log_index();
DROP FUNCTION wcpp_letters(text);{{end}}
