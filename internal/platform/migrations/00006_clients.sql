-- +goose Up
CREATE TABLE products (
    line_of_business {{.Text}} NOT NULL CHECK (line_of_business IN ('WC', 'AUTO')),
    code {{.Text}} NOT NULL,
    name {{.Text}} NOT NULL,
    PRIMARY KEY (line_of_business, code)
);

-- Where a client's bills go, for each product and state in which it buys.
CREATE TABLE clients (
    client_id {{.Text}} NOT NULL,
    line_of_business {{.Text}} NOT NULL,
    product_code {{.Text}} NOT NULL,
    state {{.Text}} NOT NULL,
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL,
    affiliated_payor {{.Text}} NOT NULL DEFAULT '',
    ecs_name {{.Text}} NOT NULL DEFAULT '',
    ecs_phone {{.Text}} NOT NULL DEFAULT '',
    ecs_payor_id {{.Text}} NOT NULL DEFAULT '',
    bill_attention {{.Text}} NOT NULL DEFAULT '',
    bill_address {{.Text}} NOT NULL DEFAULT '',
    bill_phone {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (client_id, line_of_business, product_code, state)
);
CREATE INDEX clients_found ON clients (line_of_business, state, product_code, name_key, client_id);

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

CREATE TABLE client_exclusions (
    client_id {{.Text}} NOT NULL,
    provider_id {{.Text}} NOT NULL,
    ftin {{.Text}} NOT NULL DEFAULT '',
    PRIMARY KEY (client_id, provider_id, ftin)
);

CREATE TABLE client_list_agreements (
    user_id bigint NOT NULL REFERENCES users (id),
    version {{.Text}} NOT NULL,
    accepted_at {{.Instant}} NOT NULL,
    PRIMARY KEY (user_id, version)
);

-- +goose Down
DROP TABLE client_list_agreements;
DROP TABLE client_exclusions;
DROP TABLE provider_products;
DROP TABLE clients;
DROP TABLE products;
