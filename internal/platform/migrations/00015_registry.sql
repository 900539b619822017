-- +goose Up
-- The day on which the national registry put the provider's NPI out of use.
ALTER TABLE providers ADD COLUMN deactivated_on {{.Date}};

-- Whether the registry told of the licence: its next row replaces it. What it
-- told so far is known by its type and by what it never tells.
ALTER TABLE provider_licenses ADD COLUMN registered {{.Bool}} NOT NULL DEFAULT false;
UPDATE provider_licenses SET registered = true
WHERE license_type = 'State License' AND issue_date IS NULL AND expiration_date IS NULL AND status = '';

-- +goose Down
ALTER TABLE provider_licenses DROP COLUMN registered;
ALTER TABLE providers DROP COLUMN deactivated_on;
