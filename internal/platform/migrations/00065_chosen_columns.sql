-- +goose Up
-- The corrected copy of a checked file reads the columns as the person chose them.
ALTER TABLE roster_checks ADD COLUMN layout TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE roster_checks DROP COLUMN layout;
