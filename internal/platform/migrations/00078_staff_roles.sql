-- +goose Up
-- What a read-only administrator of the network (IRAD) can do beyond reading: answer questions, or
-- also assign them. It has no effect for other account types.
ALTER TABLE users ADD COLUMN staff_role {{.Text}} NOT NULL DEFAULT '' CHECK (staff_role IN ('', 'CASES', 'LEAD'));

-- +goose Down
ALTER TABLE users DROP COLUMN staff_role;
