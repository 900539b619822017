package fileexport

import (
	"context"
	"database/sql"
	"time"

	"wcpp/internal/platform/db"
)

// Statuses are the values of a table's status column.
type Statuses struct{ Waiting, Done, Failed string }

// The statuses of the older tables are Codes, those of the newer tables Words.
var (
	Words = Statuses{"waiting", "done", "failed"}
	Codes = Statuses{"QUEUED", "DONE", "FAILED"}
)

// Row has the columns of every table of requests.
type Row[ID string | int64] struct {
	ID        ID
	UserID    int64
	Status    string
	CreatedAt db.Instant
	DoneAt    db.Instant
}

// ExpiresAt returns when the request and its files are deleted.
func (r Row[ID]) ExpiresAt() time.Time { return r.CreatedAt.Add(Retention) }

// Table describes a table of requests.
type Table[T any, ID string | int64] struct {
	*db.Table[T]
	Statuses
	name string
	row  func(*T) *Row[ID]
}

// NewTable returns a table description with the columns of T, which embeds Row.
func NewTable[T any, ID string | int64](name string, s Statuses, row func(*T) *Row[ID]) *Table[T, ID] {
	return &Table[T, ID]{db.NewTable(name, db.Fields[T]("id")...), s, name, row}
}

// Add stores a new row. The database generates numeric ids.
func (t *Table[T, ID]) Add(ctx context.Context, tx *sql.Tx, row *T) (err error) {
	if id, is := any(&t.row(row).ID).(*int64); is {
		*id, err = t.Without("id").Add(ctx, tx, *row, "id")
		return err
	}
	return t.Insert(ctx, tx, *row)
}

// Find returns the row with an id.
func (t *Table[T, ID]) Find(ctx context.Context, q db.Queryer, id ID) (T, error) {
	return t.Get(ctx, q, `WHERE id = $1`, id)
}

// Save updates the row of an unfinished request. It returns 0 if the request was finished or
// deleted since.
func (t *Table[T, ID]) Save(ctx context.Context, q db.Queryer, row T) (int64, error) {
	return t.UpdateIf(ctx, q, row, "status = '"+t.Waiting+"'")
}

// ListOwn returns a user's requests that match a condition, newest first.
func (t *Table[T, ID]) ListOwn(ctx context.Context, q db.Queryer, userID int64, and string) ([]T, error) {
	return t.Select(ctx, q, `WHERE user_id = $1`+and+` ORDER BY user_id, created_at DESC, id`, userID)
}

// ListBefore returns some requests from before a timestamp that match a condition, oldest first.
func (t *Table[T, ID]) ListBefore(ctx context.Context, q db.Queryer, before db.Instant, and string) (ids []ID, err error) {
	return db.List[ID](ctx, q, `SELECT id FROM `+t.name+` WHERE created_at < $1`+and+` ORDER BY created_at LIMIT 100`, before)
}

// Job names the kind of the jobs that create files, and the field of their arguments with the id of
// the request.
type Job struct{ Kind, Field string }

// ListAbandoned returns some waiting requests without an unfinished job, oldest first.
func (t *Table[T, ID]) ListAbandoned(ctx context.Context, q db.Queryer, j Job, now db.Instant) (ids []ID, err error) {
	return db.List[ID](ctx, q, `SELECT id FROM `+t.name+` WHERE status = '`+t.Waiting+`' AND created_at <= $2
		AND NOT EXISTS (SELECT 1 FROM river_job j
		WHERE j.kind = $1 AND j.state IN ('available', 'pending', 'retryable', 'running', 'scheduled')
			AND CAST(j.args ->> '`+j.Field+`' AS text) = CAST(`+t.name+`.id AS text))
		ORDER BY created_at LIMIT 100`, j.Kind, now)
}

// ListKnown returns the given ids that have a row.
func (t *Table[T, ID]) ListKnown(ctx context.Context, q db.Queryer, ids []ID) (known []ID, err error) {
	return db.List[ID](ctx, q, `SELECT id FROM `+t.name+` WHERE id IN (`+db.In(1, len(ids))+`)`, db.Args(ids)...)
}

// Delete deletes a row. A missing row is no error.
func (t *Table[T, ID]) Delete(ctx context.Context, q db.Queryer, id ID) error {
	return db.Run(ctx, q, `DELETE FROM `+t.name+` WHERE id = $1`, id)
}

// Claim assigns a request to this job, unless another job has worked on it since staleBefore. It
// returns 0 if it didn't.
func (t *Table[T, ID]) Claim(ctx context.Context, q db.Queryer, id ID, now, staleBefore db.Instant) (int64, error) {
	return db.Exec(ctx, q, `UPDATE `+t.name+` SET worked_at = $2
		WHERE id = $1 AND status = '`+t.Waiting+`' AND (worked_at IS NULL OR worked_at < $3)`, id, now, staleBefore)
}

// Release lets another job claim the request.
func (t *Table[T, ID]) Release(ctx context.Context, q db.Queryer, id ID) error {
	return db.Run(ctx, q, `UPDATE `+t.name+` SET worked_at = NULL WHERE id = $1 AND status = '`+t.Waiting+`'`, id)
}
