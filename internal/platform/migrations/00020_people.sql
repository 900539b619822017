-- +goose Up
-- Why an account request was declined, as its mail says. One that is closed
-- without a user was declined.
ALTER TABLE account_requests ADD COLUMN decline_reason {{.Text}} NOT NULL DEFAULT '';

-- Provider groups are found by their own ids, in any case of letters.
ALTER TABLE roster_source_groups ADD COLUMN group_id_key {{.Text}} NOT NULL DEFAULT '';
UPDATE roster_source_groups SET group_id_key = lower(group_id);
CREATE INDEX roster_source_groups_group ON roster_source_groups (group_id_key);

-- The administrator who made an account, or ended it.
ALTER TABLE users ADD COLUMN manager_id bigint;

-- +goose Down
ALTER TABLE users DROP COLUMN manager_id;
DROP INDEX roster_source_groups_group;
ALTER TABLE roster_source_groups DROP COLUMN group_id_key;
ALTER TABLE account_requests DROP COLUMN decline_reason;
