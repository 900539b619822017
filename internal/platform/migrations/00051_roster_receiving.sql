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
CREATE INDEX roster_uploads_handling ON roster_uploads (handling, uploaded_at) WHERE status = 'DONE';
CREATE INDEX roster_uploads_to_hand ON roster_uploads (id) WHERE status = 'DONE' AND handed_at IS NULL AND handling IN ('NEW', 'TAKEN');

-- The providers that a roster changed; of the first roster of a provider group, which
-- changes all, none.
CREATE TABLE roster_changes (
    upload_id bigint NOT NULL REFERENCES roster_uploads (id),
    npi {{.Text}} NOT NULL,
    change {{.Text}} NOT NULL CHECK (change IN ('ADDED', 'CHANGED', 'ENDED')),
    PRIMARY KEY (upload_id, npi)
);

-- +goose Down
DROP TABLE roster_changes;
DROP INDEX roster_uploads_to_hand;
DROP INDEX roster_uploads_handling;
ALTER TABLE roster_uploads DROP COLUMN providers_ended;
ALTER TABLE roster_uploads DROP COLUMN providers_changed;
ALTER TABLE roster_uploads DROP COLUMN providers_added;
ALTER TABLE roster_uploads DROP COLUMN providers_before;
ALTER TABLE roster_uploads DROP COLUMN handed_at;
ALTER TABLE roster_uploads DROP COLUMN returned_for;
ALTER TABLE roster_uploads DROP COLUMN handled_by;
ALTER TABLE roster_uploads DROP COLUMN handled_at;
ALTER TABLE roster_uploads DROP COLUMN handling;
