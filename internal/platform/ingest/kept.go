package ingest

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
)

// storageKey returns the storage key of a file by its content's SHA-256.
func storageKey(sha256 string) string { return "feeds/" + sha256 }

// OpenStored opens an imported file, or returns blob.ErrNotFound if it isn't stored. The caller
// must close it.
func (im *Importer) OpenStored(ctx context.Context, sha256 string) (*blob.File, error) {
	return im.files.Open(ctx, storageKey(sha256))
}

// storeFile stores the file before its first row is imported, so that positions in rows are always
// valid. Files with their own format are public and large, so they aren't stored.
func (im *Importer) storeFile(ctx context.Context, src *source, run *feedRun, feed Feed, sha256 string) error {
	if im.files == nil || im.keepDays == 0 || run.Kept || feed.form == file {
		return nil
	}
	if err := src.rewind("keeping"); err != nil {
		return err
	}
	if err := blob.Copy(ctx, im.files, storageKey(sha256), src); err != nil {
		return err
	}
	run.Kept = true
	return setKept(ctx, im.db.Writer, run.ID, true)
}

// forgetRuns deletes old runs without a stored file. The last run of each kind remains, because
// it is the age of the data.
func (im *Importer) forgetRuns(ctx context.Context) error {
	if im.runDays == 0 {
		return nil
	}
	before, seen := db.At(im.now().AddDate(0, 0, -im.runDays)), map[string]bool{}
	for _, f := range im.feeds {
		kind := f.run()
		if seen[kind] {
			continue
		}
		seen[kind] = true
		if err := im.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return forgetRuns(ctx, tx, kind, before) }); err != nil {
			return err
		}
	}
	return nil
}

// forgottenAtOnce is the maximum number of files that one Cleanup deletes.
const forgottenAtOnce = 100

// Cleanup deletes expired files and expired file records.
func (im *Importer) Cleanup(ctx context.Context) error {
	if err := errors.Join(im.forgetFiles(ctx), im.forgetRuns(ctx)); err != nil {
		return err
	}
	if im.files == nil {
		return nil
	}
	old, err := listStoredBefore(ctx, im.db.Reader, db.At(im.now().AddDate(0, 0, -im.keepDays)))
	if err != nil {
		return err
	}
	for _, run := range old {
		if err := im.files.Delete(ctx, storageKey(run.SHA256)); err != nil {
			return err
		}
		if err := setKept(ctx, im.db.Writer, run.ID, false); err != nil {
			return err
		}
	}
	return nil
}
