-- +goose Up
-- What the network does with a roster that was sent, and what it changed against the
-- last one of its provider group (of one that could be read whole).
ALTER TABLE roster_uploads ADD COLUMN handling {{.Text}} NOT NULL DEFAULT 'NEW' CHECK (handling IN ('NEW', 'TAKEN', 'DONE', 'RETURNED'));
ALTER TABLE roster_uploads ADD COLUMN handled_at {{.Instant}};
ALTER TABLE roster_uploads ADD COLUMN handled_by {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE roster_uploads ADD COLUMN returned_for {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE roster_uploads ADD COLUMN handed_at {{.Instant}};
ALTER TABLE roster_uploads ADD COLUMN providers_before int;
ALTER TABLE roster_uploads ADD COLUMN providers_added int;
ALTER TABLE roster_uploads ADD COLUMN providers_changed int;
ALTER TABLE roster_uploads ADD COLUMN providers_ended int;
-- How far it is brought into the directory.
ALTER TABLE roster_uploads ADD COLUMN directory_state {{.Text}} NOT NULL DEFAULT '' CHECK (directory_state IN ('', 'WAITING', 'DONE'));
ALTER TABLE roster_uploads ADD COLUMN directory_rows int NOT NULL DEFAULT 0;
ALTER TABLE roster_uploads ADD COLUMN directory_unknown int NOT NULL DEFAULT 0;
ALTER TABLE roster_uploads ADD COLUMN directory_ended int NOT NULL DEFAULT 0;
CREATE INDEX roster_uploads_directory ON roster_uploads (id) WHERE directory_state = 'WAITING';
CREATE INDEX roster_uploads_listed ON roster_uploads (source_group_id, id) WHERE directory_state <> '';
CREATE INDEX roster_uploads_handling ON roster_uploads (handling, uploaded_at) WHERE status = 'DONE';
CREATE INDEX roster_uploads_to_hand ON roster_uploads (id) WHERE status <> 'RECEIVING' AND handed_at IS NULL AND handling IN ('NEW', 'TAKEN');

-- The providers that a roster changed; of the first roster of a provider group, which
-- changes all, none.
CREATE TABLE roster_changes (
    upload_id bigint NOT NULL REFERENCES roster_uploads (id),
    npi {{.Text}} NOT NULL,
    change {{.Text}} NOT NULL CHECK (change IN ('ADDED', 'CHANGED', 'ENDED')),
    PRIMARY KEY (upload_id, npi)
);

-- What the directory has from rosters: a provider at a TIN and an office. Without it the
-- next roster could not end what this one told, and only that.
CREATE TABLE provider_listings (
    source_group_id bigint NOT NULL,
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    ftin {{.Text}} NOT NULL,
    office_id {{.Text}} NOT NULL,
    upload_id bigint NOT NULL,
    brought_tin {{.Bool}} NOT NULL,
    PRIMARY KEY (source_group_id, provider_id, ftin, office_id)
);
CREATE INDEX provider_listings_provider ON provider_listings (provider_id, ftin);
CREATE INDEX provider_listings_upload ON provider_listings (source_group_id, upload_id);

-- +goose Down
DROP TABLE provider_listings;
DROP TABLE roster_changes;
DROP INDEX roster_uploads_to_hand;
DROP INDEX roster_uploads_handling;
DROP INDEX roster_uploads_listed;
DROP INDEX roster_uploads_directory;
ALTER TABLE roster_uploads DROP COLUMN directory_ended;
ALTER TABLE roster_uploads DROP COLUMN directory_unknown;
ALTER TABLE roster_uploads DROP COLUMN directory_rows;
ALTER TABLE roster_uploads DROP COLUMN directory_state;
ALTER TABLE roster_uploads DROP COLUMN providers_ended;
ALTER TABLE roster_uploads DROP COLUMN providers_changed;
ALTER TABLE roster_uploads DROP COLUMN providers_added;
ALTER TABLE roster_uploads DROP COLUMN providers_before;
ALTER TABLE roster_uploads DROP COLUMN handed_at;
ALTER TABLE roster_uploads DROP COLUMN returned_for;
ALTER TABLE roster_uploads DROP COLUMN handled_by;
ALTER TABLE roster_uploads DROP COLUMN handled_at;
ALTER TABLE roster_uploads DROP COLUMN handling;
