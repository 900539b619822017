-- +goose Up
-- A provider that only the registry has brought. A table with the NPI gives it the network's own ID.
ALTER TABLE providers ADD COLUMN registered {{.Bool}} NOT NULL DEFAULT false;
UPDATE providers SET registered = true WHERE length(provider_id) = 8 AND provider_id >= '10000000'
    AND EXISTS (SELECT 1 FROM provider_offices o WHERE o.provider_id = providers.provider_id AND o.office_id = 'NPPES');
-- The registry and rosters don't state whether an office accepts workers' compensation patients.
ALTER TABLE provider_offices ADD COLUMN accepts_wc_known {{.Bool}} NOT NULL DEFAULT true;
UPDATE provider_offices SET accepts_wc_known = false WHERE office_id = 'NPPES'
    OR EXISTS (SELECT 1 FROM provider_listings l
        WHERE l.provider_id = provider_offices.provider_id AND l.office_id = provider_offices.office_id);

-- +goose Down
ALTER TABLE provider_offices DROP COLUMN accepts_wc_known;
ALTER TABLE providers DROP COLUMN registered;
