-- +goose Up
-- Cleanup finds the re-imports of a content.
CREATE INDEX feed_files_again ON feed_files (sha256, id) WHERE again;

-- +goose Down
DROP INDEX feed_files_again;
