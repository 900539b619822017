package jobs

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"wcpp/internal/platform/problem"
)

// Failed is a failed job, either after its last attempt or before the next one.
type Failed struct {
	ID       int64
	Kind     string
	Attempts int
	Most     int // attempts
	GivenUp  bool
	Next     time.Time // next attempt, unless there is none
	Since    time.Time // when it was added
	Why      string    // without personal data
}

var failing = []rivertype.JobState{rivertype.JobStateDiscarded, rivertype.JobStateRetryable}

// Failed lists up to limit failed jobs with higher IDs than after, oldest first.
func (r *Runner) Failed(ctx context.Context, after int64, limit int) ([]Failed, error) {
	found, err := r.client.JobList(ctx, river.NewJobListParams().States(failing...).
		Where("id > @after", river.NamedArgs{"after": after}).OrderBy(river.JobListOrderByID, river.SortOrderAsc).First(limit))
	if err != nil {
		return nil, err
	}
	list := make([]Failed, len(found.Jobs))
	for i, j := range found.Jobs {
		list[i] = Failed{ID: j.ID, Kind: j.Kind, Attempts: j.Attempt, Most: j.MaxAttempts, GivenUp: j.State == rivertype.JobStateDiscarded,
			Since: j.CreatedAt.UTC(), Why: describeFailure(j.Errors)}
		if !list[i].GivenUp {
			list[i].Next = j.ScheduledAt.UTC()
		}
	}
	return list, nil
}

// describeFailure describes the last failure. It omits the job's own message, which can contain personal
// data.
func describeFailure(failures []rivertype.AttemptError) string {
	if len(failures) == 0 {
		return "Unknown reason."
	}
	last := failures[len(failures)-1]
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(last.Error, part) {
				return true
			}
		}
		return false
	}
	switch {
	case last.Trace != "":
		return "The program crashed."
	case has("couldn't send email", "mail not sent"):
		return "The mail server rejected the email. Its response is shown with the email."
	case has("deadline exceeded", "Stuck job rescued"):
		return "The job took too long."
	case has("context canceled", orphaned):
		return "The portal stopped while the job was running."
	case has("connection refused", "no such host", "connection reset", "i/o timeout"):
		return "A system that the job needs is unreachable."
	case has("database is locked", "deadlock", "could not serialize"):
		return "The database was busy."
	case has("no space left"):
		return "The disk is full."
	default:
		return "Unknown error. See the program's log."
	}
}

func errNotFailed() error {
	return problem.WithMessage(problem.Conflict, "This job is no longer in the list of failed jobs.")
}

// Retry runs a failed job again right away. For any other job, it returns a Conflict.
func (r *Runner) Retry(ctx context.Context, tx *sql.Tx, id int64) (kind string, err error) {
	return r.failed(ctx, tx, id, r.client.JobRetryTx)
}

// Discard deletes a failed job. For any other job, it returns a Conflict.
func (r *Runner) Discard(ctx context.Context, tx *sql.Tx, id int64) (kind string, err error) {
	return r.failed(ctx, tx, id, r.client.JobDeleteTx)
}

func (r *Runner) failed(
	ctx context.Context, tx *sql.Tx, id int64, do func(context.Context, *sql.Tx, int64) (*rivertype.JobRow, error),
) (string, error) {
	j, err := r.client.JobGetTx(ctx, tx, id)
	if errors.Is(err, river.ErrNotFound) {
		return "", problem.New(problem.NotFound)
	}
	if err != nil {
		return "", err
	}
	if j.State != rivertype.JobStateDiscarded && j.State != rivertype.JobStateRetryable {
		return "", errNotFailed()
	}
	_, err = do(ctx, tx, id)
	if errors.Is(err, rivertype.ErrJobRunning) {
		err = errNotFailed()
	}
	return j.Kind, err
}
