package db

import (
	"context"
	"database/sql"
)

// AtOnce is how many rows are removed in one transaction at most, so that nobody who
// writes waits for it.
const AtOnce = 1000

// turns is how often Forget removes at most: what is left then goes the next time.
const turns = 100

// Forget removes old rows, AtOnce at most in each transaction, until remove answers
// that there were fewer. It is safe to stop and to repeat.
func (d *DB) Forget(ctx context.Context, remove func(tx *sql.Tx) (int64, error)) error {
	for range turns {
		var removed int64
		err := d.Tx(ctx, func(tx *sql.Tx) (err error) {
			removed, err = remove(tx)
			return err
		})
		if err != nil || removed < AtOnce {
			return err
		}
	}
	return nil
}
