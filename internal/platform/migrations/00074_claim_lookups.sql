-- +goose Up
-- Whether the rows of a bulk lookup are the bills of an 837.
ALTER TABLE lookup_jobs ADD COLUMN claims {{.Bool}} NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE lookup_jobs DROP COLUMN claims;
