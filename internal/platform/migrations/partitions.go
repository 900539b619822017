package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"wcpp/internal/platform/db"
)

// Partitioned are the tables that Partition partitions by the hash of their TIN, because they
// grow with every bill. The TIN is the first column of every index for an office's searches.
var Partitioned = []string{"bills", "payments", "remittances", "bill_changes"}

// tinColumn is the partition key.
const tinColumn = "ftin"

// Minimum and maximum number of partitions.
const (
	MinPartitions = 2
	MaxPartitions = 1024
)

// ErrMoving is returned by Up while tables are being partitioned.
var ErrMoving = errors.New("a partition move is in progress; wait for wcpp migrate --partitions to finish, or run it again if it was " +
	"interrupted")

const (
	movingEnd     = "_moving" // name suffix of a table that rows move into
	movedAtOnce   = 2000      // rows
	lockWithin    = time.Second
	partitionLock = 7723503 // one move at a time
)

// Partition splits each table into n hash partitions, while others read and write it. A trigger
// copies new writes to a table of the same shape, and existing rows are copied in batches by
// key. When both tables have the same rows, a short transaction swaps them. Tables with n
// partitions are unchanged. An interrupted move starts over. say receives a message for each
// table.
func Partition(ctx context.Context, d *db.DB, n int, progress func(string)) error {
	if d.Dialect.Name != "postgres" {
		return errors.New("only PostgreSQL databases can be partitioned")
	}
	if n < MinPartitions || n > MaxPartitions {
		return fmt.Errorf("the number of partitions must be between %d and %d, not %d", MinPartitions, MaxPartitions, n)
	}
	conn, err := d.Writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var free bool
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", partitionLock).Scan(&free); err != nil {
		return err
	}
	if !free {
		return errors.New("another wcpp migrate --partitions is running")
	}
	defer unlock(conn, partitionLock)
	for _, table := range Partitioned {
		have, err := countPartitions(ctx, d, table)
		if err != nil {
			return err
		}
		if have == n {
			progress(fmt.Sprintf("%s has %d partitions", table, n))
			continue
		}
		rows, err := partition(ctx, d, table, n)
		if err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
		progress(fmt.Sprintf("%s now has %d partitions; %d rows moved", table, n, rows))
	}
	return nil
}

func countPartitions(ctx context.Context, d *db.DB, table string) (n int, err error) {
	return db.One[int](ctx, d.Writer, `SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass($1)`, table)
}

// isMoving reports whether a table move has started and not ended.
func isMoving(ctx context.Context, d *db.DB) (bool, error) {
	if d.Dialect.Name != "postgres" {
		return false, nil
	}
	return db.One[bool](ctx, d.Writer, `SELECT EXISTS (SELECT FROM pg_class WHERE relname = ANY ($1)
		AND relnamespace = current_schema()::regnamespace)`, movingNames())
}

func movingNames() []string {
	names := make([]string, len(Partitioned))
	for i, table := range Partitioned {
		names[i] = table + movingEnd
	}
	return names
}

func partition(ctx context.Context, d *db.DB, table string, n int) (rows int64, err error) {
	s, err := readShape(ctx, d, table)
	if err != nil {
		return 0, err
	}
	// No migration runs while a move starts or ends.
	if err := runExclusively(ctx, d, func() error { return s.begin(ctx, d, n) }); err != nil {
		return 0, err
	}
	if rows, err = s.copy(ctx, d); err != nil {
		return rows, err
	}
	if err := s.compare(ctx, d); err != nil {
		return rows, err
	}
	return rows, runExclusively(ctx, d, func() error { return s.swap(ctx, d) })
}

// shape describes a table, to create its successor.
type shape struct {
	table   string
	key     []string     // of the primary key, including the TIN
	keyName string       // of its constraint
	indexes []namedIndex // other indexes
	serial  string       // the identity column; empty if there is none
}

type namedIndex struct{ Name, Definition string }

func readShape(ctx context.Context, d *db.DB, table string) (shape, error) {
	s := shape{table: table}
	err := errors.Join(
		db.Select(ctx, d.Writer, &s.key, `
			SELECT a.attname::text FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY k (attnum, place)
			JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
			WHERE i.indrelid = to_regclass($1) AND i.indisprimary ORDER BY k.place`, table),
		db.Get(ctx, d.Writer, &s.keyName, `SELECT conname::text FROM pg_constraint WHERE conrelid = to_regclass($1)
			AND contype = 'p'`, table),
		db.Select(ctx, d.Writer, &s.indexes, `
			SELECT c.relname::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
				JOIN pg_class c ON c.oid = i.indexrelid
			WHERE i.indrelid = to_regclass($1) AND NOT i.indisprimary ORDER BY c.relname`, table),
		db.Get(ctx, d.Writer, &s.serial, `
			SELECT coalesce(max(attname::text), '') FROM pg_attribute WHERE attrelid = to_regclass($1) AND attidentity <> ''`, table),
	)
	if err == nil && !slices.Contains(s.key, tinColumn) {
		// The key is unique only within each partition, so queries by the old key need an index.
		s.indexes = append(s.indexes, namedIndex{table + "_any_" + s.keys(),
			fmt.Sprintf("CREATE INDEX %[1]s_any_%[2]s ON %[1]s USING btree (%[2]s)", table, s.keys())})
		s.key = append([]string{tinColumn}, s.key...)
	}
	return s, err
}

func (s shape) movingName() string { return s.table + movingEnd }
func (s shape) keys() string       { return strings.Join(s.key, ", ") }

// begin creates the new table and the trigger that copies writes to it.
func (s shape) begin(ctx context.Context, d *db.DB, n int) error {
	if err := s.endEarlier(ctx, d); err != nil {
		return err
	}
	return lockSoon(ctx, d, s.table, "SHARE ROW EXCLUSIVE", func(tx *sql.Tx) error {
		statements := []string{fmt.Sprintf(`DROP TABLE IF EXISTS %s`, s.movingName())} // from an earlier move
		statements = append(statements,
			fmt.Sprintf(`CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES) PARTITION BY HASH (%s)`, s.movingName(), s.table,
				tinColumn))
		for i := range n {
			statements = append(statements, fmt.Sprintf(`CREATE TABLE %s_%dof%d PARTITION OF %s FOR VALUES WITH (MODULUS %d, REMAINDER %d)`,
				s.table, i+1, n, s.movingName(), n, i))
		}
		statements = append(statements, fmt.Sprintf(`ALTER TABLE %s ADD CONSTRAINT %s%s PRIMARY KEY (%s)`, s.movingName(), s.keyName,
			movingEnd,
			s.keys()))
		for _, index := range s.indexes {
			// CREATE [UNIQUE] INDEX name ON [ONLY] schema.table USING ...
			head, how, _ := strings.Cut(index.Definition, " USING ")
			kind, _, _ := strings.Cut(head, " INDEX ")
			statements = append(statements, fmt.Sprintf(`%s INDEX %s%s ON %s USING %s`, kind, index.Name, movingEnd, s.movingName(), how))
		}
		old := make([]string, len(s.key))
		for i, column := range s.key {
			old[i] = "OLD." + column
		}
		statements = append(statements, fmt.Sprintf(`
			CREATE FUNCTION %[1]s_follow() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN
				IF TG_OP <> 'INSERT' THEN
					DELETE FROM %[1]s WHERE (%[2]s) = (%[3]s);
				END IF;
				IF TG_OP <> 'DELETE' THEN
					INSERT INTO %[1]s OVERRIDING SYSTEM VALUE VALUES (NEW.*);
				END IF;
				RETURN NULL;
			END $$`, s.movingName(), s.keys(), strings.Join(old, ", ")),
			fmt.Sprintf(`CREATE TRIGGER %[1]s_follow AFTER INSERT OR UPDATE
				OR DELETE ON %[2]s FOR EACH ROW EXECUTE FUNCTION %[1]s_follow()`, s.movingName(), s.table))
		return execAll(ctx, tx, statements)
	})
}

// endEarlier removes the triggers of an interrupted move. Dropping a trigger locks the
// partitions before the parent, but statements lock the parent first. So it locks all of them
// beforehand to avoid deadlocks.
func (s shape) endEarlier(ctx context.Context, d *db.DB) error {
	var follows bool
	if err := db.Get(ctx, d.Writer, &follows, `SELECT to_regproc($1) IS NOT NULL`, s.movingName()+"_follow"); err != nil || !follows {
		return err
	}
	return lockSoon(ctx, d, s.table, "ACCESS EXCLUSIVE", func(tx *sql.Tx) error {
		return execAll(ctx, tx, s.dropTriggers())
	})
}

func (s shape) dropTriggers() []string {
	return []string{
		fmt.Sprintf(`DROP TRIGGER %s_follow ON %s`, s.movingName(), s.table),
		fmt.Sprintf(`DROP FUNCTION %s_follow()`, s.movingName()),
	}
}

// copy copies the existing rows into the new table. It locks the rows of a batch. So a
// concurrent change commits before the row is read, or waits until it is copied, when the
// trigger finds it.
func (s shape) copy(ctx context.Context, d *db.DB) (rows int64, err error) {
	after := make([]any, len(s.key)) // the last copied key
	for {
		bound, args := "", []any(nil)
		if rows > 0 {
			bound, args = fmt.Sprintf("WHERE (%s) > (%s)", s.keys(), db.In(1, len(after))), after
		}
		var brought int64
		last := make([]any, len(s.key))
		targets := []any{&brought}
		for i := range last {
			targets = append(targets, &last[i])
		}
		err := d.Tx(ctx, func(tx *sql.Tx) error {
			if err := d.ForceIndexScans(ctx, tx); err != nil {
				return err
			}
			return tx.QueryRowContext(ctx, fmt.Sprintf(`
				WITH batch AS (SELECT * FROM %[1]s %[2]s ORDER BY %[3]s LIMIT %[4]d FOR SHARE),
				put AS (INSERT INTO %[5]s OVERRIDING SYSTEM VALUE SELECT * FROM batch ON CONFLICT DO NOTHING)
				SELECT (SELECT count(*) FROM batch), %[3]s FROM batch ORDER BY %[6]s LIMIT 1`,
				s.table, bound, s.keys(), movedAtOnce, s.movingName(), strings.Join(s.key, " DESC, ")+" DESC"), args...).Scan(targets...)
		})
		if errors.Is(err, sql.ErrNoRows) {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		rows, after = rows+brought, last
	}
}

// compare returns an error unless both tables have the same number of rows in one snapshot, and
// the same number of rows with equal keys.
func (s shape) compare(ctx context.Context, d *db.DB) error {
	var counts struct{ Before, After int64 }
	if err := d.Read(ctx, func(tx *sql.Tx) error {
		return db.Get(ctx, tx, &counts, fmt.Sprintf(`SELECT (SELECT count(*) FROM %s) AS before,
			(SELECT count(*) FROM %s) AS after`, s.table, s.movingName()))
	}); err != nil {
		return err
	}
	if counts.Before != counts.After {
		return fmt.Errorf("found %d rows in the table and %d in its partitions, so no changes were made; run the command again",
			counts.Before, counts.After)
	}
	return nil
}

// swap drops the old table and gives its names to the new one.
func (s shape) swap(ctx context.Context, d *db.DB) error {
	// Only ANALYZE updates the planner's statistics of the parent, because autovacuum only
	// analyzes partitions.
	if _, err := db.Exec(ctx, d.Writer, "ANALYZE "+s.movingName()); err != nil {
		return err
	}
	return lockSoon(ctx, d, s.table, "ACCESS EXCLUSIVE", func(tx *sql.Tx) error {
		if s.serial != "" {
			if err := execAll(ctx, tx, []string{fmt.Sprintf(
				`SELECT setval(pg_get_serial_sequence('%[1]s', '%[3]s'), nextval(pg_get_serial_sequence('%[2]s', '%[3]s')),
					false)`, s.movingName(), s.table, s.serial)}); err != nil {
				return err
			}
		}
		statements := append(s.dropTriggers(),
			fmt.Sprintf(`DROP TABLE %s`, s.table),
			fmt.Sprintf(`ALTER TABLE %s RENAME TO %s`, s.movingName(), s.table),
			fmt.Sprintf(`ALTER INDEX %[1]s%[2]s RENAME TO %[1]s`, s.keyName, movingEnd))
		if s.serial != "" {
			statements = append(statements, fmt.Sprintf(`ALTER SEQUENCE %s_%s_seq RENAME TO %s_%s_seq`, s.movingName(), s.serial, s.table,
				s.serial))
		}
		for _, index := range s.indexes {
			statements = append(statements, fmt.Sprintf(`ALTER INDEX %[1]s%[2]s RENAME TO %[1]s`, index.Name, movingEnd))
		}
		return execAll(ctx, tx, statements)
	})
}

// lockSoon runs fn in a transaction that locks the table. Each attempt waits for the lock for
// one second, so that others aren't blocked longer behind it.
func lockSoon(ctx context.Context, d *db.DB, table, mode string, fn func(tx *sql.Tx) error) error {
	for {
		err := d.Tx(ctx, func(tx *sql.Tx) error {
			if err := execAll(ctx, tx, []string{
				fmt.Sprintf("SET LOCAL lock_timeout = %d", lockWithin.Milliseconds()),
				fmt.Sprintf("LOCK TABLE %s IN %s MODE", table, mode),
			}); err != nil {
				return err
			}
			return fn(tx)
		})
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || pg.Code != "55P03" { // lock_not_available
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockWithin):
		}
	}
}

func execAll(ctx context.Context, tx *sql.Tx, statements []string) error {
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
