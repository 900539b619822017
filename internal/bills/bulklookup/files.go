package bulklookup

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/access"
	"wcpp/internal/bills"
	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Limits of files.
const (
	MaxLinesPerFile = 10_000
	MaxBytesPerFile = 5 << 20
	maxJobsPerHour  = 20 // per user
	maxFilesPerHour = 60 // uploads per user, started or not
)

// Job is a file that's looked up in the background.
type Job struct {
	ID        string
	UserID    int64
	FileName  string
	Status    string
	Columns   []Column
	Headers   int
	Lines     int // after the header
	Done      int // processed lines
	Found     int // lines with bills
	TINs      []string
	CreatedAt db.Instant
	DoneAt    db.Instant
}

// The statuses of jobs.
const (
	sent    = "sent" // its columns aren't chosen yet
	waiting = fileexport.Waiting
	done    = fileexport.Done
	failed  = fileexport.Failed
)

// ExpiresAt returns when the job and its files are deleted.
func (j Job) ExpiresAt() time.Time { return j.CreatedAt.Add(fileexport.Retention) }

// Upload is an uploaded file with its interpreted columns.
type Upload struct {
	Job
	Sample   [][]string
	Warnings []string
}

// rowsName and partName name the stored files of a job: its rows, and the results in parts.
const rowsName = "rows.json"

func partName(from int) string { return fmt.Sprintf("part-%05d.json", from) }

func (s *Service) folder(j Job) fileexport.Folder {
	return fileexport.Folder{Files: s.files, Prefix: "lookups/" + j.ID + "/"}
}

// Upload stores the rows of a file on disk, and recognizes its columns.
func (s *Service) Upload(ctx context.Context, a access.Actor, name, path string) (Upload, error) {
	again, err := s.limits.AllowMany(ctx, "look up: send", fmt.Sprint(a.Acting().ID), 1, maxFilesPerHour, ratelimit.Hour)
	if err != nil {
		return Upload{}, err
	}
	if !again.IsZero() {
		return Upload{}, problem.RetryLater(again.Sub(s.now()), fmt.Sprintf("You can upload %d files per hour. Try again after %s.",
			maxFilesPerHour, s.formatTime(again)))
	}
	rows, err := readFile(name, path)
	if err != nil {
		return Upload{}, err
	}
	columns, headers := Recognize(rows)
	j := Job{
		ID: rand.Text(), UserID: a.Acting().ID, FileName: cleanName(name), Status: sent, Columns: columns, Headers: headers,
		Lines:     len(rows) - headers,
		CreatedAt: db.At(s.now()),
	}
	if err := s.folder(j).Write(ctx, rowsName, rows); err != nil {
		return Upload{}, err
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.quota.Check(ctx, tx, s.db.Dialect, "lookup_jobs", j.UserID, "Delete files in Bulk lookup, then try again."); err !=
			nil {
			return err
		}
		if err := addJob(ctx, tx, j); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, entry("findManySend", j))
	})
	if err != nil {
		return Upload{}, errors.Join(err, s.folder(j).Remove(ctx))
	}
	return Upload{j, rows[:min(len(rows), maxSample)], fileWarnings(columns, rows[headers:])}, nil
}

// entry returns the audit entry for an operation on a file. It leaves out the file name, which
// can name people.
func entry(operation audit.Operation, j Job) audit.Entry {
	return audit.Entry{Operation: operation, Subject: j.ID, About: []string{}, Result: "ok",
		Detail: text.FormatCount(j.Lines, "line", "lines")}
}

const (
	fieldFile = "file"
	saySend   = "Upload a CSV or XLSX file."
)

func readFile(name, path string) ([][]string, error) {
	format := spreadsheet.GetFormat(name)
	if format == spreadsheet.Other {
		return nil, validate.RefuseField(saySend, fieldFile, saySend)
	}
	var rows [][]string
	err := func() error {
		table, err := spreadsheet.Open(path, format, "table")
		if err != nil {
			return err
		}
		defer table.Close() //nolint:errcheck // only read
		for {
			cells, _, err := table.Next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if spreadsheet.IsBlank(cells) {
				continue
			}
			if len(cells) > MaxColumns {
				return spreadsheet.NewUnreadable("The file has more than %d columns. Remove the columns you don't need.", MaxColumns)
			}
			if len(rows) >= MaxLinesPerFile+maxHeaders {
				return spreadsheet.NewUnreadable("The file has more than 10,000 lines. Split it into smaller files.")
			}
			row := make([]string, len(cells))
			for i, c := range cells {
				if row[i] = strings.ToValidUTF8(c, ""); len(row[i]) > maxCellBytes {
					return spreadsheet.NewUnreadable("Line %d has a cell with more than %d characters. Shorten it.", len(rows)+1,
						maxCellBytes)
				}
			}
			rows = append(rows, row)
		}
	}()
	var cannot *spreadsheet.Unreadable
	switch {
	case errors.As(err, &cannot):
		return nil, validate.RefuseField(cannot.Message, fieldFile, cannot.Message)
	case err != nil:
		return nil, err
	case len(rows) == 0:
		const empty = "The file is empty. Upload another one."
		return nil, validate.RefuseField(empty, fieldFile, empty)
	}
	return rows, nil
}

// maxCellBytes is how many bytes of a cell are stored.
const maxCellBytes = 2_000

// cleanName returns the last part of a file's name, which is stored.
func cleanName(name string) string {
	name = text.Clean(path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/")))
	if runes := []rune(name); len(runes) > 100 {
		name = string(runes[:100])
	}
	return name
}

// fileWarnings returns problems of the whole file that would otherwise appear in each line.
func fileWarnings(columns []Column, rows [][]string) []string {
	warnings := []string{}
	for _, c := range columns {
		n := 0
		for _, r := range rows {
			if text.IsExponent(spreadsheet.Text(cellText(r, c.Index))) {
				n++
			}
		}
		if n > 0 {
			warnings = append(warnings, fmt.Sprintf("%s: Excel shortened %d numbers. Format the column as text and save it again.",
				cmp.Or(c.Name, fmt.Sprintf("Column %d", c.Index+1)), n))
		}
	}
	return warnings
}

// errGone is the error for a job that doesn't exist or belongs to someone else.
func errGone() error {
	return problem.WithMessage(problem.NotFound, "This lookup is no longer available. Upload the file again.")
}

// OwnJob returns one of the user's jobs.
func (s *Service) OwnJob(ctx context.Context, a access.Actor, id string) (Job, error) {
	return findOwn(ctx, s.db.Reader, a, id)
}

func findOwn(ctx context.Context, q db.Queryer, a access.Actor, id string) (Job, error) {
	j, err := jobByID(ctx, q, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && j.UserID != a.Acting().ID {
		return Job{}, errGone()
	}
	return j, err
}

// ListJobs returns the user's started jobs, newest first. The scope determines which are withheld.
func (s *Service) ListJobs(ctx context.Context, a access.Actor) ([]Job, access.Scope, error) {
	list, err := listJobs(ctx, s.db.Reader, a.Acting().ID)
	if err != nil || len(list) == 0 {
		return nil, access.Scope{}, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	return list, scope, err
}

// isWithheld reports whether the results must be withheld, given the user's current scope.
func (j Job) isWithheld(scope access.Scope) bool {
	return !scope.HasAll(j.TINs)
}

// Run starts the lookup of a file. A job that already started continues unchanged.
func (s *Service) Run(ctx context.Context, a access.Actor, id string, columns []Column, headers int) (Job, error) {
	j, err := s.OwnJob(ctx, a, id)
	if err != nil || j.Status != sent {
		return j, err
	}
	if err := checkColumns(columns); err != nil {
		return j, err
	}
	rows := j.Lines + j.Headers
	lines := rows - min(headers, rows)
	if lines > MaxLinesPerFile {
		const many = "The file has more than 10,000 lines. Split it into smaller files."
		return j, validate.RefuseField(many, fieldRows, many)
	}
	again, err := s.limits.AllowMany(ctx, "look up: run", fmt.Sprint(a.Acting().ID), 1, maxJobsPerHour, ratelimit.Hour)
	if err != nil {
		return j, err
	}
	if !again.IsZero() {
		return j, problem.RetryLater(again.Sub(s.now()), fmt.Sprintf("You can look up %d files per hour. Try again after %s.",
			maxJobsPerHour,
			s.formatTime(again)))
	}
	if err := s.countTowardLimit(ctx, a, lines); err != nil {
		return j, err
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		now, err := findOwn(ctx, tx, a, id)
		if err != nil || now.Status != sent {
			j = now
			return err
		}
		j.Status, j.Columns, j.Headers, j.Lines = waiting, columns, headers, lines
		if _, err := putJob(ctx, tx, j); err != nil {
			return err
		}
		return errors.Join(s.audit.Record(ctx, tx, entry("findManyRun", j)), s.jobs.Insert(ctx, tx, JobArgs{j.ID}))
	})
	return j, err
}

// Remove deletes a job with all of its files.
func (s *Service) Remove(ctx context.Context, a access.Actor, id string) error {
	j, err := s.OwnJob(ctx, a, id)
	if err != nil {
		return err
	}
	if err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		return errors.Join(removeJob(ctx, tx, j.ID), s.audit.Record(ctx, tx, entry("findManyRemove", j)))
	}); err != nil {
		return err
	}
	return s.folder(j).Remove(ctx)
}

// Cleanup deletes expired uploads, files first. It's safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	old, err := jobsBefore(ctx, s.db.Reader, db.At(s.now().Add(-fileexport.Retention)))
	for _, j := range old {
		err = errors.Join(err, s.folder(j).Remove(ctx))
		if err == nil {
			err = removeJob(ctx, s.db.Writer, j.ID)
		}
	}
	return err
}

// Result opens the results of a finished job, after auditing that. A user who lost a TIN of its
// bills gets an error.
func (s *Service) Result(ctx context.Context, a access.Actor, id string, format spreadsheet.Format) (Job, *blob.File, error) {
	j, err := s.OwnJob(ctx, a, id)
	if err != nil {
		return j, nil, err
	}
	if j.Status != done {
		return j, nil, problem.WithMessage(problem.Conflict, "The lookup isn't finished yet.")
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return j, nil, err
	}
	if j.isWithheld(scope) {
		return j, nil, problem.WithMessage(problem.NotFound, "Your Tax IDs have changed. Upload the file again.")
	}
	file, err := s.folder(j).Result(ctx, format, errGone())
	if err != nil {
		return j, nil, err
	}
	e := entry("findManyResult", j)
	e.About = j.TINs
	if err := s.audit.RecordNow(ctx, e); err != nil {
		file.Close()
		return j, nil, err
	}
	return j, file, nil
}

// JobArgs identify the job to process.
type JobArgs struct {
	ID string `json:"id"`
}

// Kind returns the name of the job.
func (JobArgs) Kind() string { return "look-up" }

// InsertOpts lets interactive jobs run first.
func (JobArgs) InsertOpts() river.InsertOpts { return fileexport.InsertOpts() }

// RegisterJobs registers the job that looks up the lines of a file.
func (s *Service) RegisterJobs(r *jobs.Runner) { jobs.Work(r, jobs.InParts(s.LookUp)) }

// LookUp processes the remaining lines in parts, and skips parts with stored results.
func (s *Service) LookUp(ctx context.Context, job *river.Job[JobArgs]) error {
	err := s.requeueJob(ctx, job.Args.ID)
	if fileexport.IsFinal(job.JobRow, err) {
		return errors.Join(err, s.finishJob(context.WithoutCancel(ctx), job.Args.ID, failed))
	}
	return err
}

func (s *Service) finishJob(ctx context.Context, id, status string) error {
	j, err := jobByID(ctx, s.db.Writer, id)
	if err != nil || j.Status != waiting {
		return err
	}
	j.Status, j.DoneAt = status, db.At(s.now())
	_, err = putJob(ctx, s.db.Writer, j)
	return err
}

func (s *Service) requeueJob(ctx context.Context, id string) error {
	j, err := jobByID(ctx, s.db.Writer, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && j.Status != waiting {
		return nil // deleted since, or finished
	}
	if err != nil {
		return err
	}
	a, known, err := s.people.LoadActor(ctx, j.UserID)
	if err != nil {
		return err
	}
	if !known {
		return problem.New(problem.Forbidden)
	}
	ctx = audit.WithActor(ctx, a.Person.UserName, "", a.Person.GroupID)
	var rows [][]string
	if err := s.folder(j).Read(ctx, rowsName, &rows); err != nil {
		return err
	}
	for j.Done < j.Lines {
		from := j.Headers + j.Done
		part := Table{Columns: j.Columns, Rows: rows[from:min(from+MaxLines, len(rows))]}
		lines, err := s.lookUpLines(ctx, a, part)
		if err != nil {
			return err
		}
		for i, l := range lines {
			lines[i].Number += from
			if len(l.Bills) > 0 {
				j.Found++
			}
			for _, b := range l.Bills {
				if !slices.Contains(j.TINs, b.FTIN) {
					j.TINs = append(j.TINs, b.FTIN)
				}
			}
		}
		if err := s.folder(j).Write(ctx, partName(from), lines); err != nil {
			return err
		}
		j.Done += len(lines)
		if n, err := putJob(ctx, s.db.Writer, j); err != nil || n == 0 {
			return errors.Join(err, s.folder(j).Remove(ctx)) // it was deleted
		}
	}
	if err := s.writeResults(ctx, j, rows); err != nil {
		return err
	}
	return s.finishJob(ctx, id, done)
}

func (s *Service) writeResults(ctx context.Context, j Job, rows [][]string) error {
	asOf, err := s.ages.AsOf(ctx)
	if err != nil {
		return err
	}
	return s.folder(j).WriteResults(ctx, func(w io.Writer, format spreadsheet.Format) error {
		return writeResult(w, format, Table{j.Columns, j.Headers, rows}, s.formatAsOf(asOf), func(yield func([]Line) error) error {
			for from := j.Headers; from < j.Headers+j.Lines; from += MaxLines {
				var lines []Line
				if err := s.folder(j).Read(ctx, partName(from), &lines); err != nil {
					return err
				}
				if err := yield(lines); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// Export looks up the lines of a table and writes them with the results.
func (s *Service) Export(ctx context.Context, a access.Actor, t Table, format spreadsheet.Format, w io.Writer) error {
	lines, err := s.LookUpTable(ctx, a, t)
	if err != nil {
		return err
	}
	asOf, err := s.ages.AsOf(ctx)
	if err != nil {
		return err
	}
	return writeResult(w, format, t, s.formatAsOf(asOf), func(yield func([]Line) error) error { return yield(lines) })
}

// formatAsOf formats an ISO 8601 timestamp for the file.
func (s *Service) formatAsOf(asOf string) string {
	t, err := time.Parse(time.RFC3339, asOf)
	if err != nil {
		return asOf
	}
	return s.formatTime(t)
}

// addedColumns are the columns added to the office's own.
var addedColumns = []spreadsheet.Column{
	{Title: "Found", Width: 14}, {Title: "Bill Control Number", Width: 20}, {Title: "TIN", Width: 11}, {Title: "Claimant", Width: 26},
	{Title: "Date of Service", Width: 15, Kind: spreadsheet.Dates},
	{Title: "Status", Width: 16}, {Title: "State", Width: 40}, {Title: "Received", Width: 12, Kind: spreadsheet.Dates},
	{Title: "Network Allowance", Width: 18, Kind: spreadsheet.Amounts}, {Title: "Paid", Width: 12, Kind: spreadsheet.Amounts},
	{Title: "Paid On", Width: 12, Kind: spreadsheet.Dates}, {Title: "Check", Width: 16}, {Title: "Reasons", Width: 22},
	{Title: "Next Step", Width: 40}, {Title: "As Of", Width: 22}, {Title: "To Correct", Width: 40},
}

// writeResult writes the lines of a table with their results, one row per bill.
func writeResult(w io.Writer, format spreadsheet.Format, t Table, asOf string, parts func(yield func([]Line) error) error) error {
	width := 0
	for _, r := range t.Rows {
		width = max(width, len(r))
	}
	columns := make([]spreadsheet.Column, width)
	for i := range columns {
		columns[i].Title = cmp.Or(headerText(t.Rows[:min(t.Headers, len(t.Rows))], i), fmt.Sprintf("Column %d", i+1))
	}
	out, err := spreadsheet.NewTable(w, format, "Bills", append(columns, addedColumns...)...)
	if err != nil {
		return err
	}
	writeRow := func(row, ours []string) error {
		own := make([]string, width)
		copy(own, row)
		return out.Row(append(own, ours...))
	}
	err = out.WriteHeader()
	if err == nil {
		err = parts(func(lines []Line) error {
			for _, l := range lines {
				row := t.Rows[l.Number-1]
				for _, ours := range l.cells(t, asOf) {
					if err := writeRow(row, ours); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return errors.Join(err, out.Close())
}

// describeStatus describes a bill's status as the screen does.
func describeStatus(b bills.BillSummary) string {
	if b.Status == billstate.NameOther {
		return b.State.Text
	}
	return billstate.Label(b.Status)
}

// describeFound describes how many bills a line found, as the screen does.
func (l Line) describeFound() string {
	switch {
	case l.Answer == Unreadable:
		return "Not readable"
	case len(l.Bills) == 0:
		return "None"
	case l.Matches >= ledger.MaxHits:
		return fmt.Sprintf("%d or more matches", ledger.MaxHits)
	case l.Matches > 1:
		return fmt.Sprintf("%d matches", l.Matches)
	}
	return "1"
}

// cells returns the cells we add to a line, for each of its bills.
func (l Line) cells(t Table, asOf string) [][]string {
	mend := make([]string, len(l.Cells))
	for i, c := range l.Cells {
		mend[i] = c.Message
		if name := headerText(t.Rows[:min(t.Headers, len(t.Rows))], c.Index); name != "" {
			mend[i] = name + ": " + c.Message
		}
	}
	messages := strings.Join(mend, " ")
	if len(l.Bills) == 0 {
		row := make([]string, len(addedColumns))
		row[0], row[len(row)-2], row[len(row)-1] = l.describeFound(), asOf, messages
		return [][]string{row}
	}
	rows := make([][]string, len(l.Bills))
	for i, b := range l.Bills {
		rows[i] = []string{
			l.describeFound(), b.BillControlNumber, b.FTIN, text.Clean(b.PatientLastName + ", " + b.PatientFirstName),
			b.BeginServiceDate.US(), describeStatus(b), b.State.Text, b.ReceivedOn.US(),
			money.TextOrNone(b.RecommendedAllowance), money.TextOrNone(b.PaidAmount), b.PaidDate.US(), b.CheckNumber, b.Reasons, b.NextStep,
			asOf, messages,
		}
	}
	return rows
}
