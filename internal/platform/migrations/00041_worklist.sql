-- +goose Up
-- The bills about which something is left to do, the oldest service first.
CREATE INDEX bills_open ON bills (ftin, (COALESCE(begin_service_date, '0001-01-01')), bill_control_number_key,
    open_state, begin_service_date, bill_charges, recommended_allowance, paid_amount)
    WHERE open_state IN ('D', 'N', 'P', 'R', 'S', 'U');

-- What a group's people do about bills: no other group sees it, whoever has the TIN.
CREATE TABLE bill_work (
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    assigned_to bigint REFERENCES users (id),
    follow_up_on {{.Date}},
    state_cd {{.Text}} NOT NULL CHECK (state_cd IN ('OPEN', 'DONE', 'PARKED')),
    parked_until {{.Date}},
    -- The last change of the bill that was known to who had done with it.
    done_change bigint NOT NULL,
    notes int NOT NULL,
    version bigint NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    PRIMARY KEY (group_id, ftin, bill_control_number_key)
);
CREATE INDEX bill_work_assigned ON bill_work (group_id, assigned_to, follow_up_on);

CREATE TABLE bill_notes (
    id {{.Serial}},
    group_id bigint NOT NULL REFERENCES groups (id),
    ftin {{.Text}} NOT NULL,
    bill_control_number_key {{.Text}} NOT NULL,
    author_id bigint NOT NULL REFERENCES users (id),
    at {{.Instant}} NOT NULL,
    body {{.Text}} NOT NULL,
    edited_at {{.Instant}},
    struck_at {{.Instant}}
);
CREATE INDEX bill_notes_bill ON bill_notes (group_id, ftin, bill_control_number_key, id);

-- +goose Down
DROP TABLE bill_notes;
DROP TABLE bill_work;
DROP INDEX bills_open;
