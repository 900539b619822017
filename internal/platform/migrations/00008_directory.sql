-- +goose Up
ALTER TABLE providers ADD COLUMN degrees {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE providers ADD COLUMN birth_date {{.Date}};
ALTER TABLE providers ADD COLUMN gender {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE providers ADD COLUMN languages {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE providers ADD COLUMN lines_of_business {{.Text}} NOT NULL DEFAULT '';

-- What a taxonomy code of the national registry stands for.
CREATE TABLE taxonomies (
    code {{.Text}} PRIMARY KEY,
    description {{.Text}} NOT NULL
);

CREATE TABLE provider_specialties (
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    description {{.Text}} NOT NULL,
    taxonomy_code {{.Text}} NOT NULL DEFAULT '',
    rank int NOT NULL,
    PRIMARY KEY (provider_id, description)
);

CREATE TABLE provider_offices (
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    office_id {{.Text}} NOT NULL,
    name {{.Text}} NOT NULL,
    is_primary {{.Bool}} NOT NULL,
    accepts_wc {{.Bool}} NOT NULL,
    ftin {{.Text}} NOT NULL DEFAULT '',
    address {{.Text}} NOT NULL DEFAULT '',
    phone {{.Text}} NOT NULL DEFAULT '',
    fax {{.Text}} NOT NULL DEFAULT '',
    email {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (provider_id, office_id)
);

CREATE TABLE provider_office_details (
    provider_id {{.Text}} NOT NULL,
    office_id {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('SERVICE', 'SPECIALTY', 'FOCUS', 'LANGUAGE')),
    description {{.Text}} NOT NULL,
    PRIMARY KEY (provider_id, office_id, kind, description)
);

CREATE TABLE provider_licenses (
    provider_id {{.Text}} NOT NULL REFERENCES providers (provider_id),
    license_type {{.Text}} NOT NULL,
    state {{.Text}} NOT NULL,
    license_number {{.Text}} NOT NULL,
    issue_date {{.Date}},
    expiration_date {{.Date}},
    status {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (provider_id, license_type, state, license_number)
);

-- +goose Down
DROP TABLE provider_licenses;
DROP TABLE provider_office_details;
DROP TABLE provider_offices;
DROP TABLE provider_specialties;
DROP TABLE taxonomies;
ALTER TABLE providers DROP COLUMN lines_of_business;
ALTER TABLE providers DROP COLUMN languages;
ALTER TABLE providers DROP COLUMN gender;
ALTER TABLE providers DROP COLUMN birth_date;
ALTER TABLE providers DROP COLUMN degrees;
