-- +goose Up
-- Lists and figures are read from the indexes alone. SQLite otherwise reads each case from the disk,
-- after every change of the database.
DROP INDEX cases_group;
CREATE INDEX cases_group ON cases (group_id, ftin, id, state, opened_by);
DROP INDEX cases_active;
CREATE INDEX cases_active ON cases (group_id, ftin, id, state, opened_by, last_network_id)
    WHERE state IN ('OPEN', 'WAITING', 'ANSWERED');
DROP INDEX cases_first_answered;
CREATE INDEX cases_first_answered ON cases (first_answered_at, first_answered_by, topic, opened_at, helpful)
    WHERE first_answered_at IS NOT NULL;

-- +goose Down
DROP INDEX cases_first_answered;
CREATE INDEX cases_first_answered ON cases (first_answered_at) WHERE first_answered_at IS NOT NULL;
DROP INDEX cases_active;
CREATE INDEX cases_active ON cases (group_id, ftin, id) WHERE state IN ('OPEN', 'WAITING', 'ANSWERED');
DROP INDEX cases_group;
CREATE INDEX cases_group ON cases (group_id, ftin, id);
