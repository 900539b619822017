package desk

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/paging"
)

// Queue is a work queue on the service desk. To add one, a domain needs an entry in the register
// (app) and a row in the browser's list.
type Queue struct {
	Kind       string // unique name
	Permission string // required to work on it
	Count      func(ctx context.Context) (paging.Backlog, error)
}

// Jobs manages background jobs.
type Jobs interface {
	Failed(ctx context.Context, after int64, limit int) ([]jobs.Failed, error)
	Retry(ctx context.Context, tx *sql.Tx, id int64) (kind string, err error)
	Discard(ctx context.Context, tx *sql.Tx, id int64) (kind string, err error)
}

// CountFailedJobs counts the failed jobs.
func CountFailedJobs(ctx context.Context, jobs Jobs) (paging.Backlog, error) {
	list, err := jobs.Failed(ctx, 0, paging.Bound+1)
	b := paging.Backlog{Count: len(list)}
	if len(list) > 0 {
		b.Since = db.At(list[0].Since)
	}
	return b, err
}

// WaitingQueue is the backlog of one queue.
type WaitingQueue struct {
	Kind  string     `json:"kind" example:"requests"`
	Count int        `json:"count" doc:"Up to 1,000"`
	More  bool       `json:"more" doc:"There are more"`
	Since *time.Time `json:"since,omitempty" doc:"When the oldest item arrived"`
}

// ListWaiting returns the backlogs of the queues that the staff member can work on.
func (s *Service) ListWaiting(ctx context.Context, a access.Actor) ([]WaitingQueue, error) {
	list := []WaitingQueue{}
	for _, q := range s.queues {
		if access.Allow(a, q.Permission, httpapi.Read) != nil {
			continue
		}
		b, err := q.Count(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.Kind, err)
		}
		list = append(list, WaitingQueue{Kind: q.Kind, Count: min(b.Count, paging.Bound), More: b.Count > paging.Bound,
			Since: b.Since.OrNone()})
	}
	return list, nil
}

// DismissMail dismisses a failed email.
func (s *Service) DismissMail(ctx context.Context, id int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.mails.Dismiss(ctx, tx, id); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "mail-end", Subject: fmt.Sprintf("mail %d", id), Result: "ok"})
	})
}

// changeJob changes a failed job.
func (s *Service) changeJob(
	ctx context.Context, operation audit.Operation, id int64, do func(context.Context, *sql.Tx, int64) (string, error),
) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		kind, err := do(ctx, tx, id)
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: fmt.Sprintf("job %d", id), Result: "ok", Detail: kind})
	})
}

// FailedJob is a job that failed.
type FailedJob struct {
	ID       int64      `json:"id"`
	Kind     string     `json:"kind" example:"mail"`
	Attempts int        `json:"tries"`
	Most     int        `json:"most" doc:"Maximum attempts"`
	GivenUp  bool       `json:"givenUp"`
	Next     *time.Time `json:"next,omitempty" doc:"Next attempt"`
	Since    time.Time  `json:"since" doc:"When it was queued"`
	Why      string     `json:"why" doc:"Reason, without personal data"`
}

// FailedJobs is a page of failed jobs.
type FailedJobs struct {
	Jobs []FailedJob `json:"jobs" nullable:"false"`
	More bool        `json:"more" doc:"There are more after the last one"`
}

// jobsAtOnce is the page size of failed jobs.
const jobsAtOnce = 50

// ListJobs returns a page of failed jobs, after an id.
func (s *Service) ListJobs(ctx context.Context, after int64) (FailedJobs, error) {
	list, err := s.jobs.Failed(ctx, after, jobsAtOnce+1)
	out := FailedJobs{Jobs: []FailedJob{}, More: len(list) > jobsAtOnce}
	for _, j := range list[:min(len(list), jobsAtOnce)] {
		failed := FailedJob{ID: j.ID, Kind: j.Kind, Attempts: j.Attempts, Most: j.Most, GivenUp: j.GivenUp, Since: j.Since, Why: j.Why}
		if !j.GivenUp {
			failed.Next = &j.Next
		}
		out.Jobs = append(out.Jobs, failed)
	}
	return out, err
}

// registerQueues adds the endpoints for work queues.
func (s *Service) registerQueues(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskQueues", Method: http.MethodGet, Path: "/desk/queues", Summary: "Get the work queues for your role",
		Access: "desk.open", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[WaitingQueue], error) {
		list, err := s.ListWaiting(ctx, access.From(ctx))
		return &httpapi.List[WaitingQueue]{Body: list}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "endMail", Method: http.MethodPost, Path: "/desk/queues/mails/{id}/end", Summary: "Remove a failed email from the list",
		Description: "Doesn't send it. Returns 404 if it was already resent or removed.",
		Access:      "queues.manage", Effect: httpapi.Write,
	}, func(ctx context.Context, in *struct {
		ID int64 `path:"id"`
	}) (*struct{}, error) {
		return nil, s.DismissMail(ctx, in.ID)
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "failedJobs", Method: http.MethodGet, Path: "/desk/queues/jobs", Summary: "List failed jobs, oldest first, 50 at a time",
		Access: "queues.manage", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		After int64 `query:"after" doc:"ID of the last job on the previous page"`
	}) (*struct{ Body FailedJobs }, error) {
		list, err := s.ListJobs(ctx, in.After)
		return &struct{ Body FailedJobs }{list}, err
	})
	for _, o := range []struct {
		id, path  string
		operation audit.Operation
		summary   string
		do        func(context.Context, *sql.Tx, int64) (string, error)
	}{
		{"retryJob", "retry", "job-retry", "Run a failed job again now", s.jobs.Retry},
		{"discardJob", "discard", "job-discard", "Delete a failed job", s.jobs.Discard},
	} {
		httpapi.Register(api, httpapi.Operation{
			ID: o.id, Method: http.MethodPost, Path: "/desk/queues/jobs/{id}/" + o.path, Summary: o.summary,
			Description: "Returns 409 if the job is no longer in the list.",
			Access:      "queues.manage", Effect: httpapi.Write,
		}, func(ctx context.Context, in *struct {
			ID int64 `path:"id"`
		}) (*struct{}, error) {
			return nil, s.changeJob(ctx, o.operation, in.ID, o.do)
		})
	}
}
