package dbtest

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"wcpp/internal/platform/db"
)

// Interleave runs change in a transaction that begins before the next one of d and commits 200 ms later. Afterwards,
// call wait, which fails the test if the commit failed.
func Interleave(t *testing.T, d *db.DB, change func(ctx context.Context, tx *sql.Tx)) (wait func()) {
	committed := make(chan error, 1)
	d.BeforeTx = func(ctx context.Context) {
		d.BeforeTx = nil
		tx, err := d.Writer.BeginTx(ctx, nil)
		if !assert.NoError(t, err) {
			committed <- nil
			return
		}
		change(ctx, tx)
		go func() {
			time.Sleep(200 * time.Millisecond)
			committed <- tx.Commit()
		}()
	}
	return func() {
		t.Helper()
		assert.NoError(t, <-committed)
	}
}
