-- +goose Up
-- Which codes the payments of the last months carry, counted TIN by TIN: a run
-- that was stopped goes on after the last TIN that it has counted.
CREATE TABLE reason_count_runs (
    id {{.Serial}},
    since {{.Date}} NOT NULL,
    after_tin {{.Text}} NOT NULL,
    started_at {{.Instant}} NOT NULL,
    done_at {{.Instant}}
);
CREATE TABLE reason_counts (
    run bigint NOT NULL REFERENCES reason_count_runs (id),
    list {{.Text}} NOT NULL,
    code {{.Text}} NOT NULL,
    bills bigint NOT NULL,
    last_seen {{.Date}},
    PRIMARY KEY (run, list, code)
);

-- +goose Down
DROP TABLE reason_counts;
DROP TABLE reason_count_runs;
