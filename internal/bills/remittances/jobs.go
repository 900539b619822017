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

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/validate"
)

// The states of an export.
const (
	queued = "QUEUED"
	done   = "DONE"
	failed = "FAILED"
)

// Export is a file of several remittances that a user requested.
type Export struct {
	ID          int64
	UserID      int64
	Status      string
	Remittances []ID
	Ready       int // finished so far
	Shown       ExportContents
	StorageKey  string
	CreatedAt   db.Instant
	WorkedAt    db.Instant
	DoneAt      db.Instant
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

// exportLifetime is how long a file is available.
const exportLifetime = 7 * 24 * time.Hour

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
	e := Export{UserID: a.Acting().ID, Status: queued, CreatedAt: db.At(s.now())}
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
	err := s.db.Tx(ctx, func(tx *sql.Tx) (err error) {
		if err := s.quota.Check(ctx, tx, s.db.Dialect, "remittance_exports", e.UserID,
			"Each file is deleted after 7 days. Try again later."); err != nil {
			return err
		}
		if e.ID, err = addExport(ctx, tx, e); err != nil {
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

// errExportGone is the error for a file that is deleted, belongs to someone else or never
// existed.
func errExportGone() error {
	return problem.WithMessage(problem.NotFound, "This file is no longer available. Select the remittances again.")
}

// errWithheld is the error for a user who lost a TIN of the exported remittances.
func errWithheld() error {
	return problem.WithMessage(problem.NotFound, "Your Tax IDs have changed. Select the remittances again.")
}

// FindExport returns one of the actor's exports, if all of its TINs are still in scope.
func (s *Service) FindExport(ctx context.Context, a access.Actor, id int64) (Export, error) {
	e, err := exportByID(ctx, s.db.Reader, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && (e.UserID != a.Acting().ID || e.CreatedAt.Before(s.now().Add(-exportLifetime))) {
		return Export{}, errExportGone()
	}
	if err != nil {
		return e, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return e, err
	}
	if !scope.HasAll(e.tins()) {
		return Export{}, errWithheld()
	}
	return e, nil
}

// OpenExport opens the file of a finished export, after auditing that.
func (s *Service) OpenExport(ctx context.Context, a access.Actor, id int64) (*blob.File, error) {
	e, err := s.FindExport(ctx, a, id)
	if err == nil && e.Status != done {
		err = errExportGone()
	}
	if err != nil {
		return nil, err
	}
	file, err := s.files.Open(ctx, e.StorageKey)
	if errors.Is(err, blob.ErrNotFound) {
		err = errExportGone()
	}
	if err != nil {
		return nil, err
	}
	opened := audit.Entry{
		Operation: openExport, Subject: exportSubject(id), About: append([]string{exportSubject(id)}, e.Shown.About...),
		Answered: e.Shown.Answered, Result: ok,
	}
	if err := s.audit.RecordNow(ctx, opened); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Work creates the file. Running it again creates the same file.
func (s *Service) Work(ctx context.Context, job *river.Job[ExportArgs]) error {
	id := job.Args.ExportID
	now := s.now()
	is, err := claimExport(ctx, s.db.Writer, id, db.At(now), db.At(now.Add(-jobs.StaleAfter(job.JobRow))))
	if err != nil {
		return err
	}
	if !is {
		e, err := exportByID(ctx, s.db.Reader, id)
		if err == nil && e.Status == queued {
			return river.JobSnooze(time.Minute) // the other worker may have stopped
		}
		if errors.Is(err, db.ErrNotFound) {
			err = nil
		}
		return err
	}
	e, err := exportByID(ctx, s.db.Writer, id)
	if err != nil {
		return err
	}
	e.Status, e.StorageKey = done, exportKey(id)
	if err := s.makeExport(ctx, &e); err != nil {
		aside := context.WithoutCancel(ctx)
		if job.Attempt >= job.MaxAttempts {
			return errors.Join(err, settleExport(aside, s.db.Writer, Export{ID: id, Status: failed, DoneAt: db.At(s.now())}))
		}
		return errors.Join(err, releaseExport(aside, s.db.Writer, id))
	}
	e.DoneAt = db.At(s.now())
	return settleExport(ctx, s.db.Writer, e)
}

// contentColumns are the columns of an archive's table of contents.
var contentColumns = []spreadsheet.Column{
	{Title: "Paid On"}, {Title: "Payer"}, {Title: "Number"}, {Title: "Tax ID (TIN)"}, {Title: "Amount"}, {Title: "Files"},
	{Title: "Original 835"}, {Title: "Note"},
}

// makeExport writes the archive to storage. It contains the advice, the lines and the original
// 835, if available, of each remittance, and a table of contents. The key only has a file once
// it's complete.
func (s *Service) makeExport(ctx context.Context, e *Export) error {
	e.Shown = ExportContents{About: e.tins()}
	return s.files.Put(ctx, e.StorageKey, func(w io.Writer) error {
		archive := zip.NewWriter(w)
		var contents bytes.Buffer
		table, err := spreadsheet.NewTable(&contents, spreadsheet.CSV, "Contents", contentColumns...)
		if err != nil {
			return err
		}
		if err := table.WriteHeader(); err != nil {
			return err
		}
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
			if err := table.Row([]string{p.PaidOn.US(), p.PayerName, p.TraceNumber, p.FTIN, money.Text(p.Total), name, note,
				duplicateNames[p.Duplicate]}); err != nil {
				return err
			}
			shown := p.openingEntry(openExport)
			e.Shown.About, e.Shown.Answered = append(e.Shown.About, shown.Subject), append(e.Shown.Answered, shown.Answered...)
			if err := noteReady(ctx, s.db.Writer, e.ID, i+1, db.At(s.now())); err != nil {
				return err
			}
		}
		if err := table.Close(); err != nil {
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

// Cleanup deletes expired exports with their files.
func (s *Service) Cleanup(ctx context.Context) error {
	ids, err := oldExports(ctx, s.db.Reader, db.At(s.now().Add(-exportLifetime)))
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.files.Delete(ctx, exportKey(id)); err != nil {
			return err
		}
		if err := removeExport(ctx, s.db.Writer, id); err != nil {
			return err
		}
	}
	return nil
}
