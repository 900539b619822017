-- +goose Up
-- A TIN that a group got, or that waits for it, while other groups had it. The id
-- is random.
CREATE TABLE tin_sharings (
    id {{.Text}} PRIMARY KEY,
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    status_cd {{.Text}} NOT NULL,
    -- Whether the holders may learn the name of the group.
    named {{.Bool}} NOT NULL,
    added_at {{.Instant}} NOT NULL,
    added_by {{.Text}} NOT NULL,
    -- The proof: one of the two, or none.
    bill_control_number {{.Text}} NOT NULL,
    provider_id {{.Text}} NOT NULL,
    decided_at {{.Instant}},
    decided_by {{.Text}} NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX tin_sharings_group ON tin_sharings (group_id, ftin);
CREATE INDEX tin_sharings_status ON tin_sharings (status_cd, added_at);

-- The groups that were told because they had the TIN, and what they object.
CREATE TABLE tin_sharing_holders (
    sharing_id {{.Text}} NOT NULL REFERENCES tin_sharings (id),
    group_id bigint NOT NULL REFERENCES groups (id),
    objection_cd {{.Text}} NOT NULL DEFAULT '',
    reason {{.Text}} NOT NULL DEFAULT '',
    objected_at {{.Instant}},
    objected_by {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (sharing_id, group_id)
);
CREATE INDEX tin_sharing_holders_group ON tin_sharing_holders (group_id);

-- +goose Down
DROP TABLE tin_sharing_holders;
DROP TABLE tin_sharings;
