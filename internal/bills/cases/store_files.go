package cases

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

// files describes the table of files.
var files = db.NewTable("case_files", db.Fields[File]("id")...)

var newFiles = files.Without("id")

// listFiles lists the files of a case, oldest first.
func listFiles(ctx context.Context, q db.Queryer, id int64) ([]File, error) {
	return files.Select(ctx, q, `WHERE case_id = $1 ORDER BY id`, id)
}

// listUnsent lists the ones among some files that a user uploaded and didn't send.
func listUnsent(ctx context.Context, tx *sql.Tx, user int64, ids []int64, lock string) ([]File, error) {
	return files.Select(ctx, tx, `WHERE case_id IS NULL AND added_by = $1 AND id IN (`+db.In(2, len(ids))+`) ORDER BY id`+lock,
		append([]any{user}, db.Args(ids)...)...)
}

// sumUnsent returns the bytes that a user uploaded and didn't send.
func sumUnsent(ctx context.Context, tx *sql.Tx, user int64) (bytes int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT CAST(COALESCE(sum(size), 0) AS bigint) FROM case_files WHERE case_id IS NULL AND added_by = $1`,
		user).Scan(&bytes)
	return bytes, err
}

// listExpired lists up to 100 files that were uploaded before a time and not sent.
func listExpired(ctx context.Context, tx *sql.Tx, before db.Instant, lock string) ([]File, error) {
	return files.Select(ctx, tx, `WHERE case_id IS NULL AND at < $1 ORDER BY at LIMIT 100`+lock, before)
}

// listStored returns the known ones among some storage keys.
func listStored(ctx context.Context, q db.Queryer, keys []string) (found []string, err error) {
	return db.List[string](ctx, q, `SELECT storage_key FROM case_files WHERE storage_key IN (`+db.In(1, len(keys))+`)`, db.Args(keys)...)
}

func deleteFile(ctx context.Context, tx *sql.Tx, id int64) error {
	return db.Run(ctx, tx, `DELETE FROM case_files WHERE id = $1`, id)
}
