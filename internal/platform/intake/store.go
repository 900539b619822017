package intake

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/db"
)

// feedRun is one file's import: how far it is and what came of it.
type feedRun struct {
	ID        int64
	Status    string
	Position  int64 // records behind us
	Records   int64 // in the file
	Taken     int64
	Updated   int64
	Unchanged int64
	Rejected  int64
	Kept      bool // the file is
}

// findRun returns the run of a file's content, nil when there is none.
func findRun(ctx context.Context, q db.Queryer, kind, sha256 string) (*feedRun, error) {
	var r feedRun
	err := db.Get(ctx, q, &r, `
		SELECT id, status, position, records, taken, updated, unchanged, rejected, kept
		FROM feed_runs WHERE kind = $1 AND sha256 = $2`, kind, sha256)
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	return &r, err
}

// Brought is a file of X12 that was taken.
type Brought struct {
	Kind, SHA256 string
	Name         string // under which it came
	Kept         bool   // it can still be opened
}

// FilesOf finds files of X12 by the SHA-256 of their content.
func FilesOf(ctx context.Context, q db.Queryer, sums []string) (map[string]Brought, error) {
	keys := make([][]any, len(sums))
	for i, sum := range sums {
		keys[i] = []any{x12Files, sum}
	}
	files := map[string]Brought{}
	list, err := brought.Among(ctx, q, []string{"kind", "sha256"}, keys, "")
	for _, f := range list {
		files[f.SHA256] = f
	}
	return files, err
}

var brought = db.NewTable("feed_runs",
	db.Col("kind", func(f *Brought) *string { return &f.Kind }).Key(),
	db.Col("sha256", func(f *Brought) *string { return &f.SHA256 }).Key(),
	db.Col("file_name", func(f *Brought) *string { return &f.Name }),
	db.Col("kept", func(f *Brought) *bool { return &f.Kept }),
)

// firstOfKind tells whether no file of the kind was taken to its end before.
func firstOfKind(ctx context.Context, q db.Queryer, kind string) (bool, error) {
	var done []int64
	err := db.Select(ctx, q, &done, `SELECT id FROM feed_runs WHERE status = 'done' AND kind = $1 LIMIT 1`, kind)
	return len(done) == 0, err
}

// beginRun takes up a run that was cut off, or starts from the beginning: a new
// one, a finished one, and one whose records another version of this program
// counted differently.
func beginRun(ctx context.Context, q db.Queryer, last *feedRun, kind, fileName, sha256 string, records int64, now db.Instant) (*feedRun, error) {
	if last != nil && last.Status != "done" && last.Records == records {
		_, err := db.Exec(ctx, q, `
			UPDATE feed_runs SET status = 'running', file_name = $2 WHERE id = $1`, last.ID, fileName)
		return last, err
	}
	r := feedRun{Status: "running", Records: records}
	err := db.Get(ctx, q, &r, `
		INSERT INTO feed_runs (kind, file_name, sha256, status, records, started_at)
		VALUES ($1, $2, $3, 'running', $4, $5)
		ON CONFLICT (kind, sha256) DO UPDATE SET
			file_name = excluded.file_name, status = 'running', records = excluded.records, started_at = excluded.started_at,
			finished_at = NULL, position = 0, taken = 0, updated = 0, unchanged = 0, rejected = 0
		RETURNING id, kept`, kind, fileName, sha256, records, now)
	return &r, err
}

// ErrOtherRun tells that another run took a batch of the same file.
var ErrOtherRun = errors.New("the same file is being imported by another run")

// moveRun moves the run's place on, or fails where another run moved it.
func moveRun(ctx context.Context, tx *sql.Tx, id, from, to int64) error {
	n, err := db.Exec(ctx, tx, `UPDATE feed_runs SET position = $3 WHERE id = $1 AND position = $2`, id, from, to)
	if err == nil && n == 0 {
		err = ErrOtherRun
	}
	return err
}

// countRun stores what a batch came to.
func countRun(ctx context.Context, tx *sql.Tx, r feedRun) error {
	_, err := db.Exec(ctx, tx, `
		UPDATE feed_runs SET taken = $2, updated = $3, unchanged = $4, rejected = $5 WHERE id = $1`,
		r.ID, r.Taken, r.Updated, r.Unchanged, r.Rejected)
	return err
}

func finishRun(ctx context.Context, q db.Queryer, id int64, now db.Instant) error {
	_, err := db.Exec(ctx, q, `UPDATE feed_runs SET status = 'done', finished_at = $2 WHERE id = $1`, id, now)
	return err
}

func failRun(ctx context.Context, q db.Queryer, id int64) error {
	_, err := db.Exec(ctx, q, `UPDATE feed_runs SET status = 'failed' WHERE id = $1 AND status = 'running'`, id)
	return err
}

func setKept(ctx context.Context, q db.Queryer, id int64, kept bool) error {
	_, err := db.Exec(ctx, q, `UPDATE feed_runs SET kept = $2 WHERE id = $1`, id, kept)
	return err
}

// keptRun is a run whose file is kept.
type keptRun struct {
	ID     int64
	SHA256 string
}

// keptBefore are some runs that began before an instant and whose files are kept.
func keptBefore(ctx context.Context, q db.Queryer, before db.Instant) ([]keptRun, error) {
	var list []keptRun
	err := db.Select(ctx, q, &list, `SELECT id, sha256 FROM feed_runs WHERE kept AND started_at < $1 ORDER BY started_at LIMIT $2`, before, forgottenAtOnce)
	return list, err
}

type lastRun struct {
	Kind       string
	FinishedAt db.Instant
}

// lastOfKinds answers when the last file of each kind was taken to its end.
func lastOfKinds(ctx context.Context, q db.Queryer) ([]lastRun, error) {
	var list []lastRun
	err := db.Select(ctx, q, &list, `
		SELECT kind, max(finished_at) AS finished_at FROM feed_runs WHERE status = 'done' GROUP BY kind ORDER BY kind`)
	return list, err
}
