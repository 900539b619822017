package db_test

import (
	"database/sql"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
)

// Large deletions run in transactions of a thousand rows. Others see each batch deleted, and can
// write, before the next one.
func TestForgetInSmallParts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const rows = 100_000
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `CREATE TABLE old_rows (id bigint PRIMARY KEY)`)))
		require.NoError(t, dbtest.Err(db.Exec(t.Context(), d.Writer, `
			INSERT INTO old_rows (id) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100500) SELECT i
				FROM n`)))
		left := func() (n int64) {
			t.Helper()
			require.NoError(t, db.Get(t.Context(), d.Reader, &n, `SELECT count(*) FROM old_rows`))
			return n
		}
		calls := int64(0)
		remove := func(tx *sql.Tx) (int64, error) {
			if there := left(); there != rows+500-calls*db.BatchSize {
				t.Errorf("before part %d others see %d rows", calls+1, there)
			}
			calls++
			return db.Exec(t.Context(), tx, `DELETE FROM old_rows WHERE id IN (SELECT id FROM old_rows ORDER BY id LIMIT $1)`, db.BatchSize)
		}
		if err := d.DeleteInBatches(t.Context(), remove); err != nil || calls != 100 || left() != 500 {
			t.Errorf("%d parts, %d rows are left, %v", calls, left(), err)
		}
		if err := d.DeleteInBatches(t.Context(), remove); err != nil || calls != 101 || left() != 0 {
			t.Errorf("the next time: %d parts, %d rows are left, %v", calls, left(), err)
		}
		failed := errors.New("no")
		assert.ErrorIs(t, d.DeleteInBatches(t.Context(), func(*sql.Tx) (int64, error) { return db.BatchSize, failed }), failed)
	})
}
