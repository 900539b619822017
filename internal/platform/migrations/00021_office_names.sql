-- +goose Up
-- A TIN is known by the names of its offices.
CREATE INDEX provider_offices_tin ON provider_offices (ftin, name, is_primary);

-- +goose Down
DROP INDEX provider_offices_tin;
