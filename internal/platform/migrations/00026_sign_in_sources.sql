-- +goose Up
-- Attempts are counted for each source (an address, or a device that the name
-- has signed in from), and over all sources for a day and in a row.
CREATE TABLE sign_in_sources (
    name_key {{.Text}} NOT NULL,
    source {{.Text}} NOT NULL,
    failures int NOT NULL,
    last_failed_at {{.Instant}} NOT NULL,
    locked_until {{.Instant}},
    PRIMARY KEY (name_key, source)
);
CREATE INDEX sign_in_sources_age ON sign_in_sources (last_failed_at);
ALTER TABLE sign_in_attempts ADD COLUMN day_failures int NOT NULL DEFAULT 0;
ALTER TABLE sign_in_attempts ADD COLUMN day_began {{.Instant}};

CREATE TABLE sign_in_devices (
    user_id bigint NOT NULL REFERENCES users (id),
    device_hash {{.Bytes}} NOT NULL,
    first_at {{.Instant}} NOT NULL,
    last_at {{.Instant}} NOT NULL,
    PRIMARY KEY (user_id, device_hash)
);
CREATE INDEX sign_in_devices_age ON sign_in_devices (last_at);

-- +goose Down
DROP TABLE sign_in_devices;
ALTER TABLE sign_in_attempts DROP COLUMN day_began;
ALTER TABLE sign_in_attempts DROP COLUMN day_failures;
DROP TABLE sign_in_sources;
