-- +goose Up
-- Whom a notification is meant for, as JSON, where that is decided when it is sent;
-- empty where its recipients were chosen one by one. And how many got it.
ALTER TABLE notifications ADD COLUMN audience {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE notifications ADD COLUMN sent_to bigint;
CREATE INDEX providers_state ON providers (state);

-- The one line above all screens, from and to when it is shown.
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

-- +goose Down
DROP TABLE status_lines;
DROP INDEX providers_state;
ALTER TABLE notifications DROP COLUMN sent_to;
ALTER TABLE notifications DROP COLUMN audience;
