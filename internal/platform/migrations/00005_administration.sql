-- +goose Up
-- What a draft holds beyond its columns, as JSON: the roster sources chosen so far.
ALTER TABLE users ADD COLUMN draft {{.Text}} NOT NULL DEFAULT '';
-- Terminated accounts are found by their e-mail too.
CREATE INDEX users_email_any ON users (email_key);
CREATE INDEX users_status_name ON users (status_cd, user_name_key);

-- +goose Down
DROP INDEX users_status_name;
DROP INDEX users_email_any;
ALTER TABLE users DROP COLUMN draft;
