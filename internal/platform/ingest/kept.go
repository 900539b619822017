package ingest

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
)

// Keep has the importer keep files that it takes for as many days, so that what
// was sent can be shown as it was sent; 0 keeps none. Files of a form of their own
// are public and large, and are not kept.
func (im *Importer) Keep(files blob.Store, days int) { im.files, im.keepDays = files, days }

// KeepTraces has it known for as many days which content was taken, and which files came
// and what was found in them; 0: for ever.
func (im *Importer) KeepTraces(runs, reports int) { im.runDays, im.reportDays = runs, reports }

// keptKey is where a file lies, by the SHA-256 of its content.
func keptKey(sha256 string) string { return "feeds/" + sha256 }

// OpenKept opens a file that was taken, or answers blob.ErrNotFound where it is
// not kept, or no longer. It must be closed.
func (im *Importer) OpenKept(ctx context.Context, sha256 string) (*blob.File, error) {
	return im.files.Open(ctx, keptKey(sha256))
}

// keep keeps the file before any of its rows is taken: what rows tell of their
// place in it is true from the first one on.
func (im *Importer) keep(ctx context.Context, src *source, run *feedRun, feed Feed, sha256 string) error {
	if im.files == nil || im.keepDays == 0 || run.Kept || feed.form == file {
		return nil
	}
	if err := src.rewind("keeping"); err != nil {
		return err
	}
	if err := blob.Copy(ctx, im.files, keptKey(sha256), src); err != nil {
		return err
	}
	run.Kept = true
	return setKept(ctx, im.db.Writer, run.ID, true)
}

// forgetRuns forgets content that was taken long ago and is kept no more; the last run
// of each kind stays, which tells how old its data are.
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
		if err := im.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return forgetRuns(ctx, tx, kind, before) }); err != nil {
			return err
		}
	}
	return nil
}

// forgottenAtOnce bounds how many files one round of tidying removes.
const forgottenAtOnce = 100

// Tidy removes files that were kept long enough, and what is known of those that
// came long ago.
func (im *Importer) Tidy(ctx context.Context) error {
	if err := errors.Join(im.forgetFiles(ctx), im.forgetRuns(ctx)); err != nil {
		return err
	}
	if im.files == nil {
		return nil
	}
	old, err := keptBefore(ctx, im.db.Reader, db.At(im.now().Add(-time.Duration(im.keepDays)*24*time.Hour)))
	if err != nil {
		return err
	}
	for _, run := range old {
		if err := im.files.Delete(ctx, keptKey(run.SHA256)); err != nil {
			return err
		}
		if err := setKept(ctx, im.db.Writer, run.ID, false); err != nil {
			return err
		}
	}
	return nil
}
