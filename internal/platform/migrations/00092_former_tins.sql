-- +goose Up
-- The TINs that were removed from a group, and those that a provider no longer bills under. The directory
-- showed a group of such a TIN the provider's ID, so the ID proves no other TIN to it.
CREATE TABLE former_tins (
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    PRIMARY KEY (group_id, ftin)
);
CREATE TABLE former_provider_tins (
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    ftin {{.Text}} NOT NULL,
    PRIMARY KEY (provider_id, ftin)
);
INSERT INTO former_tins (group_id, ftin)
    SELECT DISTINCT g.id, l.detail FROM audit_log l JOIN groups g ON g.id = cast(substr(l.subject, length('group ') + 1) AS bigint)
    WHERE l.operation = 'tin-remove' AND l.result = 'ok';

-- +goose Down
DROP TABLE former_provider_tins;
DROP TABLE former_tins;
