-- +goose Up
-- Lists of open bills that somebody keeps, for themselves or for their group. A
-- definition is what the program of its time knew, as JSON.
CREATE TABLE saved_views (
    id {{.Text}} PRIMARY KEY,
    owner_id bigint NOT NULL REFERENCES users (id),
    group_id bigint NOT NULL REFERENCES groups (id),
    shared {{.Bool}} NOT NULL,
    pinned {{.Bool}} NOT NULL,
    name {{.Text}} NOT NULL,
    definition {{.Text}} NOT NULL,
    position int NOT NULL,
    version bigint NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL
);
CREATE INDEX saved_views_group ON saved_views (group_id, owner_id, position);

-- Files of open bills that are made in the background. place is that in the list up
-- to which it is read, tins those whose bills were asked for: who has lost one of them
-- since gets no file.
CREATE TABLE open_bill_exports (
    id {{.Text}} PRIMARY KEY,
    user_id bigint NOT NULL REFERENCES users (id),
    status {{.Text}} NOT NULL CHECK (status IN ('waiting', 'done', 'failed')),
    filter {{.Text}} NOT NULL,
    columns {{.Text}} NOT NULL,
    tins {{.Text}} NOT NULL,
    bill_count int NOT NULL,
    done int NOT NULL,
    place {{.Text}} NOT NULL,
    created_at {{.Instant}} NOT NULL,
    done_at {{.Instant}}
);
CREATE INDEX open_bill_exports_user ON open_bill_exports (user_id, created_at);
CREATE INDEX open_bill_exports_created ON open_bill_exports (created_at);

-- Who lost a TIN with bills that were assigned to them, until an administrator of
-- the group has seen it. The work about these bills names the loss.
CREATE TABLE lost_assignments (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    user_id bigint NOT NULL REFERENCES users (id),
    ftin {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL
);
CREATE INDEX lost_assignments_group ON lost_assignments (group_id, id);
CREATE INDEX lost_assignments_at ON lost_assignments (at);
ALTER TABLE bill_work ADD COLUMN lost_id bigint;

-- +goose Down
ALTER TABLE bill_work DROP COLUMN lost_id;
DROP TABLE lost_assignments;
DROP TABLE open_bill_exports;
DROP TABLE saved_views;
