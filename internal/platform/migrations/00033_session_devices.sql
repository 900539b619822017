-- +goose Up
-- In which browser on which system a session was opened.
ALTER TABLE sessions ADD COLUMN device {{.Text}} NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE sessions DROP COLUMN device;
