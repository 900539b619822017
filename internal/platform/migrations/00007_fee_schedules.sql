-- +goose Up
-- Which national rate code prices a provider's bills at a location.
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

-- What a rate code allows for a procedure.
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
    viewed_at {{.Instant}}
);
CREATE UNIQUE INDEX fee_schedule_requests_open ON fee_schedule_requests (user_id, national_rate_code, provider_id, location_name, zip)
    WHERE status = 'QUEUED';
CREATE INDEX fee_schedule_requests_user ON fee_schedule_requests (user_id, status, id);
CREATE INDEX fee_schedule_requests_status ON fee_schedule_requests (status, created_at);

-- +goose Down
DROP TABLE fee_schedule_requests;
DROP TABLE rate_allowances;
DROP TABLE rate_codes;
