-- +goose Up
-- Of a request that failed for good: when its user asked for it anew, or put it aside.
-- Until then it is told.
ALTER TABLE fee_schedule_requests ADD COLUMN over_at {{.Instant}};
-- Those of before were told nowhere, and may have been asked for anew since.
UPDATE fee_schedule_requests SET over_at = coalesce(done_at, created_at) WHERE status = 'FAILED';

-- +goose Down
ALTER TABLE fee_schedule_requests DROP COLUMN over_at;
