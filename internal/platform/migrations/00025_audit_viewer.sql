-- +goose Up
-- The log is read backwards in time, whole or one operation of it.
CREATE INDEX audit_log_at ON audit_log (at, id);
CREATE INDEX audit_log_operation ON audit_log (operation, at, id);

-- +goose Down
DROP INDEX audit_log_operation;
DROP INDEX audit_log_at;
