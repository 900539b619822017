-- +goose Up
-- Why an account request was declined, as its mail says. One that is closed
-- without a user was declined.
ALTER TABLE account_requests ADD COLUMN decline_reason {{.Text}} NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE account_requests DROP COLUMN decline_reason;
