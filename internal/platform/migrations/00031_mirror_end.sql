-- +goose Up
-- Whose mirroring ended by itself, until the person who mirrored has read it.
ALTER TABLE sessions ADD COLUMN mirror_ended_user_id bigint REFERENCES users (id);

-- +goose Down
ALTER TABLE sessions DROP COLUMN mirror_ended_user_id;
