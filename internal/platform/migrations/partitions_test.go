package migrations_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/migrations"
)

// makeTIN returns one of a hundred TINs, spread over all partitions.
func makeTIN(i int) string { return fmt.Sprintf("%09d", 100000000+i%100) }

func exec(t *testing.T, d *db.DB, query string, args ...any) {
	t.Helper()
	require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, query, args...)))
}

// putBill inserts a bill, or updates its charge.
func putBill(ctx context.Context, d *db.DB, i int, charge int64) error {
	return db.Run(ctx, d.Writer, `
		INSERT INTO bills (ftin, bill_control_number, bill_control_number_key, document_id, document_id_key, patient_control_number,
			patient_control_number_key,
			patient_first_name, patient_last_name, patient_first_name_key, patient_last_name_key, bill_type, bill_charges, bill_status,
			pricing_sheet, eor, source)
		VALUES ($1, $2, $2, '', '', '', '', '', '', '', '', 'P', $3, '0', false, false, 'bill')
		ON CONFLICT (ftin, bill_control_number_key)
			DO UPDATE SET bill_charges = excluded.bill_charges`, makeTIN(i), fmt.Sprintf("B%06d", i), charge)
}

// bySum returns a table's number of rows and a checksum of all values.
func bySum(t *testing.T, d *db.DB, table string) string {
	t.Helper()
	var sum string
	require.NoError(t, db.Get(t.Context(), d.Writer, &sum, fmt.Sprintf(
		`SELECT count(*) || ' ' || coalesce(sum(('x' || substr(md5(t::text), 1, 15))::bit(60)::bigint), 0) FROM %s t`, table)))
	return sum
}

func listIndexes(t *testing.T, d *db.DB) (names []string) {
	t.Helper()
	require.NoError(t, db.Select(t.Context(), d.Writer, &names, `
		SELECT i.indexrelid::regclass || ' ' || regexp_replace(pg_get_indexdef(i.indexrelid), 'ON (ONLY )?', 'ON ') FROM pg_index i
		WHERE i.indrelid IN ('bills'::regclass, 'payments'::regclass, 'remittances'::regclass) ORDER BY 1`))
	return names
}

func TestPartitionsAreForPostgreSQLAndBounded(t *testing.T) {
	for kind, numbers := range map[string][]int{"sqlite": {4}, "postgres": {-1, 0, 1, 1025}} {
		t.Run(kind, func(t *testing.T) {
			d := dbtest.Open(t, kind)
			for _, n := range numbers {
				assert.Errorf(t, migrations.Partition(t.Context(), d, n, func(string) {}), "%d partitions were made", n)
			}
		})
	}
}

// Rows are inserted, changed, renumbered, and deleted during the moves. Readers and writers see
// no errors, and no row is lost, duplicated, or outdated.
func TestTablesMoveIntoPartitionsWhileTheyAreUsed(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
	const bills = 6000
	exec(t, d, `
		INSERT INTO bills (ftin, bill_control_number, bill_control_number_key, document_id, document_id_key, patient_control_number,
			patient_control_number_key,
			patient_first_name, patient_last_name, patient_first_name_key, patient_last_name_key, bill_type, bill_charges, bill_status,
			pricing_sheet, eor, source)
		SELECT (100000000 + i % 100)::text, 'B' || lpad(i::text, 6, '0'), 'B' || lpad(i::text, 6, '0'), '', '', '', '', '', '', '', '', 'P',
			i, '0', false, false, 'bill'
		FROM generate_series(0, $1::int - 1) i`, bills)
	change := `INSERT INTO bill_changes (ftin, bill_control_number_key, kind, bill_status, at, quiet) SELECT (100000000 + i %% 100)::text,
		'x', 'PAID', '1', now(), false FROM generate_series(1, %d) i`
	exec(t, d, fmt.Sprintf(change, 5000))
	before := listIndexes(t, d)

	for _, n := range []int{4, 8} { // from one table, then from partitions
		ctx, stop := context.WithCancel(t.Context())
		var failed error
		var mu sync.Mutex
		note := func(err error) {
			if err != nil && ctx.Err() == nil {
				mu.Lock()
				failed = errors.Join(failed, err)
				mu.Unlock()
			}
		}
		shadow := map[int]int64{} // last confirmed value of some bills
		var writers sync.WaitGroup
		for w := range 4 {
			writers.Go(func() {
				random := rand.New(rand.NewPCG(uint64(n), uint64(w)))
				for ctx.Err() == nil {
					i := random.IntN(bills/4)*4 + w
					charge := random.Int64()
					switch random.IntN(4) {
					case 0:
						_, err := db.Exec(ctx, d.Writer, `DELETE FROM bills WHERE ftin = $1
							AND bill_control_number_key = $2`, makeTIN(i), fmt.Sprintf("B%06d", i))
						note(err)
						charge = -1
					case 1:
						_, err := db.Exec(ctx, d.Writer, fmt.Sprintf(change, 1))
						note(err)
						continue
					default:
						charge &= 1<<40 - 1
						note(putBill(ctx, d, i, charge))
					}
					if ctx.Err() == nil {
						mu.Lock()
						shadow[i] = charge
						mu.Unlock()
					}
					var charges []int64
					note(db.Select(ctx, d.Reader, &charges, `SELECT bill_charges FROM bills WHERE ftin = $1
						AND bill_control_number_key = $2`, makeTIN(i), fmt.Sprintf("B%06d", i)))
				}
			})
		}
		// Interrupted twice, then completed.
		for i := range 2 {
			cut, cancel := context.WithTimeout(t.Context(), time.Duration(100+300*i)*time.Millisecond)
			if err := migrations.Partition(cut, d, n, func(string) {}); err == nil {
				t.Log("the move was over before it could be ended")
			}
			cancel()
		}
		require.NoError(t, migrations.Partition(t.Context(), d, n, func(line string) { t.Log(line) }))
		stop()
		writers.Wait()
		require.NoError(t, failed)
		assert.GreaterOrEqual(t, len(shadow), 50)
		wrong := 0
		for i, want := range shadow {
			var have []int64
			require.NoError(t, db.Select(t.Context(), d.Writer, &have, `SELECT bill_charges FROM bills WHERE ftin = $1
				AND bill_control_number_key = $2`, makeTIN(i), fmt.Sprintf("B%06d", i)))
			// The last statement of each writer may be committed without a confirmation.
			if (want < 0) != (len(have) == 0) || want >= 0 && have[0] != want {
				wrong++
			}
		}
		assert.LessOrEqualf(t, wrong, 4, "%d of %d bills are not as they were written last", wrong, len(shadow))
		for _, table := range migrations.Partitioned {
			var have int
			if err := db.Get(t.Context(), d.Writer, &have, `SELECT count(*) FROM pg_inherits
				WHERE inhparent = $1::regclass`, table); err != nil || have != n {
				t.Errorf("%s has %d partitions, %v", table, have, err)
			}
		}
	}
	if after := listIndexes(t, d); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the indexes were\n%v\nand are\n%v", before, after)
	}
	var left int
	if err := db.Get(t.Context(), d.Writer, &left, `SELECT count(*) FROM pg_class WHERE relname LIKE '%moving%'`); err != nil || left != 0 {
		t.Errorf("%d things are left of the moves, %v", left, err)
	}
	exec(t, d, fmt.Sprintf(change, 1)) // the identity column continues
	var doubled int
	if err := db.Get(t.Context(), d.Writer, &doubled, `SELECT count(*) - count(DISTINCT id)
		FROM bill_changes`); err != nil || doubled != 0 {
		t.Errorf("%d changes have another's number, %v", doubled, err)
	}
	held := bySum(t, d, "bills")
	if err := migrations.Partition(t.Context(), d, 8, func(string) {}); err != nil || bySum(t, d, "bills") != held {
		t.Errorf("what has its partitions does not stay as it is: %v", err)
	}
	if err := migrations.DownTo(t.Context(), d, 0); err != nil || tables(t, d) != 0 {
		t.Errorf("%d tables are left after going down, %v", tables(t, d), err)
	}
}

// Readers lock the parent before its partitions. A move that removes the remains of an earlier
// one must do so, too, or both would deadlock.
func TestAMoveThatBeginsAgainWaitsForReaders(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
	require.NoError(t, putBill(t.Context(), d, 1, 1))
	require.NoError(t, migrations.Partition(t.Context(), d, 4, func(string) {}))
	// A row lock blocks the copy, so that the move is interrupted in the middle.
	require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
		if _, err := db.Exec(t.Context(), tx, `SELECT FROM bills FOR UPDATE`); err != nil {
			return err
		}
		cut, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- migrations.Partition(cut, d, 8, func(string) {}) }()
		dbtest.AwaitWaiting(t, d)
		cancel()
		if err := <-ended; err == nil {
			t.Error("the move was not ended in the middle")
		}
		return nil
	}))
	ended := make(chan error, 1)
	require.NoError(t, d.Tx(t.Context(), func(tx *sql.Tx) error {
		for _, statement := range []string{`SET LOCAL deadlock_timeout = '10ms'`, `LOCK TABLE ONLY bills IN ACCESS SHARE MODE`} {
			if _, err := tx.ExecContext(t.Context(), statement); err != nil {
				return err
			}
		}
		go func() { ended <- migrations.Partition(t.Context(), d, 8, func(string) {}) }()
		dbtest.AwaitWaiting(t, d)
		var count int
		if err := db.Get(t.Context(), tx, &count, `SELECT count(*) FROM bills`); err != nil {
			t.Errorf("who reads meanwhile: %v", err)
		}
		return nil
	}))
	assert.NoError(t, <-ended)
}

// A migration would change only one of the two tables.
func TestNoMigrationMeetsAMove(t *testing.T) {
	d := dbtest.Open(t, "postgres")
	require.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
	exec(t, d, `CREATE TABLE bills_moving ()`)
	assert.NoError(t, dbtest.Err(migrations.Up(t.Context(), d)))
	assert.ErrorIs(t, migrations.DownTo(t.Context(), d, migrations.Baseline), migrations.ErrMoving)
	exec(t, d, `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	assert.ErrorIs(t, dbtest.Err(migrations.Up(t.Context(), d)), migrations.ErrMoving)
}
