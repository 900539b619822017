package openbills

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/riverqueue/river"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Limits of exports.
const (
	MaxExported       = 20_000 // bills per file
	exportedAtOnce    = 500
	maxExportsPerHour = 20 // per user
)

// Export is a file of open bills, created in the background.
type Export struct {
	fileexport.Row[string]
	Filter  Filter   `db:",json"`
	Columns []string `db:",json"`      // empty for all
	TINs    []string `db:"tins,json"`  // of its bills
	Bills   int      `db:"bill_count"` // number on the list when it was requested; for a finished file, the number in it
	Done    int      // finished bills
	Place   Place    `db:",json"` // position reached in the list
}

func (s *Service) newExports(d *db.DB, files blob.Store, quota fileexport.Quota) *fileexport.Exports[Export, string] {
	return &fileexport.Exports[Export, string]{Table: exportRows, DB: d, Files: files, Quota: quota, Audit: s.audit, Now: s.now,
		Job:  fileexport.Job{Kind: ExportArgs{}.Kind(), Field: "id"},
		Key:  func(id string) string { return "open-bills/" + id + "/" },
		Full: "Delete exported files in Open bills, then try again.",
		Gone: "This file is no longer available. Export the list again."}
}

// errWithheld is the error for a user who lost a TIN of a file's bills.
func errWithheld() error {
	return problem.WithMessage(problem.NotFound, "Your Tax IDs have changed. Export the list again.")
}

// isWithheld reports whether a file must be withheld, given the user's current scope.
func (e Export) isWithheld(scope access.Scope) bool {
	return !scope.HasAll(e.TINs)
}

func exportSubject(e Export) string { return "open bills export " + e.ID }

func exportEntry(operation audit.Operation, e Export) audit.Entry {
	subject := exportSubject(e)
	return audit.Entry{Operation: operation, Subject: subject, About: append([]string{subject}, e.TINs...),
		Detail: text.FormatCount(e.Bills, "bill", "bills"), Result: "ok"}
}

// Export requests files of the filtered bills, with the columns of these ids.
func (s *Service) Export(ctx context.Context, a access.Actor, f Filter, columns []string) (Export, error) {
	asked := f
	who, err := s.ask(ctx, a, &asked)
	if err != nil {
		return Export{}, err
	}
	found, err := counts(ctx, s.db.Reader, who, []Filter{asked})
	if err != nil {
		return Export{}, err
	}
	var wrong validate.Fields
	for i, id := range columns {
		wrong.Require(findColumn(id) != nil, fmt.Sprintf("columns.%d", i), "This column doesn't exist. Select another one.")
	}
	wrong.Require(found[0] > 0, "filter", "No bills to export. Change the filter.")
	wrong.Require(found[0] <= MaxExported, "filter", "A file can have up to 20,000 bills. Narrow the list.")
	if err := wrong.Refuse("Couldn't create the file. Correct the selection and try again."); err != nil {
		return Export{}, err
	}
	again, err := s.limits.AllowMany(ctx, "export open bills", fmt.Sprint(who.me), 1, maxExportsPerHour, ratelimit.Hour)
	err = cmp.Or(err, ratelimit.RetryAfter(again, s.now(), fmt.Sprintf("You can export %d lists per hour.", maxExportsPerHour)))
	if err != nil {
		return Export{}, err
	}
	e := Export{Row: s.exports.NewRow(who.me), Filter: f, Columns: columns, TINs: asked.selectTINs(who.scope), Bills: found[0]}
	entry := exportEntry("openBillsExport", e)
	e.TINs = nil // empty until bills of the TINs are read
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.exports.Request(ctx, tx, &e); err != nil {
			return err
		}
		return errors.Join(s.audit.Record(ctx, tx, entry), s.jobs.Insert(ctx, tx, ExportArgs{e.ID}))
	})
	return e, err
}

// Exports returns the user's exports, newest first. The scope determines which are withheld.
func (s *Service) Exports(ctx context.Context, a access.Actor) ([]Export, access.Scope, error) {
	list, err := s.exports.ListOwn(ctx, s.db.Reader, a.FileOwner(), "")
	if err != nil || len(list) == 0 {
		return nil, access.Scope{}, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	return list, scope, err
}

// OwnExport returns one of the user's exports.
func (s *Service) OwnExport(ctx context.Context, a access.Actor, id string) (Export, error) {
	return s.exports.FindOwn(ctx, s.db.Reader, a.FileOwner(), id)
}

// RemoveExport deletes a file, or cancels its creation.
func (s *Service) RemoveExport(ctx context.Context, a access.Actor, id string) error {
	e, err := s.OwnExport(ctx, a, id)
	if err != nil {
		return err
	}
	return s.exports.Remove(ctx, e.ID, exportEntry("openBillsExportRemove", e))
}

// ExportFile opens a finished file, after auditing that. A user who lost a TIN of its bills gets
// an error.
func (s *Service) ExportFile(ctx context.Context, a access.Actor, id string, format spreadsheet.Format) (*blob.File, error) {
	e, err := s.OwnExport(ctx, a, id)
	if err == nil && e.Status != s.exports.Done {
		err = problem.WithMessage(problem.Conflict, "The file isn't ready yet. Try again in a minute.")
	}
	if err == nil {
		err = access.RequireTINs(ctx, s.scopes, a, e.TINs, errWithheld())
	}
	if err != nil {
		return nil, err
	}
	return s.exports.Open(ctx, s.exports.ResultKey(id, format), exportEntry("openBillsExportFile", e))
}

// ExportArgs identify the export to process.
type ExportArgs struct {
	ID string `json:"id"`
}

// Kind returns the name of the job.
func (ExportArgs) Kind() string { return "open-bills-export" }

// InsertOpts lets interactive jobs run first.
func (ExportArgs) InsertOpts() river.InsertOpts { return fileexport.InsertOpts() }

// Jobs registers the job that creates files of open bills.
func (s *Service) Jobs(r *jobs.Runner) { jobs.Work(r, jobs.InParts(s.MakeExport)) }

// MakeExport reads the rest of the list in parts, and writes the files. It skips stored parts.
func (s *Service) MakeExport(ctx context.Context, job *river.Job[ExportArgs]) error {
	return s.exports.Work(ctx, job.JobRow, job.Args.ID, s.createExport)
}

func (s *Service) createExport(ctx context.Context, e *Export) error {
	ctx, a, err := s.users.ActFor(ctx, e.UserID, "work.bills")
	if err != nil {
		return err
	}
	f := e.Filter
	who, err := s.ask(ctx, a, &f)
	if err != nil {
		return err
	}
	// The list is as of the day it was requested.
	created := e.CreatedAt.In(s.now().Location())
	who.today, who.week = date.Of(created), startOfWeek(created)
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return err
	}
	for more := e.Done%exportedAtOnce == 0; more && e.Done < MaxExported; {
		found, err := page(ctx, s.db.Reader, who, f, e.Place, exportedAtOnce)
		if err != nil {
			return err
		}
		more = len(found) == exportedAtOnce
		if len(found) == 0 {
			break
		}
		if err := s.appendRows(ctx, e, found, people, who.today); err != nil {
			return err
		}
	}
	if err := s.writeExport(ctx, e); err != nil {
		return err
	}
	e.Bills = e.Done
	return nil
}

// appendRows audits bills and stores their rows for the file.
func (s *Service) appendRows(ctx context.Context, e *Export, found []listed, people map[int64]*users.User, today date.Date) error {
	columns := selectColumns(e.Columns)
	rows, numbers, tins := make([][]string, len(found)), make([]string, len(found)), []string{}
	for i, l := range found {
		assignee, err := s.findAssignee(ctx, people, l.Work.AssignedTo)
		if err != nil {
			return err
		}
		b := toOpenBill(Listed{listed: l, Assignee: assignee}, today)
		for _, c := range columns {
			rows[i] = append(rows[i], c.text(b))
		}
		numbers[i] = l.BillControlNumber
		if !slices.Contains(tins, l.FTIN) {
			tins = append(tins, l.FTIN)
		}
	}
	subject := exportSubject(*e)
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "openBillsExportPart", Subject: subject,
		About:    append([]string{subject}, tins...),
		Answered: numbers, Result: "ok"}); err != nil {
		return err
	}
	if err := s.exports.Write(ctx, e.ID, fileexport.PartName(e.Done), rows); err != nil {
		return err
	}
	for _, tin := range tins {
		if !slices.Contains(e.TINs, tin) {
			e.TINs = append(e.TINs, tin)
		}
	}
	e.Done, e.Place = e.Done+len(found), found[len(found)-1].place(e.Filter.Order)
	e.Bills = max(e.Bills, e.Done)
	return s.exports.SaveProgress(ctx, e)
}

// writeExport writes the files from the parts.
func (s *Service) writeExport(ctx context.Context, e *Export) error {
	var columns []spreadsheet.Column
	for _, c := range selectColumns(e.Columns) {
		columns = append(columns, c.Column)
	}
	return s.exports.WriteResults(ctx, e.ID, "Open bills", columns, func(out spreadsheet.Table) (err error) {
		for from := 0; from < e.Done && err == nil; from += exportedAtOnce {
			var rows [][]string
			err = s.exports.Read(ctx, e.ID, fileexport.PartName(from), &rows)
			for i := 0; i < len(rows) && err == nil; i++ {
				err = out.Row(rows[i])
			}
		}
		return err
	})
}

// Cleanup deletes expired files, and old losses that weren't dismissed, and fails abandoned exports.
// It's safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	return errors.Join(s.exports.FailAbandoned(ctx), s.exports.RemoveBefore(ctx, s.now().Add(-fileexport.Retention), ""),
		s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) {
			return removeLossesBefore(ctx, tx, db.At(s.now().Add(-lossKept)))
		}))
}
