-- +goose Up
-- Once a quarter the administrators of a provider group confirm who has access. A group
-- has one review at a time: who is behind is not asked anew.
CREATE TABLE access_reviews (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    due_on {{.Date}} NOT NULL,
    opened_at {{.Instant}} NOT NULL,
    -- How often the administrators were reminded.
    reminded int NOT NULL DEFAULT 0,
    finished_at {{.Instant}},
    finished_by {{.Text}} NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX access_reviews_group ON access_reviews (group_id, due_on);
CREATE UNIQUE INDEX access_reviews_one ON access_reviews (group_id) WHERE finished_at IS NULL;
CREATE INDEX access_reviews_open ON access_reviews (due_on, id) WHERE finished_at IS NULL;

-- The users of a review. What was known of them is written down when it is finished.
CREATE TABLE access_review_items (
    review_id bigint NOT NULL REFERENCES access_reviews (id),
    user_id bigint NOT NULL REFERENCES users (id),
    version bigint NOT NULL DEFAULT 0,
    kept_at {{.Instant}},
    kept_by {{.Text}} NOT NULL DEFAULT '',
    outcome {{.Text}} NOT NULL DEFAULT '' CHECK (outcome IN ('', 'KEPT', 'ENDED')),
    user_name {{.Text}} NOT NULL DEFAULT '',
    name {{.Text}} NOT NULL DEFAULT '',
    type_cd {{.Text}} NOT NULL DEFAULT '',
    tins int NOT NULL DEFAULT 0,
    last_sign_in {{.Instant}},
    opened int NOT NULL DEFAULT 0,
    PRIMARY KEY (review_id, user_id)
);

-- How many bills a user opened on a day, from the audit log; and which days are counted.
CREATE TABLE bills_opened (
    user_id bigint NOT NULL REFERENCES users (id),
    day {{.Date}} NOT NULL,
    bills int NOT NULL,
    PRIMARY KEY (user_id, day)
);
CREATE INDEX bills_opened_day ON bills_opened (day);
CREATE TABLE bills_opened_days (
    day {{.Date}} PRIMARY KEY
);

-- +goose Down
DROP TABLE bills_opened_days;
DROP TABLE bills_opened;
DROP TABLE access_review_items;
DROP TABLE access_reviews;
