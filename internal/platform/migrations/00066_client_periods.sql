-- +goose Up
-- A provider can take part in a product, and a client leave a provider out, several times:
-- each is a period.
ALTER TABLE provider_products RENAME TO earlier_provider_products;
CREATE TABLE provider_products (
    provider_id {{.Text}} NOT NULL,
    line_of_business {{.Text}} NOT NULL,
    state {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL,
    product_code {{.Text}} NOT NULL,
    effective_date {{.Date}} NOT NULL,
    end_date {{.Date}} NOT NULL,
    PRIMARY KEY (provider_id, line_of_business, state, ftin, product_code, effective_date)
);
INSERT INTO provider_products (provider_id, line_of_business, state, ftin, product_code, effective_date, end_date)
SELECT provider_id, line_of_business, state, ftin, product_code, effective_date, end_date FROM earlier_provider_products;
DROP TABLE earlier_provider_products;

ALTER TABLE client_exclusions RENAME TO earlier_client_exclusions;
CREATE TABLE client_exclusions (
    client_id {{.Text}} NOT NULL,
    provider_id {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL DEFAULT '',
    effective_date {{.Date}} NOT NULL,
    end_date {{.Date}} NOT NULL,
    PRIMARY KEY (client_id, provider_id, ftin, effective_date)
);
INSERT INTO client_exclusions (client_id, provider_id, ftin, effective_date, end_date)
SELECT client_id, provider_id, ftin, '1900-01-01', '9999-12-31' FROM earlier_client_exclusions;
DROP TABLE earlier_client_exclusions;

-- +goose Down
ALTER TABLE client_exclusions RENAME TO later_client_exclusions;
CREATE TABLE client_exclusions (
    client_id {{.Text}} NOT NULL,
    provider_id {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (client_id, provider_id, ftin)
);
INSERT INTO client_exclusions (client_id, provider_id, ftin)
SELECT DISTINCT client_id, provider_id, ftin FROM later_client_exclusions;
DROP TABLE later_client_exclusions;

ALTER TABLE provider_products RENAME TO later_provider_products;
CREATE TABLE provider_products (
    provider_id {{.Text}} NOT NULL,
    line_of_business {{.Text}} NOT NULL,
    state {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL,
    product_code {{.Text}} NOT NULL,
    effective_date {{.Date}} NOT NULL,
    end_date {{.Date}} NOT NULL,
    PRIMARY KEY (provider_id, line_of_business, state, ftin, product_code)
);
INSERT INTO provider_products (provider_id, line_of_business, state, ftin, product_code, effective_date, end_date)
SELECT l.provider_id, l.line_of_business, l.state, l.ftin, l.product_code, l.effective_date, l.end_date FROM later_provider_products l
WHERE NOT EXISTS (SELECT 1 FROM later_provider_products n WHERE n.provider_id = l.provider_id AND n.line_of_business = l.line_of_business
    AND n.state = l.state AND n.ftin = l.ftin AND n.product_code = l.product_code AND n.effective_date > l.effective_date);
DROP TABLE later_provider_products;
