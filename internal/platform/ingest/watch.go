package ingest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// Subfolders of a watched folder. New files arrive outside of them.
const (
	takingFolder   = "taking/"
	checkingFolder = "checking/"
	doneFolder     = "done/"
	rejectedFolder = "rejected/"
	reportEnding   = ".report.json"
)

// settleTime is how long a file's size must be stable before it is imported.
const settleTime = 20 * time.Second

// Watch imports new files from a folder. It imports each file once, after any crash and with any
// number of instances.
type Watch struct {
	db     *db.DB
	im     *Importer
	folder blob.Store
	jobs   jobs.Queue
	log    *slog.Logger
	settle time.Duration
	opts   Options
	// keepDays is how many days files stay in the folder after the import.
	keepDays int
}

// NewWatch watches a folder and adds its jobs to the queue.
func NewWatch(d *db.DB, queue jobs.Queue, im *Importer, folder blob.Store, s Settings, log *slog.Logger) *Watch {
	return &Watch{db: d, jobs: queue, im: im, folder: folder, log: log, settle: settleTime, keepDays: s.FeedFolderKeepDays,
		opts: Options{AllowTest: s.FeedTakeTest, Via: Folder}}
}

// Module returns the watched folder's module.
func (w *Watch) Module() module.Module {
	return module.Module{Jobs: w.Jobs, Run: w.resume, Retention: []retention.Item{
		retention.For(w.keepDays, "WCPP_FEED_FOLDER_KEEP_DAYS", "Imported or rejected files and their reports").In("WCPP_FEED_URL: done/",
			"WCPP_FEED_URL: rejected/").RemovedBy("job `feed-folder`"),
	}}
}

// Jobs registers the jobs that scan the folder each minute, import files, and delete old ones.
func (w *Watch) Jobs(r *jobs.Runner) {
	jobs.Every(r, time.Minute, ScanArgs{}, func(ctx context.Context, _ *river.Job[ScanArgs]) error { return w.Scan(ctx) })
	jobs.WorkPrepared(r, w.Work)
	jobs.Every(r, 24*time.Hour, cleanupArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[cleanupArgs]) error {
		return w.RemoveOld(ctx)
	}))
}

// cleanupArgs are the arguments of the job that deletes old files from the folder.
type cleanupArgs struct{}

func (cleanupArgs) Kind() string { return "feed-folder" }

// InsertOpts puts the job into the queue of jobs that wait for storage.
func (cleanupArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: jobs.Storage} }

// RemoveOld deletes files that were imported or rejected long ago. It deletes the file before its
// report, because the report's age decides. It is safe to stop and to repeat.
func (w *Watch) RemoveOld(ctx context.Context) error {
	if w.keepDays == 0 {
		return nil
	}
	before := w.im.now().AddDate(0, 0, -w.keepDays)
	for _, folder := range []string{doneFolder, rejectedFolder} {
		for f, err := range w.folder.List(ctx, folder) {
			if err != nil {
				return fmt.Errorf("watch folder: %w", err)
			}
			file, is := strings.CutSuffix(f.Key, reportEnding)
			if !is || f.Modified.After(before) {
				continue
			}
			if err := w.folder.Delete(ctx, file); err != nil {
				return err
			}
			if err := w.folder.Delete(ctx, f.Key); err != nil {
				return err
			}
		}
	}
	return nil
}

// ScanArgs are the arguments of the job that scans the folder.
type ScanArgs struct{}

// Kind returns the job's kind.
func (ScanArgs) Kind() string { return "feed-scan" }

// InsertOpts puts the job into the queue of jobs that wait for storage.
func (ScanArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: jobs.Storage} }

// FileArgs are a file and its size during the scan.
type FileArgs struct {
	Key  string    `json:"key"`
	Size int64     `json:"size"`
	From time.Time `json:"-"` // earliest start
}

// Kind returns the job's kind.
func (FileArgs) Kind() string { return "feed-file" }

// InsertOpts allows one job per file, so that the next scan adds no other.
func (a FileArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: jobs.Feeds, ScheduledAt: a.From,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
			rivertype.JobStateScheduled,
		}}}
}

// resume scans the folder when the program starts, so that a file whose import was interrupted
// doesn't wait for the next periodic scan.
func (w *Watch) resume(ctx context.Context) {
	if err := w.Scan(ctx); err != nil && ctx.Err() == nil {
		w.log.WarnContext(ctx, "couldn't scan the watched folder at start", "error", err)
	}
}

// Scan adds a job for each waiting file, and for each claimed file that isn't imported yet,
// whatever interrupted it. Claimed files are complete, so their jobs start right away.
func (w *Watch) Scan(ctx context.Context) error {
	var found []FileArgs
	for f, err := range w.folder.List(ctx, "") {
		if err != nil {
			return fmt.Errorf("watch folder: %w", err)
		}
		if !isClaimed(f.Key) && (strings.Contains(f.Key, "/") || isUnfinishedName(f.Key)) {
			continue
		}
		from := time.Now()
		if !isClaimed(f.Key) {
			from = from.Add(w.settle)
		}
		found = append(found, FileArgs{Key: f.Key, Size: f.Size, From: from})
	}
	if len(found) == 0 {
		return nil
	}
	return w.db.Tx(ctx, func(tx *sql.Tx) error {
		for _, f := range found {
			if err := w.jobs.Insert(ctx, tx, f); err != nil {
				return err
			}
		}
		return nil
	})
}

// isClaimed reports whether a file is complete and will be imported or checked.
func isClaimed(key string) bool {
	return strings.HasPrefix(key, takingFolder) || strings.HasPrefix(key, checkingFolder)
}

// isUnfinishedName reports whether programs use the name for files they are still writing.
func isUnfinishedName(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains([]string{".part", ".tmp", ".filepart", ".unfinished"},
		strings.ToLower(path.Ext(name)))
}

// Work imports a file, or as much of it as it can.
func (w *Watch) Work(ctx context.Context, job *river.Job[FileArgs]) error {
	return w.Import(ctx, job.Args)
}

// Import claims a complete file, or imports a claimed one. It then moves the file to done, or to
// rejected if nothing was imported, and adds its report. Repeating it is safe.
func (w *Watch) Import(ctx context.Context, file FileArgs) error {
	found, err := w.stat(ctx, file.Key)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return nil // already moved
	case err != nil:
		return err
	case found.size != file.Size:
		return nil // it is still being written, and the next scan finds it again
	case isClaimed(file.Key):
		return w.importClaimed(ctx, file.Key, found)
	}
	return w.claim(ctx, file)
}

// claim moves a file to a unique name, so that a new file can have its name. A job does the
// rest.
func (w *Watch) claim(ctx context.Context, file FileArgs) error {
	taking := FileArgs{Key: takingFolder + rand.Text()[:12] + "-" + file.Key, Size: file.Size}
	err := w.folder.Move(ctx, file.Key, taking.Key)
	if errors.Is(err, blob.ErrNotFound) {
		return nil // another instance claimed it
	}
	if err != nil {
		return err
	}
	return w.db.Tx(ctx, func(tx *sql.Tx) error { return w.jobs.Insert(ctx, tx, taking) })
}

type fileState struct {
	size     int64
	modified time.Time
}

func (w *Watch) stat(ctx context.Context, key string) (fileState, error) {
	f, err := w.folder.Open(ctx, key)
	if err != nil {
		return fileState{}, err
	}
	return fileState{f.Size, f.Modified}, f.Close()
}

// importClaimed imports or checks a claimed file in the given state.
func (w *Watch) importClaimed(ctx context.Context, key string, found fileState) error {
	dir, err := os.MkdirTemp("", "wcpp-feed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	_, name, _ := strings.Cut(path.Base(key), "-")
	local := filepath.Join(dir, name)
	if _, err := blob.Download(ctx, w.folder, key, local); err != nil {
		return err
	}
	opts := w.opts
	opts.CheckOnly = strings.HasPrefix(key, checkingFolder)
	report, err := w.importFile(ctx, local, opts)
	if err != nil {
		return err
	}
	if opts.CheckOnly {
		return w.folder.Delete(ctx, key)
	}
	// A program that had the file open during the claim can still write to it. Then the next
	// scan imports the new state.
	if now, err := w.stat(ctx, key); err != nil || now != found {
		return err
	}
	w.logResult(ctx, name, report)
	return w.move(ctx, key, name, report)
}

// logResult logs the result of a file, without values from the report.
func (w *Watch) logResult(ctx context.Context, name string, report Report) {
	about := []any{"file", name, "kind", report.Kind}
	switch {
	case report.Refused != nil:
		w.log.WarnContext(ctx, "file rejected", append(about, "reason", report.Refused.Reason)...)
		return
	case report.AlreadyImported:
		w.log.InfoContext(ctx, "file already imported", about...)
		return
	}
	level := slog.LevelInfo
	if report.ExitCode() != ExitAllImported {
		level = slog.LevelWarn
	}
	w.log.Log(ctx, level, "file imported", append(about, "taken", report.Imported, "updated", report.Updated, "unchanged", report.Unchanged,
		"rejected", report.Rejected)...)
}

// importFile imports or checks a file. Its kind depends on its name.
func (w *Watch) importFile(ctx context.Context, local string, opts Options) (Report, error) {
	if kind := w.im.kindOfName(filepath.Base(local)); kind != "" {
		return w.im.Import(ctx, kind, local, opts)
	}
	report := Report{File: filepath.Base(local), Problems: []Problem{}}
	return w.im.recordRun(ctx, local, opts, &report, func(*source, Arrival, Options) error {
		report.Refused = &Problem{Severity: SeverityError, Reason: "unknown file kind; use a name such as " + w.im.explainNames()}
		return nil
	})
}

func (im *Importer) x12Endings() []string {
	endings := []string{".edi", ".x12"}
	for _, f := range im.feeds {
		if f.form == transaction {
			endings = append(endings, "."+f.name)
		}
	}
	return endings
}

// kindOfName returns a file's kind: x12, another format, or a table.
func (im *Importer) kindOfName(name string) string {
	name = strings.ToLower(name)
	ending := path.Ext(name)
	if slices.Contains(im.x12Endings(), ending) {
		return x12Files
	}
	for _, f := range im.feeds {
		if matches, _ := path.Match(f.pattern, name); f.form == file && matches {
			return f.name
		}
	}
	longest := ""
	for _, kind := range Tables(im.feeds) {
		rest, begins := strings.CutPrefix(strings.TrimSuffix(name, ".csv"), kind)
		if ending == ".csv" && begins && len(kind) > len(longest) && (rest == "" || !isNameLetter(rest[0])) {
			longest = kind
		}
	}
	return longest
}

// explainNames explains to users which file names are accepted.
func (im *Importer) explainNames() string {
	endings := im.x12Endings()
	last := len(endings) - 1
	text := "*" + strings.Join(endings[:last], ", *") + " and *" + endings[last] + " for X12, "
	for _, f := range im.feeds {
		if f.form == file {
			text += f.pattern + " for " + f.what + ", "
		}
	}
	return text + "or start the name with the table's kind, such as claims-2026-11.csv"
}

func isNameLetter(c byte) bool { return c >= 'a' && c <= 'z' || c == '_' }

// move stores the report and then moves the claimed file. In this order, the next attempt can
// recover from a stop in between. The target name contains the content's hash, so that files
// with the same name don't collide.
func (w *Watch) move(ctx context.Context, key, fileName string, report Report) error {
	folder := doneFolder
	if report.Refused != nil {
		folder = rejectedFolder
	}
	name := folder + report.SHA256[:min(8, len(report.SHA256))] + "-" + fileName
	stored, err := w.folder.Open(ctx, name+reportEnding)
	switch {
	case err == nil && report.AlreadyImported: // it stopped after storing the report
		err = stored.Close()
	case err == nil:
		err = errors.Join(stored.Close(), w.putReport(ctx, name, report))
	case errors.Is(err, blob.ErrNotFound):
		err = w.putReport(ctx, name, report)
	}
	if err != nil {
		return err
	}
	return w.folder.Move(ctx, key, name)
}

func (w *Watch) putReport(ctx context.Context, name string, report Report) error {
	return w.folder.Put(ctx, name+reportEnding, func(out io.Writer) error {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(report)
	})
}
