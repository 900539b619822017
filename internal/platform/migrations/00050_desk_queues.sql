-- +goose Up
-- How much was opened in each sitting: what a quarter comes to, by person and reason.
ALTER TABLE desk_access ADD COLUMN openings integer NOT NULL DEFAULT 0;
CREATE INDEX desk_access_at ON desk_access (at);

-- What was not finished waits on the desk's list, the oldest first.
CREATE INDEX users_status_created ON users (status_cd, created_at, id);
CREATE INDEX notifications_status_created ON notifications (status, created_at);

-- +goose Down
DROP INDEX notifications_status_created;
DROP INDEX users_status_created;
DROP INDEX desk_access_at;
ALTER TABLE desk_access DROP COLUMN openings;
