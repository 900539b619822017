package bulklookup

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

// jobRows describes the table of files to look up.
var jobRows = db.NewTable("lookup_jobs",
	db.Col("id", func(j *Job) *string { return &j.ID }).Key(),
	db.Col("user_id", func(j *Job) *int64 { return &j.UserID }),
	db.Col("file_name", func(j *Job) *string { return &j.FileName }),
	db.Col("status", func(j *Job) *string { return &j.Status }),
	db.JSON("columns", func(j *Job) *[]Column { return &j.Columns }),
	db.Col("header_rows", func(j *Job) *int { return &j.Headers }),
	db.Col("line_count", func(j *Job) *int { return &j.Lines }),
	db.Col("done", func(j *Job) *int { return &j.Done }),
	db.Col("found", func(j *Job) *int { return &j.Found }),
	db.JSON("tins", func(j *Job) *[]string { return &j.TINs }),
	db.Col("created_at", func(j *Job) *db.Instant { return &j.CreatedAt }),
	db.Col("done_at", func(j *Job) *db.Instant { return &j.DoneAt }),
)

func addJob(ctx context.Context, tx *sql.Tx, j Job) error { return jobRows.Insert(ctx, tx, j) }

func putJob(ctx context.Context, q db.Queryer, j Job) (int64, error) {
	return jobRows.Update(ctx, q, j)
}

func jobByID(ctx context.Context, q db.Queryer, id string) (Job, error) {
	return jobRows.Get(ctx, q, `WHERE id = $1`, id)
}

// listJobs returns a user's started jobs, newest first.
func listJobs(ctx context.Context, q db.Queryer, userID int64) ([]Job, error) {
	return jobRows.Select(ctx, q, `WHERE user_id = $1 AND status <> 'sent' ORDER BY user_id, created_at DESC, id`, userID)
}

// jobsBefore returns some jobs uploaded before a timestamp, oldest first.
func jobsBefore(ctx context.Context, q db.Queryer, before db.Instant) ([]Job, error) {
	return jobRows.Select(ctx, q, `WHERE created_at < $1 ORDER BY created_at LIMIT 100`, before)
}

// jobsAmong returns the given ids that have a job.
func jobsAmong(ctx context.Context, q db.Queryer, ids []string) ([]string, error) {
	var list []string
	err := db.Select(ctx, q, &list, `SELECT id FROM lookup_jobs WHERE id IN (`+db.In(1, len(ids))+`)`, db.Args(ids)...)
	return list, err
}

func removeJob(ctx context.Context, q db.Queryer, id string) error {
	_, err := db.Exec(ctx, q, `DELETE FROM lookup_jobs WHERE id = $1`, id)
	return err
}
