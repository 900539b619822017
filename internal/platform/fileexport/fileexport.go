// Package fileexport creates files that users request, in background jobs. It stores the requests
// and intermediate results, so that interrupted work resumes, and opens and deletes the files.
package fileexport

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/spreadsheet"
	"wcpp/internal/platform/text"
)

// Retention is how long files are available after the request.
const Retention = 7 * 24 * time.Hour

// Quota is how many files of a kind a group can have stored. 0 means any number.
type Quota struct{ Most int }

// check refuses one more file of a user if the user's group already has the maximum number
// of rows in table, which has a user_id column. The error ends with remedy, which says how to
// make room. check locks the group, so call it in the transaction that adds the row.
func (q Quota) check(ctx context.Context, tx *sql.Tx, d db.Dialect, table string, userID int64, remedy string) error {
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
	return db.One[int](ctx, tx, `SELECT count(*) FROM `+table+` WHERE user_id IN (SELECT id FROM users WHERE id = $1 UNION ALL
		SELECT u.id FROM users me JOIN users u ON u.group_id = me.group_id WHERE me.id = $1 AND u.id <> me.id)`, userID)
}

// Exports are the files of one kind.
type Exports[T any, ID string | int64] struct {
	*Table[T, ID]
	DB    *db.DB
	Files blob.Store
	Audit *audit.Log
	Now   func() time.Time
	Job   Job
	Key   func(ID) string // storage key of the file, or with a final slash, of the folder with the files
	Quota Quota
	Full  string // message that says how to make room for another file
	Gone  string // message for a file that no longer exists
	// Claims says that a job takes a request for itself, because the work doesn't resume. Busy is
	// the result of another job meanwhile.
	Claims bool
	Busy   error
	Ended  func(context.Context, T) // runs after the file is done or has failed; can be nil
}

// NewRow returns a new request of a user.
func (e *Exports[T, ID]) NewRow(userID int64) Row[ID] {
	r := Row[ID]{UserID: userID, Status: e.Waiting, CreatedAt: db.At(e.Now())}
	if id, is := any(&r.ID).(*string); is {
		*id = rand.Text()
	}
	return r
}

// Request stores a request, unless the user's group already has the maximum number of files.
func (e *Exports[T, ID]) Request(ctx context.Context, tx *sql.Tx, row *T) error {
	if err := e.Quota.check(ctx, tx, e.DB.Dialect, e.name, e.row(row).UserID, e.Full); err != nil {
		return err
	}
	return e.Add(ctx, tx, row)
}

// ErrGone is the error for a file that is deleted, belongs to someone else or never existed.
func (e *Exports[T, ID]) ErrGone() error { return problem.WithMessage(problem.NotFound, e.Gone) }

// FindOwn returns one of the user's requests.
func (e *Exports[T, ID]) FindOwn(ctx context.Context, q db.Queryer, userID int64, id ID) (row T, err error) {
	row, err = e.Find(ctx, q, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && e.row(&row).UserID != userID {
		return *new(T), e.ErrGone()
	}
	return row, err
}

// Open opens a stored file, after auditing that.
func (e *Exports[T, ID]) Open(ctx context.Context, key string, opened audit.Entry) (*blob.File, error) {
	file, err := e.Files.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, e.ErrGone()
	}
	if err != nil {
		return nil, problem.New(problem.Unavailable).WithCause(err)
	}
	if err := e.Audit.RecordNow(ctx, opened); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Remove deletes a request with its files. A running job stops.
func (e *Exports[T, ID]) Remove(ctx context.Context, id ID, removed audit.Entry) error {
	if err := e.DB.Tx(ctx, func(tx *sql.Tx) error {
		return errors.Join(e.Delete(ctx, tx, id), e.Audit.Record(ctx, tx, removed))
	}); err != nil {
		return err
	}
	return e.RemoveFiles(ctx, id)
}

// RemoveBefore deletes requests from before a time that match a condition, files first. It's safe
// to repeat.
func (e *Exports[T, ID]) RemoveBefore(ctx context.Context, before time.Time, and string) error {
	ids, err := e.ListBefore(ctx, e.DB.Reader, db.At(before), and)
	for _, id := range ids {
		failed := e.RemoveFiles(ctx, id)
		if failed == nil {
			failed = e.Delete(ctx, e.DB.Writer, id)
		}
		err = errors.Join(err, failed)
	}
	return err
}

// RemoveFiles deletes all files of a request. Repeating it is safe.
func (e *Exports[T, ID]) RemoveFiles(ctx context.Context, id ID) error {
	key := e.Key(id)
	if !strings.HasSuffix(key, "/") {
		return e.Files.Delete(ctx, key)
	}
	for file, err := range e.Files.List(ctx, key) {
		if err == nil {
			err = e.Files.Delete(ctx, file.Key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Write stores a value as JSON in the folder of a request and replaces an existing file.
func (e *Exports[T, ID]) Write(ctx context.Context, id ID, name string, v any) error {
	return e.Files.Put(ctx, e.Key(id)+name, func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// Read reads a value from Write.
func (e *Exports[T, ID]) Read(ctx context.Context, id ID, name string, v any) error {
	file, err := e.Files.Open(ctx, e.Key(id)+name)
	if err != nil {
		return err
	}
	defer file.Close()
	return json.NewDecoder(file).Decode(v)
}

// PartName names the result that starts at a line of the whole.
func PartName(from int) string { return fmt.Sprintf("part-%05d.json", from) }

// Formats are the formats of tables.
var Formats = []spreadsheet.Format{spreadsheet.XLSX, spreadsheet.CSV}

// ResultKey returns the storage key of a request's table.
func (e *Exports[T, ID]) ResultKey(id ID, format spreadsheet.Format) string {
	return e.Key(id) + "result." + string(format)
}

// WriteResults writes a table in each format.
func (e *Exports[T, ID]) WriteResults(
	ctx context.Context, id ID, title string, columns []spreadsheet.Column, rows func(spreadsheet.Table) error,
) error {
	for _, format := range Formats {
		if err := e.Files.Put(ctx, e.ResultKey(id, format), func(w io.Writer) error {
			return spreadsheet.WriteTable(w, format, title, columns, rows)
		}); err != nil {
			return err
		}
	}
	return nil
}

// NewResponse sends a table as a download and closes it. name is without extension.
func NewResponse(file *blob.File, name string, format spreadsheet.Format) *huma.StreamResponse {
	return httpapi.Attachment{Name: name + "." + string(format), ContentType: format.ContentType(), Size: file.Size}.SendAll(file)
}
