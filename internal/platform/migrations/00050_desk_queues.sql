-- +goose Up
-- How much was opened in each sitting: what a quarter comes to, by person and reason.
ALTER TABLE desk_access ADD COLUMN openings integer NOT NULL DEFAULT 0;
CREATE INDEX desk_access_at ON desk_access (at);

-- +goose Down
DROP INDEX desk_access_at;
ALTER TABLE desk_access DROP COLUMN openings;
