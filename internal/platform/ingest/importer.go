package ingest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/csvio"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/x12"
)

// Importer imports files.
type Importer struct {
	db    *db.DB
	feeds []Feed
	data  []string // whose age files tell, in the order in which it is shown
	now   func() time.Time
	// A batch ends with as many records, or as many records and lines.
	batchRecords, batchWeight int
	files                     blob.Store // that keeps what was taken; may be nil
	keepDays                  int
	runDays, reportDays       int // for which runs, and what is known of files, are kept
	sourceOf                  func(ctx context.Context, kind, name string) (int64, error)
}

// New makes an Importer of the feeds, in the order in which tables build on each
// other. Now tells the time where the business is. Order is that in which the ages of data are shown; what it leaves out
// comes last.
func New(d *db.DB, now func() time.Time, order []string, feeds ...Feed) *Importer {
	im := &Importer{db: d, feeds: feeds, now: now, batchRecords: 500, batchWeight: 5000}
	for _, f := range feeds {
		if f.data != "" && !slices.Contains(im.data, f.data) {
			im.data = append(im.data, f.data)
		}
	}
	rank := func(data string) int {
		if i := slices.Index(order, data); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(im.data, func(a, b string) int { return rank(a) - rank(b) })
	return im
}

// At is the importer by another clock: for what came before.
func (im *Importer) At(now func() time.Time) *Importer {
	other := *im
	other.now = now
	return &other
}

// Tables names the feeds that are tables, in their order.
func Tables(feeds []Feed) []string {
	var names []string
	for _, f := range feeds {
		if f.form == table {
			names = append(names, f.name)
		}
	}
	return names
}

// Options of one import.
type Options struct {
	// Again takes a file once more that was taken to its end before.
	Again bool
	// TakeTest takes files that say they are a test.
	TakeTest bool
	// Quiet announces nothing of what the file brings.
	Quiet bool
	// CheckOnly stores nothing but what was found.
	CheckOnly bool
	// Via is how the file came in; none: by a command.
	Via Via
	// Progress is called about twice a second once a file takes more than one.
	Progress func(Progress)
}

// Progress tells how far an import is.
type Progress struct {
	Phase        string // reading, checking, keeping, taking
	Bytes, Total int64
	Records      int64 // in this phase
}

// Import imports a file of a kind: x12, the name of a table, or that of another
// form of files. Problems of the file are in the report; an error is a failure
// of the machine, after which the same call goes on where it stopped.
func (im *Importer) Import(ctx context.Context, kind, path string, opts Options) (Report, error) {
	feeds := im.feedsOf(kind)
	if len(feeds) == 0 {
		return Report{}, fmt.Errorf("unknown table kind %q; use one of %s", kind, strings.Join(Tables(im.feeds), ", "))
	}
	return im.run(ctx, feeds, path, opts)
}

// feedsOf are those that take files of a kind.
func (im *Importer) feedsOf(kind string) []Feed {
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
	return im.noted(ctx, path, opts, &report, func(src *source, file Arrival, opts Options) error {
		return im.read(ctx, src, file, feeds, opts, &report)
	})
}

// noted has a file read, and notes that it came and what became of it.
func (im *Importer) noted(ctx context.Context, path string, opts Options, report *Report, read func(*source, Arrival, Options) error) (Report, error) {
	src, err := openSource(ctx, path, opts.Progress)
	if err != nil {
		return *report, err
	}
	defer src.file.Close()
	if report.SHA256, err = src.identify(); err != nil {
		return *report, err
	}
	file, err := im.enter(ctx, src, report, &opts)
	if err != nil {
		return *report, err
	}
	err = im.leave(ctx, file, report, read(src, file, opts))
	return *report, err
}

// read checks a file, and takes it unless that is all that was asked for.
func (im *Importer) read(ctx context.Context, src *source, file Arrival, feeds []Feed, opts Options, report *Report) error {
	started, kind := time.Now(), report.Kind
	run, err := findRun(ctx, im.db.Reader, kind, report.SHA256)
	if err != nil {
		return err
	}
	report.AlreadyTaken = run != nil && run.Status == "done" && !opts.Again
	if report.AlreadyTaken && !opts.CheckOnly {
		if report.Refused = brokenPromise(report.File, run.Records); report.Refused == nil {
			report.count(run)
		} else {
			report.AlreadyTaken = false
		}
		return nil
	}

	total, rejected, err := im.check(src, feeds, opts, report)
	if report.Refused = refusalOf(err); report.Refused == nil && err != nil {
		return err
	}
	if report.Refused == nil {
		report.Refused = brokenPromise(report.File, total)
	}
	if report.Refused != nil {
		// What stands before the break is not worth a look until it is mended.
		report.Problems, report.MoreProblems, report.SetsNotTaken, report.UnknownSegments = []Problem{}, 0, 0, 0
	}
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
	if run, err = beginRun(ctx, im.db.Writer, run, kind, report.File, report.SHA256, total, db.At(im.now())); err != nil {
		return err
	}
	if err := im.keep(ctx, src, run, feeds[0], report.SHA256); err != nil {
		return errors.Join(fmt.Errorf("store the file: %w", err), failRun(context.WithoutCancel(ctx), im.db.Writer, run.ID))
	}
	run.fileID, report.ResumedAfter = file.ID, run.Position
	ctx = withRun(ctx, Run{File: report.File, SHA256: report.SHA256, StartedAt: im.now(), Quiet: opts.Again || opts.Quiet || first, Again: opts.Again})
	if err := im.takeAll(ctx, src, run, feeds, report); err != nil {
		// The run's place is kept whatever happens; the mark is for people who look.
		return errors.Join(err, failRun(context.WithoutCancel(ctx), im.db.Writer, run.ID))
	}
	finishing, tally := atPosition(ctx, run.Position)
	for _, f := range feeds {
		if f.finish != nil {
			if err := f.finish(finishing); err != nil {
				return errors.Join(err, failRun(context.WithoutCancel(ctx), im.db.Writer, run.ID))
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

// refusalOf is the problem for which a decoder refuses a file as a whole; nil
// where the error is another.
func refusalOf(err error) *Problem {
	var broken *x12.Error
	var refused *tableError
	switch {
	case errors.As(err, &broken):
		return refusal(broken)
	case errors.As(err, &refused):
		return &refused.problem
	}
	return nil
}

var promise = regexp.MustCompile(`(?i)\.rows([0-9]{1,12})\.[a-z0-9]+$`)

// brokenPromise refuses a file that has not as many rows as its name tells
// (claims.rows120.csv). A text that was cut at the end of a line looks whole;
// what tells of its end must stand elsewhere.
func brokenPromise(name string, rows int64) *Problem {
	match := promise.FindStringSubmatch(name)
	if match == nil || match[1] == strconv.FormatInt(rows, 10) {
		return nil
	}
	return &Problem{Severity: SeverityError, Reason: fmt.Sprintf("the file name declares %s rows, but the file has %d, so it was cut or changed", match[1], rows)}
}

func (im *Importer) today() date.Date { return date.Of(im.now().UTC()) }

// check reads the whole file, stores nothing, and collects what its records
// lack. It answers how many there are, and how many lack something they need.
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
		NotTaken: func(p Problem) {
			report.SetsNotTaken++
			report.add(p)
		},
		Unknown: func(p Problem) {
			report.UnknownSegments++
			report.add(p)
		},
		SingleByte: src.windows1252, RefuseTest: !opts.TakeTest, Day: im.today(), Checking: true,
	}, feeds...)
	return records, rejected, err
}

// takeAll reads the file once more and stores what comes after the place that
// the run has reached. While one batch is stored the next one is read.
func (im *Importer) takeAll(ctx context.Context, src *source, run *feedRun, feeds []Feed, report *Report) error {
	if err := src.rewind("taking"); err != nil {
		return err
	}
	var records int64
	resumeAt := run.Position
	batches := make(chan []Record)
	both, halted := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		defer close(batches)
		records, err = im.readBatches(halted, src, feeds, resumeAt, batches)
		return err
	})
	both.Go(func() error {
		for batch := range batches {
			problems, concluded, err := im.takeBatch(ctx, run, feeds, batch)
			report.conclude(concluded)
			for _, p := range problems {
				report.add(p)
			}
			if err != nil {
				return err
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

// readBatches hands on what comes after resumeAt until the context ends, and
// tells how many records the file has.
func (im *Importer) readBatches(ctx context.Context, src *source, feeds []Feed, resumeAt int64, to chan<- []Record) (records int64, err error) {
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
			// A batch has records of one feed, whose taker locks what it needs at once.
			if len(batch) > 0 && batch[0].feed != r.feed {
				if err := flush(); err != nil {
					return err
				}
			}
			batch = append(batch, r)
			weight += r.Weight
			if len(batch) >= im.batchRecords || weight >= im.batchWeight {
				return flush()
			}
			return nil
		},
		Note:     func(Problem) {},
		NotTaken: func(Problem) {},
		Unknown:  func(Problem) {},

		SingleByte: src.windows1252, Day: im.today(),
	}, feeds...)
	if err != nil {
		return records, err
	}
	return records, flush()
}

// takeBatch stores one batch, what was measured of it and the new place of the run in
// one transaction.
func (im *Importer) takeBatch(ctx context.Context, run *feedRun, feeds []Feed, batch []Record) ([]Problem, map[string]int64, error) {
	good := make([]Record, 0, len(batch))
	for _, r := range batch {
		if r.Row != nil {
			good = append(good, r)
		}
	}
	var next feedRun
	var problems []Problem
	var concluded map[string]int64
	err := im.db.Bulk(ctx, func(tx *sql.Tx) error {
		// The closure may run again after a deadlock: it starts from the run as stored.
		next, problems = *run, nil
		next.Position += int64(len(batch))
		next.Rejected += int64(len(batch) - len(good))
		if err := moveRun(ctx, tx, run.ID, run.Position, next.Position); err != nil {
			return err
		}
		attempt, tally := atPosition(ctx, run.Position)
		concluded = tally.counts
		outcomes, err := takeBatch(attempt, tx, feeds, good)
		if err != nil {
			return err
		}
		for i, o := range outcomes {
			switch o.result {
			case taken:
				next.Taken++
			case updated:
				next.Updated++
			case unchanged:
				next.Unchanged++
			case rejected:
				next.Rejected++
				p := good[i].At
				p.Severity, p.Reason = SeverityError, o.reason
				problems = append(problems, p)
			default:
				return fmt.Errorf("missing outcome for row %d of the batch", i)
			}
		}
		if err := addMeasures(ctx, tx, date.Of(im.now()), run.fileID, tally.measures); err != nil {
			return err
		}
		return countRun(ctx, tx, next)
	})
	if err != nil {
		return problems, nil, err
	}
	*run = next
	return problems, concluded, nil
}

func (r *Report) count(run *feedRun) {
	r.Records, r.Taken, r.Updated, r.Unchanged, r.Rejected = run.Records, run.Taken, run.Updated, run.Unchanged, run.Rejected
}

// source reads a file several times, stops when the context ends and tells how
// far it is.
type source struct {
	ctx        context.Context
	file       *os.File
	report     func(Progress)
	progress   Progress
	quietUntil time.Time
	// windows1252 tells that the file is neither UTF-8 nor UTF-16.
	windows1252 bool
}

// openSource opens a file; it must be closed.
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
	return &source{ctx: ctx, file: file, report: report, progress: Progress{Total: info.Size()}, quietUntil: time.Now().Add(time.Second)}, nil
}

// identify reads the file whole, and answers its SHA-256 in hexadecimal.
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

// content is the file in UTF-8, or an archive as it is.
func (s *source) content(f Feed) io.Reader {
	if s.windows1252 && !f.archive {
		return fromWindows1252(s)
	}
	return s
}

// Size is that of the file, in bytes.
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
