-- +goose Up
-- searched: what was searched for, sealed. answered: the numbers of the bills and
-- claims that were answered, a JSON list. keys: what the entry is found by, a
-- JSON list of texts, from which audit_keys is filled.
ALTER TABLE audit_log ADD COLUMN searched {{.Text}} NOT NULL DEFAULT '';
ALTER TABLE audit_log ADD COLUMN answered {{.Text}} NOT NULL DEFAULT '[]';
ALTER TABLE audit_log ADD COLUMN keys {{.Text}} NOT NULL DEFAULT '[]';

CREATE TABLE audit_keys (
    key {{.Text}} NOT NULL,
    at {{.Instant}} NOT NULL,
    entry bigint NOT NULL,
    PRIMARY KEY (key, at, entry)
){{if eq .Name "sqlite"}} WITHOUT ROWID{{end}};

-- Entries of before are found by the subject as a whole, by who acted, and by the
-- groups of the users in them.
INSERT INTO audit_keys (key, at, entry)
SELECT 'about ' || lower(subject), at, id FROM audit_log WHERE subject <> ''
UNION SELECT 'by ' || lower(actor), at, id FROM audit_log WHERE actor <> ''
UNION SELECT 'by ' || lower(acting_for), at, id FROM audit_log WHERE acting_for <> ''
UNION SELECT 'group ' || u.group_id, l.at, l.id FROM audit_log l
    JOIN users u ON u.user_name_key IN (lower(l.actor), lower(l.acting_for), lower(l.subject)) WHERE u.group_id IS NOT NULL;

DROP INDEX audit_log_subject;
{{if eq .Name "postgres"}}
-- +goose StatementBegin
CREATE FUNCTION audit_log_index() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO audit_keys (key, at, entry)
    SELECT k, f.at, f.id FROM fresh f, json_array_elements_text(f.keys::json) k;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_index AFTER INSERT ON audit_log
    REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION audit_log_index();
{{else}}
-- +goose StatementBegin
CREATE TRIGGER audit_log_index AFTER INSERT ON audit_log
BEGIN
    INSERT INTO audit_keys (key, at, entry) SELECT value, NEW.at, NEW.id FROM json_each(NEW.keys);
END;
-- +goose StatementEnd
{{end}}
-- +goose Down
DROP TRIGGER audit_log_index{{if eq .Name "postgres"}} ON audit_log{{end}};
{{if eq .Name "postgres"}}DROP FUNCTION audit_log_index();{{end}}
CREATE INDEX audit_log_subject ON audit_log (subject, at);
DROP TABLE audit_keys;
ALTER TABLE audit_log DROP COLUMN keys;
ALTER TABLE audit_log DROP COLUMN answered;
ALTER TABLE audit_log DROP COLUMN searched;
