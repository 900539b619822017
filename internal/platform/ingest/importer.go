package ingest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/csvio"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/x12"
)

// Importer imports files.
type Importer struct {
	db    *db.DB
	feeds []Feed
	data  []string // names of data with an age, in display order
	now   func() time.Time
	// Maximum number of records, or of records and lines, in a batch.
	batchRecords, batchWeight int
	files                     blob.Store // store for imported files; can be nil
	keepDays                  int
	runDays, reportDays       int // retention of runs and of file records
	sourceOf                  func(ctx context.Context, kind, name string) (int64, error)
}

// Deps are what an Importer needs.
type Deps struct {
	DB    *db.DB
	Clock func() time.Time // in the business time zone
	Order []string         // display order of data ages; missing ones come last
	Files blob.Store       `optional:"true"` // without it, imported files aren't stored
	// FindSource finds the source of a file by kind and name. It returns 0 if it's unknown.
	FindSource func(ctx context.Context, kind, name string) (int64, error) `optional:"true"`
}

// New returns an Importer for the feeds. Their order is the order in which tables depend on each
// other.
func New(d Deps, s Settings, feeds ...Feed) *Importer {
	im := &Importer{db: d.DB, feeds: feeds, now: d.Clock, batchRecords: 500, batchWeight: 5000, files: d.Files, keepDays: s.FeedKeepDays,
		runDays: s.FeedRunKeepDays, reportDays: s.FeedReportKeepDays, sourceOf: d.FindSource}
	for _, f := range feeds {
		if f.data != "" && !slices.Contains(im.data, f.data) {
			im.data = append(im.data, f.data)
		}
	}
	rank := func(data string) int {
		if i := slices.Index(d.Order, data); i >= 0 {
			return i
		}
		return len(d.Order)
	}
	slices.SortStableFunc(im.data, func(a, b string) int { return rank(a) - rank(b) })
	return im
}

// At returns the importer with another clock, for earlier data.
func (im *Importer) At(now func() time.Time) *Importer {
	other := *im
	other.now = now
	return &other
}

// Tables returns the names of the table feeds, in order.
func Tables(feeds []Feed) []string {
	var names []string
	for _, f := range feeds {
		if f.form == table {
			names = append(names, f.name)
		}
	}
	return names
}

// Options configure one import.
type Options struct {
	// Again imports a file that was completely imported before.
	Again bool
	// AllowTest accepts test files.
	AllowTest bool
	// Quiet sends no notifications about the file's content.
	Quiet bool
	// CheckOnly stores only the problems.
	CheckOnly bool
	// Via says how the file arrived; empty: by a command.
	Via Via
	// Progress is called about twice a second, after the first second of an import.
	Progress func(Progress)
}

// Progress is the progress of an import.
type Progress struct {
	Phase        string // reading, checking, keeping, taking
	Bytes, Total int64
	Records      int64 // in this phase
}

// Import imports a file of a kind: x12, or the name of a table or file format. The report
// contains problems of the file. An error means a technical failure, after which the same import
// resumes where it stopped.
func (im *Importer) Import(ctx context.Context, kind, path string, opts Options) (Report, error) {
	feeds := im.findFeeds(kind)
	if len(feeds) == 0 {
		return Report{}, fmt.Errorf("unknown table kind %q; use one of %s", kind, strings.Join(Tables(im.feeds), ", "))
	}
	return im.run(ctx, feeds, path, opts)
}

func (im *Importer) findFeeds(kind string) []Feed {
	var feeds []Feed
	for _, f := range im.feeds {
		if f.form == transaction && kind == x12Files || f.form != transaction && f.name == kind {
			feeds = append(feeds, f)
		}
	}
	return feeds
}

func (im *Importer) run(ctx context.Context, feeds []Feed, path string, opts Options) (Report, error) {
	report := Report{File: filepath.Base(path), Kind: feeds[0].run(), Problems: []Problem{}}
	return im.recordRun(ctx, path, opts, &report, func(src *source, file Arrival, opts Options) error {
		return im.read(ctx, src, file, feeds, opts, &report)
	})
}

// recordRun runs read, and records the file and its result.
func (im *Importer) recordRun(
	ctx context.Context, path string, opts Options, report *Report, read func(*source, Arrival, Options) error,
) (Report, error) {
	src, err := openSource(ctx, path, opts.Progress)
	if err != nil {
		return *report, err
	}
	defer src.file.Close()
	if report.SHA256, err = src.identify(); err != nil {
		return *report, err
	}
	file, err := im.recordArrival(ctx, src, report, &opts)
	if err != nil {
		return *report, err
	}
	err = im.recordResult(ctx, file, report, read(src, file, opts))
	return *report, err
}

// read checks a file, and imports it unless opts.CheckOnly is set.
func (im *Importer) read(ctx context.Context, src *source, file Arrival, feeds []Feed, opts Options, report *Report) error {
	started, kind := time.Now(), report.Kind
	run, err := findRun(ctx, im.db.Reader, kind, report.SHA256)
	if err != nil {
		return err
	}
	report.AlreadyImported = run != nil && run.Status == "done" && !opts.Again
	if report.AlreadyImported && !opts.CheckOnly {
		if report.Refused = checkRowCount(report.File, run.Records); report.Refused == nil {
			report.count(run)
		} else {
			report.AlreadyImported = false
		}
		return nil
	}

	total, rejected, err := im.check(src, feeds, opts, report)
	if report.Refused = getRefusal(err); report.Refused == nil && err != nil {
		return err
	}
	if report.Refused == nil {
		report.Refused = checkRowCount(report.File, total)
	}
	if report.Refused != nil {
		// Problems before a structural error aren't useful until the error is fixed.
		report.Problems, report.MoreProblems, report.SetsNotImported, report.UnknownSegments = []Problem{}, 0, 0, 0
	}
	report.checked = len(report.Problems)
	if opts.CheckOnly && report.Refused == nil {
		report.Records, report.Rejected = total, rejected
	}
	if opts.CheckOnly || report.Refused != nil {
		report.Duration = time.Since(started)
		return nil
	}

	for _, f := range feeds {
		if f.ready != nil {
			if err := f.ready(ctx); err != nil {
				return err
			}
		}
	}
	first, err := firstOfKind(ctx, im.db.Reader, kind)
	if err != nil {
		return err
	}
	imported := ImportedFile{Kind: kind, SHA256: report.SHA256, Name: report.File}
	if run, err = beginRun(ctx, im.db.Writer, run, imported, total, db.At(im.now())); err != nil {
		return err
	}
	if err := im.storeFile(ctx, src, run, feeds[0], report.SHA256); err != nil {
		return im.failRun(ctx, run, fmt.Errorf("store the file: %w", err))
	}
	run.fileID, report.ResumedAfter = file.ID, run.Position
	ctx = withRun(ctx, Run{File: report.File, SHA256: report.SHA256, StartedAt: im.now(), Quiet: opts.Again || opts.Quiet || first,
		Again: opts.Again})
	if err := im.importAll(ctx, src, run, feeds, report); err != nil {
		return im.failRun(ctx, run, err)
	}
	finishing, tally := atPosition(ctx, run.Position)
	for _, f := range feeds {
		if f.finish != nil {
			if err := f.finish(finishing); err != nil {
				return im.failRun(ctx, run, err)
			}
		}
	}
	report.conclude(tally.counts)
	if err := finishRun(ctx, im.db.Writer, run.ID, db.At(im.now())); err != nil {
		return err
	}
	report.count(run)
	report.Duration = time.Since(started)
	return nil
}

// failRun marks a run as failed, unless another run continues it. The mark is for users, and the run's position is stored in any case.
func (im *Importer) failRun(ctx context.Context, run *feedRun, err error) error {
	if errors.Is(err, ErrOtherRun) {
		return err
	}
	return errors.Join(err, failRun(context.WithoutCancel(ctx), im.db.Writer, run.ID))
}

// getRefusal returns the problem if a decoder refused the whole file, or nil for other errors.
func getRefusal(err error) *Problem {
	var broken *x12.Error
	var refused *tableError
	switch {
	case errors.As(err, &broken):
		return toProblem(broken)
	case errors.As(err, &refused):
		return &refused.problem
	}
	return nil
}

var promise = regexp.MustCompile(`(?i)\.rows([0-9]{1,12})\.[a-z0-9]+$`)

// checkRowCount refuses a file without the number of rows in its name (claims.rows120.csv). A
// file that was cut off at the end of a line looks complete, so the number can't be in the file.
func checkRowCount(name string, rows int64) *Problem {
	match := promise.FindStringSubmatch(name)
	if match == nil || match[1] == strconv.FormatInt(rows, 10) {
		return nil
	}
	return &Problem{Severity: SeverityError, Reason: fmt.Sprintf(
		"the file name declares %s rows, but the file has %d, so it was cut or changed", match[1], rows)}
}

func (im *Importer) today() date.Date { return date.Of(im.now().UTC()) }

// check reads the whole file, stores nothing, and collects problems. It returns the numbers of
// records and of rejected records.
func (im *Importer) check(src *source, feeds []Feed, opts Options, report *Report) (records, rejected int64, err error) {
	if err := src.rewind("checking"); err != nil {
		return 0, 0, err
	}
	if src.windows1252 && !feeds[0].archive {
		report.add(Problem{Severity: SeverityWarning, Reason: "the file isn't UTF-8, so it was read as Windows-1252"})
	}
	err = Decode(src.content(feeds[0]), Sink{
		Record: func(r Record) error {
			records++
			if r.Row == nil {
				rejected++
			}
			src.progress.Records = records
			for _, p := range r.Problems {
				report.add(p)
			}
			return nil
		},
		Note: report.add,
		NotImported: func(p Problem) {
			report.SetsNotImported++
			report.add(p)
		},
		Unknown: func(p Problem) {
			report.UnknownSegments++
			report.add(p)
		},
		SingleByte: src.windows1252, RefuseTest: !opts.AllowTest, Day: im.today(), Checking: true,
	}, feeds...)
	return records, rejected, err
}

// importAll reads the file again and stores the records after the run's position. It reads the
// next batch while it stores one.
func (im *Importer) importAll(ctx context.Context, src *source, run *feedRun, feeds []Feed, report *Report) error {
	if err := src.rewind("taking"); err != nil {
		return err
	}
	if err := im.resumeProblems(ctx, run, report); err != nil {
		return err
	}
	var records int64
	resumeAt := run.Position
	batches := make(chan []Record)
	var weight atomic.Int64 // maximum of the next batches
	weight.Store(int64(im.batchWeight))
	both, halted := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		defer close(batches)
		records, err = im.readBatches(halted, src, feeds, resumeAt, &weight, batches)
		return err
	})
	both.Go(func() error {
		for batch := range batches {
			problems, concluded, err := im.importBatch(ctx, run, feeds, batch, &weight)
			if err != nil {
				return err
			}
			jobs.Prepared(ctx)
			report.conclude(concluded)
			for _, p := range problems {
				report.add(p.Problem)
			}
		}
		return nil
	})
	if err := both.Wait(); err != nil {
		return err
	}
	if records != run.Records {
		return errors.New("the file changed during the import")
	}
	return nil
}

// SQLite has one writer, so everyone else who writes waits for a batch. It should take batchTime.
const (
	batchTime = 50 * time.Millisecond
	minWeight = 50
)

// nextWeight returns the maximum weight for the next batch after one of the given weight took so
// long.
func nextWeight(weight, most int, took time.Duration) int {
	return min(most, max(minWeight, int(int64(weight)*int64(batchTime)/max(1, int64(took)))))
}

func weightOf(batch []Record) (weight int) {
	for _, r := range batch {
		weight += r.Weight
	}
	return weight
}

// readBatches sends the batches after resumeAt until the context ends, and returns the number of
// records in the file. A batch ends at the current maximum weight.
func (im *Importer) readBatches(
	ctx context.Context, src *source, feeds []Feed, resumeAt int64, most *atomic.Int64, to chan<- []Record,
) (records int64, err error) {
	var batch []Record
	var weight int
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		select {
		case to <- batch:
			batch, weight = nil, 0
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err = Decode(src.content(feeds[0]), Sink{
		Record: func(r Record) error {
			if records++; records <= resumeAt {
				return nil
			}
			src.progress.Records = records
			// A batch has records of one feed, because its import function locks all rows first.
			if len(batch) > 0 && batch[0].feed != r.feed {
				if err := flush(); err != nil {
					return err
				}
			}
			batch = append(batch, r)
			weight += r.Weight
			if len(batch) >= im.batchRecords || weight >= int(most.Load()) {
				return flush()
			}
			return nil
		},
		Note:        func(Problem) {},
		NotImported: func(Problem) {},
		Unknown:     func(Problem) {},

		SingleByte: src.windows1252, Day: im.today(),
	}, feeds...)
	if err != nil {
		return records, err
	}
	return records, flush()
}

// importBatch stores one batch, its quality measures and problems, and the run's new position in one
// transaction. On SQLite, it sets the maximum weight of the next batches.
func (im *Importer) importBatch(
	ctx context.Context, run *feedRun, feeds []Feed, batch []Record, weight *atomic.Int64,
) ([]fileProblem, map[string]int64, error) {
	good := make([]Record, 0, len(batch))
	for _, r := range batch {
		if r.Row != nil {
			good = append(good, r)
		}
	}
	var next feedRun
	var problems []fileProblem
	var concluded map[string]int64
	var began time.Time
	err := im.runBatch(ctx, func(tx *sql.Tx) error {
		began = time.Now() // it waited for others before
		// The closure can run again after a deadlock, so it starts from the stored run.
		next, problems = *run, nil
		next.Position += int64(len(batch))
		next.Rejected += int64(len(batch) - len(good))
		if err := moveRun(ctx, tx, run.ID, run.Position, next.Position); err != nil {
			return err
		}
		if run.Position == 0 { // it can have started over
			if err := forgetProblems(ctx, tx, run.fileID, batchProblems, math.MaxInt32); err != nil {
				return err
			}
		}
		attempt, tally := atPosition(ctx, run.Position)
		concluded = tally.counts
		outcomes, err := importBatch(attempt, tx, feeds, good)
		if err != nil {
			return err
		}
		for i, o := range outcomes {
			switch o.result {
			case imported:
				next.Taken++
			case updated:
				next.Updated++
			case unchanged:
				next.Unchanged++
			case rejected:
				next.Rejected++
				p := good[i].At
				p.Severity, p.Reason = SeverityError, o.reason
				problems = append(problems, fileProblem{run.fileID, batchProblems + run.Position + int64(i+1), p})
			default:
				return fmt.Errorf("missing outcome for row %d of the batch", i)
			}
		}
		if err := addMeasures(ctx, tx, date.Of(im.now()), run.fileID, tally.measures); err != nil {
			return err
		}
		if err := problemTable.Insert(ctx, tx, problems[:min(int64(len(problems)), max(0, maxProblems-run.Rejected))]...); err != nil {
			return err
		}
		return countRun(ctx, tx, next)
	})
	if err != nil {
		return nil, nil, err
	}
	if im.db.Dialect.Name == "sqlite" {
		weight.Store(int64(nextWeight(weightOf(batch), im.batchWeight, time.Since(began))))
	}
	*run = next
	return problems, concluded, nil
}

// runBatch runs the transaction of a batch until it needs no more files in storage.
func (im *Importer) runBatch(ctx context.Context, do func(tx *sql.Tx) error) error {
	for {
		err := im.db.Bulk(ctx, do)
		var first *StoreFirst
		if !errors.As(err, &first) {
			return err
		}
		if err := first.Do(ctx); err != nil {
			return err
		}
	}
}

func (r *Report) count(run *feedRun) {
	r.Records, r.Imported, r.Updated, r.Unchanged, r.Rejected = run.Records, run.Taken, run.Updated, run.Unchanged, run.Rejected
}

// source reads a file several times, stops when the context ends, and reports progress.
type source struct {
	ctx        context.Context
	file       *os.File
	report     func(Progress)
	progress   Progress
	quietUntil time.Time
	// windows1252 says that the file is neither UTF-8 nor UTF-16.
	windows1252 bool
}

// openSource opens a file. The caller must close it.
func openSource(ctx context.Context, path string, report func(Progress)) (*source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s isn't a file", path)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &source{ctx: ctx, file: file, report: report, progress: Progress{Total: info.Size()}, quietUntil: time.Now().Add(time.Second)},
		nil
}

// identify reads the whole file and returns its SHA-256 in hexadecimal.
func (s *source) identify() (string, error) {
	if err := s.rewind("reading"); err != nil {
		return "", err
	}
	hash := sha256.New()
	var text utf8Check
	_, err := io.Copy(io.MultiWriter(hash, &text), s)
	var head [64]byte
	n, _ := s.file.ReadAt(head[:], 0)
	s.windows1252 = !text.valid() && !csvio.IsUTF16(head[:n])
	return hex.EncodeToString(hash.Sum(nil)), err
}

// content returns the file as UTF-8, or an archive unchanged.
func (s *source) content(f Feed) io.Reader {
	if s.windows1252 && !f.archive {
		return fromWindows1252(s)
	}
	return s
}

// Size returns the file size in bytes.
func (s *source) Size() int64 { return s.progress.Total }

func (s *source) rewind(phase string) error {
	s.progress.Phase, s.progress.Bytes, s.progress.Records = phase, 0, 0
	_, err := s.file.Seek(0, io.SeekStart)
	return err
}

func (s *source) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.file.Read(p)
	s.count(n)
	return n, err
}

// ReadAt reads an archive.
func (s *source) ReadAt(p []byte, at int64) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.file.ReadAt(p, at)
	s.count(n)
	return n, err
}

func (s *source) count(n int) {
	s.progress.Bytes += int64(n)
	if s.report != nil {
		if now := time.Now(); now.After(s.quietUntil) {
			s.quietUntil = now.Add(500 * time.Millisecond)
			s.report(s.progress)
		}
	}
}
