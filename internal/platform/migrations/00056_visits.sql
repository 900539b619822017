-- +goose Up
-- When the staff acted as a user, from its beginning to its end. The group is the user's
-- at that time.
CREATE TABLE visits (
    id {{.Serial}},
    group_id bigint REFERENCES groups (id),
    user_id bigint NOT NULL REFERENCES users (id),
    mirrored_user_id bigint NOT NULL REFERENCES users (id),
    reason {{.Text}} NOT NULL DEFAULT '',
    started_at {{.Instant}} NOT NULL,
    ended_at {{.Instant}}
);
CREATE INDEX visits_group ON visits (group_id, started_at, id);
CREATE INDEX visits_started ON visits (started_at, id);
-- The visit that a session makes now.
ALTER TABLE sessions ADD COLUMN visit_id bigint REFERENCES visits (id);
CREATE INDEX sessions_visit ON sessions (visit_id) WHERE visit_id IS NOT NULL;

-- What an office has chosen about visits; without a row the first of each.
CREATE TABLE visit_settings (
    group_id bigint PRIMARY KEY REFERENCES groups (id),
    mails {{.Text}} NOT NULL DEFAULT 'weekly' CHECK (mails IN ('weekly', 'at-once', 'never')),
    version bigint NOT NULL
);

-- +goose Down
DROP TABLE visit_settings;
DROP INDEX sessions_visit;
ALTER TABLE sessions DROP COLUMN visit_id;
DROP TABLE visits;
