package openbills

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/access"
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
	ID        string
	UserID    int64
	Status    string // a status of fileexport
	Filter    Filter
	Columns   []string // empty for all
	TINs      []string // of its bills
	Bills     int      // number on the list when it was requested; for a finished file, the number in it
	Done      int      // finished bills
	Place     Place    // position reached in the list
	CreatedAt db.Instant
	DoneAt    db.Instant
}

// errWithheld is the error for a user who lost a TIN of a file's bills.
func errWithheld() error {
	return problem.WithMessage(problem.NotFound, "Your Tax IDs have changed. Export the list again.")
}

// isWithheld reports whether a file must be withheld, given the user's current scope.
func (e Export) isWithheld(scope access.Scope) bool {
	return !scope.HasAll(e.TINs)
}

// ExpiresAt returns when the file is deleted.
func (e Export) ExpiresAt() time.Time { return e.CreatedAt.Add(fileexport.Retention) }

func (s *Service) folder(e Export) fileexport.Folder {
	return fileexport.Folder{Files: s.files, Prefix: "open-bills/" + e.ID + "/"}
}

func exportPartName(from int) string { return fmt.Sprintf("part-%05d.json", from) }

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
	if err != nil {
		return Export{}, err
	}
	if !again.IsZero() {
		return Export{}, problem.RetryLater(again.Sub(s.now()), fmt.Sprintf("You can export %d lists per hour. Try again after %s.",
			maxExportsPerHour, date.FormatTime(again, s.now().Location())))
	}
	e := Export{ID: rand.Text(), UserID: who.me, Status: fileexport.Waiting, Filter: f, Columns: columns, TINs: asked.selectTINs(who.scope),
		Bills: found[0], CreatedAt: db.At(s.now())}
	entry := exportEntry("openBillsExport", e)
	e.TINs = nil // empty until bills of the TINs are read
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.quota.Check(ctx, tx, s.db.Dialect, "open_bill_exports", who.me,
			"Delete exported files in Open bills, then try again."); err != nil {
			return err
		}
		return errors.Join(addExport(ctx, tx, e), s.audit.Record(ctx, tx, entry), s.jobs.Insert(ctx, tx, ExportArgs{e.ID}))
	})
	return e, err
}

// Exports returns the user's exports, newest first. They contain the group's work, so mirroring
// staff get none. The scope determines which are withheld.
func (s *Service) Exports(ctx context.Context, a access.Actor) ([]Export, access.Scope, error) {
	if a.IsMirroring() {
		return nil, access.Scope{}, nil
	}
	list, err := listExports(ctx, s.db.Reader, a.Acting().ID)
	if err != nil || len(list) == 0 {
		return nil, access.Scope{}, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	return list, scope, err
}

func errExportGone() error {
	return problem.WithMessage(problem.NotFound, "This file is no longer available. Export the list again.")
}

// OwnExport returns one of the user's exports.
func (s *Service) OwnExport(ctx context.Context, a access.Actor, id string) (Export, error) {
	e, err := exportByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && (e.UserID != a.Acting().ID || a.IsMirroring()) {
		return Export{}, errExportGone()
	}
	return e, err
}

// RemoveExport deletes a file, or cancels its creation.
func (s *Service) RemoveExport(ctx context.Context, a access.Actor, id string) error {
	e, err := s.OwnExport(ctx, a, id)
	if err != nil {
		return err
	}
	if err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		return errors.Join(removeExport(ctx, tx, e.ID), s.audit.Record(ctx, tx, exportEntry("openBillsExportRemove", e)))
	}); err != nil {
		return err
	}
	return s.folder(e).Remove(ctx)
}

// ExportFile opens a finished file, after auditing that. A user who lost a TIN of its bills gets
// an error.
func (s *Service) ExportFile(ctx context.Context, a access.Actor, id string, format spreadsheet.Format) (*blob.File, error) {
	e, err := s.OwnExport(ctx, a, id)
	if err == nil && e.Status != fileexport.Done {
		err = problem.WithMessage(problem.Conflict, "The file isn't ready yet.")
	}
	if err != nil {
		return nil, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	if e.isWithheld(scope) {
		return nil, errWithheld()
	}
	file, err := s.folder(e).Result(ctx, format, errExportGone())
	if err != nil {
		return nil, err
	}
	if err := s.audit.RecordNow(ctx, exportEntry("openBillsExportFile", e)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
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
	err := s.requeueExport(ctx, job.Args.ID)
	if fileexport.IsFinal(job.JobRow, err) {
		return errors.Join(err, s.finishExport(context.WithoutCancel(ctx), job.Args.ID, fileexport.Failed))
	}
	return err
}

func (s *Service) finishExport(ctx context.Context, id, status string) error {
	e, err := exportByID(ctx, s.db.Writer, id)
	if err != nil || e.Status != fileexport.Waiting {
		return err
	}
	e.Status, e.DoneAt = status, db.At(s.now())
	if status == fileexport.Done {
		e.Bills = e.Done
	}
	_, err = putExport(ctx, s.db.Writer, e)
	return err
}

func (s *Service) requeueExport(ctx context.Context, id string) error {
	e, err := exportByID(ctx, s.db.Writer, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && e.Status != fileexport.Waiting {
		return nil // deleted since, or finished
	}
	if err != nil {
		return err
	}
	a, known, err := s.people.LoadActor(ctx, e.UserID)
	if err != nil {
		return err
	}
	if !known {
		return problem.New(problem.Forbidden)
	}
	ctx = audit.WithActor(ctx, a.Person.UserName, "", a.Person.GroupID)
	f := e.Filter
	who, err := s.ask(ctx, a, &f)
	if err != nil {
		return err
	}
	// The list is as of the day it was requested.
	who.today = date.Of(e.CreatedAt.In(s.now().Location()))
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
		if e, err = s.appendRows(ctx, e, found, people, who.today); err != nil {
			return err
		}
		if n, err := putExport(ctx, s.db.Writer, e); err != nil || n == 0 {
			return errors.Join(err, s.folder(e).Remove(ctx)) // it was deleted
		}
	}
	if err := s.writeExport(ctx, e); err != nil {
		return err
	}
	return s.finishExport(ctx, id, fileexport.Done)
}

// appendRows audits bills and stores their rows for the file.
func (s *Service) appendRows(ctx context.Context, e Export, found []listed, people map[int64]*Colleague, today date.Date) (Export, error) {
	columns := selectColumns(e.Columns)
	rows, numbers, tins := make([][]string, len(found)), make([]string, len(found)), []string{}
	for i, l := range found {
		b := toOpenBill(Listed{listed: l, Assignee: people[l.Work.AssignedTo]}, today)
		for _, c := range columns {
			rows[i] = append(rows[i], c.text(b))
		}
		numbers[i] = l.BillControlNumber
		if !slices.Contains(tins, l.FTIN) {
			tins = append(tins, l.FTIN)
		}
	}
	subject := exportSubject(e)
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "openBillsExportPart", Subject: subject,
		About:    append([]string{subject}, tins...),
		Answered: numbers, Result: "ok"}); err != nil {
		return e, err
	}
	if err := s.folder(e).Write(ctx, exportPartName(e.Done), rows); err != nil {
		return e, err
	}
	for _, tin := range tins {
		if !slices.Contains(e.TINs, tin) {
			e.TINs = append(e.TINs, tin)
		}
	}
	e.Done, e.Place = e.Done+len(found), found[len(found)-1].place()
	e.Bills = max(e.Bills, e.Done)
	return e, nil
}

// writeExport writes the files from the parts.
func (s *Service) writeExport(ctx context.Context, e Export) error {
	var columns []spreadsheet.Column
	for _, c := range selectColumns(e.Columns) {
		columns = append(columns, c.Column)
	}
	return s.folder(e).WriteResults(ctx, func(w io.Writer, format spreadsheet.Format) error {
		out, err := spreadsheet.NewTable(w, format, "Open bills", columns...)
		if err != nil {
			return err
		}
		err = out.WriteHeader()
		for from := 0; from < e.Done && err == nil; from += exportedAtOnce {
			var rows [][]string
			err = s.folder(e).Read(ctx, exportPartName(from), &rows)
			for i := 0; i < len(rows) && err == nil; i++ {
				err = out.Row(rows[i])
			}
		}
		return errors.Join(err, out.Close())
	})
}

// Cleanup deletes expired files, and old losses that weren't dismissed. It's safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	old, err := exportsBefore(ctx, s.db.Reader, db.At(s.now().Add(-fileexport.Retention)))
	for _, e := range old {
		err = errors.Join(err, s.folder(e).Remove(ctx))
		if err == nil {
			err = removeExport(ctx, s.db.Writer, e.ID)
		}
	}
	return errors.Join(err, s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) {
		return removeLossesBefore(ctx, tx, db.At(s.now().Add(-lossKept)))
	}))
}
