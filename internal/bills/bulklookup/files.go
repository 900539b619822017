package bulklookup

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
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
	fileexport.Row[string]
	FileName string
	Columns  []Column `db:",json"`
	Headers  int      `db:"header_rows"`
	Claims   bool     // the lines are the bills of an 837
	Lines    int      `db:"line_count"` // after the header
	Done     int      // processed lines
	Found    int      // lines with bills
	TINs     []string `db:"tins,json"`
	From1904 bool     `db:"from_1904"` // counts of days start in 1904
}

// sent is the status of a job whose columns aren't chosen yet.
const sent = "sent"

func (s *Service) newExports(d *db.DB, files blob.Store, quota fileexport.Quota) *fileexport.Exports[Job, string] {
	return &fileexport.Exports[Job, string]{Table: jobRows, DB: d, Files: files, Quota: quota, Audit: s.audit, Now: s.now,
		Job:  fileexport.Job{Kind: JobArgs{}.Kind(), Field: "id"},
		Key:  func(id string) string { return "lookups/" + id + "/" },
		Full: "Delete files in Bulk lookup, then try again. Each file is deleted after 7 days.",
		Gone: "This lookup is no longer available. Upload the file again."}
}

// Upload is an uploaded file with its interpreted columns.
type Upload struct {
	Job
	Sample   [][]string
	Warnings []string
}

// rowsName names the stored rows of a job.
const rowsName = "rows.json"

// Upload stores the rows of a file on disk, and recognizes its columns. The name is clean.
func (s *Service) Upload(ctx context.Context, a access.Actor, name, path string) (Upload, error) {
	again, err := s.limits.AllowMany(ctx, "look up: send", fmt.Sprint(a.Acting().ID), 1, maxFilesPerHour, ratelimit.Hour)
	err = cmp.Or(err, ratelimit.RetryAfter(again, s.now(), fmt.Sprintf("You can upload %d files per hour.", maxFilesPerHour)))
	if err != nil {
		return Upload{}, err
	}
	if content, err := readClaimFile(path); err != nil || content != nil {
		if err != nil {
			return Upload{}, err
		}
		return s.uploadClaims(ctx, a, name, content)
	}
	f, err := readFile(name, path)
	if err != nil {
		return Upload{}, err
	}
	columns, headers := Recognize(f.rows)
	j := Job{Row: s.exports.NewRow(a.Acting().ID), FileName: name, Columns: columns, Headers: headers,
		Lines: len(f.rows) - headers, From1904: f.from1904}
	if err := s.addUpload(ctx, &j, f.rows); err != nil {
		return Upload{}, err
	}
	return Upload{j, f.rows[:min(len(f.rows), maxSample)], append(fileWarnings(columns, f.rows[headers:]), f.warnings...)}, nil
}

// addUpload stores an uploaded file with its rows.
func (s *Service) addUpload(ctx context.Context, j *Job, rows any) error {
	j.Status = sent
	if err := s.exports.Write(ctx, j.ID, rowsName, rows); err != nil {
		return err
	}
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.exports.Request(ctx, tx, j); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, entry("findManySend", *j))
	})
	if err != nil {
		return errors.Join(err, s.exports.RemoveFiles(ctx, j.ID))
	}
	return nil
}

// entry returns the audit entry for an operation on a file. It leaves out the file name, which
// can name people.
func entry(operation audit.Operation, j Job) audit.Entry {
	return audit.Entry{Operation: operation, Subject: j.ID, About: []string{}, Result: "ok",
		Detail: text.FormatCount(j.Lines, "line", "lines")}
}

const (
	fieldFile = "file"
	saySend   = "Upload a CSV, XLSX or 837 file."
)

// tableFile is a file as read.
type tableFile struct {
	rows     [][]string
	from1904 bool     // counts of days start in 1904
	warnings []string // about what isn't read
}

func readFile(name, path string) (tableFile, error) {
	var f tableFile
	if err := refuseZip(name, path); err != nil {
		return f, err
	}
	format := spreadsheet.GetFormat(name)
	if format == spreadsheet.Other {
		return f, validate.RefuseField(saySend, fieldFile, saySend)
	}
	err := func() error {
		table, err := spreadsheet.Open(path, format, "table")
		if err != nil {
			return err
		}
		defer table.Close() //nolint:errcheck // only read
		f.warnings, f.from1904 = spreadsheet.WarnUnread(table), table.From1904()
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
			if len(f.rows) >= MaxLinesPerFile+maxHeaders {
				return spreadsheet.NewUnreadable("The file has more than 10,000 lines. Split it into smaller files.")
			}
			row := make([]string, len(cells))
			for i, c := range cells {
				if day, is := table.Date(i); is {
					c = day
				}
				if row[i] = strings.ToValidUTF8(c, ""); len(row[i]) > maxCellBytes {
					return spreadsheet.NewUnreadable(sayLongCell, len(f.rows)+1, maxCellBytes)
				}
			}
			f.rows = append(f.rows, row)
		}
	}()
	var cannot *spreadsheet.Unreadable
	switch {
	case errors.As(err, &cannot):
		return f, validate.RefuseField(cannot.Message, fieldFile, cannot.Message)
	case err != nil:
		return f, err
	case len(f.rows) == 0:
		const empty = "The file is empty. Upload another one."
		return f, validate.RefuseField(empty, fieldFile, empty)
	}
	return f, nil
}

// maxCellBytes is how many bytes a cell can have. A workbook's cells can't contain much more.
const maxCellBytes = 2_000

const sayLongCell = "Line %d has a cell with more than %d characters. Shorten it."

// fileWarnings returns problems of the whole file that would otherwise appear in each line.
func fileWarnings(columns []Column, rows [][]string) []string {
	warnings := []string{}
	for _, c := range columns {
		n := 0
		for _, r := range rows {
			if text.IsExponent(spreadsheet.Text(spreadsheet.CellAt(r, c.Index))) {
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

// OwnJob returns one of the user's jobs.
func (s *Service) OwnJob(ctx context.Context, a access.Actor, id string) (Job, error) {
	return s.exports.FindOwn(ctx, s.db.Reader, a.FileOwner(), id)
}

// ListJobs returns the user's jobs, started or not, newest first. The scope determines which are withheld.
func (s *Service) ListJobs(ctx context.Context, a access.Actor) ([]Job, access.Scope, error) {
	list, err := s.exports.ListOwn(ctx, s.db.Reader, a.FileOwner(), "")
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
	if j.Claims {
		columns, headers = nil, 0
	} else if err := checkColumns(columns); err != nil {
		return j, err
	}
	rows := j.Lines + j.Headers
	lines := rows - min(headers, rows)
	if lines > MaxLinesPerFile {
		const many = "The file has more than 10,000 lines. Split it into smaller files."
		return j, validate.RefuseField(many, fieldRows, many)
	}
	again, err := s.limits.AllowMany(ctx, "look up: run", fmt.Sprint(a.Acting().ID), 1, maxJobsPerHour, ratelimit.Hour)
	err = cmp.Or(err, ratelimit.RetryAfter(again, s.now(), fmt.Sprintf("You can look up %d files per hour.", maxJobsPerHour)))
	if err != nil {
		return j, err
	}
	if err := s.countTowardLimit(ctx, a, lines); err != nil {
		return j, err
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		now, err := s.exports.FindOwn(ctx, tx, a.FileOwner(), id)
		if err != nil || now.Status != sent {
			j = now
			return err
		}
		j.Status, j.Columns, j.Headers, j.Lines = s.exports.Waiting, columns, headers, lines
		if _, err := s.exports.Update(ctx, tx, j); err != nil {
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
	return s.exports.Remove(ctx, j.ID, entry("findManyRemove", j))
}

// Cleanup deletes expired uploads, files first, and fails abandoned ones. It's safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	return errors.Join(s.exports.FailAbandoned(ctx), s.exports.RemoveBefore(ctx, s.now().Add(-fileexport.Retention), ""))
}

// checkResult returns a finished job of the user. A user who lost a TIN of its bills gets an error.
func (s *Service) checkResult(ctx context.Context, a access.Actor, id string) (Job, error) {
	j, err := s.OwnJob(ctx, a, id)
	if err == nil && j.Status != s.exports.Done {
		err = problem.WithMessage(problem.Conflict, "The lookup isn't finished yet. Try again in a minute.")
	}
	if err == nil {
		err = access.RequireTINs(ctx, s.scopes, a, j.TINs,
			problem.WithMessage(problem.NotFound, "Your Tax IDs have changed. Upload the file again."))
	}
	return j, err
}

// Result opens the results of a finished job, after auditing that.
func (s *Service) Result(ctx context.Context, a access.Actor, id string, format spreadsheet.Format) (Job, *blob.File, error) {
	j, err := s.checkResult(ctx, a, id)
	if err != nil {
		return j, nil, err
	}
	opened := entry("findManyResult", j)
	opened.About = j.TINs
	file, err := s.exports.Open(ctx, s.exports.ResultKey(id, format), opened)
	return j, file, err
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
	return s.exports.Work(ctx, job.JobRow, job.Args.ID, s.createResults)
}

func (s *Service) createResults(ctx context.Context, j *Job) error {
	ctx, a, err := s.users.ActFor(ctx, j.UserID, "work.find")
	if err != nil {
		return err
	}
	if j.Claims {
		return s.createClaimResults(ctx, a, j)
	}
	var rows [][]string
	if err := s.exports.Read(ctx, j.ID, rowsName, &rows); err != nil {
		return err
	}
	below := rows[min(j.Headers, len(rows)):]
	if j.From1904 {
		shiftDays(j.Columns, below)
	}
	most := countDigits(j.Columns, below)
	if err := lookUpParts(ctx, s, j, func(from int) ([]Line, error) {
		part := Table{Columns: j.Columns, Rows: rows[from:min(from+MaxLines, len(rows))]}
		lines, err := s.lookUpLines(ctx, a, part, most)
		for i := range lines {
			lines[i].Number += from
		}
		return lines, err
	}); err != nil {
		return err
	}
	asOf, err := s.ages.AsOf(ctx)
	if err != nil {
		return err
	}
	t := Table{j.Columns, j.Headers, rows}
	return s.exports.WriteResults(ctx, j.ID, sheetName, t.titles(), func(out spreadsheet.Table) error {
		for from := j.Headers; from < j.Headers+j.Lines; from += MaxLines {
			var lines []Line
			if err := s.exports.Read(ctx, j.ID, fileexport.PartName(from), &lines); err != nil {
				return err
			}
			if err := t.writeLines(out, lines, s.formatAsOf(asOf)); err != nil {
				return err
			}
		}
		return nil
	})
}

// shiftDays converts the date columns' counts of days from 1904, as the result counts from 1900.
func shiftDays(columns []Column, rows [][]string) {
	for _, c := range columns {
		for _, row := range rows {
			if (c.Kind == BirthDate || c.Kind == ServiceDate) && c.Index < len(row) {
				row[c.Index] = spreadsheet.ShiftDays(row[c.Index])
			}
		}
	}
}

// lookUpParts looks up the remaining lines of a job in parts, and stores each with its progress.
func lookUpParts[L interface{ found() []detail.Summary }](
	ctx context.Context, s *Service, j *Job, lookUp func(from int) ([]L, error),
) error {
	for j.Done < j.Lines {
		from := j.Headers + j.Done
		lines, err := lookUp(from)
		if err != nil {
			return err
		}
		for _, l := range lines {
			if len(l.found()) > 0 {
				j.Found++
			}
			for _, b := range l.found() {
				if !slices.Contains(j.TINs, b.FTIN) {
					j.TINs = append(j.TINs, b.FTIN)
				}
			}
		}
		if err := s.exports.Write(ctx, j.ID, fileexport.PartName(from), lines); err != nil {
			return err
		}
		j.Done += len(lines)
		if err := s.exports.SaveProgress(ctx, j); err != nil {
			return err
		}
	}
	return nil
}

func (l Line) found() []detail.Summary { return l.Bills }

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
	return spreadsheet.WriteTable(w, format, sheetName, t.titles(), func(out spreadsheet.Table) error {
		return t.writeLines(out, lines, s.formatAsOf(asOf))
	})
}

// formatAsOf formats an ISO 8601 timestamp for the file.
func (s *Service) formatAsOf(asOf string) string {
	t, err := time.Parse(time.RFC3339, asOf)
	if err != nil {
		return asOf
	}
	return date.FormatTime(t, s.now().Location())
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

// sheetName is the sheet name of results.
const sheetName = "Bills"

// titles returns the columns of the result. They are the office's own, followed by the added ones.
func (t Table) titles() []spreadsheet.Column {
	columns := make([]spreadsheet.Column, t.width())
	for i := range columns {
		columns[i].Title = cmp.Or(spreadsheet.HeaderText(t.Rows[:min(t.Headers, len(t.Rows))], i), fmt.Sprintf("Column %d", i+1))
	}
	return append(columns, addedColumns...)
}

func (t Table) width() (width int) {
	for _, r := range t.Rows {
		width = max(width, len(r))
	}
	return width
}

// writeLines writes lines of the table with their results, one row per bill.
func (t Table) writeLines(out spreadsheet.Table, lines []Line, asOf string) error {
	width := t.width()
	for _, l := range lines {
		for _, ours := range l.cells(t, asOf) {
			own := make([]string, width)
			copy(own, t.Rows[l.Number-1])
			if err := out.Row(append(own, ours...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// describeStatus describes a bill's status as the screen does.
func describeStatus(b detail.Summary) string {
	if b.Status == billstate.NameOther {
		return b.State.Text
	}
	return billstate.Label(b.Status)
}

// describeFound describes how many bills a line found, as the screen does.
func (l Line) describeFound() string {
	switch {
	case l.Answer == Unreadable:
		return "Unreadable"
	case len(l.Bills) == 0:
		return "None"
	case l.Matches >= store.MaxHits:
		return fmt.Sprintf("%d or more matches", store.MaxHits)
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
		if name := spreadsheet.HeaderText(t.Rows[:min(t.Headers, len(t.Rows))], c.Index); name != "" {
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
