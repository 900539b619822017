-- +goose Up
-- People are found by the beginning of their first or last name.
CREATE INDEX users_first_name ON users (first_name_key);
CREATE INDEX users_last_name ON users (last_name_key);

-- +goose Down
DROP INDEX users_last_name;
DROP INDEX users_first_name;
