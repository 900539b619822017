-- +goose Up
-- When staff answered first, and who did. Reopening the case doesn't change it.
ALTER TABLE cases ADD COLUMN first_answered_at {{.Instant}};
ALTER TABLE cases ADD COLUMN first_answered_by bigint;
UPDATE cases SET
    first_answered_at = (SELECT e.at FROM case_entries e WHERE e.case_id = cases.id AND e.kind = 'ANSWER' ORDER BY e.id LIMIT 1),
    first_answered_by = (SELECT e.author_id FROM case_entries e WHERE e.case_id = cases.id AND e.kind = 'ANSWER' ORDER BY e.id LIMIT 1);
CREATE INDEX cases_first_answered ON cases (first_answered_at) WHERE first_answered_at IS NOT NULL;
CREATE INDEX case_entries_calls ON case_entries (at) WHERE kind = 'CALL';
-- Lists of viewers with a few of their group's TINs.
DROP INDEX cases_group;
CREATE INDEX cases_group ON cases (group_id, ftin, id);
CREATE INDEX cases_active ON cases (group_id, ftin, id) WHERE state IN ('OPEN', 'WAITING', 'ANSWERED');

-- Whether a user gets emails about answers. It's on for users without settings.
ALTER TABLE alert_settings ADD COLUMN questions {{.Bool}} NOT NULL DEFAULT true;

-- Emails about answers and questions back. Events within an hour of a user's email wait for the next one.
CREATE TABLE case_emails (
    id {{.Serial}},
    user_id bigint NOT NULL REFERENCES users (id),
    send_at {{.Instant}} NOT NULL,
    queued_at {{.Instant}},
    case_ids {{.Text}} NOT NULL
);
CREATE INDEX case_emails_user ON case_emails (user_id, send_at);
CREATE INDEX case_emails_queued ON case_emails (queued_at, send_at);

-- +goose Down
DROP TABLE case_emails;
ALTER TABLE alert_settings DROP COLUMN questions;
DROP INDEX cases_active;
DROP INDEX cases_group;
CREATE INDEX cases_group ON cases (group_id, id);
DROP INDEX case_entries_calls;
DROP INDEX cases_first_answered;
ALTER TABLE cases DROP COLUMN first_answered_by;
ALTER TABLE cases DROP COLUMN first_answered_at;
