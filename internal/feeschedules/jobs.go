package feeschedules

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/problem"
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

// job is how a request finds its job.
var job = fileexport.Job{Kind: JobArgs{}.Kind(), Field: "requestId"}

// Jobs registers the job that creates a fee schedule.
func (s *Service) Jobs(r *jobs.Runner) { jobs.Work(r, s.Work) }

func (s *Service) newExports(d *db.DB, files blob.Store) *fileexport.Exports[Request, int64] {
	return &fileexport.Exports[Request, int64]{Table: requests, DB: d, Files: files, Audit: s.audit, Now: s.now, Key: storageKey,
		Job:    job,
		Gone:   problem.New(problem.NotFound).Message,
		Claims: true,
		Ended:  func(ctx context.Context, r Request) { s.events.Publish(ctx, Topic(r.UserID)) }}
}

// Work creates the file and notifies the waiting user. Running it twice creates the same file.
func (s *Service) Work(ctx context.Context, job *river.Job[JobArgs]) error {
	return s.exports.Work(ctx, job.JobRow, job.Args.RequestID, s.createFile)
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

// createFile writes the fee schedule to storage, unless its owner lost the permission or the TIN. The
// file appears under its key only when it is complete.
func (s *Service) createFile(ctx context.Context, r *Request) error {
	ctx, a, err := s.users.ActFor(ctx, r.UserID, "feeSchedules.request")
	if err == nil {
		err = s.requireTIN(ctx, a, *r)
	}
	if err != nil {
		return err
	}
	name, key := fileName(*r, date.Of(s.now())), storageKey(r.ID)
	err = s.exports.Files.Put(ctx, key, func(w io.Writer) error {
		out, err := spreadsheet.NewTable(w, spreadsheet.XLSX, "Fee Schedule", columns...)
		if err != nil {
			return err
		}
		return errors.Join(s.writeTable(ctx, *r, out), out.Close())
	})
	r.FileName, r.StorageKey = name, key
	return err
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

// Cleanup fails abandoned requests and deletes old ones. It is safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	return errors.Join(s.exports.FailAbandoned(ctx), s.removeOld(ctx))
}

// removeOld deletes files before their rows, so that an interrupted run can be resumed.
func (s *Service) removeOld(ctx context.Context) error {
	if s.settings.FeeScheduleKeepDays == 0 {
		return nil
	}
	return s.exports.RemoveBefore(ctx, s.now().AddDate(0, 0, -s.settings.FeeScheduleKeepDays), finished)
}

func orDate(d, other date.Date) date.Date {
	if d == "" {
		return other
	}
	return d
}
