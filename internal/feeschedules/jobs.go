package feeschedules

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// JobArgs identify the request.
type JobArgs struct {
	RequestID int64 `json:"requestId"`
}

// Kind returns the job kind.
func (JobArgs) Kind() string { return "fee-schedule" }

// InsertOpts limits the attempts. With River's backoff they take about 75 minutes. A request has
// only one unfinished job at a time.
func (JobArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
		rivertype.JobStateScheduled,
	}}}
}

// Jobs registers the job that creates a fee schedule.
func (s *Service) Jobs(r *jobs.Runner) { jobs.Work(r, s.Work) }

// Work creates the file and notifies the waiting user. Running it twice creates the same file.
func (s *Service) Work(ctx context.Context, job *river.Job[JobArgs]) error {
	err := s.process(ctx, job.Args.RequestID, jobs.StaleAfter(job.JobRow))
	if err != nil && job.Attempt >= job.MaxAttempts {
		return errors.Join(err, s.finishRequest(context.WithoutCancel(ctx), job.Args.RequestID, failed, "", ""))
	}
	return err
}

func (s *Service) process(ctx context.Context, id int64, abandoned time.Duration) error {
	now := s.now()
	n, err := claim(ctx, s.db.Writer, id, db.At(now), db.At(now.Add(-abandoned)))
	if err != nil || n == 0 {
		return err
	}
	r, err := requestByID(ctx, s.db.Writer, id)
	if err != nil {
		return err
	}
	key := storageKey(id)
	if err := s.createFile(ctx, r, key); err != nil {
		return errors.Join(err, release(context.WithoutCancel(ctx), s.db.Writer, id))
	}
	return s.finishRequest(ctx, id, done, fileName(r, date.Of(now)), key)
}

func (s *Service) finishRequest(ctx context.Context, id int64, status, name, key string) error {
	r := Request{ID: id, Status: status, FileName: name, StorageKey: key}
	if err := finish(ctx, s.db.Writer, r, db.At(s.now())); err != nil {
		return err
	}
	r, err := requestByID(ctx, s.db.Writer, id)
	if err != nil {
		return err
	}
	s.events.Publish(ctx, Topic(r.UserID))
	return nil
}

// Names of the lines of business in file names and files.
var (
	fileLines = map[string]string{"DPWC": "WC", "DPAUT": "Auto"}
	lineNames = map[string]string{"DPWC": "Workers' Comp", "DPAUT": "Auto"}
)

func fileName(r Request, on date.Date) string {
	parts := []string{"Fee_Schedule", text.FileName(r.NationalRateCode), r.ProviderID, r.FTIN, fileLines[r.LineOfBusiness], string(on)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "_") + ".xlsx"
}

// columns of a fee schedule file.
var columns = []spreadsheet.Column{
	{Title: "Procedure Code", Width: 16}, {Title: "Modifier", Width: 10}, {Title: "Description", Width: 60},
	{Title: "Allowance", Width: 14, Kind: spreadsheet.Amounts}, {Title: "Effective Date", Width: 16, Kind: spreadsheet.Dates},
	{Title: "End Date", Width: 16, Kind: spreadsheet.Dates},
}

// createFile writes the fee schedule to storage. The file appears under its key only when it is
// complete.
func (s *Service) createFile(ctx context.Context, r Request, key string) error {
	return s.files.Put(ctx, key, func(w io.Writer) error {
		out, err := spreadsheet.NewTable(w, spreadsheet.XLSX, "Fee Schedule", columns...)
		if err != nil {
			return err
		}
		return errors.Join(s.writeTable(ctx, r, out), out.Close())
	})
}

func (s *Service) writeTable(ctx context.Context, r Request, out spreadsheet.Table) error {
	for _, about := range [][]string{
		{"National Rate Code", "", r.NationalRateCode}, {"Provider ID", "", r.ProviderID}, {"Tax ID", "", r.FTIN},
		{"Line of Business", "", lineNames[r.LineOfBusiness]}, {"Location Name", "", r.LocationName}, {"Zip", "", r.ZIP}, nil,
	} {
		if err := out.Row(about); err != nil {
			return err
		}
	}
	if err := out.WriteHeader(); err != nil {
		return err
	}
	return allowances(ctx, s.db.Reader, r.NationalRateCode, func(a Allowance) error {
		return out.Row([]string{a.ProcedureCode, a.Modifier, a.Description, money.Text(a.Allowance), a.EffectiveDate.US(), a.EndDate.US()})
	})
}

// storageKey returns the storage key of a request's file.
func storageKey(id int64) string { return fmt.Sprintf("fee-schedules/%d.xlsx", id) }

// Cleanup restarts requests that lost their job and deletes old ones. It is safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	return errors.Join(s.requeueLost(ctx), s.removeOld(ctx))
}

// removeOld deletes files before their rows, so that an interrupted run can be resumed.
func (s *Service) removeOld(ctx context.Context) error {
	if s.settings.FeeScheduleKeepDays == 0 {
		return nil
	}
	ids, err := finishedBefore(ctx, s.db.Reader, db.At(s.now().AddDate(0, 0, -s.settings.FeeScheduleKeepDays)))
	for _, id := range ids {
		failed := s.files.Delete(ctx, storageKey(id))
		if failed == nil {
			failed = removeRequest(ctx, s.db.Writer, id)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// requeueLost queues a job for requests that have lost theirs. It changes nothing if the job is
// queued or running.
func (s *Service) requeueLost(ctx context.Context) error {
	ids, err := stale(ctx, s.db.Reader, db.At(s.now().Add(-time.Minute)))
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			if err := s.jobs.Insert(ctx, tx, JobArgs{RequestID: id}); err != nil {
				return err
			}
		}
		return nil
	})
}

func orDate(d, other date.Date) date.Date {
	if d == "" {
		return other
	}
	return d
}
