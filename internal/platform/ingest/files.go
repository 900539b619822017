package ingest

import (
	"context"
	"database/sql"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/paging"
)

// Via says how a file arrived.
type Via string

// Ways to send a file.
const (
	Command Via = "COMMAND"
	Folder  Via = "FOLDER"
	Desk    Via = "DESK"
)

// FileStatus is the status of a file.
type FileStatus string

// Statuses of files.
const (
	Waiting FileStatus = "WAITING" // in the watched folder, to be imported or checked
	Running FileStatus = "RUNNING"
	Done    FileStatus = "DONE"
	Same    FileStatus = "SAME"    // the same content was imported before, so nothing changed
	Refused FileStatus = "REFUSED" // the whole file
	Checked FileStatus = "CHECKED" // without storing any rows
	Failed  FileStatus = "FAILED"  // because of a technical failure; it can be sent again
)

// Schema describes the statuses.
func (FileStatus) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("SAME: already imported and skipped. FAILED: system error, can be imported again",
		Waiting, Running, Done, Same, Refused, Checked, Failed)
}

// Arrival is a received file with its result.
type Arrival struct {
	ID        int64
	SourceID  int64 `db:",null"` // 0: unknown source
	Kind      string
	Name      string `db:"file_name"`
	SHA256    string
	Via       Via
	StartedBy string // username of the uploader at the desk
	CheckOnly bool
	Again     bool // imported although the same content was imported before
	Status    FileStatus

	// Progress of a running import.
	Phase        string
	Bytes, Total int64

	Records                      int64
	Imported                     int64 `db:"taken"`
	Updated, Unchanged, Rejected int64
	Warnings                     int64  // among the problems
	MoreProblems                 int64  // beyond the stored ones
	Refused                      string // reason for refusing the whole file

	BeganAt   db.Instant
	TouchedAt db.Instant // time of the last progress
	EndedAt   db.Instant
}

// idle is how long a file can be without progress before it counts as stopped. The next attempt
// resumes it.
const idle = 10 * time.Minute

// Stopped reports whether the import of the file ended without a result.
func (f Arrival) Stopped(now time.Time) bool {
	return (f.Status == Waiting || f.Status == Running) && now.Sub(f.TouchedAt.Time) > idle
}

// touchEach is the interval in which a run stores its progress.
const touchEach = 2 * time.Second

// recordArrival records that a file arrived. It reuses the record of a waiting or stopped file.
func (im *Importer) recordArrival(ctx context.Context, src *source, report *Report, opts *Options) (f Arrival, err error) {
	if opts.Via == "" {
		opts.Via = Command
	}
	now := db.At(im.now())
	err = im.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := im.lockContent(ctx, tx, report.SHA256); err != nil {
			return err
		}
		f, err = openFile(ctx, tx, report.Kind, report.SHA256, opts.CheckOnly)
		if err != nil && !errors.Is(err, db.ErrNotFound) {
			return err
		}
		if f.ID == 0 {
			f = Arrival{Kind: report.Kind, SHA256: report.SHA256, Via: opts.Via, CheckOnly: opts.CheckOnly, Again: opts.Again, BeganAt: now}
		}
		f.Name, f.Status, f.Phase, f.Bytes, f.Total, f.TouchedAt, f.EndedAt = report.File, Running, "", 0, src.Size(), now, db.Instant{}
		if f.SourceID, err = im.findSource(ctx, f.Kind, f.Name); err != nil {
			return err
		}
		if f.ID != 0 {
			_, err = files.Update(ctx, tx, f)
			return err
		}
		f.ID, err = addFile(ctx, tx, f)
		return err
	})
	opts.Again = opts.Again || f.Again
	src.report = im.storeProgress(ctx, f.ID, opts.Progress)
	return f, err
}

// contentSpace identifies the locks on contents.
const contentSpace = 7723512

// lockContent locks a content until the transaction ends, because an upload and the job that imports
// its file each look for the other's record.
func (im *Importer) lockContent(ctx context.Context, tx *sql.Tx, sha256 string) error {
	return im.db.Lock(ctx, tx, contentSpace, int(crc32.ChecksumIEEE([]byte(sha256))>>1))
}

func (im *Importer) findSource(ctx context.Context, kind, name string) (int64, error) {
	if im.sourceOf == nil {
		return 0, nil
	}
	return im.sourceOf(ctx, kind, name)
}

// storeProgress passes on a run's progress and stores it periodically. The next write makes up for
// a failed one.
func (im *Importer) storeProgress(ctx context.Context, id int64, pass func(Progress)) func(Progress) {
	var last time.Time
	return func(p Progress) {
		if pass != nil {
			pass(p)
		}
		if time.Since(last) > touchEach {
			last = time.Now()
			_ = touchFile(ctx, im.db.Writer, id, p, db.At(im.now()))
		}
	}
}

// recordResult records the result of a file, unless the import was only stopped. Then the next attempt
// resumes it.
func (im *Importer) recordResult(ctx context.Context, f Arrival, report *Report, failed error) error {
	if errors.Is(failed, ErrOtherRun) || ctx.Err() != nil {
		return failed
	}
	now := db.At(im.now())
	f.Phase, f.TouchedAt, f.EndedAt = "", now, now
	f.Records, f.Imported, f.Updated, f.Unchanged, f.Rejected = report.Records, report.Imported, report.Updated, report.Unchanged,
		report.Rejected
	f.MoreProblems, f.Refused, f.Warnings = report.MoreProblems, "", 0
	for _, p := range report.Problems {
		if p.Severity == SeverityWarning {
			f.Warnings++
		}
	}
	problems := report.Problems[:report.checked]
	switch {
	case failed != nil:
		f.Status = Failed
	case report.Refused != nil:
		f.Status, f.Refused, problems = Refused, report.Refused.Reason, append(problems, *report.Refused)
	case f.CheckOnly:
		f.Status = Checked
	case report.AlreadyImported:
		f.Status = Same
	default:
		f.Status = Done
	}
	f.Bytes = f.Total
	err := im.db.Tx(ctx, func(tx *sql.Tx) error {
		if _, err := files.Update(ctx, tx, f); err != nil {
			return err
		}
		if err := forgetProblems(ctx, tx, f.ID, 0, batchProblems); err != nil {
			return err
		}
		found := make([]fileProblem, len(problems))
		for i, p := range problems {
			found[i] = fileProblem{f.ID, int64(i + 1), p}
		}
		return problemTable.Insert(ctx, tx, found...)
	})
	return errors.Join(failed, err)
}

// fileProblem is a problem of a file. The numbers of those that the import of a batch found follow
// batchProblems, and are stored with the batch, so that an interruption loses none.
type fileProblem struct {
	FileID, N int64
	Problem
}

const batchProblems = 1_000_000

// resumeProblems reports the problems of the batches before a run's position.
func (im *Importer) resumeProblems(ctx context.Context, run *feedRun, report *Report) error {
	if run.Position == 0 {
		return nil
	}
	earlier, err := problemsOfBatches(ctx, im.db.Reader, run.fileID)
	for _, p := range earlier {
		report.add(p.Problem)
	}
	return err
}

// FileByID returns a received file, or db.ErrNotFound.
func (im *Importer) FileByID(ctx context.Context, id int64) (Arrival, error) {
	return fileByID(ctx, im.db.Reader, id)
}

// ArrivalFilter selects received files.
type ArrivalFilter struct {
	Since    time.Time
	SourceID int64 // 0: all sources
	// ProblemsOnly selects files that were refused or interrupted, have rejected records, or
	// aren't imported yet.
	ProblemsOnly bool
}

// Arrivals returns a page of the selected files, newest first.
func (im *Importer) Arrivals(ctx context.Context, of ArrivalFilter, t paging.Table) ([]Arrival, int, error) {
	return arrivals(ctx, im.db.Reader, im.db.Dialect, of, t)
}

// LastOfSource returns when the last accepted file of a source started to import; zero if there
// is none.
func (im *Importer) LastOfSource(ctx context.Context, q db.Queryer, sourceID int64) (db.Instant, error) {
	return lastOfSource(ctx, q, sourceID)
}

// ForgetSource removes the source from its files.
func (im *Importer) ForgetSource(ctx context.Context, tx *sql.Tx, sourceID int64) error {
	return forgetSource(ctx, tx, sourceID)
}

// Kinds lists the possible kinds of files, as in runs.
func (im *Importer) Kinds() []string {
	var kinds []string
	for _, f := range im.feeds {
		if !slices.Contains(kinds, f.run()) {
			kinds = append(kinds, f.run())
		}
	}
	return kinds
}

// ListProblems lists the stored problems of a file.
func (im *Importer) ListProblems(ctx context.Context, id int64) ([]Problem, error) {
	list, err := problemsOfFile(ctx, im.db.Reader, id)
	problems := make([]Problem, len(list))
	for i, p := range list {
		problems[i] = p.Problem
	}
	return problems, err
}

func (im *Importer) forgetFiles(ctx context.Context) error {
	if im.reportDays == 0 {
		return nil
	}
	old, err := filesBefore(ctx, im.db.Reader, db.At(im.now().AddDate(0, 0, -im.reportDays)))
	for _, id := range old {
		if err := im.db.Tx(ctx, func(tx *sql.Tx) error {
			return errors.Join(forgetProblems(ctx, tx, id, 0, math.MaxInt32), forgetMeasures(ctx, tx, id), forgetFile(ctx, tx, id))
		}); err != nil {
			return err
		}
	}
	return err
}
