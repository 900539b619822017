-- +goose Up
-- How much was opened in each sitting: what a quarter comes to, by person and reason.
ALTER TABLE desk_access ADD COLUMN openings integer NOT NULL DEFAULT 0;
CREATE INDEX desk_access_at ON desk_access (at);

-- What was not finished waits on the desk's list, the oldest first.
CREATE INDEX users_drafts ON users (created_at, id) WHERE status_cd = 'DRAFT';
CREATE INDEX notifications_drafts ON notifications (created_at) WHERE status = 'DRAFT';

-- +goose Down
DROP INDEX notifications_drafts;
DROP INDEX users_drafts;
DROP INDEX desk_access_at;
ALTER TABLE desk_access DROP COLUMN openings;
