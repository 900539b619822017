package remittances

import (
	"archive/zip"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/validate"
)

// Export is a file of several remittances that a user requested.
type Export struct {
	fileexport.Row[int64]
	Remittances []ID           `db:",json"`
	Ready       int            // finished so far
	Shown       ExportContents `db:",json"`
	StorageKey  string
	WorkedAt    db.Instant
}

func (s *Service) newExports(d *db.DB, files blob.Store, quota fileexport.Quota) *fileexport.Exports[Export, int64] {
	return &fileexport.Exports[Export, int64]{Table: exportRows, DB: d, Files: files, Quota: quota, Audit: s.audit, Now: s.now,
		Job:    fileexport.Job{Kind: ExportArgs{}.Kind(), Field: "exportId"},
		Key:    exportKey,
		Full:   "Each file is deleted after 7 days. Try again later.",
		Gone:   "This file is no longer available. Select the remittances again.",
		Claims: true, Busy: river.JobSnooze(time.Minute)} // the other job may have stopped
}

// ExportContents lists what an export's file contains, for the audit log.
type ExportContents struct {
	About    []string `json:"about"`    // TINs, and remittances with them
	Answered []string `json:"answered"` // bill numbers
}

// The maximum number of remittances in one file, and in one request to mark them as posted.
const (
	maxExported = 200
	maxPosted   = 200
)

// ExportArgs identify the export to process.
type ExportArgs struct {
	ExportID int64 `json:"exportId"`
}

// Kind returns the name of the job.
func (ExportArgs) Kind() string { return "remittance-export" }

// InsertOpts limits the attempts.
func (ExportArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 5} }

// Jobs registers the job that exports remittances.
func (s *Service) Jobs(r *jobs.Runner) { jobs.Work(r, s.Work) }

// Export requests a file of several remittances and returns the request.
func (s *Service) Export(ctx context.Context, a access.Actor, sealed []string) (Export, error) {
	var wrong validate.Fields
	wrong.Require(len(sealed) > 0, "ids", "Select at least one remittance.")
	wrong.Require(len(sealed) <= maxExported, "ids", fmt.Sprintf("Select up to %d remittances.", maxExported))
	if err := wrong.Refuse("Couldn't create the file. Correct the selection and try again."); err != nil {
		return Export{}, err
	}
	e := Export{Row: s.exports.NewRow(a.Acting().ID)}
	seen := map[ID]bool{}
	for _, sealedID := range sealed {
		id, err := s.openID(ctx, a, exportRemittances, sealedID)
		if err != nil {
			return Export{}, err
		}
		if !seen[id] {
			seen[id], e.Remittances = true, append(e.Remittances, id)
		}
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.exports.Request(ctx, tx, &e); err != nil {
			return err
		}
		if err := s.jobs.Insert(ctx, tx, ExportArgs{e.ID}); err != nil {
			return err
		}
		subject := exportSubject(e.ID)
		return s.audit.Record(ctx, tx, audit.Entry{Operation: exportRemittances, Subject: subject,
			About: append([]string{subject}, e.tins()...), Result: ok})
	})
	return e, err
}

func exportSubject(id int64) string { return fmt.Sprintf("remittance export %d", id) }

// tins returns the TINs of the export's remittances without duplicates.
func (e *Export) tins() (list []string) {
	seen := map[string]bool{}
	for _, id := range e.Remittances {
		if !seen[id.FTIN] {
			seen[id.FTIN], list = true, append(list, id.FTIN)
		}
	}
	return list
}

// errWithheld is the error for a user who lost a TIN of the exported remittances.
func errWithheld() error {
	return problem.WithMessage(problem.NotFound, "Your Tax IDs have changed. Select the remittances again.")
}

// FindExport returns one of the actor's exports, if all of its TINs are still in scope.
func (s *Service) FindExport(ctx context.Context, a access.Actor, id int64) (Export, error) {
	e, err := s.exports.FindOwn(ctx, s.db.Reader, a.FileOwner(), id)
	if err == nil && e.ExpiresAt().Before(s.now()) {
		err = s.exports.ErrGone()
	}
	if err == nil {
		err = access.RequireTINs(ctx, s.scopes, a, e.tins(), errWithheld())
	}
	if err != nil {
		return Export{}, err
	}
	return e, nil
}

// OpenExport opens the file of a finished export, after auditing that.
func (s *Service) OpenExport(ctx context.Context, a access.Actor, id int64) (*blob.File, error) {
	e, err := s.FindExport(ctx, a, id)
	if err == nil && e.Status != s.exports.Done {
		err = s.exports.ErrGone()
	}
	if err != nil {
		return nil, err
	}
	return s.exports.Open(ctx, e.StorageKey, audit.Entry{
		Operation: openExport, Subject: exportSubject(id), About: append([]string{exportSubject(id)}, e.Shown.About...),
		Answered: e.Shown.Answered, Result: ok,
	})
}

// Work creates the file. Running it again creates the same file.
func (s *Service) Work(ctx context.Context, job *river.Job[ExportArgs]) error {
	return s.exports.Work(ctx, job.JobRow, job.Args.ExportID, s.makeExport)
}

// contentColumns are the columns of an archive's table of contents.
var contentColumns = []spreadsheet.Column{
	{Title: "Paid On"}, {Title: "Payer"}, {Title: "Number"}, {Title: "Tax ID (TIN)"}, {Title: "Amount"}, {Title: "Files"},
	{Title: "Original 835"}, {Title: "Note"},
}

// makeExport writes the archive to storage, unless its owner lost a TIN or the permission. It
// contains the advice, the lines and the original 835, if available, of each remittance, and a
// table of contents. The key only has a file once it's complete.
func (s *Service) makeExport(ctx context.Context, e *Export) error {
	ctx, a, err := s.users.ActFor(ctx, e.UserID, "remittances.read")
	if err == nil {
		err = access.RequireTINs(ctx, s.scopes, a, e.tins(), errWithheld())
	}
	if err != nil {
		return err
	}
	contained := ExportContents{About: e.tins()}
	e.Ready = 0
	if err := s.exports.SaveProgress(ctx, e); err != nil {
		return err
	}
	key := exportKey(e.ID)
	err = s.exports.Files.Put(ctx, key, func(w io.Writer) error {
		archive := zip.NewWriter(w)
		var contents bytes.Buffer
		err := spreadsheet.WriteTable(&contents, spreadsheet.CSV, "Contents", contentColumns, func(table spreadsheet.Table) error {
			return s.addRemittances(ctx, e, archive, table, &contained)
		})
		if err != nil {
			return err
		}
		out, err := archive.Create("contents.csv")
		if err != nil {
			return err
		}
		if _, err := out.Write(contents.Bytes()); err != nil {
			return err
		}
		return archive.Close()
	})
	e.Shown, e.StorageKey = contained, key
	return err
}

// addRemittances adds the remittances of an export to the archive and its table of contents, and
// to contained.
func (s *Service) addRemittances(
	ctx context.Context, e *Export, archive *zip.Writer, table spreadsheet.Table, contained *ExportContents,
) error {
	taken := map[string]int{}
	for i, id := range e.Remittances {
		p, err := s.readPage(ctx, id)
		if problem.Is(err, problem.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		name := p.fileName("")
		if taken[name]++; taken[name] > 1 {
			name = fmt.Sprintf("%s_%d", name, taken[name])
		}
		note, err := s.addToArchive(ctx, archive, name, p)
		if err != nil {
			return err
		}
		amount := p.Total
		if p.Amount != nil {
			amount = *p.Amount // as in the list
		}
		if err := table.Row([]string{p.PaidOn.US(), p.PayerName, p.TraceNumber, p.FTIN, money.Text(amount), name, note,
			duplicateNames[p.Duplicate]}); err != nil {
			return err
		}
		shown := p.openingEntry(openExport)
		contained.About = append(contained.About, shown.Subject)
		contained.Answered = append(contained.Answered, shown.Answered...)
		e.Ready, e.WorkedAt = i+1, db.At(s.now())
		if err := s.exports.SaveProgress(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// addToArchive adds the documents of a remittance to the archive, and returns the note about its
// 835.
func (s *Service) addToArchive(ctx context.Context, archive *zip.Writer, name string, p Page) (note string, err error) {
	voucher, err := s.renderAdvice(ctx, p)
	if err != nil {
		return "", err
	}
	var lines bytes.Buffer
	if err := p.writeLines(&lines, spreadsheet.CSV); err != nil {
		return "", err
	}
	files := []struct {
		extension string
		body      []byte
	}{{".pdf", voucher}, {".csv", lines.Bytes()}}
	sent, err := s.read835(ctx, p)
	switch {
	case problem.Is(err, problem.NotFound):
		note = problem.From(err).Message
	case err != nil:
		return "", err
	default:
		note = "yes"
		files = append(files, struct {
			extension string
			body      []byte
		}{".835", sent})
	}
	for _, f := range files {
		out, err := archive.Create(name + f.extension)
		if err != nil {
			return "", err
		}
		if _, err := out.Write(f.body); err != nil {
			return "", err
		}
	}
	return note, nil
}

// exportKey returns the storage key of an export's file.
func exportKey(id int64) string { return fmt.Sprintf("remittance-exports/%d.zip", id) }

// Cleanup deletes expired exports with their files, and fails abandoned ones.
func (s *Service) Cleanup(ctx context.Context) error {
	return errors.Join(s.exports.FailAbandoned(ctx), s.exports.RemoveBefore(ctx, s.now().Add(-fileexport.Retention), ""))
}
