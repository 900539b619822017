-- +goose Up
-- The TINs that were removed from a group. Their providers' IDs don't prove other TINs to the group,
-- because its directory has shown them.
CREATE TABLE former_tins (
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    PRIMARY KEY (group_id, ftin)
);
INSERT INTO former_tins (group_id, ftin)
    SELECT DISTINCT g.id, l.detail FROM audit_log l JOIN groups g ON g.id = cast(substr(l.subject, length('group ') + 1) AS bigint)
    WHERE l.operation = 'tin-remove' AND l.result = 'ok';

-- +goose Down
DROP TABLE former_tins;
