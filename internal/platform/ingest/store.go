package ingest

import (
	"context"
	"database/sql"
	"errors"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/text"
)

// feedRun is the import of one file, with its progress and results.
type feedRun struct {
	ID        int64
	Status    string
	Position  int64 // number of processed records
	Records   int64 // in the file
	Taken     int64
	Updated   int64
	Unchanged int64
	Rejected  int64
	Kept      bool // the file is stored
	// FinishedAt is when the import was complete.
	FinishedAt db.Instant

	fileID int64 // ID of the current file record
}

// findRun returns the run of a file's content, or nil.
func findRun(ctx context.Context, q db.Queryer, kind, sha256 string) (*feedRun, error) {
	var r feedRun
	err := db.Get(ctx, q, &r, `
		SELECT id, status, position, records, taken, updated, unchanged, rejected, kept, finished_at
		FROM feed_runs WHERE kind = $1 AND sha256 = $2`, kind, sha256)
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	return &r, err
}

// ImportedFile is an imported X12 file.
type ImportedFile struct {
	Kind, SHA256 string
	Name         string `db:"file_name"` // as received
	Kept         bool   // it can still be opened
}

// FindFiles finds X12 files by the SHA-256 of their content.
func FindFiles(ctx context.Context, q db.Queryer, sums []string) (map[string]ImportedFile, error) {
	keys := make([][]any, len(sums))
	for i, sum := range sums {
		keys[i] = []any{x12Files, sum}
	}
	files := map[string]ImportedFile{}
	list, err := brought.SelectByKeys(ctx, q, []string{"kind", "sha256"}, keys, "")
	for _, f := range list {
		files[f.SHA256] = f
	}
	return files, err
}

var brought = db.NewTable("feed_runs", db.Fields[ImportedFile]("kind", "sha256")...)

// firstOfKind reports whether no file of the kind was completely imported before.
func firstOfKind(ctx context.Context, q db.Queryer, kind string) (bool, error) {
	var done []int64
	err := db.Select(ctx, q, &done, `SELECT id FROM feed_runs WHERE status = 'done' AND kind = $1 LIMIT 1`, kind)
	return len(done) == 0, err
}

// beginRun resumes an interrupted run, or starts one at the first record. It starts over if the
// run is finished, or if another version of the program counted other records. It fails if another
// run began, continued or finished the file since last was read.
func beginRun(ctx context.Context, q db.Queryer, last *feedRun, file ImportedFile, records int64, now db.Instant) (*feedRun, error) {
	if last != nil && last.Status != "done" && last.Records == records {
		n, err := db.Exec(ctx, q, `
			UPDATE feed_runs SET status = 'running', file_name = $2 WHERE id = $1 AND status <> 'done' AND position = $3`,
			last.ID, file.Name, last.Position)
		if err == nil && n == 0 {
			err = ErrOtherRun
		}
		return last, err
	}
	var was feedRun
	if last != nil {
		was = *last
	}
	r := feedRun{Status: "running", Records: records}
	err := db.Get(ctx, q, &r, `
		INSERT INTO feed_runs (kind, file_name, sha256, status, records, started_at)
		VALUES ($1, $2, $3, 'running', $4, $5)
		ON CONFLICT (kind, sha256) DO UPDATE SET
			file_name = excluded.file_name, status = 'running', records = excluded.records, started_at = excluded.started_at,
			finished_at = NULL, position = 0, taken = 0, updated = 0, unchanged = 0, rejected = 0
		WHERE feed_runs.status = $6 AND feed_runs.position = $7
		RETURNING id, kept`, file.Kind, file.Name, file.SHA256, records, now, was.Status, was.Position)
	return &r, db.IfNotFound(err, ErrOtherRun)
}

// ErrOtherRun means that another run imported a batch of the same file.
var ErrOtherRun = errors.New("another run is importing the same file")

// moveRun advances the run's position, or fails if another run advanced it.
func moveRun(ctx context.Context, tx *sql.Tx, id, from, to int64) error {
	n, err := db.Exec(ctx, tx, `UPDATE feed_runs SET position = $3 WHERE id = $1 AND position = $2`, id, from, to)
	if err == nil && n == 0 {
		err = ErrOtherRun
	}
	return err
}

// countRun stores the counts of a batch.
func countRun(ctx context.Context, tx *sql.Tx, r feedRun) error {
	return db.Run(ctx, tx, `
		UPDATE feed_runs SET taken = $2, updated = $3, unchanged = $4, rejected = $5 WHERE id = $1`,
		r.ID, r.Taken, r.Updated, r.Unchanged, r.Rejected)
}

func finishRun(ctx context.Context, q db.Queryer, id int64, now db.Instant) error {
	return db.Run(ctx, q, `UPDATE feed_runs SET status = 'done', finished_at = $2 WHERE id = $1`, id, now)
}

func failRun(ctx context.Context, q db.Queryer, id int64) error {
	return db.Run(ctx, q, `UPDATE feed_runs SET status = 'failed' WHERE id = $1 AND status = 'running'`, id)
}

// SumImported returns how many new records the files of some kinds had whose import ended in a
// range of time.
func SumImported(ctx context.Context, q db.Queryer, kinds []string, from, before db.Instant) (sum int, err error) {
	return db.One[int](ctx, q, `SELECT CAST(COALESCE(sum(taken), 0) AS bigint) FROM feed_runs
		WHERE status = 'done' AND kind IN (`+db.In(3, len(kinds))+`) AND finished_at >= $1 AND finished_at < $2`,
		append([]any{from, before}, db.Args(kinds)...)...)
}

func setKept(ctx context.Context, q db.Queryer, id int64, kept bool) error {
	return db.Run(ctx, q, `UPDATE feed_runs SET kept = $2 WHERE id = $1`, id, kept)
}

type keptRun struct {
	ID     int64
	SHA256 string
}

// listStoredBefore returns some runs with stored files that started before a timestamp.
func listStoredBefore(ctx context.Context, q db.Queryer, before db.Instant) ([]keptRun, error) {
	return db.List[keptRun](ctx, q, `SELECT id, sha256 FROM feed_runs WHERE kept AND started_at < $1 ORDER BY started_at
		LIMIT $2`, before, forgottenAtOnce)
}

// selectStored returns the contents that a run still stores.
func selectStored(ctx context.Context, q db.Queryer, contents []string) ([]string, error) {
	return db.List[string](ctx, q, `SELECT sha256 FROM feed_runs WHERE kept
		AND sha256 IN (`+db.In(1, len(contents))+`)`, db.Args(contents)...)
}

// forgetRuns deletes some runs of a kind that ended before a timestamp and have no stored file.
// The last run remains.
func forgetRuns(ctx context.Context, tx *sql.Tx, kind string, before db.Instant) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM feed_runs WHERE id IN (SELECT id FROM feed_runs WHERE status = 'done' AND kind = $1 AND finished_at < $2 AND NOT kept
			AND finished_at < (SELECT max(finished_at) FROM feed_runs WHERE status = 'done' AND kind = $1)
				LIMIT $3)`, kind, before, db.BatchSize)
}

type lastRun struct {
	Kind       string
	FinishedAt db.Instant
}

// lastOfKinds returns when the last file of each kind was completely imported.
func lastOfKinds(ctx context.Context, q db.Queryer) ([]lastRun, error) {
	return db.List[lastRun](ctx, q, `
		SELECT kind, max(finished_at) AS finished_at FROM feed_runs WHERE status = 'done' GROUP BY kind ORDER BY kind`)
}

var files = db.NewTable("feed_files", append(db.Fields[Arrival]("id"),
	db.Computed("file_name_key", func(f *Arrival) any { return text.Key(f.Name) }),
)...)

var newFile = files.Without("id")

func addFile(ctx context.Context, tx *sql.Tx, f Arrival) (int64, error) {
	return newFile.Add(ctx, tx, f, "id")
}

func fileByID(ctx context.Context, q db.Queryer, id int64) (Arrival, error) {
	return files.Get(ctx, q, `WHERE id = $1`, id)
}

// openFile returns the latest waiting, running, or stopped file with the content.
func openFile(ctx context.Context, q db.Queryer, kind, sha256 string, checkOnly bool) (Arrival, error) {
	return files.Get(ctx, q, `
		WHERE sha256 = $1 AND status IN ('WAITING', 'RUNNING', 'FAILED') AND kind = $2 AND check_only = $3 ORDER BY id DESC LIMIT 1`,
		sha256, kind, checkOnly)
}

func touchFile(ctx context.Context, q db.Queryer, id int64, p Progress, now db.Instant) error {
	return db.Run(ctx, q, `UPDATE feed_files SET phase = $2, bytes = $3, records = $4, touched_at = $5
		WHERE id = $1`, id, p.Phase, p.Bytes, p.Records, now)
}

var problemTable = db.NewTable("feed_problems", db.Fields[fileProblem]("file_id", "n")...)

func problemsOfFile(ctx context.Context, q db.Queryer, id int64) ([]fileProblem, error) {
	return problemTable.Select(ctx, q, `WHERE file_id = $1 ORDER BY n`, id)
}

func problemsOfBatches(ctx context.Context, q db.Queryer, id int64) ([]fileProblem, error) {
	return problemTable.Select(ctx, q, `WHERE file_id = $1 AND n > $2 ORDER BY n`, id, batchProblems)
}

// forgetProblems deletes a file's problems with numbers after one and up to another.
func forgetProblems(ctx context.Context, tx *sql.Tx, fileID int64, after, upTo int) error {
	return db.Run(ctx, tx, `DELETE FROM feed_problems WHERE file_id = $1 AND n > $2 AND n <= $3`, fileID, after, upTo)
}

func forgetFile(ctx context.Context, tx *sql.Tx, id int64) error {
	return db.Run(ctx, tx, `DELETE FROM feed_files WHERE id = $1`, id)
}

// filesBefore returns some files received before a timestamp, except the last accepted one of each
// source, because a source without it would be late, and those with a later re-import, which would count as a new file.
func filesBefore(ctx context.Context, q db.Queryer, before db.Instant) ([]int64, error) {
	return db.List[int64](ctx, q, `
		SELECT o.id FROM feed_files o WHERE o.began_at < $1 AND o.id <> coalesce((SELECT f.id `+selectLast("o.source_id")+`), 0)
			AND NOT EXISTS (SELECT 1 FROM feed_files r WHERE r.sha256 = o.sha256 AND r.id > o.id AND r.again
				AND r.source_id = o.source_id AND r.kind = o.kind)
		ORDER BY o.began_at LIMIT $2`, before, forgottenAtOnce)
}

// Words are the labels of file statuses.
var Words = map[FileStatus]string{
	Waiting: "Waiting", Running: "Importing", Done: "Imported", Same: "Already imported", Refused: "Rejected", Checked: "Validated only",
	Failed: "Interrupted",
}

// arrivals returns a page of received files, newest first.
func arrivals(ctx context.Context, q db.Queryer, d db.Dialect, of ArrivalFilter, t paging.Table) ([]Arrival, int, error) {
	from, args := "FROM feed_files WHERE began_at >= $1", []any{db.At(of.Since)}
	if of.SourceID != 0 {
		from, args = from+" AND source_id = $2", append(args, of.SourceID)
	}
	if of.ProblemsOnly {
		from += " AND (status IN ('WAITING', 'RUNNING', 'REFUSED', 'FAILED') OR rejected > 0)"
	}
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: files.List(""), From: from, Args: args, Order: "began_at DESC, id DESC",
		Columns: paging.Columns{
			"file": paging.Text("file_name_key"), "kind": paging.Text("kind"), "began": paging.Day("began_at"),
			"status":  paging.Words("status", Words),
			"records": paging.Number("records"), "taken": paging.Number("taken"), "updated": paging.Number("updated"),
			"unchanged": paging.Number("unchanged"),
			"rejected":  paging.Number("rejected"), "warnings": paging.Number("warnings"),
		},
	}, files.Query)
}

const accepted = `IN ('WAITING', 'RUNNING', 'DONE', 'SAME')`

// selectLast returns the SQL that selects the last accepted file of a source. A re-import counts only
// if no earlier file of the content was accepted.
func selectLast(id string) string {
	return `FROM feed_files f WHERE f.source_id = ` + id + ` AND NOT f.check_only AND f.status ` + accepted + `
			AND (NOT f.again OR NOT EXISTS (SELECT 1 FROM feed_files e WHERE e.source_id = ` + id + ` AND e.id < f.id AND NOT e.check_only
				AND e.status ` + accepted + ` AND e.kind = f.kind AND e.sha256 = f.sha256))
		ORDER BY f.began_at DESC LIMIT 1`
}

// lastOfSource returns when the last accepted file of a source started to import; zero if there
// is none.
func lastOfSource(ctx context.Context, q db.Queryer, sourceID int64) (db.Instant, error) {
	var at db.Instant
	err := db.Get(ctx, q, &at, `SELECT f.began_at `+selectLast("$1"), sourceID)
	if errors.Is(err, db.ErrNotFound) {
		return db.Instant{}, nil
	}
	return at, err
}

func forgetSource(ctx context.Context, tx *sql.Tx, sourceID int64) error {
	return db.Run(ctx, tx, `UPDATE feed_files SET source_id = NULL WHERE source_id = $1`, sourceID)
}

func addMeasure(ctx context.Context, tx *sql.Tx, day date.Date, fileID int64, what string, m share) error {
	return db.Run(ctx, tx, `
		INSERT INTO feed_measures (day, file_id, measure, counted, good) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (day, file_id, measure) DO UPDATE SET counted = feed_measures.counted + excluded.counted,
			good = feed_measures.good + excluded.good`,
		day, fileID, what, m.counted, m.good)
}

func measuredOn(ctx context.Context, q db.Queryer, day date.Date) ([]Measured, error) {
	return db.List[Measured](ctx, q, `
		SELECT f.kind, COALESCE(f.source_id, 0) AS source_id, m.measure, CAST(sum(m.counted) AS bigint) AS counted,
			CAST(sum(m.good) AS bigint) AS good
		FROM feed_measures m JOIN feed_files f ON f.id = m.file_id
		WHERE m.day = $1 GROUP BY f.kind, COALESCE(f.source_id, 0), m.measure`, day)
}

func firstMeasured(ctx context.Context, q db.Queryer, since date.Date) (date.Date, error) {
	var day date.Date
	err := db.Get(ctx, q, &day, `SELECT day FROM feed_measures WHERE day >= $1 ORDER BY day LIMIT 1`, since)
	return day, db.IfNotFound(err, nil)
}

// filesMeasured lists the files of a day, worst first, and counts them.
func filesMeasured(ctx context.Context, q db.Queryer, day date.Date, measure, kind string, sourceID int64) ([]FileMeasured, int, error) {
	const from = `FROM feed_measures m JOIN feed_files f ON f.id = m.file_id
		WHERE m.day = $1 AND m.measure = $2 AND ($3 = '' OR f.kind = $3) AND (CAST($4 AS bigint) = 0 OR f.source_id = $4)`
	var count int
	if err := db.Get(ctx, q, &count, `SELECT count(*) `+from, day, measure, kind, sourceID); err != nil {
		return nil, 0, err
	}
	var list []FileMeasured
	err := db.Select(ctx, q, &list, `
		SELECT f.id, f.file_name AS name, f.kind, COALESCE(f.source_id, 0) AS source_id, f.began_at, m.counted, m.good `+from+`
		ORDER BY 1.0 * m.good / m.counted, m.counted DESC, f.id LIMIT $5`, day, measure, kind, sourceID, maxMeasured)
	return list, count, err
}

func forgetMeasuresBefore(ctx context.Context, tx *sql.Tx, day date.Date) (int64, error) {
	return db.Exec(ctx, tx, `
		DELETE FROM feed_measures WHERE (day, file_id, measure) IN (SELECT day, file_id, measure FROM feed_measures WHERE day < $1
			LIMIT $2)`, day, db.BatchSize)
}

func forgetMeasures(ctx context.Context, tx *sql.Tx, fileID int64) error {
	return db.Run(ctx, tx, `DELETE FROM feed_measures WHERE file_id = $1`, fileID)
}
