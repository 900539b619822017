-- +goose Up
-- When the staff acted as a user, from its beginning to its end. The group is the user's
-- at that time.
CREATE TABLE visits (
    id {{.Serial}},
    group_id bigint REFERENCES groups (id),
    user_id bigint NOT NULL REFERENCES users (id),
    mirrored_user_id bigint NOT NULL REFERENCES users (id),
    reason {{.Text}} NOT NULL DEFAULT '',
    -- The group wanted to be asked first, and had not agreed.
    override {{.Bool}} NOT NULL DEFAULT false,
    started_at {{.Instant}} NOT NULL,
    ended_at {{.Instant}}
);
CREATE INDEX visits_group ON visits (group_id, started_at, id);
CREATE INDEX visits_started ON visits (started_at, id);
-- The visit that a session makes now.
ALTER TABLE sessions ADD COLUMN visit_id bigint REFERENCES visits (id);
CREATE INDEX sessions_visit ON sessions (visit_id) WHERE visit_id IS NOT NULL;
-- Until when the mirrored user's group allows it, and that it has ended for that.
ALTER TABLE sessions ADD COLUMN mirror_until {{.Instant}};
ALTER TABLE sessions ADD COLUMN mirror_time_over {{.Bool}} NOT NULL DEFAULT false;

-- What an office has chosen about visits; without a row the first of each.
CREATE TABLE visit_settings (
    group_id bigint PRIMARY KEY REFERENCES groups (id),
    mails {{.Text}} NOT NULL DEFAULT 'weekly' CHECK (mails IN ('weekly', 'at-once', 'never')),
    -- The staff must ask before they act as users of the group.
    asks_first {{.Bool}} NOT NULL DEFAULT false,
    version bigint NOT NULL
);

-- Somebody of the staff asks to act as users of a group. One request waits at a time.
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

-- +goose Down
DROP TABLE mirror_requests;
DROP TABLE visit_settings;
ALTER TABLE sessions DROP COLUMN mirror_time_over;
ALTER TABLE sessions DROP COLUMN mirror_until;
DROP INDEX sessions_visit;
ALTER TABLE sessions DROP COLUMN visit_id;
DROP TABLE visits;
