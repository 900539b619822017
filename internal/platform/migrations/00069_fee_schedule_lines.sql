-- +goose Up
-- Which Tax ID and line of business a fee schedule was asked for; empty: an earlier
-- request, or one whose rate code several have.
ALTER TABLE fee_schedule_requests ADD COLUMN ftin {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE fee_schedule_requests ADD COLUMN line_of_business {{.Text}} NOT NULL DEFAULT '';
DROP INDEX fee_schedule_requests_open;
CREATE UNIQUE INDEX fee_schedule_requests_open ON fee_schedule_requests (user_id, national_rate_code, provider_id, location_name, zip, ftin, line_of_business)
    WHERE status = 'QUEUED';

-- +goose Down
DROP INDEX fee_schedule_requests_open;
CREATE UNIQUE INDEX fee_schedule_requests_open ON fee_schedule_requests (user_id, national_rate_code, provider_id, location_name, zip)
    WHERE status = 'QUEUED';
ALTER TABLE fee_schedule_requests DROP COLUMN line_of_business;
ALTER TABLE fee_schedule_requests DROP COLUMN ftin;
