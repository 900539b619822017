-- +goose Up
-- By what is over long enough, and by what a kept file is known.
CREATE INDEX access_reviews_finished ON access_reviews (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX bill_documents_content ON bill_documents (sha256);
CREATE INDEX feed_runs_content ON feed_runs (sha256);

-- +goose Down
DROP INDEX feed_runs_content;
DROP INDEX bill_documents_content;
DROP INDEX access_reviews_finished;
