-- +goose Up
-- How to reach payers, as network staff entered it. It has no health data.
CREATE TABLE payer_contacts (
    payer_key {{.Text}} PRIMARY KEY,
    payer_id {{.Text}} NOT NULL,
    name {{.Text}} NOT NULL,
    name_key {{.Text}} NOT NULL,
    phone {{.Text}} NOT NULL,
    extension {{.Text}} NOT NULL,
    hours {{.Text}} NOT NULL,
    ready {{.Text}} NOT NULL,
    version bigint NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL
);
CREATE INDEX payer_contacts_name ON payer_contacts (name_key);

-- The contact in a payer's latest 835, and in the client list.
CREATE INDEX remittances_payer ON remittances (ftin, payer_id, paid_on, remittance);
CREATE INDEX clients_payor ON clients (ecs_payor_id, state);
CREATE INDEX clients_name ON clients (name_key);

-- +goose Down
DROP INDEX clients_name;
DROP INDEX clients_payor;
DROP INDEX remittances_payer;
DROP TABLE payer_contacts;
