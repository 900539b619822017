-- +goose Up
-- Of a request that failed for good: when its user asked for it anew, or put it aside.
-- Until then it is told.
ALTER TABLE fee_schedule_requests ADD COLUMN over_at {{.Instant}};
-- Those of before were told nowhere, and may have been asked for anew since.
UPDATE fee_schedule_requests SET over_at = coalesce(done_at, created_at) WHERE status = 'FAILED';

-- How far what was given up is counted, and mailed: one row.
CREATE TABLE given_up_watch (
    id bigint PRIMARY KEY CHECK (id = 1),
    counted_until {{.Instant}} NOT NULL,
    mailed_until {{.Instant}} NOT NULL,
    -- Of the last mail: from when it tells, until mailed_until, and when it was posted.
    told_from {{.Instant}},
    mailed_at {{.Instant}}
);

-- +goose Down
DROP TABLE given_up_watch;
ALTER TABLE fee_schedule_requests DROP COLUMN over_at;
