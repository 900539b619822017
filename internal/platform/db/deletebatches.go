package db

import (
	"context"
	"database/sql"
)

// BatchSize is the maximum number of rows that are deleted in one transaction, so that other
// writers don't wait long.
const BatchSize = 1000

// turns is the maximum number of transactions per DeleteInBatches. The next run deletes the rest.
const turns = 100

// DeleteInBatches deletes old rows, up to BatchSize per transaction, until remove returns fewer. It is safe
// to stop and to repeat.
func (d *DB) DeleteInBatches(ctx context.Context, remove func(tx *sql.Tx) (int64, error)) error {
	for range turns {
		var removed int64
		err := d.Tx(ctx, func(tx *sql.Tx) (err error) {
			removed, err = remove(tx)
			return err
		})
		if err != nil || removed < BatchSize {
			return err
		}
	}
	return nil
}
