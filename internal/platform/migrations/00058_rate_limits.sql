-- +goose Up
-- What the shared rate limiter counts, by the words of its field.
ALTER TABLE tries RENAME TO rate_limits;
ALTER TABLE rate_limits RENAME COLUMN tries TO attempts;
DROP INDEX tries_age;
CREATE INDEX rate_limits_since ON rate_limits (since);
{{if eq .Name "postgres"}}ALTER INDEX tries_pkey RENAME TO rate_limits_pkey;{{end}}

-- Up to which change and day a digest was delivered, for which late file an alert went
-- out, and from when the last mail of what was given up tells.
ALTER TABLE alert_settings RENAME COLUMN told_change TO delivered_change;
ALTER TABLE alert_settings RENAME COLUMN told_day TO delivered_day;
ALTER TABLE group_mailboxes RENAME COLUMN told_change TO delivered_change;
ALTER TABLE group_mailboxes RENAME COLUMN told_day TO delivered_day;
ALTER TABLE feed_sources RENAME COLUMN told_for TO alerted_for;
ALTER TABLE given_up_watch RENAME COLUMN told_from TO mailed_from;

-- +goose Down
ALTER TABLE given_up_watch RENAME COLUMN mailed_from TO told_from;
ALTER TABLE feed_sources RENAME COLUMN alerted_for TO told_for;
ALTER TABLE group_mailboxes RENAME COLUMN delivered_day TO told_day;
ALTER TABLE group_mailboxes RENAME COLUMN delivered_change TO told_change;
ALTER TABLE alert_settings RENAME COLUMN delivered_day TO told_day;
ALTER TABLE alert_settings RENAME COLUMN delivered_change TO told_change;
{{if eq .Name "postgres"}}ALTER INDEX rate_limits_pkey RENAME TO tries_pkey;{{end}}
DROP INDEX rate_limits_since;
CREATE INDEX tries_age ON rate_limits (since);
ALTER TABLE rate_limits RENAME COLUMN attempts TO tries;
ALTER TABLE rate_limits RENAME TO tries;
