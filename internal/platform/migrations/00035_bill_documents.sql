-- +goose Up
-- The papers of bills as the network has them. The one of a kind that was taken
-- last is shown; those before it stay.
CREATE TABLE bill_documents (
    ftin {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('image', 'eor', 'pricing-sheet')),
    sha256 {{.Text}} NOT NULL,
    media_type {{.Text}} NOT NULL,
    size bigint NOT NULL,
    archive {{.Text}} NOT NULL, -- SHA-256 of the file that brought it last
    taken_at {{.Instant}} NOT NULL,
    PRIMARY KEY (ftin, bill_control_number_key, kind, sha256)
);
-- +goose Down
DROP TABLE bill_documents;
