-- +goose Up
-- No query looked for rows by these; each cost a write for every row.
DROP INDEX audit_log_actor;
DROP INDEX groups_name;
DROP INDEX payments_payer_control;
DROP INDEX sessions_age;

-- +goose Down
CREATE INDEX sessions_age ON sessions (last_active_at);
CREATE INDEX payments_payer_control ON payments (ftin, payer_control_number_key);
CREATE INDEX groups_name ON groups (name_key);
CREATE INDEX audit_log_actor ON audit_log (actor, at);
