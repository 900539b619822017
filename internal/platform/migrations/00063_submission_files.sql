-- +goose Up
-- A submission names the file that told it first, and where in it its transaction set begins.
ALTER TABLE submissions ADD COLUMN file_sha256 {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN set_offset bigint NOT NULL DEFAULT 0;

-- Dates of two digits for the year were kept as files gave them: they came after all others.
UPDATE submissions SET written = CASE WHEN written < '69' THEN '20' ELSE '19' END || written
WHERE source = '837' AND (length(written) = 6 OR substr(written, 7, 1) = 'T');
UPDATE payments SET written = CASE WHEN written < '69' THEN '20' ELSE '19' END || written
WHERE source = '835' AND (length(written) = 6 OR substr(written, 7, 1) = 'T');
UPDATE remittance_sets SET written = CASE WHEN written < '69' THEN '20' ELSE '19' END || written
WHERE length(written) = 6 OR substr(written, 7, 1) = 'T';

-- +goose Down
ALTER TABLE submissions DROP COLUMN set_offset;
ALTER TABLE submissions DROP COLUMN file_sha256;
