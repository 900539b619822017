-- +goose Up
-- Whom a notification is meant for, as JSON, where that is decided when it is sent;
-- empty where its recipients were chosen one by one. And how many got it.
ALTER TABLE notifications ADD COLUMN audience {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE notifications ADD COLUMN sent_to bigint;
CREATE INDEX providers_state ON providers (state);

-- +goose Down
DROP INDEX providers_state;
ALTER TABLE notifications DROP COLUMN sent_to;
ALTER TABLE notifications DROP COLUMN audience;
