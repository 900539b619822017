-- +goose Up
-- Whether the network has made the group of an account inactive: nobody of it signs in
-- then, whatever the state of the account.
ALTER TABLE users ADD COLUMN group_ended {{.Bool}} NOT NULL DEFAULT false;
UPDATE users SET group_ended = true WHERE group_id IN (SELECT id FROM groups WHERE status_cd = 'INACT');

-- Who of the network named the group; empty where its name is the feed's or the portal's.
ALTER TABLE groups ADD COLUMN named_by {{.Text}} NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE groups DROP COLUMN named_by;
ALTER TABLE users DROP COLUMN group_ended;
