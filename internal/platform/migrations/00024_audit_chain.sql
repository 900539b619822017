-- +goose Up
-- Entries are gathered in segments. The newest one is open; of each before there
-- is a signed head, which names the head of the one before it. What was there
-- before is segment 1.
CREATE TABLE audit_segments (id {{.Serial}});
INSERT INTO audit_segments DEFAULT VALUES;
ALTER TABLE audit_log ADD COLUMN segment bigint NOT NULL DEFAULT 1;
CREATE INDEX audit_log_segment ON audit_log (segment, id);

CREATE TABLE audit_heads (
    segment bigint PRIMARY KEY,
    entries bigint NOT NULL,
    last_at {{.Instant}},
    sealed_at {{.Instant}} NOT NULL,
    previous {{.Bytes}} NOT NULL,
    content {{.Bytes}} NOT NULL,
    head {{.Bytes}} NOT NULL,
    signature {{.Bytes}} NOT NULL
);

-- Segments whose entries were removed when their time was over.
CREATE TABLE audit_pruned (
    segment bigint PRIMARY KEY,
    pruned_at {{.Instant}} NOT NULL,
    signature {{.Bytes}} NOT NULL
);
{{if eq .Name "postgres"}}
-- audit_open is the segment that entries of this transaction join. It holds a lock on
-- it until the transaction ends, so that whoever has the lock alone knows that
-- all of the segment's entries are there.
-- +goose StatementBegin
CREATE FUNCTION audit_open_segment() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE s bigint;
BEGIN
    FOR i IN 1..100 LOOP
        SELECT max(id) INTO s FROM audit_segments;
        PERFORM pg_advisory_xact_lock_shared(7723503, s::integer);
        IF s = (SELECT max(id) FROM audit_segments) THEN
            RETURN s;
        END IF;
    END LOOP;
    RAISE EXCEPTION 'no segment of the audit log stays open';
END $$;
-- +goose StatementEnd
CREATE VIEW audit_open AS SELECT audit_open_segment() AS segment;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF EXISTS (SELECT FROM audit_pruned p WHERE p.segment = OLD.segment) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION audit_keys_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF NOT EXISTS (SELECT FROM audit_log l WHERE l.id = OLD.entry) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log EXECUTE FUNCTION audit_append_only();
CREATE TRIGGER audit_keys_no_change BEFORE UPDATE OR DELETE ON audit_keys FOR EACH ROW EXECUTE FUNCTION audit_keys_append_only();
CREATE TRIGGER audit_keys_no_truncate BEFORE TRUNCATE ON audit_keys EXECUTE FUNCTION audit_append_only();
CREATE TRIGGER audit_segments_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_segments EXECUTE FUNCTION audit_append_only();
CREATE TRIGGER audit_heads_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_heads EXECUTE FUNCTION audit_append_only();
CREATE TRIGGER audit_pruned_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_pruned EXECUTE FUNCTION audit_append_only();
{{else}}
CREATE VIEW audit_open AS SELECT max(id) AS segment FROM audit_segments;
DROP TRIGGER audit_log_no_delete;
-- +goose StatementBegin
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
WHEN NOT EXISTS (SELECT 1 FROM audit_pruned p WHERE p.segment = OLD.segment)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- REPLACE takes a row away without asking the triggers of DELETE.
-- +goose StatementBegin
CREATE TRIGGER audit_log_no_replace BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log l WHERE l.id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_keys_no_update BEFORE UPDATE ON audit_keys
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_keys_no_delete BEFORE DELETE ON audit_keys
WHEN EXISTS (SELECT 1 FROM audit_log l WHERE l.id = OLD.entry)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_segments_no_update BEFORE UPDATE ON audit_segments
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_segments_no_delete BEFORE DELETE ON audit_segments
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_heads_no_update BEFORE UPDATE ON audit_heads
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_heads_no_delete BEFORE DELETE ON audit_heads
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_heads_no_replace BEFORE INSERT ON audit_heads
WHEN EXISTS (SELECT 1 FROM audit_heads h WHERE h.segment = NEW.segment)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_pruned_no_update BEFORE UPDATE ON audit_pruned
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_pruned_no_delete BEFORE DELETE ON audit_pruned
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_pruned_no_replace BEFORE INSERT ON audit_pruned
WHEN EXISTS (SELECT 1 FROM audit_pruned p WHERE p.segment = NEW.segment)
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
{{end}}
-- +goose Down
DROP VIEW audit_open;
{{if eq .Name "postgres"}}
DROP FUNCTION audit_open_segment();
DROP TRIGGER audit_log_no_truncate ON audit_log;
DROP TRIGGER audit_keys_no_change ON audit_keys;
DROP TRIGGER audit_keys_no_truncate ON audit_keys;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
-- +goose StatementEnd
{{else}}
DROP TRIGGER audit_log_no_replace;
DROP TRIGGER audit_log_no_delete;
-- +goose StatementBegin
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd
DROP TRIGGER audit_keys_no_update;
DROP TRIGGER audit_keys_no_delete;
{{end}}
DROP TABLE audit_pruned;
DROP TABLE audit_heads;
DROP INDEX audit_log_segment;
ALTER TABLE audit_log DROP COLUMN segment;
DROP TABLE audit_segments;
{{if eq .Name "postgres"}}
DROP FUNCTION audit_append_only();
DROP FUNCTION audit_keys_append_only();
{{end}}
