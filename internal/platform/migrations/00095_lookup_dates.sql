-- +goose Up
-- Whether a workbook counts days from 1904. Which of its columns are dates is known when its lookup starts.
ALTER TABLE lookup_jobs ADD COLUMN from_1904 {{.Bool}} NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE lookup_jobs DROP COLUMN from_1904;
