// Package feeds reads files from outside, X12 and CSV, and hands their rows to
// the areas that own them. A file is checked whole first; then it is taken in
// batches, each in a transaction together with the place reached, so that an
// interrupted run can be taken up again and other writers never wait long.
package feeds

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
	"time"

	"golang.org/x/sync/errgroup"

	"wcpp/internal/feeds/x12"
	"wcpp/internal/platform/db"
)

// Importer imports files.
type Importer struct {
	store  store
	takers Takers
	now    func() time.Time
	// A batch ends with as many records, or as many records and lines.
	batchRecords, batchWeight int
}

// New makes an Importer that hands rows to the takers.
func New(d *db.DB, takers Takers, now func() time.Time) *Importer {
	return &Importer{store: store{d}, takers: takers, now: now, batchRecords: 500, batchWeight: 5000}
}

// Options of one import.
type Options struct {
	// Again takes a file once more that was taken to its end before.
	Again bool
	// Progress is called about twice a second once a file takes more than one.
	Progress func(Progress)
}

// Progress tells how far an import is.
type Progress struct {
	Phase        string // reading, checking, taking
	Bytes, Total int64
	Records      int64 // in this phase
}

// ImportX12 imports a file of 837 claims and 835 payments. Problems of the
// file are in the report; an error is a failure of the machine, after which
// the same call goes on where it stopped.
func (im *Importer) ImportX12(ctx context.Context, path string, opts Options) (Report, error) {
	return im.run(ctx, "x12", path, opts, decodeX12, im.takeX12)
}

// takeX12 hands bills and payments to their takers and puts the outcomes back
// in the order of the file.
func (im *Importer) takeX12(ctx context.Context, tx *sql.Tx, records []record) ([]Outcome, error) {
	var bills []Bill
	var payments []Payment
	for _, r := range records {
		switch row := r.row.(type) {
		case *Bill:
			bills = append(bills, *row)
		case *Payment:
			payments = append(payments, *row)
		}
	}
	ofBills, err := take(ctx, tx, im.takers.Bills, bills)
	if err != nil {
		return nil, err
	}
	ofPayments, err := take(ctx, tx, im.takers.Payments, payments)
	if err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, 0, len(records))
	for _, r := range records {
		from := &ofBills
		if _, isPayment := r.row.(*Payment); isPayment {
			from = &ofPayments
		}
		outcomes = append(outcomes, (*from)[0])
		*from = (*from)[1:]
	}
	return outcomes, nil
}

// take calls a taker and holds it to one outcome for each row.
func take[T any](ctx context.Context, tx *sql.Tx, taker Taker[T], rows []T) ([]Outcome, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	if taker == nil {
		return nil, fmt.Errorf("nothing takes rows of type %T", rows[0])
	}
	outcomes, err := taker(ctx, tx, rows)
	if err == nil && len(outcomes) != len(rows) {
		err = fmt.Errorf("%d outcomes for %d rows of type %T", len(outcomes), len(rows), rows[0])
	}
	return outcomes, err
}

type (
	decodeFunc func(io.Reader, sink) error
	takeFunc   func(context.Context, *sql.Tx, []record) ([]Outcome, error)
)

func (im *Importer) run(ctx context.Context, kind, path string, opts Options, decode decodeFunc, take takeFunc) (Report, error) {
	started := time.Now()
	report := Report{File: filepath.Base(path), Kind: kind, Problems: []Problem{}}
	file, err := os.Open(path)
	if err != nil {
		return report, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return report, err
	}
	if !info.Mode().IsRegular() {
		return report, fmt.Errorf("%s is not a file", path)
	}
	src := &source{ctx: ctx, file: file, report: opts.Progress, progress: Progress{Total: info.Size()}, quietUntil: started.Add(time.Second)}

	hash := sha256.New()
	if err := src.rewind("reading"); err != nil {
		return report, err
	}
	if _, err := io.Copy(hash, src); err != nil {
		return report, err
	}
	report.SHA256 = hex.EncodeToString(hash.Sum(nil))
	run, err := im.store.find(ctx, kind, report.SHA256)
	if err != nil {
		return report, err
	}
	if run != nil && run.Status == "done" && !opts.Again {
		report.AlreadyTaken = true
		report.count(run)
		return report, nil
	}

	total, err := im.check(src, decode, &report)
	var broken *x12.Error
	var refused *tableError
	switch {
	case errors.As(err, &broken):
		report.Refused = refusal(broken)
	case errors.As(err, &refused):
		report.Refused = &refused.problem
	case err != nil:
		return report, err
	}
	if report.Refused != nil {
		// What stands before the break is not worth a look until it is mended.
		report.Problems, report.MoreProblems, report.SetsNotTaken = []Problem{}, 0, 0
		report.Duration = time.Since(started)
		return report, nil
	}

	if run, err = im.store.begin(ctx, run, kind, report.File, report.SHA256, total, db.At(im.now())); err != nil {
		return report, err
	}
	report.ResumedAfter = run.Position
	if err := im.takeAll(ctx, src, run, decode, take, &report); err != nil {
		// The run's place is kept whatever happens; the mark is for people who look.
		return report, errors.Join(err, im.store.fail(context.WithoutCancel(ctx), run.ID))
	}
	if err := im.store.finish(ctx, run.ID, db.At(im.now())); err != nil {
		return report, err
	}
	report.count(run)
	report.Duration = time.Since(started)
	return report, nil
}

// check reads the whole file, stores nothing, and collects what its records
// lack.
func (im *Importer) check(src *source, decode decodeFunc, report *Report) (records int64, err error) {
	if err := src.rewind("checking"); err != nil {
		return 0, err
	}
	err = decode(src, sink{
		record: func(r record) error {
			records++
			src.progress.Records = records
			for _, p := range r.problems {
				report.add(p)
			}
			return nil
		},
		note: report.add,
		notTaken: func(p Problem) {
			report.SetsNotTaken++
			report.add(p)
		},
	})
	return records, err
}

// takeAll reads the file once more and stores what comes after the place that
// the run has reached. While one batch is stored the next one is read.
func (im *Importer) takeAll(ctx context.Context, src *source, run *feedRun, decode decodeFunc, take takeFunc, report *Report) error {
	if err := src.rewind("taking"); err != nil {
		return err
	}
	var seen int64
	resumeAt := run.Position
	batches := make(chan []record)
	both, halted := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		defer close(batches)
		seen, err = im.readBatches(halted, src, decode, resumeAt, batches)
		return err
	})
	both.Go(func() error {
		for batch := range batches {
			problems, err := im.takeBatch(ctx, run, batch, take)
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
	if seen != run.Records {
		return errors.New("the file changed while it was imported")
	}
	return nil
}

// readBatches hands on what comes after resumeAt until the context ends, and
// tells how many records the file has.
func (im *Importer) readBatches(ctx context.Context, src *source, decode decodeFunc, resumeAt int64, to chan<- []record) (seen int64, err error) {
	var batch []record
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
	err = decode(src, sink{
		record: func(r record) error {
			if seen++; seen <= resumeAt {
				return nil
			}
			src.progress.Records = seen
			batch = append(batch, r)
			weight += r.weight
			if len(batch) >= im.batchRecords || weight >= im.batchWeight {
				return flush()
			}
			return nil
		},
		note:     func(Problem) {},
		notTaken: func(Problem) {},
	})
	if err != nil {
		return seen, err
	}
	return seen, flush()
}

// takeBatch stores one batch and the new place of the run in one transaction.
func (im *Importer) takeBatch(ctx context.Context, run *feedRun, batch []record, take takeFunc) ([]Problem, error) {
	good := make([]record, 0, len(batch))
	for _, r := range batch {
		if r.row != nil {
			good = append(good, r)
		}
	}
	var next feedRun
	var problems []Problem
	err := im.store.db.Tx(ctx, func(tx *sql.Tx) error {
		// The closure may run again after a deadlock: it starts from the run as stored.
		next, problems = *run, nil
		next.Position += int64(len(batch))
		next.Rejected += int64(len(batch) - len(good))
		if err := im.store.reach(ctx, tx, run.ID, run.Position, next.Position); err != nil {
			return err
		}
		outcomes, err := take(ctx, tx, good)
		if err != nil {
			return err
		}
		for i, o := range outcomes {
			switch o.Kind {
			case Taken:
				next.Taken++
			case Updated:
				next.Updated++
			case Unchanged:
				next.Unchanged++
			case Rejected:
				next.Rejected++
				p := good[i].at
				p.Severity, p.Reason = SeverityError, o.Reason
				problems = append(problems, p)
			default:
				return fmt.Errorf("%q is no outcome of a row", o.Kind)
			}
		}
		return im.store.count(ctx, tx, next)
	})
	if err == nil {
		*run = next
	}
	return problems, err
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
}

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
	s.progress.Bytes += int64(n)
	if s.report != nil {
		if now := time.Now(); now.After(s.quietUntil) {
			s.quietUntil = now.Add(500 * time.Millisecond)
			s.report(s.progress)
		}
	}
	return n, err
}
