-- +goose Up
-- The IDs of registry providers whom a table gave another ID. Files can still name them, but the registry doesn't use
-- them again.
CREATE TABLE former_provider_ids (
    former_id {{.Text}} PRIMARY KEY,
    provider_id {{.Text}} NOT NULL
);
-- The TINs that the directory showed with an ID outlast its provider, so there is no foreign key.
CREATE TABLE copied_tins AS SELECT provider_id, ftin FROM former_provider_tins;
DROP TABLE former_provider_tins;
CREATE TABLE former_provider_tins (
    provider_id {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL,
    PRIMARY KEY (provider_id, ftin)
);
INSERT INTO former_provider_tins (provider_id, ftin) SELECT provider_id, ftin FROM copied_tins;
DROP TABLE copied_tins;
-- Rows that get the new ID.
CREATE INDEX client_exclusions_provider ON client_exclusions (provider_id);
CREATE INDEX fee_schedule_requests_provider ON fee_schedule_requests (provider_id);
-- A provider whose ID the network uses in its other files comes from a table, also if the registry has it.
UPDATE providers SET registered = false WHERE registered AND (
    EXISTS (SELECT 1 FROM rate_codes r WHERE r.provider_id = providers.provider_id)
    OR EXISTS (SELECT 1 FROM provider_products p WHERE p.provider_id = providers.provider_id)
    OR EXISTS (SELECT 1 FROM client_exclusions x WHERE x.provider_id = providers.provider_id));

-- +goose Down
DROP INDEX fee_schedule_requests_provider;
DROP INDEX client_exclusions_provider;
CREATE TABLE copied_tins AS SELECT provider_id, ftin FROM former_provider_tins;
DROP TABLE former_provider_tins;
CREATE TABLE former_provider_tins (
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    ftin {{.Text}} NOT NULL,
    PRIMARY KEY (provider_id, ftin)
);
INSERT INTO former_provider_tins (provider_id, ftin)
    SELECT provider_id, ftin FROM copied_tins WHERE provider_id IN (SELECT provider_id FROM providers);
DROP TABLE copied_tins;
DROP TABLE former_provider_ids;
