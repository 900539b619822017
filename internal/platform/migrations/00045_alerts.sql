-- +goose Up
-- The bills that people watch: one, or all of a claim.
CREATE TABLE watches (
    user_id bigint NOT NULL REFERENCES users (id),
    ftin {{.Text}} NOT NULL,
    kind {{.Text}} NOT NULL CHECK (kind IN ('BILL', 'CLAIM')),
    number_key {{.Text}} NOT NULL,
    number {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    PRIMARY KEY (user_id, ftin, kind, number_key)
);

-- What each person had seen when they marked Today as seen.
CREATE TABLE alerts_seen (
    user_id bigint PRIMARY KEY REFERENCES users (id),
    change_id bigint NOT NULL,
    day {{.Date}} NOT NULL,
    at {{.Instant}} NOT NULL
);

-- Which news people have mailed to them. Where next_at is empty no digest goes out,
-- where watch_at is, no mail about what is watched.
CREATE TABLE alert_settings (
    user_id bigint PRIMARY KEY REFERENCES users (id),
    digest {{.Text}} NOT NULL CHECK (digest IN ('daily', 'mondays', 'never')),
    days {{.Text}} NOT NULL,
    hour int NOT NULL CHECK (hour BETWEEN 0 AND 23),
    kinds {{.Text}} NOT NULL,
    tins {{.Text}} NOT NULL,
    quiet_weeks {{.Bool}} NOT NULL,
    next_at {{.Instant}},
    told_change bigint NOT NULL,
    told_day {{.Date}} NOT NULL,
    mailed_on {{.Date}} NOT NULL,
    watch_at {{.Instant}},
    watch_change bigint NOT NULL
);
CREATE INDEX alert_settings_due ON alert_settings (next_at);
CREATE INDEX alert_settings_watching ON alert_settings (watch_at);

-- Addresses of offices, each in force once its link is opened.
CREATE TABLE group_mailboxes (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    email {{.Text}} NOT NULL,
    email_key {{.Text}} NOT NULL,
    added_at {{.Instant}} NOT NULL,
    token_hash {{.Bytes}},
    confirmed_at {{.Instant}},
    stopped_at {{.Instant}},
    stopped_why {{.Text}} NOT NULL CHECK (stopped_why IN ('', 'link', 'refused')),
    digest {{.Text}} NOT NULL CHECK (digest IN ('daily', 'mondays')),
    days {{.Text}} NOT NULL,
    hour int NOT NULL CHECK (hour BETWEEN 0 AND 23),
    kinds {{.Text}} NOT NULL,
    tins {{.Text}} NOT NULL,
    quiet_weeks {{.Bool}} NOT NULL,
    next_at {{.Instant}},
    told_change bigint NOT NULL,
    told_day {{.Date}} NOT NULL,
    mailed_on {{.Date}} NOT NULL
);
CREATE UNIQUE INDEX group_mailboxes_email ON group_mailboxes (group_id, email_key);
CREATE UNIQUE INDEX group_mailboxes_token ON group_mailboxes (token_hash);
CREATE INDEX group_mailboxes_due ON group_mailboxes (next_at);
CREATE INDEX group_mailboxes_added ON group_mailboxes (added_at) WHERE confirmed_at IS NULL;

-- What each mail tells of: once for an owner and a period.
CREATE TABLE digests_sent (
    id {{.Serial}},
    user_id bigint REFERENCES users (id),
    mailbox_id bigint REFERENCES group_mailboxes (id),
    period {{.Text}} NOT NULL,
    from_change bigint NOT NULL,
    to_change bigint NOT NULL,
    from_day {{.Date}} NOT NULL,
    to_day {{.Date}} NOT NULL,
    at {{.Instant}} NOT NULL
);
CREATE UNIQUE INDEX digests_sent_user ON digests_sent (user_id, period);
CREATE UNIQUE INDEX digests_sent_mailbox ON digests_sent (mailbox_id, period);
CREATE INDEX digests_sent_at ON digests_sent (at);

-- +goose Down
DROP TABLE digests_sent;
DROP TABLE group_mailboxes;
DROP TABLE alert_settings;
DROP TABLE alerts_seen;
DROP TABLE watches;
