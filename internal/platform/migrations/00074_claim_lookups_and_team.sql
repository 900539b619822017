-- +goose Up
-- Whether the rows of a bulk lookup are the bills of an 837.
ALTER TABLE lookup_jobs ADD COLUMN claims {{.Bool}} NOT NULL DEFAULT false;
-- When the group marked a bill as done.
ALTER TABLE bill_work ADD COLUMN done_at {{.Instant}};
UPDATE bill_work SET done_at = updated_at WHERE state_cd = 'DONE';
-- When the network priced bills, for the days to price.
CREATE INDEX bill_changes_priced ON bill_changes (ftin, at, bill_control_number_key) WHERE kind = 'PRICED';

-- +goose Down
DROP INDEX bill_changes_priced;
ALTER TABLE bill_work DROP COLUMN done_at;
ALTER TABLE lookup_jobs DROP COLUMN claims;
