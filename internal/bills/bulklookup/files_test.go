package bulklookup

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/identitytest"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/db/dbtest"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/spreadsheet/spreadsheettest"
)

// makeFile creates a local file.
func makeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// list is a table with the given number of lines; every tenth is one of our bills.
func list(lines int) string {
	var b strings.Builder
	b.WriteString("Note,Bill #,Memo\n")
	for n := range lines {
		number := fmt.Sprintf("80000%05d", n)
		if n%10 == 0 {
			number = "7000001053"
		}
		fmt.Fprintf(&b, "%d,%s,=1+%d\n", n, number, n)
	}
	return b.String()
}

// begin uploads a file and starts its lookup.
func begin(t *testing.T, s *Service, o *office, text string) Job {
	t.Helper()
	f, err := s.Upload(t.Context(), o.actor(), "june.csv", makeFile(t, "june.csv", text))
	require.NoError(t, err)
	j, err := s.Run(t.Context(), o.actor(), f.ID, f.Columns, f.Headers)
	require.NoError(t, err)
	return j
}

var statuses = fileexport.Words

// goes runs a queued job once.
func goes(ctx context.Context, s *Service, id string) error {
	job := &river.Job[JobArgs]{JobRow: &rivertype.JobRow{Kind: "look-up", Attempt: 1, MaxAttempts: 5}}
	if err := json.Unmarshal([]byte(`{"id": "`+id+`"}`), &job.Args); err != nil || job.Kind != job.Args.Kind() {
		return fmt.Errorf("a job of before is not run: %w", err)
	}
	return s.LookUp(ctx, job)
}

// stops fails from its n-th answer, like a killed program.
type stops struct {
	find  func(ctx context.Context, a access.Actor, wanted []LookupRequest) ([]LookupResult, error)
	after int
}

var errStopped = errors.New("stopped")

func (s *stops) BulkLookup(ctx context.Context, a access.Actor, wanted []LookupRequest) ([]LookupResult, error) {
	if s.after--; s.after < 0 {
		return nil, errStopped
	}
	return s.find(ctx, a, wanted)
}

// A file is looked up in parts, resumes after an interruption, and is available with its own
// columns until it's deleted.
func TestAFileIsLookedUp(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, o := open(t, d)
		const lines = 1234
		j := begin(t, s, o, list(lines))
		if j.FileName != "june.csv" || j.Status != statuses.Waiting || j.Lines != lines || fmt.Sprint(o.queued) != "["+j.ID+"]" {
			t.Fatalf("%+v, queued %v", j, o.queued)
		}
		if again, err := s.Run(t.Context(), o.actor(), j.ID, j.Columns, j.Headers); err != nil || again.Status != statuses.Waiting ||
			len(o.queued) != 1 {
			t.Errorf("begun twice: %+v, %v", again, err)
		}
		if _, _, err := s.Result(t.Context(), o.actor(), j.ID, spreadsheet.CSV); !problem.Is(err, problem.Conflict) {
			t.Errorf("a result before it is done: %v", err)
		}
		whole := s.find
		s.find = (&stops{find: whole, after: 2}).BulkLookup
		require.ErrorIs(t, goes(t.Context(), s, j.ID), errStopped)
		if at, err := s.OwnJob(t.Context(), o.actor(), j.ID); err != nil || at.Done != 1000 || at.Found != 100 ||
			at.Status != statuses.Waiting {
			t.Errorf("after it was stopped: %+v, %v", at, err)
		}
		counted := &stops{find: whole, after: 1} // one part is left
		s.find = counted.BulkLookup
		require.NoError(t, goes(t.Context(), s, j.ID))
		at, err := s.OwnJob(t.Context(), o.actor(), j.ID)
		if err != nil || at.Done != lines || at.Found != 124 || at.Status != statuses.Done || counted.after != 0 || at.DoneAt.IsZero() {
			t.Errorf("at its end: %+v, %v", at, err)
		}
		assert.NoError(t, goes(t.Context(), s, j.ID))
		for _, format := range []spreadsheet.Format{spreadsheet.CSV, spreadsheet.XLSX} {
			rows := readResult(t, s, o, j.ID, format)
			if len(rows) != lines+1 || fmt.Sprint(rows[0][:5]) != "[Note Bill # Memo Found Bill Control Number]" {
				t.Fatalf("%s: %d rows, %q", format, len(rows), rows[0])
			}
			if r := rows[1]; r[1] != "7000001053" || r[3] != "1" || r[4] != "7000001053" || r[5] != ours || r[6] != "Brook, Bea" ||
				r[8] != "Paid" || r[9] != "Paid in full at the network allowance" ||
				r[11] != "80.00" || r[12] != "80.00" || r[13] != "03/01/2026" || r[14] != "CHK-900" || r[15] != "CO-45" ||
				r[17] != "08/20/2026 at 1:02 PM UTC" {
				t.Errorf("%s: %q", format, r)
			}
			if r := rows[1234]; r[0] != "1233" || r[3] != "None" {
				t.Errorf("%s: %q", format, r)
			}
			if formula := rows[1][2]; formula != "'=1+0" && format == spreadsheet.CSV || formula != "=1+0" && format == spreadsheet.XLSX {
				t.Errorf("%s: a formula left as %q", format, formula)
			}
		}
		require.NoError(t, s.Remove(t.Context(), o.actor(), j.ID))
		assert.Empty(t, listKeys(t, s.exports.Files))
		assert.NoError(t, goes(t.Context(), s, j.ID))
		if _, err := s.OwnJob(t.Context(), o.actor(), j.ID); !problem.Is(err, problem.NotFound) {
			t.Errorf("removed: %v", err)
		}
	})
}

// The usual length of a column's numbers is that of the whole file, not of the part with the line.
func TestLostZerosInLaterPart(t *testing.T) {
	s, o := open(t, migrated(t))
	j := begin(t, s, o, list(MaxLines)+"500,800000500,\n")
	require.NoError(t, goes(t.Context(), s, j.ID))
	row := readResult(t, s, o, j.ID, spreadsheet.CSV)[MaxLines+1]
	assert.Equal(t, []string{"None", "Bill #: " + sayZeros}, []string{row[3], row[len(row)-1]})
}

func listKeys(t *testing.T, files blob.Store) (keys []string) {
	t.Helper()
	for key, err := range files.List(t.Context(), "lookups/") {
		require.NoError(t, err)
		keys = append(keys, key.Key)
	}
	return keys
}

// readResult reads a result back.
func readResult(t *testing.T, s *Service, o *office, id string, format spreadsheet.Format) [][]string {
	t.Helper()
	_, file, err := s.Result(t.Context(), o.actor(), id, format)
	require.NoError(t, err)
	defer file.Close()
	all, err := io.ReadAll(file)
	require.NoError(t, err)
	return readRows(t, all, format)
}

func readRows(t *testing.T, all []byte, format spreadsheet.Format) [][]string {
	t.Helper()
	if format == spreadsheet.CSV {
		rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(all, []byte("\uFEFF")))).ReadAll()
		require.NoError(t, err)
		return rows
	}
	book, err := excelize.OpenReader(bytes.NewReader(all))
	require.NoError(t, err)
	if formula, err := book.GetCellFormula("Bills", "C2"); err != nil || formula != "" {
		t.Errorf("a cell computes %q, %v", formula, err)
	}
	rows, err := book.GetRows("Bills")
	require.NoError(t, err)
	for i := range rows {
		for len(rows[i]) < len(rows[0]) {
			rows[i] = append(rows[i], "")
		}
	}
	return rows
}

// Users who lost a TIN, or the right to look up bills, get nothing. Neither do other users, and
// staff who mirror the user.
func TestResultsAreOfOnesOwnScope(t *testing.T) {
	s, o := open(t, migrated(t))
	j := begin(t, s, o, "Bill #\n7000001053\n7000001055\n")
	require.NoError(t, goes(t.Context(), s, j.ID))
	rows := readResult(t, s, o, j.ID, spreadsheet.CSV)
	if rows[1][1] != "1" || rows[2][1] != "None" {
		t.Errorf("%q", rows)
	}
	other := *o
	other.userID++
	person := o.actor().Person
	staff := access.Actor{Person: access.Person{ID: o.userID + 2, Type: access.ISAD}, Mirrored: &person}
	for name, err := range map[string]error{
		"another's":         err2(s.OwnJob(t.Context(), other.actor(), j.ID)),
		"another's result":  result(s, &other, j.ID),
		"another's removal": s.Remove(t.Context(), other.actor(), j.ID),
		"mirrored":          err2(s.OwnJob(t.Context(), staff, j.ID)),
	} {
		assert.Truef(t, problem.Is(err, problem.NotFound), "%s: %v", name, err)
	}
	if list, _, err := s.ListJobs(t.Context(), staff); err != nil || len(list) > 0 {
		t.Errorf("listed while mirroring: %+v, %v", list, err)
	}
	identitytest.SetTINs(t, o.db.Writer, o.actor().Person, second)
	if err := result(s, o, j.ID); !problem.Is(err, problem.NotFound) {
		t.Errorf("after the TIN is gone: %v", err)
	}
	if list, scope, err := s.ListJobs(t.Context(), o.actor()); err != nil || len(list) != 1 || !list[0].isWithheld(scope) {
		t.Errorf("it is offered after the TIN is gone: %+v, %v", list, err)
	}
	identitytest.SetTINs(t, o.db.Writer, o.actor().Person, ours)
	j = begin(t, s, o, "Bill #\n7000001053\n")
	identitytest.SetStatus(t, o.db.Writer, o.userID, users.Terminated)
	assert.Error(t, goes(t.Context(), s, j.ID), "somebody who may not look up goes on")
	if at, err := s.OwnJob(t.Context(), o.actor(), j.ID); err != nil || at.Status != statuses.Failed {
		t.Errorf("%+v, %v", at, err)
	}
}

func err2[T any](_ T, err error) error { return err }

func result(s *Service, o *office, id string) error {
	_, file, err := s.Result(context.Background(), o.actor(), id, spreadsheet.CSV)
	if err == nil {
		file.Close()
	}
	return err
}

// Uploads are deleted after a week.
func TestExpiredJobs(t *testing.T) {
	s, o := open(t, migrated(t))
	j := begin(t, s, o, "Bill #\n7000001053\n")
	for _, age := range []time.Duration{fileexport.Retention - time.Minute, fileexport.Retention + time.Minute} {
		o.now = j.CreatedAt.Add(age)
		require.NoError(t, s.Cleanup(t.Context()))
		if left := len(listKeys(t, s.exports.Files)); (left > 0) != (age < fileexport.Retention) {
			t.Errorf("%d files after %v", left, age)
		}
	}
	if _, err := s.OwnJob(t.Context(), o.actor(), j.ID); !problem.Is(err, problem.NotFound) {
		t.Errorf("a week later: %v", err)
	}
}

func TestFilesThatCannotBeTaken(t *testing.T) {
	s, o := open(t, migrated(t))
	for _, c := range []struct{ name, text, want string }{
		{"a.pdf", "x", "Upload a CSV, XLSX or 837 file."},
		{"a.csv", "", "The file is empty. Upload another one."},
		{"a.csv", "a\x00b\n", "This isn't a text file. Save the table as CSV or XLSX."},
		{"a.xlsx", "x", "We can't read this spreadsheet. Save the table as CSV or XLSX, without a password."},
		{"a.csv", list(MaxLinesPerFile + 2), "The file has more than 10,000 lines. Split it into smaller files."},
		{"a.csv", strings.Repeat(",", MaxColumns) + "1\n", "The file has more than 100 columns. Remove the columns you don't need."},
		{"a.csv", "1," + strings.Repeat("x", maxCellBytes+1), "Line 1 has a cell with more than 2000 characters. Shorten it."},
	} {
		_, err := s.Upload(t.Context(), o.actor(), c.name, makeFile(t, c.name, c.text))
		if !problem.Is(err, problem.Invalid) || problem.From(err).Message != c.want {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	f, err := s.Upload(t.Context(), o.actor(), "a.csv", makeFile(t, "a.csv", "Bill #,Memo\n7.0E+09,x\n7.1E+09,y\n"))
	if err != nil || fmt.Sprint(f.Warnings) != "[Bill #: Excel shortened 2 numbers. Format the column as text and save it again.]" {
		t.Errorf("%v, %v", f.Warnings, err)
	}
	if _, err := s.Run(t.Context(), o.actor(), f.ID, []Column{{Index: 1, Kind: Ignored}}, 1); !problem.Is(err, problem.Invalid) {
		t.Errorf("no column: %v", err)
	}
}

// A workbook's dates look as in Excel, and its other sheets are named.
func TestWorkbook(t *testing.T) {
	s, o := open(t, migrated(t))
	day := time.Date(2026, 6, 14, 0, 0, 0, 0, time.UTC)
	book := spreadsheettest.Book(t, []any{"Bill #", "DOS"}, []any{"7000001053", day})
	f, err := s.Upload(t.Context(), o.actor(), "a.xlsx", makeFile(t, "a.xlsx", string(book)))
	if err != nil || fmt.Sprint(f.Sample) != "[[Bill # DOS] [7000001053 06/14/2026]]" ||
		fmt.Sprint(f.Warnings) != "[We read only the first sheet. Upload these sheets as separate files: February.]" {
		t.Errorf("%+v, %v", f, err)
	}
}

// A workbook from Excel for Mac counts days from 1904. Numbers in other columns stay as they are.
func TestWorkbookOfMac(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, o := open(t, d)
		book := spreadsheettest.Book1904(t, []any{"Acct #", "When", "Born"}, []any{40012, 44725, 27999})
		f, err := s.Upload(t.Context(), o.actor(), "a.xlsx", makeFile(t, "a.xlsx", string(book)))
		require.NoError(t, err)
		f.Columns[1].Kind, f.Columns[2].Kind = ServiceDate, BirthDate
		j, err := s.Run(t.Context(), o.actor(), f.ID, f.Columns, f.Headers)
		require.NoError(t, err)
		var got []LookupRequest
		find := s.find
		s.find = func(ctx context.Context, a access.Actor, wanted []LookupRequest) ([]LookupResult, error) {
			got = append(got, wanted...)
			return find(ctx, a, wanted)
		}
		require.NoError(t, goes(t.Context(), s, j.ID))
		assert.Equal(t, []LookupRequest{{Account: "40012", ServiceDate: "2026-06-14", BirthDate: "1980-08-28"}}, got)
		assert.Equal(t, "[40012 46187 29461]", fmt.Sprint(readResult(t, s, o, j.ID, spreadsheet.CSV)[1][:3]))
	})
}

// A user can look up twenty files per hour.
func TestLimitOfJobs(t *testing.T) {
	s, o := open(t, migrated(t))
	for range maxJobsPerHour {
		begin(t, s, o, "Bill #\n7000001053\n")
	}
	f, err := s.Upload(t.Context(), o.actor(), "a.csv", makeFile(t, "a.csv", "Bill #\n7000001053\n"))
	require.NoError(t, err)
	_, err = s.Run(t.Context(), o.actor(), f.ID, f.Columns, f.Headers)
	if want := "You can look up 20 files per hour. Try again after 08/20/2026 at 2:02 PM UTC."; !problem.Is(err, problem.TooMany) ||
		problem.From(err).Message != want {
		t.Errorf("%v, want %q", err, want)
	}
	list, _, err := s.ListJobs(t.Context(), o.actor())
	assert.NoError(t, err)
	assert.Len(t, list, maxJobsPerHour+1)
	// It counts toward the group's limit of files, so its owner sees and deletes it.
	if !slices.ContainsFunc(list, func(j Job) bool { return j.ID == f.ID && j.Status == sent }) {
		t.Error("the file that didn't start isn't listed")
	}
	assert.NoError(t, s.Remove(t.Context(), o.actor(), f.ID))
	if list, _, err := s.ListJobs(t.Context(), o.actor()); err != nil || len(list) != maxJobsPerHour {
		t.Errorf("%d jobs after the removal, %v", len(list), err)
	}
}

// A user can upload sixty files per hour, also if none is looked up.
func TestLimitOfUploads(t *testing.T) {
	s, o := open(t, migrated(t))
	upload := func() error {
		f, err := s.Upload(t.Context(), o.actor(), "a.csv", makeFile(t, "a.csv", "Bill #\n7000001053\n"))
		if err == nil {
			err = s.Remove(t.Context(), o.actor(), f.ID)
		}
		return err
	}
	for n := range 60 {
		require.NoErrorf(t, upload(), "file %d", n+1)
	}
	err := upload()
	if want := "You can upload 60 files per hour. Try again after 08/20/2026 at 2:02 PM UTC."; !problem.Is(err, problem.TooMany) ||
		problem.From(err).Message != want {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestATableIsExported(t *testing.T) {
	s, o := open(t, migrated(t))
	table := Table{Columns: []Column{{Index: 1, Kind: Account}}, Headers: 1, Rows: [][]string{{"Memo", "Acct"}, {"=1", "DUP-1"}, {"b"}}}
	for _, format := range []spreadsheet.Format{spreadsheet.CSV, spreadsheet.XLSX} {
		var out bytes.Buffer
		require.NoError(t, s.Export(t.Context(), o.actor(), table, format, &out))
		rows := readRows(t, out.Bytes(), format)
		if len(rows) != 4 || rows[1][2] != "2 matches" || rows[2][2] != "2 matches" || rows[2][1] != "DUP-1" ||
			rows[3][2] != "Unreadable" {
			t.Errorf("%s: %q", format, rows)
		}
	}
}

// The file uses the same words for a line and its bill as the screen.
func TestFileUsesScreenWords(t *testing.T) {
	told := func(status, state string, answer string, matches int) string {
		b := detail.Summary{Status: status, State: detail.State{Text: state}}
		row := Line{Answer: answer, Matches: matches, Bills: []detail.Summary{b}}.cells(Table{}, "")[0]
		return strings.Join([]string{row[0], row[5], row[6]}, "; ")
	}
	for want, got := range map[string]string{
		"1; Repriced, unpaid; Repriced by the network, no payment on file": told(billstate.NamePriced,
			"Repriced by the network, no payment on file", Found, 1),
		"1; Payment reversed; Payment reversed by the payer": told(billstate.NameReversed, "Payment reversed by the payer",
			Found, 1),
		"1; Void; Void":                     told(billstate.NameOther, "Void", Found, 1),
		"3 matches; Denied; Denied":         told(billstate.NameDenied, "Denied", Several, 3),
		"100 or more matches; Paid; Paid $": told(billstate.NamePaid, "Paid $", Several, store.MaxHits),
	} {
		assert.Equal(t, want, got)
	}
}
