-- +goose Up
CREATE TABLE notifications (
    id {{.Serial}},
    name {{.Text}} NOT NULL,
    campaign {{.Text}} NOT NULL DEFAULT '',
    requested_by {{.Text}} NOT NULL DEFAULT '',
    link {{.Text}} NOT NULL DEFAULT '',
    send_date {{.Date}},
    status {{.Text}} NOT NULL CHECK (status IN ('DRAFT', 'READY', 'SCHEDULED', 'SENT')),
    created_at {{.Instant}} NOT NULL,
    created_by {{.Text}} NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    sent_at {{.Instant}}
);
CREATE INDEX notifications_status ON notifications (status, send_date);
CREATE INDEX notifications_created ON notifications (created_by, created_at);

CREATE TABLE notification_recipients (
    notification_id bigint NOT NULL REFERENCES notifications (id) ON DELETE CASCADE,
    user_id bigint NOT NULL REFERENCES users (id),
    PRIMARY KEY (notification_id, user_id)
);

-- What each user was sent.
CREATE TABLE user_notifications (
    user_id bigint NOT NULL REFERENCES users (id),
    notification_id bigint NOT NULL REFERENCES notifications (id),
    sent_at {{.Instant}} NOT NULL,
    viewed_at {{.Instant}},
    PRIMARY KEY (user_id, notification_id)
);
CREATE INDEX user_notifications_notification ON user_notifications (notification_id);

-- +goose Down
DROP TABLE user_notifications;
DROP TABLE notification_recipients;
DROP TABLE notifications;
