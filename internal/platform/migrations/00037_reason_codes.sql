-- +goose Up
-- What the network itself tells of reason codes, over the sentences that the
-- portal brings. Without a jurisdiction a text holds for all.
CREATE TABLE reason_codes (
    list {{.Text}} NOT NULL CHECK (list IN ('CAGC', 'CARC', 'RARC', 'PLB', 'CLP02', 'HCP13', 'LOCAL')),
    code {{.Text}} NOT NULL,
    jurisdiction {{.Text}} NOT NULL,
    title {{.Text}} NOT NULL,
    plain {{.Text}} NOT NULL,
    advice {{.Text}} NOT NULL,
    official {{.Text}} NOT NULL,
    status {{.Text}} NOT NULL CHECK (status IN ('ACTIVE', 'ENDED')),
    effective {{.Date}},
    ended {{.Date}},
    version bigint NOT NULL,
    updated_at {{.Instant}} NOT NULL,
    updated_by {{.Text}} NOT NULL,
    PRIMARY KEY (list, code, jurisdiction)
);

-- +goose Down
DROP TABLE reason_codes;
