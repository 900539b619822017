-- +goose Up
CREATE INDEX feed_runs_last ON feed_runs (status, kind, finished_at);

-- +goose Down
DROP INDEX feed_runs_last;
