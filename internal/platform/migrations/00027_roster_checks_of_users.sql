-- +goose Up
-- The copies that are kept of checked files are counted by person.
CREATE INDEX roster_checks_user ON roster_checks (user_id, checked_at);

-- +goose Down
DROP INDEX roster_checks_user;
