-- +goose Up
-- What a file brought on a day: of counted records so many are as they should be.
CREATE TABLE feed_measures (
    day {{.Date}} NOT NULL,
    file_id bigint NOT NULL REFERENCES feed_files (id),
    measure {{.Text}} NOT NULL,
    counted bigint NOT NULL,
    good bigint NOT NULL,
    PRIMARY KEY (day, file_id, measure)
);
CREATE INDEX feed_measures_file ON feed_measures (file_id);

-- The same for all files of a kind and source; source 0: of none. It outlives files and sources.
CREATE TABLE feed_quality (
    day {{.Date}} NOT NULL,
    kind {{.Text}} NOT NULL,
    source_id bigint NOT NULL,
    measure {{.Text}} NOT NULL,
    counted bigint NOT NULL,
    good bigint NOT NULL,
    PRIMARY KEY (day, kind, source_id, measure)
);

-- Which days are summed, and whether a day was over when it was: then it stays as it is.
CREATE TABLE feed_quality_days (
    day {{.Date}} PRIMARY KEY,
    counted_at {{.Instant}} NOT NULL,
    complete {{.Bool}} NOT NULL
);

-- +goose Down
DROP TABLE feed_quality_days;
DROP TABLE feed_quality;
DROP TABLE feed_measures;
