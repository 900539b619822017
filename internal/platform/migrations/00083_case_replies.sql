-- +goose Up
-- Texts that staff insert into answers.
CREATE TABLE case_replies (
    id {{.Serial}},
    title {{.Text}} NOT NULL,
    body {{.Text}} NOT NULL,
    version bigint NOT NULL
);

-- When staff were last writing to a question.
CREATE TABLE case_writing (
    case_id bigint NOT NULL,
    user_id bigint NOT NULL REFERENCES users (id),
    at {{.Instant}} NOT NULL,
    PRIMARY KEY (case_id, user_id)
);
CREATE INDEX case_writing_at ON case_writing (at);

-- +goose Down
DROP TABLE case_writing;
DROP TABLE case_replies;
