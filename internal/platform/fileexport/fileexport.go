// Package fileexport runs background work in steps that ends with a table as files. It stores
// intermediate results, so that interrupted work resumes. The files are available for a week.
package fileexport

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// Retention is how long files are available after the request.
const Retention = 7 * 24 * time.Hour

// Quota is how many files of a kind a group can have stored. 0 means any number.
type Quota struct{ Most int }

// Check refuses one more file of a user if the user's group already has the maximum number
// of rows in table, which has a user_id column. The error ends with remedy, which says how to
// make room. Check locks the group, so call it in the transaction that adds the row.
func (q Quota) Check(ctx context.Context, tx *sql.Tx, d db.Dialect, table string, userID int64, remedy string) error {
	if q.Most == 0 {
		return nil
	}
	stored, err := countFiles(ctx, tx, d, table, userID)
	if err != nil || stored < q.Most {
		return err
	}
	return problem.WithMessage(problem.Conflict, "Your office already has "+text.FormatCount(stored, "stored file", "stored files")+
		" of this kind. "+
		remedy)
}

// countFiles locks the user's group and the user, and returns how many rows of a table the
// group has.
func countFiles(ctx context.Context, tx *sql.Tx, d db.Dialect, table string, userID int64) (int, error) {
	var locked []int64
	if err := db.Select(ctx, tx, &locked, `SELECT id FROM groups
		WHERE id = (SELECT group_id FROM users WHERE id = $1)`+d.ForUpdate, userID); err != nil {
		return 0, err
	}
	if err := db.Select(ctx, tx, &locked, `SELECT id FROM users WHERE id = $1`+d.ForUpdate, userID); err != nil {
		return 0, err
	}
	var n int
	err := db.Get(ctx, tx, &n, `SELECT count(*) FROM `+table+` WHERE user_id IN (SELECT id FROM users WHERE id = $1 UNION ALL
		SELECT u.id FROM users me JOIN users u ON u.group_id = me.group_id WHERE me.id = $1 AND u.id <> me.id)`, userID)
	return n, err
}

// Statuses of work.
const (
	Waiting = "waiting"
	Done    = "done"
	Failed  = "failed"
)

// InsertOpts puts jobs into the slow queue, so that they don't delay interactive jobs.
func InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: jobs.Slow, MaxAttempts: 5} }

// IsFinal reports whether failed work won't be retried, because it was refused or has no attempts
// left.
func IsFinal(job *rivertype.JobRow, err error) bool {
	var refused *problem.Error
	return err != nil && (job.Attempt >= job.MaxAttempts || errors.As(err, &refused) && refused.Kind != problem.Internal && refused.Kind !=
		problem.Unavailable)
}

// Folder has the files of one piece of work.
type Folder struct {
	Files  blob.Store
	Prefix string // ends with a slash
}

// Write stores a value as JSON and replaces an existing file.
func (f Folder) Write(ctx context.Context, name string, v any) error {
	return f.Files.Put(ctx, f.Prefix+name, func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// Read reads a value from Write.
func (f Folder) Read(ctx context.Context, name string, v any) error {
	file, err := f.Files.Open(ctx, f.Prefix+name)
	if err != nil {
		return err
	}
	defer file.Close()
	return json.NewDecoder(file).Decode(v)
}

// Formats are the formats of results.
var Formats = []spreadsheet.Format{spreadsheet.XLSX, spreadsheet.CSV}

func resultName(format spreadsheet.Format) string { return "result." + string(format) }

// WriteResults writes the table in each format.
func (f Folder) WriteResults(ctx context.Context, write func(w io.Writer, format spreadsheet.Format) error) error {
	for _, format := range Formats {
		if err := f.Files.Put(ctx, f.Prefix+resultName(format), func(w io.Writer) error { return write(w, format) }); err != nil {
			return err
		}
	}
	return nil
}

// Result opens a table from WriteResults. It returns gone if the file no longer exists.
func (f Folder) Result(ctx context.Context, format spreadsheet.Format, gone error) (*blob.File, error) {
	file, err := f.Files.Open(ctx, f.Prefix+resultName(format))
	if errors.Is(err, blob.ErrNotFound) {
		return nil, gone
	}
	if err != nil {
		return nil, problem.New(problem.Unavailable).WithCause(err)
	}
	return file, nil
}

// Remove deletes all files of the work. Repeating it is safe.
func (f Folder) Remove(ctx context.Context) error {
	for file, err := range f.Files.List(ctx, f.Prefix) {
		if err == nil {
			err = f.Files.Delete(ctx, file.Key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// NewResponse sends a result as a download and closes it. name is without extension.
func NewResponse(file *blob.File, name string, format spreadsheet.Format) *huma.StreamResponse {
	return httpapi.Attachment{Name: name + "." + string(format), ContentType: format.ContentType(), Size: file.Size}.SendAll(file)
}
