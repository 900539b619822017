-- +goose Up
ALTER TABLE groups ADD COLUMN status_cd {{.Text}} NOT NULL DEFAULT 'ACTIV';

-- Systems from which rosters come, and the provider groups each of them keeps.
CREATE TABLE roster_sources (
    source_id bigint PRIMARY KEY,
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL
);

CREATE TABLE roster_source_groups (
    source_group_id bigint PRIMARY KEY,
    source_id bigint NOT NULL REFERENCES roster_sources (source_id),
    group_id {{.Text}} NOT NULL,
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL,
    is_admin {{.Bool}} NOT NULL
);
CREATE INDEX roster_source_groups_source ON roster_source_groups (source_id, name_key, source_group_id);

-- The sources whose rosters a roster group may send.
CREATE TABLE group_roster_sources (
    group_id bigint NOT NULL REFERENCES groups (id),
    source_id bigint NOT NULL REFERENCES roster_sources (source_id),
    added_at {{.Instant}} NOT NULL,
    added_by {{.Text}} NOT NULL,
    PRIMARY KEY (group_id, source_id)
);
CREATE INDEX group_roster_sources_source ON group_roster_sources (source_id, group_id);

-- +goose Down
DROP TABLE group_roster_sources;
DROP TABLE roster_source_groups;
DROP TABLE roster_sources;
ALTER TABLE groups DROP COLUMN status_cd;
