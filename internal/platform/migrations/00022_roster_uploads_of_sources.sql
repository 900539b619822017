-- +goose Up
-- A roster stands in the history of every group that has its source.
CREATE INDEX roster_uploads_source ON roster_uploads (source_id, id);

-- +goose Down
DROP INDEX roster_uploads_source;
