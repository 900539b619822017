-- +goose Up
-- The instances of the program, each told by itself while it runs.
CREATE TABLE instances (
    id {{.Text}} PRIMARY KEY,
    version {{.Text}} NOT NULL,
    started_at {{.Instant}} NOT NULL,
    seen_at {{.Instant}} NOT NULL
);

-- When each system that the program stands on last did what it was asked, and last did not.
CREATE TABLE system_outcomes (
    system {{.Text}} PRIMARY KEY,
    ok_at {{.Instant}},
    failed_at {{.Instant}},
    failure {{.Text}} NOT NULL
);

-- +goose Down
DROP TABLE system_outcomes;
DROP TABLE instances;
