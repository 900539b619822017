package fileexport

import (
	"context"
	"errors"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/problem"
)

// InsertOpts puts jobs into the slow queue, so that they don't delay interactive jobs.
func InsertOpts() river.InsertOpts { return river.InsertOpts{Queue: jobs.Slow, MaxAttempts: 5} }

// errStopped means that a request was finished or deleted by someone else.
var errStopped = errors.New("request finished or deleted")

// Work creates the files of a request with the function create, unless it's already finished or was
// deleted. The request fails if create refuses it or no attempts are left.
func (e *Exports[T, ID]) Work(ctx context.Context, job *rivertype.JobRow, id ID, create func(context.Context, *T) error) error {
	err := e.work(ctx, job, id, create)
	var later *river.JobSnoozeError
	switch {
	case err == nil || errors.As(err, &later):
		return err
	case errors.Is(err, errStopped):
		return e.removeDeleted(ctx, id)
	}
	return e.fail(context.WithoutCancel(ctx), job, id, err)
}

func (e *Exports[T, ID]) work(ctx context.Context, job *rivertype.JobRow, id ID, create func(context.Context, *T) error) error {
	claimed, err := e.claim(ctx, job, id)
	if err != nil {
		return err
	}
	row, err := e.findWaiting(ctx, id)
	if err != nil || row == nil {
		return err
	}
	if !claimed {
		return e.Busy
	}
	if err := create(ctx, row); err != nil {
		return err
	}
	return e.finish(ctx, row, e.Done)
}

func (e *Exports[T, ID]) claim(ctx context.Context, job *rivertype.JobRow, id ID) (bool, error) {
	if !e.Claims {
		return true, nil
	}
	now := e.Now()
	n, err := e.Claim(ctx, e.DB.Writer, id, db.At(now), db.At(now.Add(-jobs.StaleAfter(job))))
	return n > 0, err
}

// findWaiting returns a request, or nil if it's finished or deleted.
func (e *Exports[T, ID]) findWaiting(ctx context.Context, id ID) (*T, error) {
	row, err := e.Find(ctx, e.DB.Writer, id)
	if errors.Is(err, db.ErrNotFound) || err == nil && e.row(&row).Status != e.Waiting {
		return nil, nil
	}
	return &row, err
}

// SaveProgress stores the progress of a request in a job. Its error stops the job if the request
// was deleted.
func (e *Exports[T, ID]) SaveProgress(ctx context.Context, row *T) error {
	n, err := e.Save(ctx, e.DB.Writer, *row)
	if err == nil && n == 0 {
		err = errStopped
	}
	return err
}

func (e *Exports[T, ID]) finish(ctx context.Context, row *T, status string) error {
	r := e.row(row)
	r.Status, r.DoneAt = status, db.At(e.Now())
	if err := e.SaveProgress(ctx, row); err != nil {
		return err
	}
	if e.Ended != nil {
		e.Ended(ctx, *row)
	}
	return nil
}

// fail returns an error of a job. It marks the request as failed if it won't be retried.
func (e *Exports[T, ID]) fail(ctx context.Context, job *rivertype.JobRow, id ID, err error) error {
	if isFinal(job, err) {
		row, failed := e.findWaiting(ctx, id)
		if failed == nil && row != nil {
			failed = e.finish(ctx, row, e.Failed)
		}
		return errors.Join(err, failed)
	}
	if e.Claims {
		err = errors.Join(err, e.Release(ctx, e.DB.Writer, id))
	}
	return err
}

// isFinal reports whether failed work won't be retried, because it was refused or has no attempts
// left.
func isFinal(job *rivertype.JobRow, err error) bool {
	var refused *problem.Error
	return job.Attempt >= job.MaxAttempts ||
		errors.As(err, &refused) && refused.Kind != problem.Internal && refused.Kind != problem.Unavailable
}

// FailAbandoned marks requests as failed whose job is gone: it was killed in its last attempt, or
// staff deleted it. Users can then retry. It's safe to repeat.
func (e *Exports[T, ID]) FailAbandoned(ctx context.Context) error {
	ids, err := e.ListAbandoned(ctx, e.DB.Writer, e.Job, db.At(e.Now()))
	for _, id := range ids {
		row, failed := e.findWaiting(ctx, id)
		if failed == nil && row != nil {
			failed = e.finish(ctx, row, e.Failed)
		}
		if !errors.Is(failed, errStopped) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// removeDeleted deletes the files of a request that was deleted while its job wrote them.
func (e *Exports[T, ID]) removeDeleted(ctx context.Context, id ID) error {
	_, err := e.Find(ctx, e.DB.Writer, id)
	if errors.Is(err, db.ErrNotFound) {
		err = e.RemoveFiles(ctx, id)
	}
	return err
}
